"""The data of a report, decoded independently of viewer/, for test_report.sh.

usage: report_data.py PAGE EXPRESSION   prints the value of the expression, in which j is the data
"""
import base64
import glob
import json
import re
import struct
import sys
import zlib

KINDS = ["tt", "et", "vf", "ee", "ve", "vv", "vt"]
NONE = 2 ** 32 - 1


def load(path):
    text = open(path, encoding="utf-8").read()
    return json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.S)[1])


def unpack(j, text):
    data = base64.b64decode(text)
    return zlib.decompress(data) if j["encoding"] == "deflate" else data


def contacts_of(j, step):
    """(kind, body_a, body_b, a0, a1, b0, b1) of each contact that is written."""
    n = j["contacts"][step]["written"]
    data = unpack(j, j["contacts"][step]["columns"])
    corners = sum(data[2 * n:3 * n])
    assert len(data) == 3 * n + 4 * 19 * n + 12 * corners
    columns = [struct.unpack_from(f"<{n}I", data, 3 * n + 4 * n * c) for c in range(11)]
    return [(KINDS[data[i]], *(column[i] for column in columns[:6])) for i in range(n)]


def contact_lines(path):
    """The same of a JSONL file, by step."""
    steps = {}
    for line in open(path, encoding="utf-8"):
        c = json.loads(line)
        a = c.get("edge_a") or [c.get("a", c.get("vertex"))]
        b = c.get("edge_b") or [c.get("b", c.get("face"))]
        pad = [NONE]
        row = (c["kind"], c["body_a"], c["body_b"], *(a + pad)[:2], *(b + pad)[:2])
        steps.setdefault(c["step"], []).append(row)
    return steps


def same_contacts(j, path):
    lines = contact_lines(path)
    return all(contacts_of(j, s) == lines.get(s, []) for s in range(len(j["contacts"])))


def some_contacts(j, path):
    """Are the contacts of each step some of those of the file, in their order, and the counts right?"""
    lines = contact_lines(path)
    for s, step in enumerate(j["contacts"]):
        all_of_step = iter(lines.get(s, []))
        if step["found"] != len(lines.get(s, [])) or not all(c in all_of_step for c in contacts_of(j, s)):
            return False
        if step["found"] and not step["written"]:
            return False
    return True


def marked_triangles(path):
    faces = set()
    for line in open(path, encoding="utf-8"):
        c = json.loads(line)
        faces |= {(c["body_a"], c["a"]), (c["body_b"], c["b"])}
    return len(faces)


def trees_of(j, step):
    """Depth and colour of the certified part of each triangle of a step; None if they are not known."""
    data = j["trees"][step]
    if isinstance(data, int):
        assert data < step and isinstance(j["trees"][data], str)
        assert j["contacts"][data]["topology"] == j["contacts"][step]["topology"]
        data = j["trees"][data]
    if data is None:
        return None
    codes = unpack(j, data)
    assert len(codes) == j["topologies"][j["contacts"][step]["topology"]]["triangles"]
    return [(code & 31, code >> 5) for code in codes]


# ---- meshes


def unzigzag(n):
    return n >> 1 ^ -(n & 1)


def corners_of(j, topology):
    n = 3 * topology["triangles"]
    planes = unpack(j, topology["corners"])
    indices, last = [], 0
    for i in range(n):
        coded = sum(planes[p * n + i] << 8 * p for p in range(4))
        last += unzigzag(coded)
        indices.append(last)
    return indices


def positions_of(j, topology, state, before):
    """(grids, places): places are integers on the grid of the body."""
    n = topology["vertices"]
    grids = before[0] if before else None
    if "grids" in state:
        grids = struct.unpack(f"<{4 * topology['bodies']}d", unpack(j, state["grids"]))
    planes = unpack(j, state["places"])
    places = []
    for axis in range(3):
        last, column = 0, []
        for v in range(n):
            coded = planes[2 * axis * n + v] | planes[(2 * axis + 1) * n + v] << 8
            from_ = before[1][axis][v] if state["differs"] else last
            last = (from_ + unzigzag(coded)) & 0xffff
            column.append(last)
        places.append(column)
    return grids, places


def read_ply(path):
    """Points and triangles of a binary PLY file of `fracas scene --write`."""
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    header = data[:end].decode()
    vertices = int(re.search(r"element vertex (\d+)", header)[1])
    faces = int(re.search(r"element face (\d+)", header)[1])
    parents = header.count("property int parent")
    order = ">" if "big_endian" in header else "<"
    size = 24 + (4 if parents else 0)
    points = [struct.unpack_from(order + "3d", data, end + size * v) for v in range(vertices)]
    at, indices = end + size * vertices, []
    row = 1 + 12 + (4 if parents > 1 else 0)
    for f in range(faces):
        assert data[at + row * f] == 3
        indices += struct.unpack_from(order + "3I", data, at + row * f + 1)
    return points, indices


def is_near(j, state, points, used):
    """Is each point within half a cell, and a little for rounding?"""
    (x, y, z, cell), places = state
    for v in used:
        for axis, low in enumerate((x, y, z)):
            page = low + places[axis][v] * cell
            exact = (points[v][axis] - j["origin"][axis]) / j["scale"]
            if abs(page - exact) > 0.501 * cell:
                return False
    return cell < 1e-3


def same_meshes(j, files):
    """Are triangles and positions at the end of each step those of the file (of one body)?"""
    before, last = None, None
    for key in j["keys"]:
        topology = j["topologies"][key["topology"]]
        points, indices = read_ply(files[key["step"] + 1])
        if corners_of(j, topology) != indices:
            return False
        if last != key["topology"]:
            before = None
        if "t0" in key:
            before = positions_of(j, topology, key["t0"], before)
        elif before is None:
            return False
        before = positions_of(j, topology, key["t1"], before)
        if not is_near(j, before, points, set(indices)):
            return False
        last = key["topology"]
    return len(j["keys"]) == len(files) - 1


if __name__ == "__main__":
    j = load(sys.argv[1])
    print(eval(sys.argv[2]))
