#!/usr/bin/env bash
# `fracas scene rods`: rigid bodies of spheres, cones and slabs; the frames it writes.
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

# a report
"$program" scene stairs --frames 120 --json --report page.html >stdout 2>stderr
if ! grep -q "built without the page" stderr; then
    checks=$((checks + 1))
    got=$(PYTHONDONTWRITEBYTECODE=1 python3 "$here/report_data.py" page.html 'j["title"], len(j["keys"]), [k["step"] for k in j["keys"] if "t0" in k], abs(sum(s["vt"] for s in j["summary"]["steps"]) / 120 - json.load(open("stdout"))["contacts"]) < 0.06' 2>&1)
    [ "$got" = "('stairs', 120, [0], True)" ] || fail "the report of stairs: $got"
fi

# a model of one's own
printf '2 1 0\nv 0 0 0 0.2\nv 1 0 0 0.1\ne 0 1\n' >bone.ma
run 0 scene rods --frames 5 --json --mesh bone.ma
json 'j["bodies"]' 9
run 1 scene rods --mesh nowhere.ma
says "nowhere.ma"

# frames: closed meshes of the primitives at the poses of the step
run 0 scene rods --frames 5 --mesh bone.ma --write frames --every 2 --quiet
[ "$(cd frames && echo ./*)" = "./rods-000000.ply ./rods-000002.ply ./rods-000004.ply" ] || fail "frames: $(ls frames)"
for scene in rods stairs fast-flyer tori; do
    run 0 scene $scene --frames 6 --write frames --every 6
    prints "frames written to frames"
    run 0 info --json frames/$scene-000000.ply frames/$scene-000006.ply
    cp stdout two.jsonl
    lines two.jsonl '[f["closed"] and f["misoriented_edges"] == 0 for f in l]' "[True, True]"
    lines two.jsonl 'l[0]["triangles"] == l[1]["triangles"] > 10000 and l[0]["vertices"] == l[1]["vertices"]' True
done
cmp -s frames/rods-000000.ply frames/rods-000006.ply && fail "nothing moves from frame to frame"
# 51 rings of 26 cones, and the ground
run 0 info --json frames/tori-000006.ply
json '(j["triangles"], j["box_min"], j["box_max"][0])' "($((51 * 26 * 144 + 4)), [-30, -30, 0], 30)"
run 2 scene rods --every 0
says "every is 0"
run 1 scene rods --frames 1 --write /proc/nowhere
says "cannot be made"
touch file
run 1 scene rods --frames 1 --write file
says "file/rods-000000.ply: cannot be opened"

run 2 scene rods tori
says "one scene at a time"
run 2 scene rods --broad trees
says "sweep|cones|none"
run 2 scene fast-flyer --speed 100000
says "speed is 100000"
finish
