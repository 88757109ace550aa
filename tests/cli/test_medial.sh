#!/usr/bin/env bash
# medial: medial meshes of closed surfaces, sets of spheres, and invalid requests.
. "$(dirname "$0")/lib.sh"

# A cube, a torus of 24 x 16 points, and faulty copies.
box_off 1 1 1 >box.off
sed 's/^1 1 1$/-0.5 0.4 0.4/' box.off >through.off
python3 - <<'EOF'
import math
with open("torus.obj", "w") as f:
    for i in range(24):
        for j in range(16):
            u, v = 2 * math.pi * i / 24, 2 * math.pi * j / 16
            r = 1 + 0.3 * math.cos(v)
            f.write("v %.17g %.17g %.17g\n" % (r * math.cos(u), r * math.sin(u), 0.3 * math.sin(v)))
    for i in range(24):
        for j in range(16):
            a, b = 16 * i, 16 * ((i + 1) % 24)
            k = (j + 1) % 16
            f.write("f %d %d %d %d\n" % (a + j + 1, b + j + 1, b + k + 1, a + k + 1))
EOF

run 0 medial torus.obj -o torus.ma --count 24 --samples 3000
prints "torus.obj is 24 spheres, 24 cones and 0 slabs."
prints "torus.ma"
[ "$(head -1 torus.ma)" = "24 24 0" ] || fail "$last: the header is $(head -1 torus.ma)"
run 0 medial torus.obj --out=again.ma --count 24 --samples 3000 --threads 2 --json
json '(j["spheres"], j["cones"], j["slabs"])' '(24, 24, 0)'
json 'j["from_surface"]["max"] < 0.003 * j["diagonal"] and j["to_surface"]["max"] < 0.003 * j["diagonal"]' True
json '0.98 < j["volume_covered"] <= 1 and abs(j["volume"] / j["surface_volume"] - 1) < 0.05' True
json 'j["ms"]["total"] >= j["ms"]["measure"] > 0' True
cmp -s torus.ma again.ma || fail "--threads 2 writes another file"

# By error; both formats.
run 0 medial torus.obj -o torus.mat --error 0.5 --samples 3000 --json
json 'j["from_surface"]["max"] < 0.006 * j["diagonal"] and j["spheres"] < 40' True
grep -q '^c ' torus.mat || fail "$last: no cones"
grep -q '^e ' torus.mat && fail "$last: edges of MA"

# Single spheres.
run 0 medial torus.obj -o spheres.json --spheres 12 --samples 1000 --json
json '(j["spheres"], j["cones"], j["slabs"])' '(12, 0, 0)'
cp spheres.json stdout
json 'len(j["spheres"])' 12
json 'all(len(s["center"]) == 3 and s["radius"] > 0 for s in j["spheres"])' True
json '0.5 < j["volume_covered"] <= 1 and j["protrusion"] >= 0 and 0 <= j["surface_covered"] <= 1' True
run 0 medial torus.obj -o spheres.yaml --spheres 12 --samples 1000
prints "torus.obj is 12 spheres, 0 cones and 0 slabs."
[ "$(grep -c '^- {center: \[.*\], radius: .*}$' spheres.yaml)" = 12 ] || fail "$last: not 12 spheres"
python3 - <<'EOF' || fail "spheres.yaml and spheres.json differ"
import json, re
a = [s["center"] + [s["radius"]] for s in json.load(open("spheres.json"))["spheres"]]
b = [[float(x) for x in re.findall(r"[-+0-9.e]+(?=[,\]}])", line)] for line in open("spheres.yaml") if line.startswith("- ")]
assert a == b, (a[0], b[0])
EOF

# Triangles of the shape, of a surface and of a medial mesh: 576 of a cone, 528 of a sphere, 602 of
# a slab; vertices are on the boundary of their primitive.
cat >all.ma <<'END'
12 4 4
# a cone, and one whose second sphere adds nothing
v 0 0 0 0.5
v 2 0.5 0 0.2
v 0 5 0 1
v 0.2 5 0 0.1
# three spheres of a slab, of one with two points, and a flat triangle
v 0 0 5 0.4
v 2 0 5 0.3
v 0 2 5.5 0.6
v 1 2 9 0
v 3 2 9 0
v 2 4 9 0
# alone, and a point
v 9 9 9 0.7
v 12 0 0 0
e 0 1
e 2 3
e 4 5
e 7 8
f 4 5 6
f 7 8 4
f 7 8 9
# degenerate: two cones at a large sphere, and a third one inside
f 0 2 3
END
run 0 medial all.ma -o all.ply
prints "all.ma is 12 spheres, 4 cones and 4 slabs."
cat >on_boundary.py <<'END'
import math, struct, sys
"""Each component of a PLY file is closed, and all its vertices touch one primitive of an MA file
from inside: no other sphere of it reaches beyond the tangent plane. Prints the sizes in order."""
spheres, edges, slabs = [], [], []
for line in open(sys.argv[1]):
    words = line.split()
    if words[0] == "v": spheres.append([float(w) for w in words[1:5]])
    if words[0] in "ef": (edges if words[0] == "e" else slabs).append([int(w) for w in words[1:]])
data = open(sys.argv[2], "rb").read()
head, body = data[:data.index(b"end_header\n")].decode(), data.index(b"end_header\n") + 11
words = head.split()
points = int(words[words.index("vertex") + 1])
faces = int(words[words.index("face") + 1])
at = [struct.unpack_from("<3d", data, body + 24 * i) for i in range(points)]
triangles = [struct.unpack_from("<3i", data, body + 24 * points + 13 * i + 1) for i in range(faces)]
assert len(data) == body + 24 * points + 13 * faces
root = list(range(points))
def find(i):
    while root[i] != i: i = root[i]
    return i
for t in triangles:
    for v in t[1:]: root[find(v)] = find(t[0])
parts = {}
for t in triangles: parts.setdefault(find(t[0]), []).append(t)
def touches(p, primitive):
    for i in primitive:
        way = [x - y for x, y in zip(p, spheres[i])]
        length = math.hypot(*way)
        if abs(length - spheres[i][3]) > 1e-11: continue
        if spheres[i][3] == 0: return True
        if all(sum(w / length * (x - y) for w, x, y in zip(way, spheres[j], p)) + spheres[j][3] < 1e-9 for j in primitive):
            return True
    return False
for part in parts.values():
    sides = sorted((t[k], t[(k + 1) % 3]) for t in part for k in range(3))
    assert len(set(sides)) == len(sides) and sides == sorted((b, a) for a, b in sides)
    corners = [at[v] for v in {v for t in part for v in t}]
    primitives = slabs + edges + [e for s in slabs for e in (s[:2], s[1:], s[::2])]
    primitives += [[i] for i in range(len(spheres))]
    assert any(all(touches(p, primitive) for p in corners) for primitive in primitives)
    print(len(part), end=" ")
print()
END
sizes=$(python3 on_boundary.py all.ma all.ply) || fail "triangles of all.ma"
checks=$((checks + 1))
# Slabs; the degenerate one as a cone, a sphere, a cone; cone; sphere.
[ "$(echo $sizes)" = "602 202 2 576 528 576 576 528" ] || fail "all.ply has components of $sizes triangles"
run 0 medial torus.obj -o torus.ply --count 24 --samples 3000
sizes=$(python3 on_boundary.py torus.ma torus.ply) || fail "triangles of torus.ma"
[ "$(echo $sizes | tr ' ' '\n' | sort | uniq -c | tr -s ' ')" = " 24 576" ] || fail "torus.ply has components of $sizes triangles"
run 0 info torus.ply --json
json '(j["components"], j["closed"], j["misoriented_edges"], j["flat_triangles"])' '(24, True, 0, 0)'
run 0 medial all.ma -o all.mat
run 0 medial all.mat -o again.ply
run 1 medial all.ma -o nowhere/a.ply
says "nowhere/a.ply: cannot be opened for writing"
run 1 medial nowhere.ma -o a.ply
says "nowhere.ma: cannot be opened"
printf '1 0 0\nv 0 0 0 -1\n' >bad.ma
run 1 medial bad.ma -o a.ply
says "bad.ma"
run 2 medial all.ma -o a.ply --count 3
says "is a medial mesh already"
run 2 medial all.ma -o a.yaml --spheres 3
says "is a medial mesh already"
[ -e a.ply ] && fail "a failure left a.ply"

# bad surfaces
run 1 medial through.off -o a.ma
says "the surface intersects itself: triangles "
[ -e a.ma ] && fail "a failure left a.ma"
run 1 medial torus.obj -o nowhere/a.ma --count 8 --samples 500
says "nowhere/a.ma: cannot be opened for writing"
run 1 medial torus.obj -o nowhere/a.json --spheres 8 --samples 500
says "nowhere/a.json: cannot be written"

# bad usage
refuses_surfaces medial box.off a.ma ".ma, .mat or .ply"
run 2 medial box.off -o a.json
says "need --spheres N"
run 2 medial box.off -o a.ma --spheres 4
says "needs --out FILE.json or FILE.yaml"
run 2 medial box.off -o a.ma --count 4 --error 1
says "exclude each other"
run 2 medial box.off -o a.ma --error 200
says "the error is 2; it must be above 0 and at most 1"
run 2 medial box.off -o a.ma --samples 3
says "3 samples; there can be 100 to 200000"
finish
