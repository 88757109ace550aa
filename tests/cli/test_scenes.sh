#!/usr/bin/env bash
# `fracas scene` with scenes that break, tear and merge: `fracas detect` finds the same contacts in
# the files it writes; options of scenes; invalid options.
. "$(dirname "$0")/lib.sh"

summary='[[s[k] for k in ("vf","ee","tt","siblings_left_out","vertices","edges","triangles","restart","earliest_toi")] for s in %s["steps"]]'

# replays NAME ARGUMENTS...: the same contacts from the files, between frames and at frames
replays() {
    rm -rf frames
    run 0 scene "$@" --json --mode both --write frames
    cp stdout scene.json
    run 0 detect frames/*.ply --json --mode both
    json "$(printf "$summary" j) == $(printf "$summary" 'json.load(open("scene.json"))')" True
    json 'sum(s["vf"] + s["ee"] for s in j["steps"]) > 0' True
    json '[s["restart"] for s in j["steps"]].count(True)' 0
}

replays breaking-walls --size 1 --frames 30
json '[s["step"] for s in j["steps"] if s["edits"] > 0]' '[7, 16, 25]'
replays exploding-dragon --size 800 --frames 100
json '[s["step"] for s in j["steps"] if s["edits"] > 0]' '[30, 44, 58, 72]'
replays exploding-dragon --size 800 --frames 80 --pre-cut
json '[s["step"] for s in j["steps"] if s["edits"] > 0]' '[1]'
replays merge --size 500
json '[s["step"] for s in j["steps"] if s["edits"] > 0]' '[30, 80]'
replays pulling-apart --size 1000
json 'sum(s["edits"] > 0 for s in j["steps"]) > 15' True
replays n-body --size 1000 --frames 60
replays cloth-ball --size 800 --frames 40

# contacts with the element numbers of the scene, also after splits
run 0 scene pulling-apart --size 1000 --quiet --threads 1 --out one.jsonl
run 0 scene pulling-apart --size 1000 --quiet --threads 3 --out three.jsonl
cmp -s one.jsonl three.jsonl || fail "contacts differ between 1 and 3 threads"
lines one.jsonl 'len(l) > 0 and max(x["body_a"] for x in l) > 2' True

# how long and how large
run 0 scene
prints "exploding-dragon"
run 0 scene n-body --size 300 --json --frames 2
json 'len(j["steps"])' 2
json '200 < j["steps"][0]["triangles"] < 400' True

# a mesh from a file
cat >closed.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
OBJ
head -7 closed.obj >open.obj
replays exploding-dragon --mesh closed.obj --size 600 --frames 80
json 'sum(s["edits"] > 0 for s in j["steps"])' 4
run 1 scene exploding-dragon --mesh open.obj
says "open.obj: the mesh is not closed, it has 3 boundary edges"
run 1 scene exploding-dragon --mesh nowhere.obj
says "nowhere.obj"
echo "v 0 0 what" >broken.obj
run 1 scene exploding-dragon --mesh broken.obj
says "broken.obj:1"
run 2 scene breaking-walls --mesh closed.obj
says "scene 'breaking-walls' takes no --mesh"
run 2 scene merge --pre-cut
says "scene 'merge' takes no --pre-cut"
run 2 scene exploding-dragon --size few
run 2 scene exploding-dargon
says "did you mean 'exploding-dragon'?"
finish
