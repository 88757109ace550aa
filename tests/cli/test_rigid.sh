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
# a report: contacts and fractures of the steps, motion that goes on from step to step
report() { # EXPRESSION VALUE: of the data of page.html, which is called j
    checks=$((checks + 1))
    got=$(PYTHONDONTWRITEBYTECODE=1 python3 "$here/report_data.py" page.html "$1" 2>&1)
    [ "$got" = "$2" ] || fail "$last: in the page $1 is '$got' instead of '$2'"
}
"$program" scene bricks --frames 1 --report page.html --quiet >stdout 2>stderr
if grep -q "built without the page" stderr; then
    [ -e page.html ] && fail "a refused report left a file"
else
    run 0 scene bricks --frames 120 --json --threads 1 --report page.html
    json "$(printf "$untimed" j) == $(printf "$untimed" 'json.load(open("one.json"))')" True
    report 'j["title"], j["up"], len(j["keys"]), len(j["contacts"])' "('bricks', 'z', 120, 120)"
    report 'sum(s["edits"] for s in j["summary"]["steps"]) == json.load(open("stdout"))["fractures"]' True
    # contacts of bodies that broke in the same step are not listed
    report '0.3 < sum(s["vt"] for s in j["summary"]["steps"]) / 120 / json.load(open("stdout"))["contacts"]["mean"] < 1.01' True
    # motion begins anew with the first step and where bodies broke
    report '{k["step"] for k in j["keys"] if "t0" in k} == {0} | {i for i, s in enumerate(j["summary"]["steps"]) if s["edits"]}' True
    report 'j["topologies"][j["keys"][-1]["topology"]]["bodies"] > json.load(open("stdout"))["bodies"][1]' True
    report 'j["answer"].split(" touch")[1][:10], j["trees"] == 120 * [None]' "(' in frames', True)"
    run 0 scene bricks --frames 3 --report page.html
    prints "report written to page.html"
    run 1 scene bricks --frames 3 --report nowhere/page.html
    says "nowhere/page.html: cannot be written"
    run 2 scene bricks --report page.html --report-size 0
    says "1 to 2000 megabytes"
fi
run 2 scene bricks --every 0
says "every is 0"
run 2 scene bricks --cull none
says "cull"
run 1 scene bricks --frames 1 --write /proc/nowhere
says "cannot be made"
finish
