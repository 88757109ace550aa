#!/usr/bin/env bash
# `--device`: the emulated device finds what the CPU finds, byte for byte; a program without CUDA, or
# on a machine without a GPU, refuses with a message.
# usage: test_device.sh PROGRAM-WITH-EMULATED-DEVICE PROGRAM
. "$(dirname "$0")/lib.sh"
plain=$2

# ---- the same contacts
# same ARGUMENTS...: of detect or scene, with every kind of output
same() {
    local device
    for device in cpu emulated; do
        run 0 "$@" --device $device --quiet --out $device.jsonl --out $device.csv --out $device.ply
    done
    [ -s cpu.jsonl ] || fail "$last: no contacts to compare"
    for ending in jsonl csv ply; do
        cmp cpu.$ending emulated.$ending || fail "$last: other contacts in .$ending"
    done
}
same scene wall --mode both --frames 12
same scene wall --mode both --siblings report --frames 9
same scene wall --min-separation 0.01 --frames 8
same scene wall --first --threads 3 --frames 12
same scene breaking-walls --size 1 --frames 12
run 0 scene wall --quiet --frames 9 --write frames
same detect frames --mode both
same detect frames --mode discrete --no-inside
same detect frames --filter none --cull none

# bodies inside others, and a frame by itself
box_off 1 1 1 >inner.off
box_off 3 3 3 | sed '3,10s/\<0\>/-1/g' >outer.off
same detect inner.off+outer.off
lines emulated.jsonl '[x["kind"] for x in l]' "['inside']"

# the answer is the same but for times
for device in cpu emulated; do
    run 0 detect frames --device $device
    sed 's/[0-9.]* ms.*//; s/ *[0-9.]*$//' stdout >$device.txt
done
cmp cpu.txt emulated.txt || fail "another answer"

# ---- what it says
run 0 scene wall --frames 8 --device emulated --verbose
prints "device: emulated; "
prints " left by filters, "
run 0 scene wall --frames 8 --verbose
prints "device: cpu"
run 0 scene wall --frames 8 --device emulated --json
json 'j["device"]' emulated
json 'len(j["steps"])' 8
json '[sum(s["device"][k] for s in j["steps"]) == j["totals"]["device"][k] for k in ("candidates", "filtered", "hits")]' \
    '[True, True, True]'
json 'j["totals"]["device"]["candidates"] >= j["totals"]["device"]["hits"] > 0' True
json 'sorted(j["steps"][0]["device"]["ms"])' "['device', 'download', 'host', 'upload']"
run 0 scene wall --frames 8 --json
json 'j["device"], "device" in j["steps"][0]' "('cpu', False)"

# ---- benchmarks
run 0 bench cuda scenes --device emulated --scene wall --size 200 --frames 8
prints "device: emulated"
run 0 bench cuda scenes --device emulated --scene wall --size 200 --frames 8 --mode both --json
json '[(r["scene"], r["queries"]) for r in j["scenes"]]' "[('wall', 8)]"
json 'j["device"], all(r["contacts"] > 0 < r["candidates"] for r in j["scenes"])' "('emulated', True)"
json 'sorted(j["scenes"][0]["ms"])' "['call', 'cpu', 'cpu_update', 'device', 'records', 'update']"
run 0 bench cuda scenes --device emulated --scene wall --size 200 --frames 4 --kernels
prints "feature_pairs"
run 0 bench cuda scenes --device emulated --scene wall --size 200 --frames 4 --mode both --kernels --json
json 'sorted(j["scenes"][0]["kernels"])' "['ee', 'tt', 'vf']"
json '[k for k in ("boxes", "filter", "planes") if k in j["scenes"][0]["kernels"]["vf"]]' "['boxes', 'filter']"
json 'min(v for k in j["scenes"][0]["kernels"].values() for v in k.values()) >= 0' True
FRACAS_DATA=/nowhere run 1 bench cuda frames --device emulated
FRACAS_DATA=/nowhere run 1 bench cuda queries --device emulated
run 2 bench cuda
grep -qF "has the emulated device only" stderr || fail "$last: the device is not named"
run 2 bench hashes --device tpu
run 2 bench hashes --device emulated --scene volumes

# ---- what is refused
run 2 scene wall --device cuda
says "built for tests"
run 2 scene wall --device tpu
says "--device is 'tpu'; it takes cpu, cuda, or cuda:N"
for wrong in cuda: cuda:x cuda:1x cuda1 ""; do
    run 2 scene wall --device "$wrong"
    says "--device is '$wrong'"
done
run 2 scene wall --device cuda:7
says "no CUDA device 7"
run 2 scene wall --device emulated --broad hash
says "--broad is for trees on the CPU: leave out --device"
run 2 scene wall --device emulated --count-misses
says "--count-misses is for trees"
run 2 scene wall --device emulated --scheduler pccd
says "--scheduler is for trees"
run 2 scene wall --device emulated --cull normal-cone
says "--cull is for trees"

# ---- the program that users have
program=$plain
run 2 scene wall --device emulated
says "--device emulated: "
run 0 scene wall --frames 8 --device cpu --json
json 'j["device"]' cpu
run 2 scene wall --device cuda:60000
says "--device cuda:60000: "
says "without --device the CPU finds the same"
[ -s stdout ] && fail "$last: printed to stdout"
finish
