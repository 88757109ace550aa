#!/usr/bin/env python3
"""Draw docs/picture.svg from contacts that the program finds.

    tools/picture.py PROGRAM [STEP] > docs/picture.svg

Writes the frames of the scene `wall`, runs `detect` on one step, and draws the frame at its end in
perspective, nearer triangles over farther ones, with the contacts as dots.
"""
import json
import math
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTH, HEIGHT = 900, 480
LIGHT = (-0.45, 0.8, -0.4)
BALL, WALL = (62, 92, 138), (206, 160, 112)
SKY, GROUND, DOT = "#f7f9fb", "#e6e2d8", "#d02020"


def read_ply(path):
    """Points and triangles of a PLY file as `fracas scene --write` makes it."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    elements = []
    for line in data[:end].decode().split("\n"):
        words = line.split()
        if words[:1] == ["element"]:
            elements.append([words[1], int(words[2]), []])
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    size = {"double": "d", "int": "i", "uint": "I", "uchar": "B", "float": "f"}
    points, faces = [], []
    for name, count, properties in elements:
        for _ in range(count):
            row = []
            for kind in properties:
                length = 1
                if kind[0] == "list":
                    (length,) = struct.unpack_from("<" + size[kind[1]], data, end)
                    end += struct.calcsize(size[kind[1]])
                form = "<%d%s" % (length, size[kind[2] if kind[0] == "list" else kind[0]])
                row.append(struct.unpack_from(form, data, end))
                end += struct.calcsize(form)
            if name == "vertex":
                points.append((row[0][0], row[1][0], row[2][0]))
            elif name == "face":
                faces.append(row[0])
    return points, faces


def write_png(path, pixels):
    """Rows of (red, green, blue)."""
    rows = b"".join(b"\0" + bytes(c for pixel in row for c in pixel) for row in pixels)
    header = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")):
            check = zlib.crc32(name + data)
            file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", check))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(dot(a, a)) or 1
    return tuple(x / length for x in a)


class Camera:
    """A perspective view: `zoom` pixels per unit of length at depth 1."""

    def __init__(self, eye, target, up, width, height, zoom):
        self.eye, self.width, self.height, self.zoom = eye, width, height, zoom
        self.forward = unit(minus(target, eye))
        self.right = unit(cross(self.forward, up))
        self.above = cross(self.right, self.forward)

    def project(self, point):
        """The position of a point in the picture, and its depth."""
        ray = minus(point, self.eye)
        depth = dot(ray, self.forward)
        scale = self.zoom / max(depth, 0.1)
        return (self.width / 2 + scale * dot(ray, self.right),
                self.height / 2 - scale * dot(ray, self.above), depth)


CAMERA = Camera((3.4, 2.3, -6.2), (-0.15, 1.35, 0.4), (0, 1, 0), WIDTH, HEIGHT, 860)


def components(points, faces):
    """For each face the number of its connected component, in the order of the file."""
    parent = list(range(len(points)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for face in faces:
        for corner in face[1:]:
            parent[root(corner)] = root(face[0])
    numbers = {}
    return [numbers.setdefault(root(face[0]), len(numbers)) for face in faces]


def colour(body, normal):
    base = BALL if body == 1 else WALL
    shade = 0.55 + 0.45 * max(0.0, dot(normal, unit(LIGHT)))
    if body > 1:
        shade *= 0.92 + 0.02 * (body * 7 % 5)
    return "#%02x%02x%02x" % tuple(min(255, int(c * shade + 0.5)) for c in base)


def triangles(points, faces):
    """(depth, colour, projected corners) of triangles that face the camera, farthest first."""
    result = []
    for face, body in zip(faces, components(points, faces)):
        corners = [points[i] for i in face]
        normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        # The ground, component 0, is drawn as one area up to the horizon.
        if body == 0 or dot(normal, minus(corners[0], CAMERA.eye)) >= 0:
            continue
        page = [CAMERA.project(corner) for corner in corners]
        result.append((sum(p[2] for p in page) / 3, colour(body, normal), page))
    return sorted(result, key=lambda entry: -entry[0])


def contact_point(contact, points):
    if contact["kind"] == "vf":
        return points[contact["vertex"]]
    a, b = (points[i] for i in contact["edge_a"])
    return tuple(x + contact["u"] * (y - x) for x, y in zip(a, b))


def draw(points, faces, contacts, out):
    out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
              'aria-label="A ball breaks a wall; contacts are marked by dots">\n')
    level = unit((CAMERA.forward[0], 0, CAMERA.forward[2]))
    horizon = HEIGHT / 2 - CAMERA.zoom * dot(level, CAMERA.above) / dot(level, CAMERA.forward)
    out.write(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{SKY}"/>\n')
    out.write(f'<rect y="{horizon:.0f}" width="{WIDTH}" height="{HEIGHT - horizon:.0f}" fill="{GROUND}"/>\n<g stroke-width=".6" stroke-linejoin="round">\n')
    last = None
    for _, fill, page in triangles(points, faces):
        if fill != last:
            out.write(("</g>\n" if last else "") + f'<g fill="{fill}" stroke="{fill}">\n')
            last = fill
        corners = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in page)
        out.write(f'<path d="M{corners}z"/>\n')
    out.write("</g>\n</g>\n")
    places = {tuple(round(c) for c in CAMERA.project(contact_point(contact, points))[:2]) for contact in contacts}
    out.write(f'<g fill="{DOT}" stroke="#fff" stroke-width=".7">\n')
    for x, y in sorted(places):
        out.write(f'<circle cx="{x}" cy="{y}" r="2.6"/>\n')
    out.write(f'</g>\n<text x="16" y="{HEIGHT - 16}" font-family="sans-serif" font-size="15" fill="#444">')
    kinds = [sum(c["kind"] == kind for c in contacts) for kind in ("vf", "ee")]
    out.write(f"one step of {len(faces)} triangles: {kinds[0]} vertex–face and {kinds[1]} edge–edge contacts</text>\n</svg>\n")


def main():
    program, step = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "scene", "wall", "--quiet", "--write", folder], check=True)
        frames = [f"{folder}/wall-{step + i:06}.ply" for i in range(2)]
        found = f"{folder}/contacts.jsonl"
        subprocess.run([program, "detect", *frames, "--quiet", "--out", found], check=True)
        points, faces = read_ply(frames[1])
        with open(found, encoding="utf-8") as file:
            contacts = [json.loads(line) for line in file]
    draw(points, faces, contacts, sys.stdout)


if __name__ == "__main__":
    main()
