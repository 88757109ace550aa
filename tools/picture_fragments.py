#!/usr/bin/env python3
"""Draw docs/fragment.png: a frame of a scene of rigid bodies, each fragment in its own colour.

    tools/picture_fragments.py PROGRAM docs/fragment.png [SCENE STEP]
"""
import math
import subprocess
import sys
import tempfile

from picture import Camera, components, cross, dot, minus, read_ply, unit, write_png

WIDTH, HEIGHT = 1200, 640  # twice the size of the picture
CAMERA = Camera((0.6, -1.5, 0.7), (0, 0.05, 0.08), (0, 0, 1), WIDTH, HEIGHT, 1100)
LIGHT = unit((0.3, -0.5, 0.9))
SKY, GROUND = (247, 249, 251), (230, 226, 216)
def colour(number, normal):
    hue = (number * 0.61803398875) % 1 * 6
    rgb = [min(max(abs((hue + k) % 6 - 3) - 1, 0), 1) for k in (0, 4, 2)]
    shade = 0.45 + 0.55 * max(0.0, dot(normal, LIGHT))
    return tuple(int(shade * (110 + 130 * c)) for c in rgb)


def fill(page, rgb, pixels, depths):
    """Draw one triangle into the picture, nearer ones over farther ones."""
    (x0, y0, d0), (x1, y1, d1), (x2, y2, d2) = page
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if area == 0:
        return
    top, bottom = max(0, math.ceil(min(y0, y1, y2))), min(HEIGHT - 1, int(max(y0, y1, y2)))
    left, right = max(0, math.ceil(min(x0, x1, x2))), min(WIDTH - 1, int(max(x0, x1, x2)))
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            b = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
            c = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
            if b < 0 or c < 0 or b + c > 1:
                continue
            depth = d0 + b * (d1 - d0) + c * (d2 - d0)
            if depth < depths[y][x]:
                depths[y][x] = depth
                pixels[y][x] = rgb


def draw(points, faces):
    pixels = [[SKY] * WIDTH for _ in range(HEIGHT)]
    depths = [[math.inf] * WIDTH for _ in range(HEIGHT)]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            x_way, y_way = (x - WIDTH / 2) / CAMERA.zoom, (y - HEIGHT / 2) / CAMERA.zoom
            down = CAMERA.forward[2] + CAMERA.right[2] * x_way - CAMERA.above[2] * y_way
            if down < 0:
                pixels[y][x], depths[y][x] = GROUND, -CAMERA.eye[2] / down
    for face, number in zip(faces, components(points, faces)):
        corners = [points[i] for i in face]
        normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        if dot(normal, minus(corners[0], CAMERA.eye)) >= 0:
            continue
        # The ground and the walls are large.
        if max(abs(a - b) for a, b in zip(corners[0], corners[1])) > 0.5:
            continue
        page = [CAMERA.project(corner) for corner in corners]
        if min(p[2] for p in page) > 0.1:
            fill(page, colour(number, normal), pixels, depths)
    return pixels


def halve(pixels):
    """Each pixel of the picture is the mean of four."""
    return [[tuple(sum(pixels[y + j][x + i][k] for j in (0, 1) for i in (0, 1)) // 4 for k in range(3))
             for x in range(0, WIDTH, 2)] for y in range(0, HEIGHT, 2)]


def main():
    program, path = sys.argv[1], sys.argv[2]
    scene, step = (sys.argv[3], sys.argv[4]) if len(sys.argv) > 4 else ("drop-bunnies", "60")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "scene", scene, "--quiet", "--frames", step, "--every", step,
                        "--write", folder], check=True)
        points, faces = read_ply(f"{folder}/{scene}-{int(step):06}.ply")
    write_png(path, halve(draw(points, faces)))


if __name__ == "__main__":
    main()
