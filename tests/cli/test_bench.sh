#!/usr/bin/env bash
# Benchmarks of scenes and edits, at tiny sizes: their output is consistent. Times are not checked.
. "$(dirname "$0")/lib.sh"

# check TEXT: Python statements that must not fail; j is the JSON on stdout
check() {
    checks=$((checks + 1))
    python3 - "$1" >check.out 2>&1 <<'PY' || fail "$last: $(tail -3 check.out)"
import json, math, sys
j = json.load(open("stdout"))
def numbers(x):
    if isinstance(x, dict): x = list(x.values())
    if isinstance(x, list): return [n for y in x for n in numbers(y)]
    return [x] if isinstance(x, (int, float)) and not isinstance(x, bool) else []
assert all(math.isfinite(n) for n in numbers(j))
exec(sys.argv[1])
PY
}

# ---- medial
if ! "$program" scene rods --frames 1 2>&1 | grep -q "need ODE"; then
    run 0 bench medial scenes --scene stairs --json --csv steps.csv
    check '
assert [s["scene"] for s in j["scenes"]] == ["stairs"]
s = j["scenes"][0]
assert s["equal"] and s["bodies"] == 10 and s["steps"] == 500
methods = {m["method"]: m for m in s["methods"]}
assert [(name, m["steps"]) for name, m in methods.items()] == \
    [("medial", 500), ("boxes", 125), ("spheres", 125), ("cones", 12), ("none", 12)]
assert methods["none"]["leaves"] == s["primitive_pairs"] > methods["cones"]["leaves"] > methods["medial"]["leaves"] > 0
assert methods["none"]["contacts"] == methods["cones"]["contacts"]
assert all(0 < m["ms"] <= m["most_ms"] for m in methods.values())
import csv
rows = list(csv.DictReader(open("steps.csv")))
assert [int(r["step"]) for r in rows] == list(range(500))
for name, m in methods.items():
    times = [float(r[name + "_ms"]) for r in rows if r[name + "_ms"]]
    assert len(times) == m["steps"] and abs(sum(times) / len(times) - m["ms"]) < 1e-3
for name, column in (("medial", "contacts"), ("boxes", "boxes_contacts"), ("spheres", "spheres_contacts")):
    found = [int(r[column]) for r in rows if r[column]]
    assert abs(sum(found) / len(found) - methods[name]["contacts"]) < 0.01
assert all(int(r["contacts"]) <= int(r["tests"]) for r in rows)
assert all(int(r["contacts"]) <= int(r["spheres_contacts"] or 1e9) for r in rows)
'
    run 2 bench medial scenes --scene nowhere
    run 2 bench medial --json
fi

# ---- fastcd
run 0 bench fastcd --scene exploding-dragon --size 1500 --frames 36 --csv frames.csv --json
check '
assert [s["mode"] for s in j["scenes"]] == ["discrete", "continuous"]
for s in j["scenes"]:
    assert s["topology_frames"] == 1 and s["frames"] == 36
    methods = {m["method"]: m for m in s["methods"]}
    assert len(methods) == 21
    for name, m in methods.items():
        unsound = ("t-ccd", "dual-cone", "published", "published-front", "published-median", "published-lm")
        assert m["equal"] or name.startswith("t-ccd-") or name in unsound, name
        for shares in (m["shares"], m["topology_shares"]):
            parts = [v for k, v in shares.items() if k != "ms"]
            assert len(parts) == 6 and abs(sum(parts) - 1) < 1e-4, (name, shares)
            assert min(parts) > -1e-3, (name, shares)
        assert abs(m["shares"]["ms"] - m["mean_ms"] - m["edit_ms"]) < 1e-3
        assert abs(m["mean_ms"] - m["update_ms"] - m["cull_ms"] - m["query_ms"]) < 1e-3
        frames = m["steady_frames"]
        assert [f["frame"] for f in frames] == [30] and frames[0]["edits"] > 15
        assert abs(max(f["ratio"] for f in frames) - m["steady"]) < 1e-3
        assert abs(frames[0]["ms"] / frames[0]["after_ms"] - m["steady"]) < 0.01 * m["steady"]
        against = methods[m["culled"]["against"]]
        own = "t-ccd-none" if name.startswith("t-ccd") else {
            "s-hash": "s-hash", "published": "published-none", "published-none": "published-none",
            "published-front": "published-none",
            "published-sound": "published-none", "published-lm": "hpccd", "hpccd": "hpccd",
        }.get(name, "none")
        assert against["method"] == own
        assert abs(1 - m["box_tests"] / against["box_tests"] - m["culled"]["box_tests"]) < 1e-3
        assert abs(1 - m["candidates"] / against["candidates"] - m["culled"]["candidates"]) < 1e-3
        b = m["memory"]
        tree = b["links"] + b["boxes"] + b["top"]
        assert abs(tree - b["tree_bytes_per_triangle"]) < 0.3
        assert tree + b["culling"] + b["upkeep"] < b["bytes_per_triangle"] <= b["most_bytes_per_triangle"]
        assert abs(b["tree_bytes_per_node"] * (b["nodes"] + b["leaves"]) - tree * s["triangles"][1]) \
            <= 0.01 * tree * s["triangles"][1]
    assert methods["fracas"]["culled"]["box_tests"] > 0 == methods["none"]["culled"]["box_tests"]
    hash = methods["s-hash"]
    # trees compare discrete boxes in whole cells, which keeps a few more
    none = methods["none"]["candidates"]
    assert hash["equal"] and 0 < none <= 1.01 * hash["candidates"]
    # over the step, trees skip pairs of leaves that a direction separates
    assert hash["candidates"] <= none if s["mode"] == "discrete" else none <= hash["candidates"]
    assert hash["memory"]["nodes"] == 0 and hash["box_tests"] > 0
import csv
rows = list(csv.DictReader(open("frames.csv")))
assert len(rows) == 2 * 21 * 36
assert {r["frame"] for r in rows if r["topology"] == "1"} == {"30"}
assert all((int(r["edits"]) > 0) == (r["topology"] == "1") and r["pre_cut"] == "0" for r in rows)
mean = lambda key: sum(float(r[key]) for r in rows[:36]) / 36
first = j["scenes"][0]["methods"][0]
for key in ("edit_ms", "update_ms", "cull_ms", "query_ms", "traverse_ms", "narrow_ms", "contacts"):
    assert abs(mean(key) - first[key]) < 0.06, key
'
run 0 bench fastcd --scene merge --size 500 --frames 3 --mode continuous --method fracas,s-hash --json
json '[m["method"] for m in j["scenes"][0]["methods"]]' "['fracas', 'none', 's-hash']"
run 0 bench fastcd --scene merge --size 500 --frames 3 --mode discrete --method t-ccd --details
prints "shares of a frame"
prints "work avoided by culling"
prints "bytes after the last frame"
run 0 bench fastcd --scene merge --size 500 --frames 3 --mode discrete --method fracas,refit --json
check '
assert [m["method"] for m in j["scenes"][0]["methods"]] == ["fracas", "none", "refit"]
'
run 2 bench fastcd --method fracas,fast

# ---- cost of topology changes
run 0 bench fastcd --overhead --size 1500 --frames 36 --rounds 2 --csv frames.csv --json
check '
assert [s["mode"] for s in j["overhead"]] == ["discrete", "continuous"]
for s in j["overhead"]:
    assert s["topology_frames"] == 1 and 0 <= s["apart_mean"] <= s["apart_most"] < 0.5
    assert [m["method"] for m in s["methods"]] == ["fracas", "none", "without-grid-cost"]
    for m in s["methods"]:
        assert m["equal"]
        for a, b, r in (("breaking_ms", "pre_cut_ms", "ratio"),
                        ("after_breaking_ms", "after_pre_cut_ms", "after_ratio")):
            assert m[a] > 0 and m[b] > 0 and abs(m[a] / m[b] - m[r]) < 0.01 * m[r]
        ratio = (m["breaking_ms"] + m["breaking_edit_ms"]) / (m["pre_cut_ms"] + m["pre_cut_edit_ms"])
        assert abs(ratio - m["ratio_with_edits"]) < 0.01 * ratio
import csv
rows = list(csv.DictReader(open("frames.csv")))
assert len(rows) == 2 * 2 * 3 * 36
for pre_cut, frames in (("0", {"30"}), ("1", {"1"})):
    assert {r["frame"] for r in rows if r["topology"] == "1" and r["pre_cut"] == pre_cut} == frames
'
# before the rabbit hits, both versions are bit-identical
run 0 bench fastcd --overhead --size 1500 --frames 14 --mode discrete --method fracas --json
json '[j["overhead"][0][k] for k in ("apart_mean", "apart_most")]' '[0, 0]'
json 'j["overhead"][0]["methods"][0]["breaking_contacts"] == j["overhead"][0]["methods"][0]["pre_cut_contacts"]' True
run 2 bench fastcd --overhead --scene merge
run 2 bench fastcd --overhead --frames 1

# ---- edits
for part in tearing pulling-apart; do
    run 0 bench edits --only $part --triangles 5000 --frames 4 --rounds 2 --json
    check '
(part, t), = j.items()
assert t["splits_per_frame"] == 20 and t["frames"] == 4 and t["rounds"] == 2
assert [m["cull"] for m in t["modes"]] == ["certificate", "none"]
for m in t["modes"]:
    close = lambda a, b: abs(a - b) < 1e-3 + 0.01 * abs(b)
    r = m["rebuild_ms"]
    assert r == min(m["torn_rebuild_ms"], m["whole_rebuild_ms"]) > 0
    assert close(m["beyond"], (m["torn_ms"] - m["quiet_ms"]) / r)
    assert close(m["after"], (m["back_ms"] - m["quiet_ms"]) / r)
    assert close(m["cracks_ms"], m["quiet_ms"] - m["whole_ms"])
    assert close(m["cracks_share"], m["cracks_ms"] / r)
    assert m["worst_beyond"] >= m["beyond"] - 1e-3 and m["worst_torn_ms"] >= m["torn_ms"]
    assert 0 < m["split_ms"] < m["torn_ms"]
    assert (m["quiet_cull_ms"] > 0.01) == (m["cull"] == "certificate")
'
done
run 0 bench edits --only splits --json
check '
for within in ("body", "scene"):
    rows = [s for s in j["splits"] if s["within"] == within]
    assert len(rows) == 8
    for s in rows:
        assert s["worst_ms"] > 0 and (s["bodies"] == 1) == (within == "body")
'

# ---- fragments
run 0 bench fragment field --csv slice.csv
prints "literal, 33 fragments"
check_rows() { # TEXT: Python statements that must not fail; rows are those of the file
    checks=$((checks + 1))
    python3 - "$@" >check.out 2>&1 <<'PY' || fail "$2: $(tail -3 check.out)"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[2])))
exec(sys.argv[1])
PY
}
check_rows '
modes = {m: [r for r in rows if r["mode"] == m] for m in ("closest point", "visit once", "literal", "exact")}
assert sum(map(len, modes.values())) == len(rows)
# an L in the unit square, 7 of 13 cubes wide
for m in modes.values():
    assert abs(len(m) / 320 ** 2 - (1 - (6 / 13) ** 2)) < 0.02
    assert len({r["fragment"] for r in m}) > 8 and len({(r["column"], r["row"]) for r in m}) > 0.999 * len(m)
below = {m: min(float(r["depth"]) - float(r["exact"]) for r in modes[m]) for m in modes}
assert below["closest point"] > -1e-9 and below["exact"] > -1e-9 and below["literal"] < -0.05, below
' slice.csv
run 0 bench fragment spread
prints "41 fragments"
run 0 bench fragment bowl --drops 3 --processes 2
if ! grep -q "not built" stdout; then
    cp stdout two.txt
    run 0 bench fragment bowl --drops 3 --processes 1
    cmp -s stdout two.txt || fail "the drops depend on the number of processes"
    run 0 bench fragment rolling --csv rolling.csv
    prints "same"
    check_rows '
assert [int(r["step"]) for r in rows] == list(range(1000)) and {r["bodies"] for r in rows} == {"1"}
assert all(int(r["contacts"]) <= int(r["colliding"]) for r in rows)
assert 100 < max(int(r["colliding"]) for r in rows) and max(int(r["contacts"]) for r in rows) < 30
' rolling.csv
    run 0 bench fragment resolution
    prints "2880 surface triangles, 4063 points inside"
    prints "11520 surface triangles, 4063 points inside"
    prints "2880 surface triangles, 455 points inside"
fi
run 2 bench fragment bowl --csv none.csv
run 2 bench fragment field rolling --csv none.csv
run 2 bench fragment bowl --drops 0
run 2 bench fragment nothing
# ---- medial meshes: contacts do not depend on the broad phase
if "$program" scene rods --frames 1 >/dev/null 2>&1; then
    run 0 bench medial scenes
    prints "tori: 52 bodies"
fi
run 2 bench medial nothing

# ---- volumes
run 0 bench teschner --only variants --steps 2 --rounds 1 --json
check '
run = j["variants"][0]
assert j["equal"] and run["equal"] and run["tets"] == 20514 and run["vertices"] == 5898
assert len(run["ways"]) == 8 and all(w["mean"] > 0 for w in run["ways"])
assert all(w["penetrations"] == run["penetrations"] for w in run["ways"])
'
run 0 bench teschner --only setups --steps 1 --rounds 1
prints "equal for all"
run 0 bench teschner --only setups --steps 1 --rounds 1 --json
check '
runs = [r for r in j["setups"] if len(r["ways"]) == 5]
assert [r["setup"] for r in runs] == ["A", "B", "C", "D", "E"]
for r in runs:
    one, two = r["ways"][0], r["ways"][3]
    assert (one["way"], one["threads"], two["threads"]) == ("sorted", 1, 2)
    assert abs(r["scaling"] / (one["mean"] / two["mean"]) - 1) < 1e-3
# every setup has penetrations in its first step
for r in j["setups"]:
    assert r["penetrations"] > 100 and r["equal"], r["setup"]
'
run 2 bench teschner --only nothing

# ---- culling and rebuilding: there are contacts to compare
for mesh in torus sheet crumpled; do
    run 0 bench cull --mesh $mesh --size 6000 --frames 3 --json
    check '
modes = {m["cull"]: m for m in j["modes"]}
none, certificate = modes["none"], modes["certificate"]
assert len(modes) == 6 and none["contacts"] > 100
assert none["hash"] == certificate["hash"] and certificate["certified"] > 0
assert certificate["candidates"] < none["candidates"]
'
done
run 0 bench restructure --size 24 --frames 4 --rounds 1 --json
check '
assert len(j["cases"]) == 6
for c in j["cases"]:
    assert c["contacts"] > 0 and len(c["policies"]) == 4
'

# ---- PCCD
run 0 bench pccd --scene n-body --size 3000 --frames 5 --threads 1,2 --json
check '
(s,) = j["scenes"]
assert s["equal"] and len(s["lanes"]) == 12
names = ["steal", "steal-none", "pccd", "pccd-front", "pccd-disjoint", "pccd-sah"]
assert [l["scheduler"] for l in s["lanes"]] == [n for n in names for _ in range(2)]
lanes = {(l["scheduler"], l["threads"]): l for l in s["lanes"]}
assert all(lanes[n, 2]["low_ms"] > 0 for n in names[2:])
assert lanes["pccd-disjoint", 2]["locks"] == 0
'
run 2 bench teschner --only nothing
run 2 bench edits --only nothing
run 2 bench edits --triangles few
finish
