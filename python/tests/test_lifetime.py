"""Results keep what they view alive; closed objects and overlapping calls raise, nothing crashes."""
import gc
import os
import threading
import weakref

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_soup


def crossing():
    """Two sheets that move through each other."""
    v, f = make_sheet(6)
    scene = fracas.Scene(context=fracas.Context(1))
    scene.add(v, f)
    scene.add(v[:, [0, 2, 1]] + (0, 0.4, -0.5), f)
    return scene


def address(array):
    return array.__array_interface__["data"][0]


def test_contacts_outlive_everything():
    scene = crossing()
    contacts = scene.detect("discrete")
    assert not contacts.flags.writeable and not contacts.flags.owndata
    expected, part = contacts.tobytes(), contacts[2:]["a"][:, 0]
    copy = part.copy()
    scene.close()
    with pytest.raises(fracas.InvalidArgumentError, match="the scene has been closed"):
        scene.detect()
    del scene
    gc.collect()
    filler = [crossing().detect("discrete") for _ in range(3)]
    assert contacts.tobytes() == expected and len(filler) == 3
    del contacts
    gc.collect()
    assert (part == copy).all()


def test_a_list_is_reused_only_when_no_array_views_it():
    scene = crossing()
    first = scene.detect("discrete")
    place, expected = address(first), first.tobytes()
    second = scene.detect("discrete")
    assert address(second) != place
    part = first[1:3]
    del first
    third = scene.detect("discrete")
    assert address(third) not in (place, address(second))
    assert part.tobytes() == expected[fracas.CONTACT.itemsize:3 * fracas.CONTACT.itemsize]
    del part
    gc.collect()
    assert address(scene.detect("discrete")) == place


def test_views_cannot_be_written():
    contacts = crossing().detect("discrete")
    with pytest.raises(ValueError):
        contacts["toi"][0] = 1
    with pytest.raises(ValueError):
        contacts.flags.writeable = True


def test_objects_are_destroyed():
    scene = crossing()
    contacts = scene.detect("discrete")
    watched = weakref.ref(scene.context.core)
    del scene
    gc.collect()
    assert watched() is not None and len(contacts)
    del contacts
    gc.collect()
    assert watched() is None


def test_closing():
    with fracas.Scene() as scene:
        body = scene.add(*make_sheet(2))
    assert scene.closed
    scene.close()
    for call in (lambda: scene.add(*make_sheet(2)), lambda: body.info, scene.update, scene.advance,
                 lambda: scene.max_step(), lambda: body.move(make_sheet(2)[0])):
        with pytest.raises(fracas.InvalidArgumentError, match="the scene has been closed"):
            call()
    with fracas.Tets() as tets:
        pass
    with pytest.raises(fracas.InvalidArgumentError, match="the volumes has been closed"):
        tets.update()


def test_a_call_that_changes_must_be_alone():
    scene = fracas.Scene()
    body = scene.add(*make_soup(200))
    scene.update()
    refused = []

    def during(_fraction):
        for call in (scene.update, scene.close, body.remove, lambda: body.move(make_soup(200)[0])):
            with pytest.raises(fracas.InvalidArgumentError, match="in use by another call"):
                call()
            refused.append(call)
        assert body.info.triangles == 200  # a call that changes nothing
        assert len(scene.detect("discrete"))
    assert len(scene.detect("discrete", progress=during)) and refused
    scene.close()


def test_queries_of_many_threads():
    scene = crossing()
    scene.update()
    expected = scene.detect("both").tobytes()
    wrong, errors = [], []

    def work():
        try:
            for _ in range(30):
                if scene.detect("both").tobytes() != expected:
                    wrong.append(1)
        except Exception as error:  # pylint: disable=broad-except
            errors.append(error)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and not errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_has_a_context_of_its_own():
    old = crossing()
    fracas.self_intersections(*make_soup(20))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            found = len(fracas.self_intersections(*make_soup(60)))
            try:
                old.detect()
            except fracas.InvalidArgumentError as error:
                code = 0 if found and "before os.fork" in str(error) else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert len(old.detect("discrete"))


def test_empty_results_are_arrays():
    v, f = make_sheet(2)
    contacts = fracas.self_intersections(v, f)
    assert contacts.shape == (0,) and contacts.pairs.shape == (0, 2)
    assert isinstance(contacts, np.ndarray) and contacts.statistics.contacts[0] == 0
    empty = fracas.self_intersections(np.zeros((0, 3)), [])
    assert len(empty) == 0


def test_garbage_in_cycles():
    """Finalizers of a cycle run in any order: the context must not go before its scene."""
    class Ring:
        pass
    for _ in range(20):
        ring = Ring()
        ring.me = ring
        context = fracas.Context(1)
        ring.objects = [context, fracas.Scene(context=context)]
        ring.objects[1].add(*make_soup(20))
        ring.objects.append(ring.objects[1].detect("discrete"))
        ring.objects.append(fracas.parse("a.obj", b"v 0 0 0\np 1\n", context=context).vertices)
        ring.objects.append(fracas.Tets(context=context))
        del context, ring
        gc.collect()
