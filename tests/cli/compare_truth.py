"""Compare contact lines with the truth of a scene: compare_truth.py FOLDER FRAME NUMBER LINES

Ids of the truth: vertices, then edges sorted by (larger, smaller) endpoint, then faces in file order.
"""
import json
import struct
import sys


def read_faces(path):
    """The vertex count and the triangles of a binary PLY file with vertices before faces."""
    with open(path, "rb") as file:
        bytes_ = file.read()
    end = bytes_.index(b"end_header") + len(b"end_header\n")
    lines = bytes_[:end].decode().split("\n")
    order = ">" if "binary_big_endian" in lines[1] else "<"
    counts = {l.split()[1]: int(l.split()[2]) for l in lines if l.startswith("element")}
    sizes = {"float": 4, "double": 8, "uchar": 1}
    scalars = [l.split()[1] for l in lines if l.startswith("property") and "list" not in l]
    at = end + sum(sizes[s] for s in scalars) * counts["vertex"]
    triangle = struct.Struct(order + "Biii")
    faces = [triangle.unpack_from(bytes_, at + 13 * i)[1:] for i in range(counts["face"])]
    return counts["vertex"], faces


def main():
    folder, frame, number, lines = sys.argv[1:]
    vertex_count, faces = read_faces(f"{folder}/frames/{frame}")
    edges = {tuple(sorted((f[i], f[i - 1]), reverse=True)) for f in faces for i in range(3)}
    edges = sorted(edges)
    edge_id = {(b, a): vertex_count + i for i, (a, b) in enumerate(edges)}
    face_start = vertex_count + len(edges)

    found = {"vf": set(), "ee": set()}
    for line in open(lines):
        c = json.loads(line)
        if c["kind"] == "vf":
            found["vf"].add((c["vertex"], face_start + c["face"]))
        elif c["kind"] == "ee":
            pair = edge_id[tuple(c["edge_a"])], edge_id[tuple(c["edge_b"])]
            found["ee"].add((min(pair), max(pair)))

    good = True
    for kind in ("vf", "ee"):
        pairs = json.load(open(f"{folder}/boxes/{number}{kind}.json"))
        hits = json.load(open(f"{folder}/mma_bool/{number}{kind}_mma_bool.json"))
        truth = {(min(p), max(p)) for p, hit in zip(pairs, hits) if hit}
        missed, wrong = truth - found[kind], found[kind] - truth
        print(f"{frame} {kind}: {len(truth)} true, {len(missed)} missed, {len(wrong)} wrong")
        good = good and not missed and not wrong
    return 0 if good else 1


sys.exit(main())
