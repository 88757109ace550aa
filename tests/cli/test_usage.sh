#!/usr/bin/env bash
# Usage, help, exit codes and suggestions.
. "$(dirname "$0")/lib.sh"

cat >tri.off <<'END'
OFF
3 1 0
0 0 0
1 0 0
0 1 0
3 0 1 2
END

run 2
run 0 --help
prints "detect"
run 0 --version
prints "fracas 0."
run 2 detcet
says "did you mean 'detect'?"
run 2 xyzzy
says "fracas --help"
for command in detect scene bench info tet; do
    run 0 $command --help
    prints "usage: fracas $command"
done

# options
run 2 detect
says "no FRAME given"
run 2 detect tri.off --treads 2
says "unknown option --treads; did you mean --threads?"
run 2 detect tri.off --qqqqqqqqq
says "unknown option --qqqqqqqqq; 'fracas detect --help'"
run 2 detect tri.off -x
says "unknown option -x"
run 2 detect tri.off --threads
says "--threads needs a value"
run 2 detect tri.off --threads two
says "--threads is 'two'"
run 2 detect tri.off --threads=-1
says "--threads is '-1'"
run 2 detect tri.off --json=yes
says "--json takes no value"
run 2 detect tri.off --mode sometimes
says "discrete|continuous|both"
run 2 detect tri.off --mode continuous
says "needs two frames"
run 2 detect tri.off tri.off --min-separation nan
says "--min-separation is 'nan'"
run 2 detect tri.off --min-separation 0.1
says "FRAME FRAME"
run 2 detect tri.off tri.off --tolerance 0
says "--tolerance"
run 2 detect tri.off --out contacts.txt
says ".jsonl, .csv, .vtk, .vtp, .pvd or .ply"
run 2 detect tri.off --cull normals
says "certificate|none|normal-cone"
run 2 detect tri.off --broad grid
says "tree|hash"
run 2 detect tri.off --cell-size 1
says "--cell-size is for --broad hash"
run 2 detect tri.off --broad hash --cell-size -1
says "--cell-size"
run 0 detect tri.off --broad hash --cell-size 0.5
run 2 detect tri.off+
says "empty file name"
run 0 detect --threads=1 tri.off --mode=discrete
prints "no contacts"
run 0 detect --threads 2 -- tri.off

# scene and bench
run 0 scene
prints "wall"
run 2 scene wal
says "did you mean 'wall'?"
run 2 scene wall wall
says "one scene at a time"
run 2 scene wall --mesh bunny.obj
says "scene 'wall' takes no --mesh"
run 0 bench
run 2 bench there-is-no-such-benchmark
says "no benchmark 'there-is-no-such-benchmark'"
run 2 bench ../cli/fracas
says "no benchmark"

# a benchmark next to the program is started with the remaining arguments
mkdir -p tree/cli tree/bench
cp "$program" tree/cli/fracas
printf '#!/bin/sh\necho "$0" "$@"; exit 7\n' >tree/bench/fracas-bench-echo
chmod +x tree/bench/fracas-bench-echo
own=$program program=$work/tree/cli/fracas
run 0 bench
prints "echo"
run 7 bench echo --json DIR
prints "--json DIR"
run 2 bench ehco
says "did you mean 'echo'?"
program=$own

# bad input
run 1 detect nowhere.ply
says "nowhere.ply"
run 1 detect tri.off+nowhere.ply
says "nowhere.ply"
run 1 detect tri.off --out nowhere/contacts.csv
says "nowhere/contacts.csv"
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n' >nan.off
run 1 detect nan.off
says "nan.off"
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n' >range.off
run 1 detect range.off
says "range.off"
run 1 detect tri.off range.off
says "range.off"
[ -s stdout ] && fail "$last: printed to stdout"
run 1 scene wall --frames 1 --write tri.off/folder
says "tri.off/folder"
finish
