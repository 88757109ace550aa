#!/usr/bin/env bash
# --out for ParaView and others: VTK XML, read back by VTK's own reader, and PLY with colours.
source "$(dirname "$0")/lib.sh"
/usr/bin/python3 -c 'import vtkmodules' 2>/dev/null || { echo "needs python3-vtk9"; exit 77; }

# same NAME TEXT: the files of the last run, NAME.pvd, .vtp and .jsonl, say the same, namely TEXT
same() {
    local got
    checks=$((checks + 1))
    got=$(/usr/bin/python3 "$here/read_vtk.py" "$1.pvd" "$1.vtp" "$1.jsonl" 2>&1 | tail -3)
    [ "$got" = "$2" ] || fail "$last: $got"
}
# with NAME: the outputs of a run
with() { outputs=(--out "$1.pvd" --out "$1.vtp" --out "$1.jsonl" --quiet); }

# discrete: segments, a polygon and a point; a quad is one face of two triangles
printf 'OFF\n4 1 0\n0 0 0\n9 0 0\n9 9 0\n0 9 0\n4 0 1 2 3\n' >quad.off
printf 'OFF\n9 3 0\n1 1 -1\n1 1 1\n1 2 1\n5 1 0\n5 2 1\n6 2 1\n3 6 0\n4 6 0\n3 7 0\n3 0 1 2\n3 3 4 5\n3 6 7 8\n' >three.off
with still
run 0 detect quad.off+three.off "${outputs[@]}"
same still "4 contacts, 5 cells of meshes, 1 steps"

# a sequence that breaks, with wires, at the frames and between them
run 0 scene wall --frames 8 --write frames --quiet
with wall
run 0 detect frames --mode both "${outputs[@]}"
[ "$(wc -l <wall.jsonl)" -gt 300 ] || fail "$last: only $(wc -l <wall.jsonl) contacts"
faces=$(grep -ah '^element face' frames/*.ply | awk '{ sum += $3 } END { print sum }')
same wall "$(wc -l <wall.jsonl) contacts, $faces cells of meshes, 9 steps"

# volumes
printf 'MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n4 0 0 0\n0 4 0 0\n0 0 4 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n' >corner.mesh
sed 's/^0 0 0 0$/1 1 1 0/' corner.mesh >inside.mesh
with volumes
run 0 detect corner.mesh+inside.mesh --depth "${outputs[@]}"
same volumes "7 contacts, 2 cells of meshes, 1 steps"

# PLY: red faces are those with a contact
run 0 detect quad.off+three.off --quiet --out red.ply
run 0 info red.ply --json
json 'j["triangles"]' 5
python3 - <<'P' || fail "red.ply: other colours"
data = open("red.ply", "rb").read()
body = data[data.index(b"end_header\n") + 11:]
faces = [body[13 * 24 + i * 16:][:16] for i in range(5)]
assert [f[13:] == bytes((217, 52, 44)) for f in faces] == [True] * 5, faces
P
run 0 detect three.off three.off three.off --mode discrete --quiet --out gray.ply
for file in gray.ply gray-000001.ply gray-000002.ply; do
    [ -s "$file" ] || fail "$last: no $file"
done
cmp -s gray.ply gray-000002.ply || fail "$last: equal frames, other files"

# bad places
run 1 detect quad.off --quiet --out nowhere/a.pvd
says "nowhere/a.pvd: cannot be written"
touch taken
run 1 detect quad.off --quiet --out taken.pvd
says "taken: cannot be made"
finish
