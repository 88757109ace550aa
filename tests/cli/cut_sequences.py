"""Random fracturing sequences against an oracle that knows no cuts: cut_sequences.py PROGRAM SEED...

A step over a cut has to give exactly what a step without one gives between the new mesh at its
parents' positions and the new mesh: same topology, no parents, every sibling reported. Weak where
both are wrong alike: the exact tests and the tree are the same.
"""
import json
import random
import subprocess
import sys


def write_ply(path, points, faces, vertex_parents=None, face_parents=None):
    with open(path, "w") as out:
        out.write(f"ply\nformat ascii 1.0\nelement vertex {len(points)}\n")
        out.write("property double x\nproperty double y\nproperty double z\n")
        out.write("property int parent\n" if vertex_parents else "")
        out.write(f"element face {len(faces)}\nproperty list uchar int vertex_indices\n")
        out.write("property int parent\n" if face_parents else "")
        out.write("end_header\n")
        for i, p in enumerate(points):
            out.write(" ".join(map(repr, p)) + (f" {vertex_parents[i]}\n" if vertex_parents else "\n"))
        for i, f in enumerate(faces):
            out.write("3 %d %d %d" % tuple(f) + (f" {face_parents[i]}\n" if face_parents else "\n"))


def sheet(rng, n):
    points = [[x + rng.uniform(-0.3, 0.3), y + rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)]
              for y in range(n) for x in range(n)]
    faces = []
    for y in range(n - 1):
        for x in range(n - 1):
            v = y * n + x
            faces += [[v, v + 1, v + n + 1], [v, v + n + 1, v + n]]
    return points, faces


def cut(rng, points, faces):
    """The next frame: where its elements start, its faces, and the parents of both."""
    parents = list(range(len(points)))
    starts = [list(p) for p in points]
    pieces = [(list(f), i) for i, f in enumerate(faces) if rng.random() > 0.05]
    for v in rng.sample(range(len(points)), len(points) // 5):
        copy = len(starts)
        users = [f for f, _ in pieces if v in f and rng.random() < 0.5]
        if users:
            starts.append(list(points[v]))
            parents.append(v)
        for f in users:
            f[f.index(v)] = copy
    for _ in range(3):
        pieces.append((rng.sample(range(len(starts)), 3), -1))
    starts.append([rng.uniform(0, 5) for _ in range(3)])
    parents.append(-1)
    pieces.append(([len(starts) - 1] + rng.sample(range(len(points)), 2), -1))

    # Lists of corners start anywhere; unused vertices are removed; numbers are arbitrary.
    pieces = [(f[k:] + f[:k], i) for (f, i) in pieces for k in [rng.randrange(3)]]
    rng.shuffle(pieces)
    order = sorted({v for f, _ in pieces for v in f})
    rng.shuffle(order)
    number = {v: i for i, v in enumerate(order)}
    return ([starts[v] for v in order], [[number[v] for v in f] for f, _ in pieces],
            [parents[v] for v in order], [i for _, i in pieces])


def contacts(program, frames):
    command = [program, "detect", *frames, "--mode", "both", "--siblings", "report", "--json",
               "--out", "c.jsonl"]
    summary = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return summary, [json.loads(line) for line in open("c.jsonl")]


def features(lines, step):
    keys = ("kind", "body_a", "body_b", "vertex", "face", "edge_a", "edge_b", "a", "b")
    return {str([c.get(k) for k in keys]): [c.get(k, 0) for k in ("toi", "u", "v")] for c in lines
            if c["step"] == step}


def run(program, seed):
    rng = random.Random(seed)
    points, faces = sheet(rng, 7)
    write_ply("f0.ply", points, faces)
    for k in range(1, 6):
        starts, faces, vertex_parents, face_parents = cut(rng, points, faces)
        points = [[x + rng.uniform(-0.4, 0.4) for x in p] for p in starts]
        # A vertex without a parent appears at rest.
        starts = [p if v < 0 else s for s, p, v in zip(starts, points, vertex_parents)]
        write_ply(f"s{k}.ply", starts, faces)
        write_ply(f"e{k}.ply", points, faces)
        write_ply(f"f{k}.ply", points, faces, vertex_parents, face_parents if seed % 2 else None)
    summary, found = contacts(program, [f"f{k}.ply" for k in range(6)])
    assert not any(s["restart"] for s in summary["steps"]), "a restart"
    assert all(s["edits"] > 0 for s in summary["steps"][1:]), "a cut without edits"
    total = 0
    for k in range(1, 6):
        want, got = features(contacts(program, [f"s{k}.ply", f"e{k}.ply"])[1], 1), features(found, k)
        assert set(want) == set(got), f"seed {seed} step {k}: {sorted(set(want) ^ set(got))[:5]}"
        assert list(want) == list(got), f"seed {seed} step {k}: order"
        for c in want:
            assert abs(want[c][0] - got[c][0]) <= 1e-6, f"seed {seed} step {k}: time of {c}"
            # Of features that coincide at the start any point may be reported.
            same = all(abs(x - y) <= 1e-3 for x, y in zip(want[c], got[c]))
            assert same or want[c][0] == 0, f"seed {seed} step {k}: {c} has {got[c]} and not {want[c]}"
        total += len(want)
    return total


if __name__ == "__main__":
    for seed in map(int, sys.argv[2:]):
        print(f"seed {seed}: {run(sys.argv[1], seed)} contacts agree")
