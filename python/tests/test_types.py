"""mypy --strict, and stubtest: the stubs are those of the modules at run time."""
import os
import subprocess
import sys

import pytest

import fracas
from conftest import ROOT

pytest.importorskip("mypy")
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(fracas.__file__)))


def run(tmp_path, *command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True,
                          text=True, check=False,
                          env={**os.environ, "PYTHONPATH": FOLDER, "MYPYPATH": FOLDER,
                               "FRACAS_LIBRARY": fracas.lib.path})
    assert done.returncode == 0, done.stdout + done.stderr


def test_strict(tmp_path):
    examples = os.path.join(ROOT, "python", "examples")
    given = [os.path.join(examples, name) for name in sorted(os.listdir(examples))
             if name.endswith(".py")]
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text(USE + "bad: int = fracas.read('a.obj')\n")
    (tmp_path / "mypy.ini").write_text(CONFIGURATION)
    run(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), FOLDER + "/fracas",
        "use.py", *given)
    with pytest.raises(AssertionError, match='expression has type "Mesh"'):
        run(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "wrong.py")


def test_stubs(tmp_path):
    run(tmp_path, "mypy.stubtest", "fracas")


# matplotlib and meshio have no types.
CONFIGURATION = """[mypy]
allow_untyped_calls = True
[mypy-matplotlib.*,meshio.*]
follow_imports = skip
ignore_missing_imports = True
"""
USE = """
import fracas
import numpy as np
contacts: fracas.Contacts = fracas.self_intersections(np.zeros((3, 3)), [[0, 1, 2]])
step: float = fracas.max_step(fracas.read("a.obj"), [[0.0, 0.0, 0.0]])
kind: fracas.ContactKind = fracas.ContactKind.VF
with fracas.Scene(modes="discrete") as scene:
    body: fracas.Body = scene.add([[0, 0, 0]], points=[0])
    vertices: int = body.info.vertices
"""
