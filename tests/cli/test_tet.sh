#!/usr/bin/env bash
# tet: solids from closed surfaces, both formats read back, and invalid requests.
. "$(dirname "$0")/lib.sh"

# A box with the sides 1, 0.75, 0.5, and its copies with faults.
box_off 1 0.75 0.5 >box.off
sed 's/^3 1 7 5$/3 1 5 7/' box.off >turned.off
sed 's/^3 \([0-9]\) \([0-9]\) \([0-9]\)$/3 \1 \3 \2/' box.off >inside_out.off

run 0 tet box.off -o box.vtk --cells 16
prints "box.off is filled by 20096 tetrahedra with angles from 45.0 to 90.0 degrees."
prints "Their boundary is within"
prints "20 x 16 x 12"
prints "box.vtk"
run 0 info box.vtk --json
json '[j["volume"][k] for k in ("tets", "components", "nonmanifold_triangles", "inverted", "flat", "duplicate_tets")]' '[20096, 1, 0, 0, 0, 0]'
json '(j["box_min"], j["box_max"])' '([0, 0, 0], [1, 0.75, 0.5])'

# The same numbers in JSON; the same file from any number of threads.
run 0 tet box.off --out=again.vtk --cell 0.0625 --threads 2 --json
json '(j["tets"], j["cells"], j["cell_size"], j["irregular_points"])' '(20096, [20, 16, 12], 0.0625, 0)'
json 'abs(j["volume"] - 0.375) < 1e-12 and j["surface_volume"] == 0.375' True
json '[round(1.0 * j["dihedral"][k], 6) for k in ("min", "max")]' '[45.0, 90.0]'
json 'j["to_surface"]["max"] < 1e-14 and j["from_surface"]["max"] < 1e-14' True
json 'j["from_surface"]["samples"]' 20
json 'j["ms"]["total"] >= j["ms"]["measure"] > 0' True
cmp -s box.vtk again.vtk || fail "--threads 2 writes another file"
run 0 tet box.off -o box.msh --cells 16 --threads 1
run 0 info box.msh --json
json '[j["volume"][k] for k in ("tets", "inverted", "flat")]' '[20096, 0, 0]'

# Both formats have the same bits, also of positions that are not on the lattice.
python3 - <<'EOF'
import math
points = [[float(x) for x in line.split()] for line in open("box.off").readlines()[2:10]]
turned = [(x * math.cos(1) - y * math.sin(1) / 3, y / 7 + x / 3, z + x / 9) for x, y, z in points]
text = open("box.off").readlines()
text[2:10] = ["%.17g %.17g %.17g\n" % p for p in turned]
open("skew.off", "w").writelines(text)
EOF
run 0 tet skew.off -o skew.vtk --cells 12
run 0 tet skew.off -o skew.msh --cells 12
python3 - <<'EOF' || fail "skew.vtk and skew.msh differ"
vtk, msh = open("skew.vtk").read().split(), open("skew.msh").read().split()
n = int(vtk[vtk.index("POINTS") + 1])
at = vtk.index("POINTS") + 3
a = [float(x) for x in vtk[at:at + 3 * n]]
at = msh.index("$Nodes") + 2
b = [float(msh[at + 4 * i + k]) for i in range(n) for k in (1, 2, 3)]
assert a == b and n > 100
at = vtk.index("CELLS") + 3
count = int(vtk[at - 2])
a = [[int(x) for x in vtk[at + 5 * i + 1:at + 5 * i + 5]] for i in range(count)]
at = msh.index("$Elements") + 2
b = [[int(x) - 1 for x in msh[at + 9 * i + 5:at + 9 * i + 9]] for i in range(count)]
assert a == b and count > 100
EOF
run 0 tet skew.off -o dull.vtk --cells 12 --sharp 180
cmp -s skew.vtk dull.vtk && fail "--sharp changes nothing"
# The program's own reader: each vertex of one file is in its tetrahedra of the other.
run 0 info --json skew.vtk
json 'j["volume"]["tets"]' "$(sed -n 's/^CELLS \([0-9]*\) .*/\1/p' skew.vtk)"
tets=$(sed -n 's/^CELLS \([0-9]*\) .*/\1/p' skew.vtk)
run 0 detect skew.vtk+skew.msh --json
json 'j["totals"]["vt"]' "$((8 * tets))"
run 0 detect skew.vtk --json
json 'j["totals"]["vt"]' 0
# The surface of a solid can be filled again.
run 0 tet skew.vtk -o again.msh --cells 8 --json
json 'j["tets"] > 100' True

# A plate between two layers of a lattice, and cells for it.
sed 's/0\.5$/0.01/' box.off >plate.off
run 1 tet plate.off -o plate.vtk
says "too thin for a cell size of 0.03125: there is no tetrahedron in it; use cells of 0.00781 or smaller"
[ -e plate.vtk ] && fail "$last: left a file"
run 0 tet plate.off -o plate.vtk --cell 0.0078

# bad surfaces
run 1 tet turned.off -o a.vtk
says "triangles 4 and 11 both traverse the edge from vertex 1 to 5"
run 1 tet inside_out.off -o a.vtk
says "inside out"
[ -e a.vtk ] && fail "a failure left a.vtk"
run 1 tet box.off -o nowhere/a.vtk --cells 4
says "nowhere/a.vtk: cannot be written"

# bad usage
refuses_surfaces tet box.off a.vtk ".vtk or .msh"
run 2 tet box.off -o .vtk
says "must end in .vtk or .msh"
run 2 tet box.off -o a.vtk --cells 4 --cell 0.1
says "exclude each other"
run 2 tet box.off -o a.vtk --cells 5000
says "at most 268435456 are possible; use cells of"
run 2 tet box.off -o a.vtk --cell 1e-30
says "too small for coordinates up to 1"
run 2 tet box.off -o a.vtk --cell -1
says "--cell is '-1'"
run 2 tet box.off -o a.vtk --sharp 200
says "the sharp angle is 200; it must be from 0 to 180 degrees"
if [ -c /dev/full ]; then
    ln -s /dev/full full.vtk
    run 1 tet box.off -o full.vtk --cells 16
    says "full.vtk: cannot be written"
fi

if [ -n "$data" ] && [ -d "$data/surfaces" ]; then
    run 0 tet "$data/surfaces/discregrid/bunny.obj" -o bunny.msh --cells 16 --json
    json 'j["dihedral"]["min"] > 10.78 and abs(j["volume"] / j["surface_volume"] - 1) < 0.03' True
fi
finish
