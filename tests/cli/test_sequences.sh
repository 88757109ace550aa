#!/usr/bin/env bash
# Sequences whose topology changes: restarts, and cuts given by parents.
leaks=1
. "$(dirname "$0")/lib.sh"

# ply NAME "x y z [parent], ..." "i j k [parent], ..."
ply() {
    python3 - "$@" <<'END'
import sys
points = [p.split() for p in sys.argv[2].split(",")]
faces = [f.split() for f in sys.argv[3].split(",")]
with open(sys.argv[1], "w") as out:
    out.write("ply\nformat ascii 1.0\nelement vertex %d\n" % len(points))
    out.write("property double x\nproperty double y\nproperty double z\n")
    if len(points[0]) > 3: out.write("property int parent\n")
    out.write("element face %d\nproperty list uchar int vertex_indices\n" % len(faces))
    if len(faces[0]) > 3: out.write("property int parent\n")
    out.write("end_header\n")
    for p in points: out.write(" ".join(p) + "\n")
    for f in faces: out.write("3 " + " ".join(f) + "\n")
END
}

# A strip of two triangles; the corner of a third body falls onto their common edge, which is cut.
ply whole.ply "0 0 0, 2 0 0, 2 2 0, 0 2 0" "0 1 2, 0 2 3"
ply torn-silent.ply "0 0 0, 2 0 0, 2 2 0, 0 2 0, -1 1 0, 1 3 0" "0 1 2, 4 5 3"
ply spike0.ply "1.5 0.5 1, 1.5 0.6 2, 1.6 0.5 2" "0 1 2"
ply spike1.ply "1.5 0.5 -1, 1.5 0.6 0.5, 1.6 0.5 0.5" "0 1 2"

run 0 detect whole.ply torn-silent.ply --json --mode continuous
json '[j["mode"], j["steps"][0]["restart"], j["steps"][0]["edits"], j["steps"][0]["vf"]]' "['continuous', True, 0, 0]"
run 0 detect whole.ply torn-silent.ply whole.ply+spike0.ply whole.ply+spike1.ply --json --mode continuous
json '[s["restart"] for s in j["steps"]]' '[True, True, False]'
json '[s["vf"] for s in j["steps"]]' '[0, 0, 1]'
run 0 detect whole.ply torn-silent.ply --mode continuous
prints restart
# A frame after a restart is checked by itself, not for motion.
ply crossing.ply "0 0 0, 2 0 0, 2 2 0, 1.5 0.5 -1, 1.5 0.6 1, 1.6 0.5 1" "0 1 2, 3 4 5"
run 0 detect whole.ply crossing.ply --json --mode continuous
json '[j["steps"][0][k] for k in ("restart", "tt", "vf", "ee")]' '[True, 1, 0, 0]'

# The same with parents: the second triangle is detached with copies of vertices 0 and 2.
ply torn.ply "0 0 0 0, 2 0 0 1, 2 2 0 2, 0 2 0 3, -1 1 0 0, 1 3 0 2" "0 1 2 0, 4 5 3 1"
run 0 detect whole.ply+spike0.ply torn.ply+spike1.ply --json --out c.jsonl --mode continuous
json '[j["steps"][0][k] for k in ("restart", "edits", "vertices", "edges", "triangles", "vf")]' '[False, 4, 9, 9, 3, 1]'
lines c.jsonl '[(x["body_a"], x["body_b"], x["vertex"], x["face"]) for x in l]' '[(1, 0, 0, 0)]'
json 'j["steps"][0]["siblings_left_out"] > 0' True
run 0 detect whole.ply+spike0.ply torn.ply+spike1.ply --json --siblings report --mode continuous
json 'j["steps"][0]["vf"] > 1 and j["steps"][0]["siblings_left_out"] == 0' True

# Without face parents faces are matched by their corners.
ply torn-corners.ply "0 0 0 0, 2 0 0 1, 2 2 0 2, 0 2 0 3, -1 1 0 0, 1 3 0 2" "0 1 2, 4 5 3"
run 0 detect whole.ply+spike0.ply torn-corners.ply+spike1.ply --json --mode continuous
json '[j["steps"][0][k] for k in ("restart", "edits", "vf")]' '[False, 4, 1]'

# All elements renumbered, a face removed, one new: indices are those of the frame at the step's end.
ply shuffled.ply "0 2 0 3, 2 2 0 2, 2 0 0 1, 0 0 0 0, 5 5 5 -1" "2 1 3 0, 4 1 0 -1"
run 0 detect whole.ply+spike0.ply shuffled.ply+spike1.ply --json --out c.jsonl --mode continuous
json '[j["steps"][0][k] for k in ("restart", "edits", "triangles", "vf")]' '[False, 6, 3, 1]'
lines c.jsonl '[(x["body_a"], x["body_b"], x["vertex"], x["face"]) for x in l]' '[(1, 0, 0, 0)]'
# further motion with repeated cuts
ply moved.ply "0 2 0, 2 2 0, 2 0 0, 0 0 0, 5 5 6" "2 1 3, 4 1 0"
ply again.ply "0 2 0 0, 2 2 0 1, 2 0 0 2, 0 0 0 3, 5 5 6 4, 2 2 0 1" "2 1 3 0, 4 5 0 1"
run 0 detect whole.ply+spike0.ply shuffled.ply+spike0.ply moved.ply+spike0.ply again.ply+spike1.ply --json --out c.jsonl --mode continuous
json '[s["restart"] for s in j["steps"]]' '[False, False, False]'
json '[s["edits"] for s in j["steps"]]' '[6, 0, 2]'
json '[s["vf"] for s in j["steps"]]' '[0, 0, 1]'
lines c.jsonl '[(x["step"], x["vertex"], x["face"]) for x in l]' '[(2, 0, 0)]'

# Invalid parents
ply wrong.ply "0 0 0 0, 2 0 0 1, 2 2 0 2, 0 2 0 9" "0 1 2, 0 2 3"
run 1 detect whole.ply wrong.ply --mode continuous
says "wrong.ply: vertex 3 has parent 9"
ply wrong-face.ply "0 0 0 0, 2 0 0 1, 2 2 0 2, 0 2 0 3" "0 1 2 0, 0 1 3 5"
run 1 detect whole.ply wrong-face.ply --mode continuous
says "wrong-face.ply: face 1 has parent 5"

# A moving polygon keeps its diagonal, even if another one suits its shape in a later frame.
printf 'OFF\n4 1 0\n0 0 0\n2 0 0\n2 2 0\n0 2 0\n4 0 1 2 3\n' >q0.off
printf 'OFF\n4 1 0\n0 0 0\n2 0 0\n0.5 0.5 0\n0 2 0\n4 0 1 2 3\n' >q1.off
run 0 detect q0.off q1.off q0.off --json --mode continuous
json '[(s["restart"], s["edges"], s["vf"] + s["ee"]) for s in j["steps"]]' '[(False, 5, 0), (False, 5, 0)]'
finish
