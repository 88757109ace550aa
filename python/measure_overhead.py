#!/usr/bin/env python3
"""What Python costs in a step of a scene: the CPU time of move, update, detect and advance, less the
time inside the C functions.

  measure_overhead.py [FRAME0.ply FRAME1.ply]    default: cloth-ball of the test data (FRACAS_DATA)

Calls of the progress callback are counted as Python's. Times are of the calling thread, with one
worker, so other programs disturb them little.
"""
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402  pylint: disable=wrong-import-position

import fracas  # noqa: E402  pylint: disable=wrong-import-position
from fracas import _context  # noqa: E402  pylint: disable=wrong-import-position

STEPS = 20
FUNCTIONS = ("fracas_scene_move", "fracas_scene_update", "fracas_scene_detect",
             "fracas_scene_advance")
clock = time.thread_time


class Clock:
    """Time inside C, and of callbacks from it."""

    def __init__(self) -> None:
        self.c = self.callbacks = 0.0
        self.calls = 0

    def around(self, function: Callable[..., int]) -> Callable[..., int]:
        """The function, with its time measured."""
        def timed(*arguments: Any) -> int:
            begin = clock()
            status = function(*arguments)
            self.c += clock() - begin
            return status
        return timed

    def report(self, function: Callable[..., bool]) -> Callable[..., bool]:
        """The callback, with its time measured."""
        def timed(*arguments: Any) -> bool:
            begin = clock()
            result = function(*arguments)
            self.callbacks += clock() - begin
            self.calls += 1
            return result
        return timed


def cost_of_a_callback() -> float:
    """Seconds from C to Python and back, at most: here the call itself is from Python."""
    function = fracas.abi.fracas_progress_fn(lambda fraction, user: True)
    begin = clock()
    for _ in range(20000):
        function(0.5, None)
    return (clock() - begin) / 20000


def measure_pairs() -> None:
    """A batch of candidate pairs in one call, and a loop over the function of one pair."""
    random = np.random.default_rng(1)
    v0 = random.random((10000, 3))
    v1 = v0 + 0.1 * random.random((10000, 3))
    pairs = random.integers(0, 10000, (200000, 4))
    context = fracas.Context(1)
    for kind, single in (("vf", fracas.vertex_face_impact), ("ee", fracas.edge_edge_impact)):
        fracas.impacts(kind, pairs[:100], v0, v1, context=context)
        times = []
        for _ in range(5):
            begin = clock()
            hits, _found = fracas.impacts(kind, pairs, v0, v1, context=context)
            times.append((clock() - begin) / len(pairs))
        cut = 1 if kind == "vf" else 2
        rows = [(row[0] if kind == "vf" else row[:2], row[cut:]) for row in pairs[:5000]]
        begin = clock()
        found = sum(single(v0[a], v0[b], v1[a], v1[b]) is not None for a, b in rows)
        loop = (clock() - begin) / len(rows)
        assert found == hits[:len(rows)].sum()
        batch = statistics.median(times)
        print(f"{kind}: {1e9 * batch:.0f} ns per pair in a batch, {1e6 * loop:.1f} us in a loop: "
              f"{loop / batch:.0f} times")


def main() -> None:
    data = os.environ.get("FRACAS_DATA", os.path.join(os.path.dirname(__file__),
                                                      "../../shared/data"))
    folder = os.path.join(data, "ccd", "cloth-ball", "frames")
    paths = sys.argv[1:3] or [os.path.join(folder, f"cloth_ball{i}.ply") for i in (92, 93)]
    frames = [fracas.read(path) for path in paths]
    scene = fracas.Scene(context=fracas.Context(1))
    body = scene.add(frames[0])
    inside = Clock()
    for name in FUNCTIONS:
        setattr(fracas.lib, name, inside.around(getattr(fracas.lib, name)))
    setattr(_context._Call, "report", inside.report(_context._Call.report))
    dispatch = cost_of_a_callback()
    c_times, python_times, callbacks, contacts = [], [], 0, 0
    for step in range(STEPS):
        inside.c = inside.callbacks = 0.0
        inside.calls = 0
        begin = clock()
        body.move(frames[(step + 1) % 2].vertices)
        found = scene.detect()
        scene.advance()
        total = clock() - begin
        of_callbacks = inside.callbacks + inside.calls * dispatch
        c_times.append(inside.c - of_callbacks)
        python_times.append(total - inside.c + of_callbacks)
        callbacks, contacts = inside.calls, len(found)
    c, python = statistics.median(c_times), statistics.median(python_times)
    print(f"{len(frames[0].triangles)} triangles, {contacts} contacts; a step: {1e3 * c:.2f} ms in C, "
          f"{1e3 * python:.3f} ms in Python ({callbacks} callbacks): {100 * python / c:.3f} %")
    measure_pairs()


if __name__ == "__main__":
    main()
