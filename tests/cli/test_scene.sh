#!/usr/bin/env bash
# `fracas scene`: the scene `wall`; detection on the files it writes finds the same contacts.
. "$(dirname "$0")/lib.sh"

run 0 scene wall --json --write frames
cp stdout scene.json
json 'len(j["steps"])' 30
json '[s["vf"] + s["ee"] + s["edits"] for s in j["steps"][:5]]' '[0, 0, 0, 0, 0]'
json 'j["steps"][5]["vf"] + j["steps"][5]["ee"] > 0' True
json '[s["step"] for s in j["steps"] if s["edits"] > 0]' '[6]'
json 'j["steps"][6]["siblings_left_out"] > 0' True
json '[s["restart"] for s in j["steps"]].count(True)' 0
json 'all(s["vf"] + s["ee"] > 0 for s in j["steps"][5:])' True
[ "$(ls frames | wc -l)" = 31 ] || fail "there are not 31 frames"

run 0 detect frames/*.ply --json --mode continuous
same='[[s[k] for k in ("vf","ee","tt","siblings_left_out","vertices","edges","triangles","restart","earliest_toi","from","to")] for s in %s["steps"]]'
json "$(printf "$same" j) == $(printf "$same" 'json.load(open("scene.json"))')" True
json 'j["steps"][6]["edits"] > 0' True

# the plain exact set too, at the frames and between them
run 0 scene wall --json --mode both --siblings report --frames 8
cp stdout scene.json
run 0 detect frames/wall-00000[0-8].ply --json --mode both --siblings report
counts='[[s[k] for k in ("vf","ee","tt","siblings_left_out")] for s in %s["steps"]]'
json "$(printf "$counts" j) == $(printf "$counts" 'json.load(open("scene.json"))')" True
json 'len(j["steps"])' 9

# the same with spatial hashing instead of trees
run 0 scene wall --quiet --mode both --out tree.jsonl
for size in 0 0.01 3; do
    run 0 scene wall --quiet --mode both --broad hash --cell-size $size --out hash.jsonl
    cmp tree.jsonl hash.jsonl || fail "other contacts in cells of size $size"
done
run 0 detect frames/*.ply --quiet --out tree.jsonl
run 0 detect frames/*.ply --quiet --broad hash --out hash.jsonl
cmp tree.jsonl hash.jsonl || fail "other contacts in cells"

# the same on any number of threads
run 0 scene wall --quiet --threads 1 --out one.jsonl
run 0 scene wall --quiet --threads 3 --out three.jsonl
cmp -s one.jsonl three.jsonl || fail "contacts differ between 1 and 3 threads"
lines one.jsonl 'len(l) > 0 and sorted(l, key=lambda x: (x["step"], ["tt","et","vf","ee","ve","vv"].index(x["kind"]), x["body_a"], x["body_b"])) == l' True

# size and frames
run 0 scene wall --size 500 --frames 3 --json
json 'len(j["steps"])' 3
json '300 < j["steps"][0]["triangles"] < 800' True
run 0 scene wall --frames 7
prints "sibling pairs left out"
run 3 scene wall --frames 7 --fail-on-contact --quiet
finish
