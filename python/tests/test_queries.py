"""Contacts in blocks and as rows; marks of triangles; objects of the user."""
import gc
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_soup

FIELDS = [name for name in fracas.CONTACT.names]


def soup_scene(count=120, workers=1):
    v, f = make_soup(count)
    scene = fracas.Scene(context=fracas.Context(workers))
    scene.add(v, f).move(v + 0.1 * np.cos(9 * v[:, ::-1]))
    scene.add(v[:30] + 0.01, f[:10])
    return scene


def rows_of(contacts):
    """Contacts as tuples, sorted: all fields."""
    return sorted(map(str, np.asarray(contacts)[FIELDS].tolist()))


def running():
    return threading.active_count()


# ---- streams

@pytest.mark.parametrize("modes", ["both", "discrete", "continuous"])
def test_blocks_are_the_contacts_of_detect(modes):
    scene, threads = soup_scene(), running()
    expected = scene.detect(modes)
    blocks = list(scene.stream(modes, block_contacts=100))
    assert len(blocks) > len(expected) / 100 and max(map(len, blocks)) <= 100
    assert rows_of(np.concatenate(blocks)) == rows_of(expected)
    for workers in (2, 3):
        again = list(soup_scene(workers=workers).stream(modes, block_contacts=100))
        assert [b.tobytes() for b in again] == [b.tobytes() for b in blocks]
    stream = scene.stream(modes)
    blocks = list(stream)  # discrete contacts, then continuous ones
    assert len(blocks) == (2 if modes == "both" else 1) and isinstance(blocks[0], fracas.Contacts)
    assert np.array_equal(np.concatenate(blocks), expected)
    assert list(stream.statistics.contacts) == list(expected.statistics.contacts)
    assert list(stream) == [] and running() == threads


def test_nearby_pairs_in_blocks():
    scene = soup_scene()
    expected = scene.nearby(0.02)
    blocks = list(scene.stream_nearby(0.02, block_contacts=50))
    assert len(blocks) > 3 and (expected["closest"] > 0).all()
    assert rows_of(np.concatenate(blocks)) == rows_of(expected)


def test_options_and_refusals_of_streams():
    scene = soup_scene()
    stream = scene.stream("both", max_contacts=120, block_contacts=50)
    assert sum(len(block) for block in stream) == 120 and stream.statistics.limit_reached
    for wrong in (dict(modes="all"), dict(block_contacts=0), dict(block_contacts=-1),
                  dict(tolerance="x"), dict(progress=3)):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
            scene.stream(**wrong)
    with pytest.raises(fracas.InvalidArgumentError, match="tolerance"):
        next(scene.stream(tolerance=-1))
    with pytest.raises(fracas.InvalidArgumentError):
        next(scene.stream_nearby(-1))
    unread = scene.stream()
    scene.close()
    with pytest.raises(fracas.InvalidArgumentError, match="has been closed"):
        next(unread)


def test_a_stream_that_is_left_early():
    scene, threads = soup_scene(), running()
    body = scene.bodies[0]
    for _ in scene.stream("both", block_contacts=50):
        assert running() == threads + 1 and scene.max_step() < 1
        with pytest.raises(fracas.InvalidArgumentError, match="in use by another call"):
            body.remove()
        break
    scene.advance()  # waits until the query has ended
    assert running() == threads
    with scene.stream("both", block_contacts=50) as stream:
        next(stream)
    assert running() == threads and stream.statistics is None and next(stream, None) is None
    ring = [scene.stream("both", block_contacts=50)]
    next(ring[0])
    ring.append(ring)
    del ring
    gc.collect()
    body.remove()
    assert running() == threads


def test_a_stream_that_ends_within_any_operation():
    """The finalizer of a stream runs while its thread needs a lock that the interrupted operation
    has: it does not wait."""
    scene = soup_scene()
    stream = scene.stream("both", block_contacts=50)
    next(stream)
    with scene.handle._lock:
        del stream
    scene.advance()


def test_progress_and_errors_within_a_stream():
    scene, here, seen = soup_scene(), threading.get_ident(), []
    for block in scene.stream("both", block_contacts=50, progress=lambda fraction: seen.append(
            (fraction, threading.get_ident()))):
        assert len(block)
    assert seen == sorted(seen) and seen[-1] == (1.0, here) and {t for _, t in seen} == {here}
    with pytest.raises(fracas.CancelledError):
        list(scene.stream("both", block_contacts=50, progress=lambda fraction: False))
    with pytest.raises(ZeroDivisionError):
        list(scene.stream("both", block_contacts=50, progress=lambda fraction: 1 / 0))
    with pytest.raises(fracas.InvalidArgumentError, match="read by another call"):
        stream = scene.stream("both", block_contacts=50, progress=lambda fraction: next(stream))
        list(stream)
    with pytest.raises(KeyboardInterrupt):
        for _ in scene.stream("both", block_contacts=50):
            os.kill(os.getpid(), signal.SIGINT)
    gc.collect()
    scene.advance()


def test_a_program_that_ends_within_a_stream():
    code = """
import sys
sys.path[:0] = [%r, %r]
from test_queries import soup_scene
stream = soup_scene().stream("both", block_contacts=50)
print(len(next(stream)) > 0)
""" % (os.path.dirname(__file__), os.path.dirname(os.path.dirname(fracas.__file__)))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         timeout=100)
    assert run.stdout == "True\n" and not run.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_within_a_stream():
    stream = soup_scene().stream("both", block_contacts=50)
    next(stream)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            next(stream)
        except fracas.InvalidArgumentError:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(next(stream))


# ---- rows

def expected_rows(contacts, body, count, row_of_side):
    rows = [[] for _ in range(count)]
    for i, c in enumerate(contacts):
        for row in sorted({row for side in "ab" if c["body_" + side]["index"] == body.index
                           for row in row_of_side(c, side)}):
            rows[row].append(i)
    return rows


def as_lists(offsets, entries):
    return [entries[i:j].tolist() for i, j in zip(offsets[:-1], offsets[1:])]


def test_rows_are_those_of_a_loop():
    scene = soup_scene()
    contacts, kind = scene.nearby(0.02), fracas.ContactKind
    for body in scene.bodies:
        info = body.info
        edges = [(3 * t + i, 3 * t + (i + 1) % 3) for t in range(info.triangles) for i in range(3)]
        row = {tuple(sorted(edge)): i for i, edge in enumerate(edges)}
        for feature, count, rule in (
                ("vertex", info.vertex_numbers,
                 lambda c, s: [c["a"][0]] if c["kind"] == kind.VF and s == "a" else []),
                ("face", info.triangle_numbers,
                 lambda c, s: [c["b"][0]] if c["kind"] == kind.VF and s == "b" else []),
                ("edge", len(edges),
                 lambda c, s: [row[tuple(c[s].tolist())]] if c["kind"] == kind.EE else [])):
            given = {"edges": edges} if feature == "edge" else {}
            offsets, entries = scene.group(contacts, body, feature, **given)
            assert (offsets.dtype, entries.dtype) == (np.intp, np.intp) and len(entries)
            assert as_lists(offsets, entries) == expected_rows(contacts, body, count, rule)
    offsets, entries = scene.group(contacts[:0], body)
    assert offsets.tolist() == [0] * (info.vertex_numbers + 1) and len(entries) == 0


def test_refusals_of_rows():
    scene = soup_scene()
    contacts, body = scene.nearby(0.02), scene.bodies[1]
    with pytest.raises(fracas.InvalidArgumentError, match="edges are missing"):
        scene.group(contacts, body, "edge")
    with pytest.raises(fracas.InvalidArgumentError, match="edges are given"):
        scene.group(contacts, body, "face", edges=[[0, 1]])
    with pytest.raises(fracas.InvalidArgumentError, match="feature is 'corner'"):
        scene.group(contacts, body, "corner")
    with pytest.raises(fracas.BadDataError, match="edges 0 and 1 of the rows are the same"):
        scene.group(contacts, body, "edge", edges=[[0, 1], [1, 0]])
    forged = np.array(contacts)
    mine = np.flatnonzero((forged["kind"] == 2) & (forged["body_a"]["index"] == body.index))[0]
    forged["a"][mine] = 30
    with pytest.raises(fracas.BadDataError, match=f"contact {mine} has vertex 30 of body"):
        scene.group(forged, body)
    with pytest.raises(TypeError, match="contacts are"):
        scene.group(np.zeros(3), body)


# ---- marks and objects of the user

def test_marks_of_triangles():
    v, f = make_sheet(40)
    scene = fracas.Scene()
    body = scene.add(v, f)
    for mode in ("discrete", "continuous"):
        marks = body.triangle_marks(mode)
        assert marks.dtype.names == ("depth", "region") and len(marks) == len(f)
        assert marks["depth"].max() > 2 and (marks["region"] > 0).all()  # flat: no pair is tested
    with pytest.raises(fracas.InvalidArgumentError):
        body.triangle_marks("both")
    with pytest.raises(fracas.InvalidArgumentError, match="mode is 'x'"):
        body.triangle_marks("x")
    discrete = fracas.Scene(modes="discrete")
    with pytest.raises(fracas.InvalidArgumentError):
        discrete.add(v, f).triangle_marks("continuous")
    body.remove()
    with pytest.raises(fracas.StaleHandleError):
        body.triangle_marks()


def test_bodies_and_objects_of_the_user():
    v, f = make_sheet(2)
    scene = fracas.Scene()
    a, b = scene.add(v, f, user="cloth"), scene.add(v + (0, 0, 0.1), f)
    assert scene.bodies == [a, b] and scene.body(b.index) == b
    assert (a.user, b.user) == ("cloth", None)
    b.user = {"mass": 2}
    assert scene.body(b.index).user["mass"] == 2
    (part,) = scene.split(a, np.arange(len(f)) % 2)
    assert part.user == "cloth"
    part.user = "scrap"
    assert a.user == "cloth" and len(scene.bodies) == 3
    scene.merge([a, part])
    b.remove()
    assert scene.bodies == [a] and a.user == "cloth"
    for call in (lambda: part.user, lambda: setattr(b, "user", 1), lambda: scene.body(b.index)):
        with pytest.raises(fracas.StaleHandleError):
            call()
    reused = scene.add(v, f)
    assert reused.user is None and scene.body(reused.index) == reused
