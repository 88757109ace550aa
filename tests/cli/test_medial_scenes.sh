#!/usr/bin/env bash
# `fracas scene rods`: rigid bodies of spheres, cones and slabs.
. "$(dirname "$0")/lib.sh"

if "$program" scene rods --frames 1 2>&1 | grep -q "need ODE"; then
    echo "skipped: built without ODE"
    exit 77
fi

run 0 scene
prints "nine animals fall over rods"

run 0 scene rods --frames 80 --json --threads 1
cp stdout one.json
json 'j["scene"], j["steps"], j["bodies"]' "('rods', 80, 9)"
json '0 < j["contacts"] <= j["primitive_tests"] < j["primitive_pairs"] / 100' True
json '0 < j["detect_ms"]["median"] <= j["detect_ms"]["most"]' True
json 'j["energy_growth"] < 0.05' True

# the same on any number of threads and for any broad phase, up to times and counted work
untimed='{k: v for k, v in %s.items() if k[:9] not in ("detect_ms", "primitive")}'
run 0 scene rods --frames 80 --json --threads 3
json "$(printf "$untimed" j) == $(printf "$untimed" 'json.load(open("one.json"))')" True
run 0 scene rods --frames 20 --json --broad cones
cp stdout cones.json
run 0 scene rods --frames 20 --json
json "$(printf "$untimed" j) == $(printf "$untimed" 'json.load(open("cones.json"))')" True

# nothing passes: the dinosaur, which is fast, stays in front of the wall of animals or pushes it
run 0 scene fast-flyer --frames 30 --json --speed 1000
json 'j["contacts"] > 0 and j["energy_growth"] < 0.01' True
run 0 scene tori --frames 20 --quiet
prints "51 bodies"
run 0 scene stairs --frames 25
prints "detect ms"

# a model of one's own
printf '2 1 0\nv 0 0 0 0.2\nv 1 0 0 0.1\ne 0 1\n' >bone.ma
run 0 scene rods --frames 5 --json --mesh bone.ma
json 'j["bodies"]' 9
run 1 scene rods --mesh nowhere.ma
says "nowhere.ma"

run 2 scene rods tori
says "one scene at a time"
run 2 scene rods --broad trees
says "sweep|cones|none"
run 2 scene fast-flyer --speed 100000
says "speed is 100000"
finish
