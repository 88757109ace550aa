#!/usr/bin/env python3
"""Draw docs/medial.png: a frame of the scene `rods`, each body in its own colour.

    tools/picture_medial.py PROGRAM docs/medial.png [STEP]
"""
import math
import subprocess
import sys
import tempfile

from picture import Camera, components, cross, dot, minus, read_ply, unit, write_png
from picture_fragments import GROUND, HEIGHT, SKY, WIDTH, colour, fill, halve

CAMERA = Camera((2.4, -5.0, 2.6), (0.1, 0.1, 0.72), (0, 0, 1), WIDTH, HEIGHT, 1330)
LIGHT = unit((-0.5, -0.6, 0.9))
STEEL = (158, 164, 172)
FIXED = 0  # the body that the first triangle belongs to: the ground, and all else that never moves


def find_bodies(before, points, faces):
    """The body of each triangle. Each primitive is a component, and those of a body follow one
    another: in both frames their first points have the same distance."""
    bodies, body, last, seen = [], FIXED, None, None
    for face, part in zip(faces, components(points, faces)):
        at = face[0]
        if part != seen and last is not None:
            then, now = math.dist(before[last], before[at]), math.dist(points[last], points[at])
            body += abs(then - now) > 1e-6
        if part != seen:
            last, seen = at, part
        bodies.append(body)
    return bodies


def find_shadow(points):
    """Where the light of the ground is blocked: cells of a grid."""
    dark = set()
    for x, y, z in points:
        shift = z / LIGHT[2]
        if z > 0.001:
            dark.add((round((x - shift * LIGHT[0]) * 40), round((y - shift * LIGHT[1]) * 40)))
    return dark


def draw_ground(pixels, depths, dark):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            x_way, y_way = (x - WIDTH / 2) / CAMERA.zoom, (y - HEIGHT / 2) / CAMERA.zoom
            way = [CAMERA.forward[k] + CAMERA.right[k] * x_way - CAMERA.above[k] * y_way for k in range(3)]
            if way[2] >= 0:
                continue
            depth = -CAMERA.eye[2] / way[2]
            at = [CAMERA.eye[k] + depth * way[k] for k in range(2)]
            near = [(math.floor(at[0] * 40) + i, math.floor(at[1] * 40) + j) for i in (0, 1) for j in (0, 1)]
            shade = 1 - 0.07 * sum(cell in dark for cell in near)
            pixels[y][x], depths[y][x] = tuple(int(shade * c) for c in GROUND), depth


def main():
    program, path = sys.argv[1], sys.argv[2]
    step = int(sys.argv[3]) if len(sys.argv) > 3 else 98
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "scene", "rods", "--quiet", "--frames", str(step), "--every", str(step),
                        "--write", folder], check=True)
        before, _ = read_ply(f"{folder}/rods-000000.ply")
        points, faces = read_ply(f"{folder}/rods-{step:06}.ply")
    bodies = find_bodies(before, points, faces)
    pixels = [[SKY] * WIDTH for _ in range(HEIGHT)]
    depths = [[math.inf] * WIDTH for _ in range(HEIGHT)]
    draw_ground(pixels, depths, find_shadow(points))
    for face, body in zip(faces, bodies):
        corners = [points[i] for i in face]
        normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))
        if dot(normal, minus(corners[0], CAMERA.eye)) >= 0 or max(c[2] for c in corners) <= 0:
            continue
        page = [CAMERA.project(corner) for corner in corners]
        if min(p[2] for p in page) < 0.1:
            continue
        normal = unit(normal)
        shade = 0.45 + 0.55 * max(0.0, dot(normal, LIGHT))
        rgb = tuple(int(shade * c) for c in STEEL) if body == FIXED else colour(body, normal)
        fill(page, rgb, pixels, depths)
    write_png(path, halve(pixels))


if __name__ == "__main__":
    main()
