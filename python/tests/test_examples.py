"""The examples run and say what they should."""
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import fracas
from conftest import ROOT, make_sheet

FOLDER = os.path.join(ROOT, "python", "examples")
pytestmark = pytest.mark.skipif(not os.path.isdir(FOLDER), reason="not in the repository")


def run(name, *arguments):
    done = subprocess.run(
        [sys.executable, os.path.join(FOLDER, name), *map(str, arguments)], capture_output=True,
        text=True, check=False, timeout=120,
        env={**os.environ, "FRACAS_LIBRARY": fracas.lib.path, "MPLBACKEND": "Agg",
             "PYTHONPATH": os.path.dirname(os.path.dirname(fracas.__file__))})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_self_intersection():
    out = run("self_intersection.py", os.path.join(ROOT, "examples", "data", "crossing.obj"))
    assert "1 pairs of triangles in 1 places" in out and "triangles [0, 2]" in out


def test_line_search():
    out = run("line_search.py")
    height, crossings = re.match(r"([\d.]+) above, (\d+) intersections", out).groups()
    assert 0.005 < float(height) < 0.04 and crossings == "0"


def test_cloth_on_sphere(tmp_path):
    pytest.importorskip("matplotlib")
    out = run("cloth_on_sphere.py", tmp_path / "cloth.png", 40)
    contacts, crossings = re.search(r"(\d+) contacts; (\d+) intersections", out).groups()
    assert int(contacts) > 100 and crossings == "0"
    assert (tmp_path / "cloth.png").read_bytes().startswith(b"\x89PNG")


def test_sequence_meshio(tmp_path):
    meshio = pytest.importorskip("meshio")
    v, f = make_sheet(4)
    upper, _ = make_sheet(4, 1.0)
    both = np.concatenate([v, upper])
    for frame in range(4):
        both[len(v):, 2] = 1 - 0.4 * frame
        meshio.Mesh(both, [("triangle", np.concatenate([f, f + len(v)]))]).write(
            tmp_path / f"{frame}.vtk")
    out = run("sequence_meshio.py", *(tmp_path / f"{frame}.vtk" for frame in range(4)))
    assert "from frame 2 to 3" in out and "the first at 2.5" in out.replace("2.499", "2.5")
    assert out.splitlines()[-1].startswith("4 frames, ")
