"""Ctrl-C, progress, cancelling."""
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import fracas
from conftest import make_sheet, make_soup


def scene_of(count, workers=1):
    scene = fracas.Scene(context=fracas.Context(workers))
    scene.add(*make_soup(count))
    scene.update()
    return scene


class Bar:
    """The protocol of tqdm."""

    def __init__(self, total=None):
        self.total = total
        self.n = 0.0

    def update(self, n=1):
        assert n > 0
        self.n += n


@pytest.mark.parametrize("total", [None, 1, 100])
def test_progress_of_a_bar(total):
    bar = Bar(total)
    scene_of(300).detect("both", progress=bar)
    assert bar.n == pytest.approx(bar.total) and bar.total == (total or 1)


def test_progress_of_a_function():
    seen = []
    scene_of(300).detect("both", progress=seen.append)
    assert seen == sorted(seen) and seen[0] >= 0 and seen[-1] == 1 and len(seen) > 2


def test_progress_of_all_long_calls(tmp_path):
    seen = []
    v, f = make_soup(300)
    scene = scene_of(300)
    scene.max_step(progress=seen.append)
    scene.nearby(0.01, progress=seen.append)
    fracas.write_ply(tmp_path / "a.ply", v, f)
    fracas.read(tmp_path / "a.ply", progress=seen.append)
    assert seen.count(1) >= 3
    with pytest.raises(TypeError, match="progress is a int"):
        scene.detect(progress=3)


def test_a_function_cancels():
    scene = scene_of(300)
    with pytest.raises(fracas.CancelledError):
        scene.detect(progress=lambda fraction: False)
    assert len(scene.detect("discrete"))


def test_an_exception_of_the_progress_function_arrives():
    def fail(fraction):
        raise ZeroDivisionError("from progress")
    scene = scene_of(300)
    with pytest.raises(ZeroDivisionError, match="from progress"):
        scene.detect(progress=fail)
    assert len(scene.detect("discrete"))


def interrupt(_fraction=None):
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_cancels():
    scene = scene_of(300)
    with pytest.raises(KeyboardInterrupt):
        scene.detect(progress=interrupt)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert len(scene.detect("discrete"))


def test_ctrl_c_without_progress():
    """The query takes many seconds; the signal comes after a tenth of one."""
    code = """
import os, signal, sys, threading, time
sys.path[:0] = [%r, %r]
from conftest import make_sheet, make_soup
import fracas
scene = fracas.Scene(context=fracas.Context(2))
scene.add(*make_soup(40000))
scene.update()
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    scene.detect("both")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begin)
""" % (os.path.dirname(__file__), os.path.dirname(os.path.dirname(fracas.__file__)))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         timeout=100)
    assert run.stdout.startswith("interrupted") and not run.stderr
    assert float(run.stdout.split()[1]) < 20


def test_an_update_reports_and_is_cancelled(monkeypatch):
    """Of bodies with 65536 triangles or more; also the update that a query makes."""
    v, f = make_sheet(190)
    wall = v[:, [0, 2, 1]] + (0.001, 0.5, -0.5)
    scene, fresh = (fracas.Scene(context=fracas.Context(1)) for _ in range(2))
    sheet, crossing = scene.add(v, f), scene.add(wall, f)
    with pytest.raises(KeyboardInterrupt):
        scene.update(progress=interrupt)
    scene.update()
    sheet.move(v + (0, 0, 0.01)), crossing.move(wall + 0.001)
    with pytest.raises(fracas.CancelledError, match="update it again later"):
        scene.update(progress=lambda fraction: fraction < 0.4)
    with pytest.raises(ZeroDivisionError):
        scene.update(progress=lambda fraction: 1 / 0)
    update = fracas.lib.fracas_scene_update
    monkeypatch.setattr(fracas.lib, "fracas_scene_update",
                        lambda pointer: (interrupt(), update(pointer))[1])
    for call in (scene.update, scene.detect, scene.max_step):
        with pytest.raises(KeyboardInterrupt):
            call()
    monkeypatch.undo()
    seen = []
    scene.update(progress=seen.append)
    assert seen == sorted(seen) and len(seen) > 3 and seen[-1] == 1
    fresh.add(v, f).move(v + (0, 0, 0.01))
    fresh.add(wall, f).move(wall + 0.001)
    contacts = scene.detect("discrete")
    assert len(contacts) > 300 and contacts.tobytes() == fresh.detect("discrete").tobytes()


def test_the_handler_of_the_program_gets_the_signal():
    got = []
    old = signal.signal(signal.SIGINT, lambda number, frame: got.append(number))
    try:
        with pytest.raises(fracas.CancelledError, match="SIGINT"):
            scene_of(300).detect(progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, old)
    assert got == [signal.SIGINT]


def test_cancelling_a_context():
    scene = scene_of(50)
    scene.context.cancel()
    with pytest.raises(fracas.CancelledError):
        scene.detect()
    scene.context.resume()
    assert len(scene.detect("discrete"))


def test_other_threads_run_during_a_call():
    """The lock of the interpreter is free while C works."""
    scene = scene_of(6000)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)
    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    scene.detect("both")
    end = time.monotonic()
    done.set()
    thread.join()
    inside = [t for t in ticks if begin < t < end]
    assert len(inside) > 5 or end - begin < 0.05


def test_options_of_a_context():
    assert fracas.Context(2, spin_ms=float("inf")).workers == 2
    for wrong in (dict(workers=-1), dict(workers=10**6), dict(spin_ms=-1), dict(spin_ms="x"),
                  dict(spin_ms=float("nan"))):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
            fracas.Context(**wrong)


def test_classes_of_exceptions():
    for status in list(fracas.Status)[1:]:
        kinds = [kind for kind in vars(fracas).values() if isinstance(kind, type)
                 and issubclass(kind, fracas.Error) and kind.status == status]
        assert kinds, status
    assert issubclass(fracas.OutOfMemoryError, MemoryError)
    assert issubclass(fracas.FileError, OSError)
