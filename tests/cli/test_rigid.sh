#!/usr/bin/env bash
# `fracas scene bricks`: rigid bodies that break; the frames it writes are closed surfaces.
. "$(dirname "$0")/lib.sh"

if "$program" scene bricks --frames 1 2>&1 | grep -q "need ODE"; then
    echo "skipped: built without ODE"
    exit 77
fi

run 0 scene
prints "32 bricks fall into a pit"

run 0 scene bricks --frames 120 --json --threads 1 --write frames
cp stdout one.json
json 'j["scene"], j["steps"], j["bodies"][0]' "('bricks', 120, 32)"
json 'j["bodies"][1] > 60 and 10 <= j["fractures"] <= 32' True
json '0 < j["contacts"]["mean"] <= j["inside"]["mean"]' True
json '0 < j["detect_ms"]["median"] <= j["detect_ms"]["most"]' True
json 'j["energy_growth"] < 0.01' True
[ "$(ls frames | wc -l)" = 7 ] || fail "there are not 7 frames"
run 0 info --json frames/bricks-000120.ply
json 'j["boundary_edges"], j["nonmanifold_edges"], j["misoriented_edges"]' "(0, 0, 0)"

# the same on any number of threads, up to times
run 0 scene bricks --frames 120 --json --threads 3
untimed='{k: v for k, v in %s.items() if not k.endswith("_ms")}'
json "$(printf "$untimed" j) == $(printf "$untimed" 'json.load(open("one.json"))')" True

run 0 scene bricks --frames 40 --quiet
prints "32 bodies became"
run 0 scene bricks --frames 25
prints "detect ms"

run 2 scene bricks plates
says "one scene at a time"
run 2 scene bricks --mesh a.obj
says "takes no --mesh"
run 2 scene bricks --report page.html
says "fracas detect DIR/*.ply --report page.html"
run 2 scene bricks --every 0
says "every is 0"
run 2 scene bricks --cull none
says "cull"
run 1 scene bricks --frames 1 --write /proc/nowhere
says "cannot be made"
finish
