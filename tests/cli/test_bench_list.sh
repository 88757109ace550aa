#!/usr/bin/env bash
# Every benchmark that `fracas bench` lists has a description, answers --help and refuses an unknown
# option with a message.
. "$(dirname "$0")/lib.sh"

run 0 bench
[ "$(head -1 stdout)" = "benchmarks:" ] || fail "the list has no title"
tail -n +2 stdout >list.txt
names=$(awk '{ print $1 }' list.txt)
for name in ccd cuda cull distance edits fastcd fragment hashes medial misses pccd peers queries restructure \
    separation solver stream tc teschner tri; do
    grep -qx "$name" <<<"$names" || fail "$name is not listed"
done
for name in $names; do
    awk -v name="$name" '$1 == name && NF > 3 { found = 1 } END { exit !found }' list.txt ||
        fail "$name has no description"
    run 0 bench "$name" --help
    prints "usage: fracas bench $name"
    [ -s stderr ] && fail "$name --help writes to stderr"
    run 2 bench "$name" --no-such-option
    grep -qF "fracas bench $name" stderr || fail "$name does not say what it was given"
    [ -s stdout ] && fail "$name writes to stdout after bad usage"
done
# values are checked, too
run 2 bench cull --mesh cube
run 2 bench cuda --device tpu
run 2 bench cuda frames scenes
run 2 bench cull --frames 1
run 2 bench restructure --rounds 0
run 2 bench misses --nodes many
run 2 bench separation --size
run 2 bench distance --points 0
run 2 bench ccd /nowhere no-such-scene
run 2 bench pccd --scheduler fifo
grep -qF "'fifo'" stderr || fail "fifo is not named"
# data that is missing is another thing
FRACAS_DATA=/nowhere run 1 bench ccd
FRACAS_DATA=/nowhere run 1 bench distance
FRACAS_DATA=/nowhere run 1 bench queries
FRACAS_DATA=/nowhere run 1 bench tri
finish
