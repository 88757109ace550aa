#!/usr/bin/env bash
# Volumes: vertices in tetrahedra, their surface, and invalid requests.
. "$(dirname "$0")/lib.sh"

# medit FILE "x y z, ..." "i j k l, ..." ["i j k, ..."]: indices count from 0; points, tetrahedra, triangles
medit() {
    python3 - "$@" <<'END'
import sys
lists = [[entry.split() for entry in text.split(",") if entry.strip()] for text in sys.argv[2:]]
with open(sys.argv[1], "w") as out:
    out.write("MeshVersionFormatted 2\nDimension 3\nVertices %d\n" % len(lists[0]))
    out.writelines(" ".join(p) + " 0\n" for p in lists[0])
    for name, cells in zip(["Tetrahedra", "Triangles"], lists[1:]):
        out.write("%s %d\n" % (name, len(cells)))
        out.writelines(" ".join(str(int(i) + 1) for i in cell) + " 0\n" for cell in cells)
    out.write("End\n")
END
}

corner="0 0 0, 4 0 0, 0 4 0, 0 0 4"
medit corner.mesh "$corner" "0 1 2 3"
medit above.mesh "1 1 9, 2 1 10, 1 2 10, 1 1 11" "0 1 2 3"
medit inside.mesh "1 1 1, 9 8 9, 8 9 9, 9 9 9" "0 1 2 3"   # its first vertex only
medit inside2.mesh "1 1 1, 9 8 9, 8 9 9, 9 9 9, 9 9 8" "0 1 2 3, 1 2 3 4"
off_of() { printf 'OFF\n3 1 0\n1 1 -1\n1 1 1\n2 1 1\n3 0 1 2\n' >"$1"; }
off_of blade.off

# one frame
run 0 detect corner.mesh+inside.mesh --json --out c.jsonl
json 'j["mode"]' discrete
json '[j["steps"][0][k] for k in ("vt","vf","ee","tt","vertices","edges","triangles","tets","restart","earliest_toi")]' '[1, 0, 0, 0, 8, 0, 0, 2, False, None]'
json 'j["totals"]["vt"]' 1
lines c.jsonl l "[{'step': 0, 'kind': 'vt', 'body_a': 1, 'body_b': 0, 'vertex': 0, 'tet': 0, 'barycentric': [0.25, 0.25, 0.25, 0.25]}]"
run 0 detect corner.mesh+inside.mesh
prints "corner.mesh overlaps inside.mesh: 1 vertex inside"
prints "1 step: 1 vt"
run 0 detect corner.mesh+above.mesh
prints "no contacts"
run 3 detect corner.mesh+inside.mesh --fail-on-contact --quiet
[ -s stdout ] && fail "$last: --quiet prints"
run 0 detect corner.mesh+corner.mesh --json --out c.jsonl
json 'j["totals"]["vt"]' 8
lines c.jsonl '[(x["body_a"], x["body_b"], x["vertex"]) for x in l] == [(a, 1 - a, v) for a in (0, 1) for v in range(4)]' True
run 0 detect corner.mesh+corner.mesh --json --first --out c.jsonl --threads 2
json 'j["totals"]["vt"]' 1
lines c.jsonl '[(x["body_a"], x["body_b"], x["vertex"], x["tet"]) for x in l]' '[(0, 1, 0, 0)]'

# several frames: each is independent
run 0 detect corner.mesh+above.mesh corner.mesh+inside.mesh corner.mesh+inside2.mesh corner.mesh+above.mesh --json --out c.jsonl
json 'j["mode"]' discrete
json '[(s["vt"], s["restart"], s["tets"]) for s in j["steps"]]' '[(0, False, 2), (1, False, 2), (1, True, 3), (0, True, 2)]'
json '[s["from"][1] for s in j["steps"]]' "['above.mesh', 'above.mesh', 'inside.mesh', 'inside2.mesh']"
lines c.jsonl '[(x["step"], x["vertex"]) for x in l]' '[(1, 0), (2, 0)]'
# as many points and tetrahedra, but other ones
medit inside3.mesh "1 1 1, 9 8 9, 8 9 9, 9 9 9" "0 1 3 2"
run 0 detect corner.mesh+inside.mesh corner.mesh+inside3.mesh --json
json '[s["restart"] for s in j["steps"]]' '[False, True]'

# a second file in another format, and other names of formats
printf '4 3\n0 1 1 1\n1 9 8 9\n2 8 9 9\n3 9 9 9\n' >t.node
printf '1 4\n0 0 1 2 3\n' >t.ele
run 0 detect corner.mesh+t.ele --json
json 'j["totals"]["vt"]' 1
run 0 detect corner.mesh+t.node --json
json 'j["totals"]["vt"]' 1
rm t.ele
run 1 detect t.node
says "t.ele: cannot be opened"
says "a mesh of TetGen is two files"

# compressed files as written by VTK: every level, header and encoding
cat >vtu.py <<'END'
import base64, struct, sys, zlib
name, compressor, level, how, wide, order, block = sys.argv[1:8]
level, block, mark = int(level), int(block), "<" if order == "LittleEndian" else ">"
tail, appended = "", b""
def array(kind, name, values):
    global appended
    data = struct.pack(mark + str(len(values)) + {"Float64": "d", "Int64": "q", "UInt8": "B"}[kind], *values)
    parts = [data[i:i + block] for i in range(0, len(data), block)]
    streams = [zlib.compress(part, level) for part in parts]
    numbers = [len(parts), block, len(data) % block] + [len(s) for s in streams]
    bytes = [struct.pack(mark + str(len(numbers)) + ("Q" if wide == "UInt64" else "I"), *numbers), b"".join(streams)]
    coded = bytes if how == "raw" else [base64.b64encode(b) for b in bytes]
    head = '<DataArray type="%s" Name="%s" NumberOfComponents="%d"' % (kind, name, 3 if name == "Points" else 1)
    if how == "inline":
        return '%s format="binary">\n  %s\n</DataArray>\n' % (head, b"".join(coded).decode())
    appended += b"".join(coded)
    return '%s format="appended" offset="%d"/>\n' % (head, len(appended) - len(b"".join(coded)))
n = 12  # a block of cubes of six tetrahedra, each around its diagonal
points = [float(x) / 7 for z in range(n) for y in range(n) for x0 in range(n) for x in (x0, y, z)]
at = lambda x, y, z: x + n * (y + n * z)
steps = [(1, 3), (3, 2), (2, 6), (6, 4), (4, 5), (5, 1)]
bit = lambda c, k: at(c[0] + (k & 1), c[1] + (k >> 1 & 1), c[2] + (k >> 2))
cells = [(bit(c, 0), bit(c, a), bit(c, b), bit(c, 7)) for c in
         ((x, y, z) for z in range(n - 1) for y in range(n - 1) for x in range(n - 1)) for a, b in steps]
text = '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="%s" header_type="%s" compressor="%s">\n' % (order, wide, compressor)
text += '<UnstructuredGrid>\n<Piece NumberOfPoints="%d" NumberOfCells="%d">\n<Points>\n' % (n ** 3, len(cells))
text += array("Float64", "Points", points) + "</Points>\n<Cells>\n"
text += array("Int64", "connectivity", [v for cell in cells for v in cell])
text += array("Int64", "offsets", [4 * i + 4 for i in range(len(cells))])
text += array("UInt8", "types", [10] * len(cells)) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n"
with open(name, "wb") as out:
    out.write(text.encode())
    if how != "inline":
        out.write(('<AppendedData encoding="%s">\n_' % how).encode() + appended + b"\n</AppendedData>\n")
    out.write(b"</VTKFile>\n")
END
zlib=vtkZLibDataCompressor
for level in 0 1 2 3 4 5 6 7 8 9; do
    how=inline wide=UInt32 order=LittleEndian block=32768
    case $level in 1 | 4 | 7) how=raw ;; 2 | 5 | 8) how=base64 ;; esac
    case $level in 2 | 3 | 7) wide=UInt64 ;; 8 | 9) order=BigEndian block=1000 ;; esac
    python3 vtu.py z.vtu $zlib $level $how $wide $order $block
    run 0 info z.vtu --json
    json '[j["volume"][k] for k in ("tets", "inverted", "boundary_triangles")]' "[$((6 * 11 * 11 * 11)), 0, $((12 * 11 * 11))]"
done
run 0 detect z.vtu --json
json '[j["totals"][k] for k in ("tets", "vt")]' '[7986, 0]'
for compressor in vtkLZ4DataCompressor vtkLZMADataCompressor; do
    python3 vtu.py other.vtu $compressor 6 raw UInt32 LittleEndian 32768
    run 1 info other.vtu
    says "other.vtu:1: the arrays are compressed by $compressor, which is not read"
done
head -c 20000 z.vtu >short.vtu
run 1 info short.vtu
says "short.vtu:"

# CSV and VTK
run 0 detect corner.mesh+inside.mesh --out c.csv
python3 - <<'END' || fail "CSV"
import csv
rows = list(csv.DictReader(open("c.csv")))
assert len(rows) == 1 and None not in rows[0] and None not in rows[0].values(), rows
assert [rows[0][k] for k in ("kind", "body_a", "vertex", "tet", "barycentric_3", "depth", "toi")] == ["vt", "1", "0", "0", "0.25", "", ""], rows
END
run 0 detect corner.mesh+inside.mesh --out c.vtk
python3 - <<'END' || fail "VTK"
words = open("c.vtk").read().split()
at = words.index("POINTS")
assert words[at + 1] == "1" and [float(x) for x in words[at + 3:at + 6]] == [1, 1, 1], words[at:at + 9]
assert words[words.index("kind", at) + 5] == "6"
END
run 1 detect c.vtk
says "POLYDATA"

# depth: the slanted face is nearest
run 0 detect corner.mesh+inside.mesh --depth --out c.jsonl
lines c.jsonl 'sorted(l[0])' "['barycentric', 'body_a', 'body_b', 'depth', 'direction', 'kind', 'step', 'tet', 'vertex']"
lines c.jsonl '[round(x, 12) for x in [l[0]["depth"] * 3 ** 0.5] + [d * 3 ** 0.5 for d in l[0]["direction"]]]' '[1.0, 1.0, 1.0, 1.0]'
run 0 detect corner.mesh+inside.mesh --depth --out c.csv
python3 - <<'END' || fail "CSV of depths"
import csv
row = list(csv.DictReader(open("c.csv")))[0]
assert abs(float(row["depth"]) * 3 ** 0.5 - 1) < 1e-12 and abs(float(row["direction_z"]) * 3 ** 0.5 - 1) < 1e-12, row
assert None not in row and None not in row.values()
END

# the surface: triangles in the order of tetrahedra, vertices as in the file
run 0 detect --surface corner.mesh+inside.mesh --json
json 'j["mode"]' discrete
json '[j["steps"][0][k] for k in ("vertices", "edges", "triangles", "vt")]' '[8, 12, 8, 0]'
json 'j["totals"]["tt"] > 0' True
run 0 detect --surface corner.mesh+above.mesh corner.mesh+inside.mesh --json --out c.jsonl
json 'j["mode"]' continuous
json 'j["totals"]["vf"] > 0' True
lines c.jsonl '[(x["kind"], x["vertex"], x["face"], x["tet"]) for x in l if x["kind"] == "vf" and x["body_a"] == 1]' "[('vf', 0, 0, 0)]"
run 0 detect --surface inside2.mesh+corner.mesh --out c.jsonl
lines c.jsonl 'set((x["b"], x["a_tet"], x["b_tet"]) for x in l if x["b"] == 0)' "{(0, 0, 0)}"
run 0 detect --surface corner.mesh+blade.off --json --out c.jsonl
lines c.jsonl 'set(("a_tet" in x, "b_tet" in x) for x in l)' "{(True, False)}"
run 0 detect --surface corner.mesh+blade.off --json --out c.csv
python3 - <<'END' || fail "CSV of a surface"
import csv
rows = list(csv.DictReader(open("c.csv")))
assert rows and all(None not in r and None not in r.values() for r in rows)
assert all((r["a_tet"], r["b_tet"], r["tet"], r["depth"]) == ("0", "", "", "") for r in rows), rows
END
json 'j["totals"]["tt"] > 0' True
# triangles that are faces of tetrahedra occur once; others are kept
medit labelled.mesh "$corner, 1 1 9, 2 2 9" "0 1 2 3" "2 1 0, 3 4 5"
run 0 detect --surface labelled.mesh --json --mode discrete
json '[j["totals"][k] for k in ("triangles", "tt")]' '[5, 0]'
run 0 detect labelled.mesh --json
json '[j["totals"][k] for k in ("triangles", "tets", "vt")]' '[0, 1, 0]'

# invalid requests
run 2 detect corner.mesh+blade.off
says "blade.off has no tetrahedra, but corner.mesh has"
run 2 detect blade.off corner.mesh
says "corner.mesh has tetrahedra, but the frame before has none"
run 2 detect corner.mesh blade.off
says "blade.off has no tetrahedra, but the frame before has"
run 2 detect blade.off --surface
says "--surface is for volumes"
run 2 detect blade.off --depth
says "--depth is for vertices in tetrahedra"
run 2 detect corner.mesh --surface --depth
says "--depth is for vertices in tetrahedra"
for option in "--mode continuous" "--mode both" "--min-separation 1" "--tolerance 0.1" "--siblings report" "--cull none" --count-misses "--filter none" "--broad hash"; do
    run 2 detect corner.mesh corner.mesh $option
    says "${option%% *}"
    says "not for volumes"
done
run 0 detect corner.mesh corner.mesh --mode discrete --weld exact
printf 'MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nHexahedra 1\n1 1 1 1 1 1 1 1 0\nEnd\n' >cube.mesh
run 1 detect cube.mesh
says "cube.mesh:5: the file has Hexahedra, which are not read"

# real volumes: in two copies of a body each vertex is in its adjacent tetrahedra of the other copy
if [ -n "$data" ] && [ -d "$data/tets" ]; then
    for file in codim-ipc/torus4K.vtk ipc/sphere1K.msh gaia/octopus_11K.1.ele; do
        run 0 info --json "$data/tets/$file"
        tets=$(python3 -c 'import json; print(json.load(open("stdout"))["volume"]["tets"])')
        run 0 detect "$data/tets/$file" --json
        json 'j["totals"]["vt"]' 0
        run 0 detect "$data/tets/$file+$data/tets/$file" --json
        json 'j["totals"]["vt"]' "$((8 * tets))"
    done
fi
finish
