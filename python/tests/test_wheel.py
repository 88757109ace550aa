"""The wheel: the same bytes twice; it installs in a clean environment, and passes the tests there."""
import base64
import hashlib
import os
import subprocess
import sys
import venv
import zipfile

import pytest

import fracas
from conftest import ROOT

TOOL = os.path.join(ROOT, "tools", "python_wheel.py")
pytestmark = pytest.mark.skipif(not os.path.isfile(TOOL), reason="not in the repository")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    made = [subprocess.run([sys.executable, TOOL, fracas.lib.path, str(folder / str(i))],
                           capture_output=True, text=True, check=True).stdout.strip()
            for i in range(2)]
    first, second = (open(path, "rb").read() for path in made)
    assert first == second
    return made[0]


def check_record(archive):
    """Every file has the hash and size that RECORD says."""
    record = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
    listed = set()
    for line in archive.read(record).decode().splitlines():
        name, digest, size = line.rsplit(",", 2)
        listed.add(name)
        if name != record:
            data = archive.read(name)
            found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert digest == "sha256=" + found and int(size) == len(data)
    assert listed == set(archive.namelist())


def test_contents(wheel):
    name = os.path.basename(wheel)
    assert name.startswith(f"fracas-{fracas.__version__}-py3-none-") and name.endswith(".whl")
    with zipfile.ZipFile(wheel) as archive:
        check_record(archive)
        names = archive.namelist()
        info = f"fracas-{fracas.__version__}.dist-info"
        metadata = archive.read(f"{info}/METADATA").decode()
        tag = archive.read(f"{info}/WHEEL").decode()
    for wanted in ("fracas/__init__.py", "fracas/_abi.pyi", "fracas/py.typed", f"{info}/LICENSE"):
        assert wanted in names
    assert any(name.startswith("fracas/libfracas.") for name in names)
    assert "Metadata-Version: 2.1\nName: fracas\n" in metadata and "Requires-Dist: numpy" in metadata
    assert f"Tag: {'-'.join(name[:-4].split('-')[2:])}\n" in tag


def test_a_clean_environment(wheel, tmp_path):
    place = tmp_path / "venv"
    venv.create(place, system_site_packages=True, with_pip=False)
    python = place / "bin" / "python3"
    clean = {key: value for key, value in os.environ.items()
             if not key.startswith(("FRACAS", "PYTHON", "LD_"))}
    pip = subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-deps",
                          "--disable-pip-version-check", wheel], capture_output=True, text=True,
                         check=False, env=clean, cwd=tmp_path)
    if "No module named pip" in pip.stderr:
        site = next((place / "lib").glob("python3*")) / "site-packages"
        with zipfile.ZipFile(wheel) as archive:
            check_record(archive)
            archive.extractall(site)
    else:
        assert pip.returncode == 0, pip.stdout + pip.stderr
    where = subprocess.run([python, "-c", "import fracas; print(fracas.lib.path)"], check=True,
                           capture_output=True, text=True, env=clean, cwd=tmp_path).stdout.strip()
    assert where.startswith(str(place))
    tests = [name for name in sorted(os.listdir(os.path.dirname(__file__)))
             if name.startswith("test_") and name not in ("test_types.py", "test_wheel.py")]
    for name in tests + ["conftest.py"]:
        (tmp_path / name).write_text(open(os.path.join(os.path.dirname(__file__), name),
                                          encoding="utf-8").read())
    done = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
                          capture_output=True, text=True, check=False, env=clean, cwd=tmp_path)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout + done.stderr
