"""Meshes for the tests. Without an installed package the one beside this folder is tested."""
import importlib.util
import os
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if importlib.util.find_spec("fracas") is None:
    sys.path.insert(0, os.path.join(ROOT, "python"))


def make_sheet(n, height=0.0, size=1.0):
    """A square of n x n cells in the plane z = height: vertices and triangles."""
    line = np.linspace(0, size, n + 1)
    x, y = np.meshgrid(line, line)
    v = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, height)])
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    f = np.concatenate([np.column_stack([corner, corner + 1, corner + n + 2]),
                        np.column_stack([corner, corner + n + 2, corner + n + 1])])
    return v, f.astype(np.uint32)


def make_tetrahedron(scale=1.0, at=(0, 0, 0)):
    """A closed surface, its faces counter-clockwise seen from outside."""
    v = scale * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]) + np.array(at, float)
    return v, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], np.uint32)


def make_soup(count, seed=1):
    """Random triangles in a box, without common vertices."""
    random = np.random.default_rng(seed)
    centre = random.random((count, 1, 3))
    v = (centre + 0.6 * (random.random((count, 3, 3)) - 0.5)).reshape(-1, 3)
    return v, np.arange(3 * count, dtype=np.uint32).reshape(-1, 3)


@pytest.fixture
def sheet():
    return make_sheet(8)


@pytest.fixture
def soup():
    return make_soup(60)
