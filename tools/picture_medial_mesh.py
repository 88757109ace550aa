#!/usr/bin/env python3
"""Draw docs/medial_mesh.png: a surface, its medial mesh, and the shape of the medial mesh.

    tools/picture_medial_mesh.py PROGRAM SURFACE.obj docs/medial_mesh.png [COUNT]
"""
import math
import subprocess
import sys
import tempfile

from picture import Camera, cross, dot, minus, unit
from picture_fragments import HEIGHT, SKY, WIDTH, fill, write_png

LIGHT = unit((-0.4, 0.8, 0.6))
SURFACE, SPHERE, CONE, SLAB = (176, 182, 190), (206, 92, 72), (226, 170, 92), (96, 146, 190)
VIEWS = 3  # side by side


def read_obj(path):
    points, faces = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                points.append(tuple(float(w) for w in words[1:4]))
            elif words[:1] == ["f"]:
                faces.append([int(w.split("/")[0]) - 1 for w in words[1:4]])
    return points, faces


def read_ma(path):
    spheres, edges, slabs = [], [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "v":
                spheres.append((tuple(float(w) for w in words[1:4]), float(words[4])))
            elif words[0] in "ef":
                (edges if words[0] == "e" else slabs).append([int(w) for w in words[1:]])
    return spheres, edges, slabs


def plus(a, b, factor=1.0):
    return tuple(x + factor * y for x, y in zip(a, b))


def ball(centre, radius, rings=16):
    """Triangles of a sphere."""
    def at(i, k):
        v, u = math.pi * i / rings, math.pi * k / rings
        return plus(centre, (math.sin(v) * math.cos(u), math.cos(v), math.sin(v) * math.sin(u)), radius)
    for i in range(rings):
        for k in range(2 * rings):
            a, b, c, d = at(i, k), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)
            yield a, b, c
            yield b, d, c


def cone(a, b, sides=32):
    """Triangles between the circles where a cone touches its spheres."""
    axis, growth = minus(b[0], a[0]), b[1] - a[1]
    length = math.sqrt(dot(axis, axis))
    if length <= abs(growth):
        return
    axis, tilt = unit(axis), -growth / length
    u = unit(cross(axis, (1, 0, 0) if abs(axis[0]) < 0.6 else (0, 1, 0)))
    w = cross(axis, u)
    ways = []
    for k in range(sides + 1):
        angle = 2 * math.pi * k / sides
        around = plus(tuple(math.cos(angle) * x for x in u), w, math.sin(angle))
        ways.append(plus(tuple(tilt * x for x in axis), around, math.sqrt(1 - tilt * tilt)))
    for m, n in zip(ways, ways[1:]):
        p = [plus(end[0], way, end[1]) for end in (a, b) for way in (m, n)]
        yield p[0], p[1], p[2]
        yield p[1], p[3], p[2]


def slab(a, b, c):
    """The two triangles that touch all three spheres."""
    e, f = minus(b[0], a[0]), minus(c[0], a[0])
    normal = cross(e, f)
    area = dot(normal, normal)
    ra, rb, ee, ef, ff = b[1] - a[1], c[1] - a[1], dot(e, e), dot(e, f), dot(f, f)
    if area == 0:
        return
    slope = plus(tuple((ff * ra - ef * rb) / area * x for x in e), f, (ee * rb - ef * ra) / area)
    left = 1 - dot(slope, slope)
    if left <= 0:
        return
    for side in (-1, 1):
        way = plus(tuple(-x for x in slope), normal, side * math.sqrt(left / area))
        yield tuple(plus(s[0], way, s[1]) for s in (a, b, c))


class Page:
    def __init__(self, camera):
        self.camera = camera
        self.pixels = [[SKY] * WIDTH for _ in range(HEIGHT)]
        self.depths = [[math.inf] * WIDTH for _ in range(HEIGHT)]

    def draw(self, view, corners, rgb):
        """Draw a triangle with either side to the camera, into one of the views."""
        normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        if dot(normal, minus(corners[0], self.camera.eye)) > 0:
            normal = tuple(-x for x in normal)
        shade = 0.4 + 0.6 * max(0.0, dot(normal, LIGHT))
        shift = WIDTH * (view - (VIEWS - 1) / 2) / VIEWS
        page = [(x + shift, y, depth) for x, y, depth in map(self.camera.project, corners)]
        fill(page, tuple(int(shade * c) for c in rgb), self.pixels, self.depths)


def main():
    program, surface, path = sys.argv[1:4]
    count = sys.argv[4] if len(sys.argv) > 4 else "77"
    with tempfile.TemporaryDirectory() as folder:
        result = f"{folder}/mesh.ma"
        subprocess.run([program, "medial", surface, "--out", result, "--count", count], check=True)
        spheres, edges, slabs = read_ma(result)
    points, faces = read_obj(surface)
    low = [min(p[k] for p in points) for k in range(3)]
    high = [max(p[k] for p in points) for k in range(3)]
    middle, size = tuple((a + b) / 2 for a, b in zip(low, high)), math.dist(low, high)
    camera = Camera(plus(middle, (-0.3 * size, 0.25 * size, 2.5 * size)), middle, (0, 1, 0), WIDTH,
                    HEIGHT, 1.25 * WIDTH)
    page = Page(camera)
    for face in faces:
        page.draw(0, [points[i] for i in face], SURFACE)
    # In the middle the centres, as thin cones and flat slabs.
    thin = 0.004 * size
    for v in edges:
        for corners in cone(*((spheres[i][0], thin) for i in v), sides=8):
            page.draw(1, corners, CONE)
    for v in slabs:
        page.draw(1, [spheres[i][0] for i in v], SLAB)
    for centre, radius in spheres:
        for corners in ball(centre, 2.5 * thin, 6):
            page.draw(1, corners, SPHERE)
        for corners in ball(centre, radius):
            page.draw(2, corners, SPHERE)
    for v in edges:
        for corners in cone(*(spheres[i] for i in v)):
            page.draw(2, corners, CONE)
    for v in slabs:
        for corners in slab(*(spheres[i] for i in v)):
            page.draw(2, corners, SLAB)
    write_png(path, page.pixels)


if __name__ == "__main__":
    main()
