#!/usr/bin/env bash
# `fracas detect` on small meshes whose contacts can be computed by hand.
. "$(dirname "$0")/lib.sh"

# off NAME "x y z, x y z, ..." "i j k, ...": write an OFF file
off() {
    python3 - "$@" <<'END'
import sys
points = [p.strip() for p in sys.argv[2].split(",")]
faces = [f.split() for f in sys.argv[3].split(",")] if len(sys.argv) > 3 and sys.argv[3] else []
with open(sys.argv[1], "w") as out:
    out.write("OFF\n%d %d 0\n%s\n" % (len(points), len(faces), "\n".join(points)))
    for face in faces:
        out.write("%d %s\n" % (len(face), " ".join(face)))
END
}

floor="0 0 0, 4 0 0, 0 4 0"
off floor.off "$floor" "0 1 2"
off above.off "1 1 2, 2 1 3, 1 2 3" "0 1 2"   # stands on its corner, high up
off below.off "1 1 -1, 2 1 1, 1 2 1" "0 1 2"  # its corner went through the floor
off higher.off "1 1 1, 2 1 2, 1 2 2" "0 1 2"

# one frame: discrete
run 0 detect floor.off+above.off --json
json 'j["mode"]' discrete
json 'len(j["steps"])' 1
json 'sorted(j.keys())' "['device', 'mode', 'steps', 'totals']"
json '[k for k in ("step","from","to","restart","edits","vertices","edges","triangles","vf","ee","tt","siblings_left_out","earliest_toi","ms") if k not in j["steps"][0]]' '[]'
json 'sorted(j["steps"][0]["ms"])' "['cull', 'inside', 'narrow', 'read', 'total', 'traverse', 'update']"
json 'sorted(j["totals"]["ms"])' "['cull', 'inside', 'narrow', 'read', 'total', 'traverse', 'update']"
json '[j["steps"][0][k] for k in ("step","vertices","edges","triangles","vf","ee","tt")]' '[0, 6, 6, 2, 0, 0, 0]'
json 'j["steps"][0]["to"]' "['floor.off', 'above.off']"
json 'j["steps"][0]["earliest_toi"]' None
run 0 detect floor.off+below.off --out c.jsonl
prints "1 tt"
prints "contacts written to c.jsonl"
lines c.jsonl l "[{'step': 0, 'kind': 'tt', 'body_a': 0, 'body_b': 1, 'a': 0, 'b': 0, 'meeting': 'cross', 'place': 0, 'points': [[1, 1.5, 0], [1.5, 1, 0]]}]"
run 3 detect floor.off+below.off --fail-on-contact --quiet
[ -s stdout ] && fail "$last: --quiet prints"
run 0 detect floor.off+above.off --fail-on-contact

# two frames: the corner passes through the floor at t = 2/3
run 0 detect floor.off+above.off floor.off+below.off --json --out c.jsonl --mode continuous
json 'j["mode"]' continuous
json '[j["steps"][0][k] for k in ("vf","ee","tt","restart","edits")]' '[1, 0, 0, False, 0]'
json '2/3 - 1e-6 <= j["steps"][0]["earliest_toi"] <= 2/3' True
json 'j["steps"][0]["from"]' "['floor.off', 'above.off']"
lines c.jsonl '[(x["step"],x["kind"],x["body_a"],x["body_b"],x["vertex"],x["face"]) for x in l]' "[(0, 'vf', 1, 0, 0, 0)]"
lines c.jsonl 'sorted(l[0])' "['body_a', 'body_b', 'face', 'kind', 'normal', 'step', 'toi', 'u', 'v', 'vertex']"
lines c.jsonl '[round(x, 5) for x in (l[0]["u"], l[0]["v"])]' '[0.25, 0.25]'
lines c.jsonl 'l[0]["normal"]' '[0, 0, 1]'

# tolerance, first, modes, threads
run 0 detect floor.off+above.off floor.off+below.off --json --tolerance 0.25 --mode continuous
json '2/3 - 0.25 <= j["steps"][0]["earliest_toi"] <= 2/3' True
run 0 detect floor.off+above.off floor.off+below.off --json --mode discrete
json '[s["tt"] for s in j["steps"]]' '[0, 1]'
json '[s["from"] == s["to"] for s in j["steps"]]' '[True, False]'
run 0 detect floor.off+above.off floor.off+below.off --json --mode both
json 'j["mode"]' both
json '[(s["tt"], s["vf"]) for s in j["steps"]]' '[(0, 0), (1, 1)]'
json '[(j["totals"][k]) for k in ("tt", "vf", "vertices", "triangles")]' '[1, 1, 12, 4]'

# crossing edges
off bar0.off "-1 -1 1, 3 -1 1, 1 -1 2" "0 1 2"
off bar1.off "-1 -1 -1, 3 -1 -1, 1 -1 0.5" "0 1 2"
off post.off "1 -2 0, 1 2 0, 1 0 -4" "0 1 2"
run 0 detect post.off+bar0.off post.off+bar1.off --json --out c.jsonl
json 'j["totals"]["ee"]' 1
lines c.jsonl '[(x["body_a"], x["body_b"], x["edge_a"], x["edge_b"]) for x in l if x["kind"] == "ee"]' '[(0, 1, [0, 1], [0, 1])]'
run 0 detect post.off+bar0.off post.off+bar1.off --json --first --out c.jsonl
json 'j["totals"]["vf"] + j["totals"]["ee"]' 1

# minimum separation: the smallest distance is 1
run 0 detect floor.off+above.off floor.off+higher.off --json
json 'j["totals"]["vf"]' 0
run 0 detect floor.off+above.off floor.off+higher.off --json --min-separation 1
json 'j["totals"]["vf"]' 1
run 0 detect floor.off+above.off floor.off+higher.off --json --min-separation 0.999
json 'j["totals"]["vf"]' 0
run 0 detect floor.off+higher.off floor.off+higher.off --json --min-separation 1.5
json 'j["totals"]["vf"]' 1

# polygons: face numbers of the file, and triangles
off quads.off "0 0 0, 4 0 0, 4 5 0, 0 4 0, 9 9 9, 9 9 8, 9 8 8" "4 5 6, 0 1 2 3"
off through.off "1 2 -1, 1 2 1, 1 3 1" "0 1 2"
run 0 detect quads.off+through.off --json --out c.jsonl
lines c.jsonl '[(x["a"], x["b"]) for x in l]' '[(1, 0)]'
lines c.jsonl '["a_tri" in x and "b_tri" in x for x in l]' '[True]'
run 0 detect quads.off+above.off quads.off+below.off --out c.jsonl
lines c.jsonl '[(x["vertex"], x["face"], "tri" in x) for x in l if x["kind"] == "vf" and x["body_a"] == 1]' '[(0, 1, True)]'

# wires and particles
printf 'v 1 1 -1\nv 1 1 1\nl 1 2\n' >wire.obj
run 0 detect floor.off+wire.obj --json --out c.jsonl
json 'j["totals"]["et"]' 1
lines c.jsonl l "[{'step': 0, 'kind': 'et', 'body_a': 1, 'body_b': 0, 'edge_a': [0, 1], 'face': 0, 'meeting': 'cross', 'place': 0, 'points': [[1, 1, 0]]}]"
printf 'v 9 9 1\n' >high.obj
printf 'v 9 9 0\n' >middle.obj
printf 'v 9 9 -1\n' >low.obj
run 0 detect middle.obj+high.obj middle.obj+low.obj --json --out c.jsonl --mode continuous
json '[j["totals"][k] for k in ("vv", "ve", "vf", "vertices")]' '[1, 0, 0, 2]'
lines c.jsonl '[(x["kind"], x["body_a"], x["body_b"], x["vertex"], x["vertex_b"]) for x in l]' "[('vv', 0, 1, 0, 0)]"
printf 'v 8 9 0\nv 10 9 0\nl 1 2\n' >rail.obj
run 0 detect rail.obj+high.obj rail.obj+low.obj --json --out c.jsonl
lines c.jsonl '[(x["kind"], x["body_a"], x["vertex"], x["edge_b"], round(x["u"], 6)) for x in l]' "[('ve', 1, 0, [0, 1], 0.5)]"

# a name with a + in it, CSV, VTK
cp floor.off "a+b.off"
run 0 detect "a+b.off" --json
json 'j["steps"][0]["to"]' "['a+b.off']"
run 0 detect floor.off+above.off floor.off+below.off --mode both --out c.csv
python3 - <<'END' || fail "CSV"
import csv
rows = list(csv.DictReader(open("c.csv")))
assert [(r["step"], r["kind"], r["a"], r["vertex"], r["face"]) for r in rows] == [("1", "tt", "0", "", ""), ("1", "vf", "", "0", "0")], rows
assert [(r["meeting"], r["place"]) for r in rows] == [("cross", "0"), ("", "")], rows
assert [rows[0][k] for k in ("x0", "y0", "z0", "x1", "y1", "z1")] == ["1", "1.5", "0", "1.5", "1", "0"], rows
assert rows[1]["x0"] == "" and None not in rows[0] and None not in rows[1]
assert rows[0]["toi"] == "" and 0.66 < float(rows[1]["toi"]) < 0.67
END
run 0 detect floor.off+above.off floor.off+below.off --mode both --out c.vtk
python3 - <<'END' || fail "VTK"
words = open("c.vtk").read().split()
assert words[:5] == ["#", "vtk", "DataFile", "Version", "3.0"]
at = words.index("POINTS")
assert words[at + 1] == "4"  # two contacts, the ends of a segment
points = [[round(float(x), 4) for x in words[at + 3 + 3 * i:at + 6 + 3 * i]] for i in range(4)]
assert points == [[1.25, 1.25, 0], [1, 1, 0], [1, 1.5, 0], [1.5, 1, 0]], points
lines = words.index("LINES")
assert words[lines + 1:lines + 6] == ["1", "3", "2", "2", "3"]
assert words[words.index("POINT_DATA") + 1] == "4" and "VECTORS" in words
END
# flush triangles touch in a polygon; places are counted
off flush.off "1 1 0, 9 1 0, 1 -9 0" "0 1 2"
run 0 detect floor.off+below.off+flush.off --json --out c.jsonl
json '[j["totals"][k] for k in ("tt", "places", "crossing")]' '[3, 2, 1]'
lines c.jsonl '[(x["meeting"], x["place"], x["points"]) for x in l]' "[('cross', 0, [[1, 1.5, 0], [1.5, 1, 0]]), ('touch', 1, [[1, 0, 0], [4, 0, 0], [3, 1, 0], [1, 1, 0]]), ('touch', 0, [[1.5, 1, 0]])]"
run 0 detect floor.off+below.off+flush.off --quiet --out c.vtk
python3 - <<'END' || fail "polygons in VTK"
words = open("c.vtk").read().split()
at = words.index("POLYGONS")
assert words[at + 1:at + 8] == ["1", "5", "4", "5", "6", "7", "8"], words[at:at + 8]
assert words[words.index("POINTS") + 1] == "9"
END

# STL is welded at equal positions by default: two triangles that share an edge
cat >square.stl <<'END'
solid square
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 1 1 0
endloop
endfacet
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 1 0
vertex 0 1 0
endloop
endfacet
endsolid square
END
run 0 detect square.stl --json
json '[j["steps"][0][k] for k in ("vertices", "edges", "tt")]' '[4, 5, 0]'
run 0 detect square.stl --json --weld none
json '[j["steps"][0][k] for k in ("vertices", "edges", "tt")]' '[6, 6, 1]'

# special characters in file names give valid JSON
name=$'q"u\\o\te\xff.off'
cp floor.off "$name"
run 0 detect "$name" --json
json 'len(j["steps"])' 1

# an output that cannot be written is an error
if [ -c /dev/full ]; then
    "$program" detect floor.off+below.off --json >/dev/full 2>stderr
    [ $? = 1 ] || fail "a full disk is not reported"
    checks=$((checks + 1))
fi
# skipped elements are reported, once for a sequence in which they do not change
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nsurf 0 1 0 1 1 2\ncall x.obj\nsurf 0 1 0 1 1 2\n' >some.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ncall x.obj\n' >fewer.obj
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement tet 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2 0\n' >tet.ply
printf 'MeshVersionFormatted 2 Dimension 3 Vertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\nTriangles 1\n1 2 3 0\nPrismsP2 1\n1 2 3 0\nEnd\n' >prism.mesh
run 0 detect some.obj+tet.ply+prism.mesh+floor.off --json
says "some.obj: left out, as they are not read: 2 surf, 1 call"
says "tet.ply: left out, as they are not read: 1 tet"
says "prism.mesh: left out, as they are not read: 1 PrismsP2"
[ "$(wc -l <stderr)" = 3 ] || fail "$last: three files have elements that are not read"
run 0 detect some.obj some.obj fewer.obj floor.off --json
says "fewer.obj: left out, as they are not read: 1 call"
[ "$(wc -l <stderr)" = 2 ] || fail "$last: two lines are wanted, one for each change"
run 0 info some.obj
prints "left out: surf                      2"
run 0 info --json tet.ply
json 'j["left_out"]' "[{'name': 'tet', 'count': 1}]"

finish
