"""Scenes: the answers are those of the C functions; edits, and what is refused."""
import ctypes

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_soup, make_tetrahedron
from fracas import _arrays


def stone_and_ground():
    """examples/hello.c: the vertex of a stone meets the ground at t = 1/2."""
    scene = fracas.Scene()
    f = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
    ground = scene.add([[-4, -4, 0], [4, -4, 0], [0, 4, 0], [0, 0, -4]], f)
    stone = scene.add([[0, 0, 1], [1, 0, 3], [-1, 1, 3], [-1, -1, 3]], f)
    stone.move([[0, 0, -1], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]])
    return scene, ground, stone


def test_the_first_example():
    scene, ground, stone = stone_and_ground()
    contacts = scene.detect()
    assert len(contacts) == 1 and contacts.dtype == fracas.CONTACT
    contact = contacts[0]
    assert contact["kind"] == fracas.ContactKind.VF
    assert contact["a"].tolist() == [0, fracas.NONE]
    assert contact["body_a"]["index"] == stone.index
    assert contact["body_b"]["index"] == ground.index
    assert 0.5 - 1e-6 <= contact["toi"] <= 0.5
    assert contact["normal"].tolist() == [0, 0, 1]
    assert contacts.statistics.contacts[fracas.ContactKind.VF] == 1
    assert scene.max_step() <= 0.5
    assert len(contacts.of_kind("vf")) == 1 and len(contacts.of_kind("ee")) == 0
    scene.advance()
    assert len(scene.detect()) == len(contacts.of_kind("ee"))  # nothing moves


def test_self_intersections_are_those_of_all_pairs():
    v, f = make_soup(60)
    address = _arrays.address
    expected = []
    for i in range(len(f)):
        for j in range(i):
            a, b = np.ascontiguousarray(v[f[i]]), np.ascontiguousarray(v[f[j]])
            if fracas.lib.fracas_mesh_triangles_intersect(address(a), address(f[i]), address(b),
                                                          address(f[j])):
                expected.append((j, i))
    contacts = fracas.self_intersections(v, f)
    assert len(expected) > 20
    assert sorted(map(tuple, contacts.pairs.tolist())) == sorted(expected)
    assert set(contacts["kind"]) == {fracas.ContactKind.TT}


def test_float_positions_are_exact_doubles():
    v, f = make_soup(60)
    v = v.astype(np.float32)
    assert np.array_equal(fracas.self_intersections(v, f),
                          fracas.self_intersections(v.astype(np.float64), f))


def test_any_number_of_threads_gives_the_same():
    v, f = make_soup(300)
    v1 = v + 0.2 * np.sin(9 * v[:, ::-1])
    one, three = fracas.Context(1), fracas.Context(3)
    assert (one.workers, three.workers) == (1, 3)
    a = fracas.detect(v, v1, f, context=one, modes="both")
    b = fracas.detect(v, v1, f, context=three, modes="both")
    assert len(a) > 500 and a.tobytes() == b.tobytes()
    assert len(a.of_kind("tt")) + len(a.of_kind("vf")) + len(a.of_kind("ee")) == len(a)


def test_functions_of_one_mesh():
    v, f = make_sheet(4)
    upper, _ = make_sheet(4, 0.5)
    both = np.concatenate([v, upper]), np.concatenate([f, f + len(v)])
    end = both[0].copy()
    end[len(v):, 2] = -0.5
    contacts = fracas.detect(both[0], end, both[1])
    assert len(contacts) and (abs(contacts["toi"] - 0.5) < 2e-6).all()
    assert 0.49 < fracas.max_step(both[0], end, both[1]) <= 0.5
    near = fracas.nearby(*both, 0.5)
    assert (near["distance"] <= 0.5).all() and len(near) > len(fracas.nearby(*both, 0.49))
    assert len(near[near["distance"] == 0.5]) > 25
    with pytest.raises(fracas.InvalidArgumentError, match="distance is missing"):
        fracas.nearby(*both)
    apart = fracas.detect(both[0], both[0], both[1], min_separation=0.5)
    assert len(apart) > 0


def test_first_contact_and_options():
    v, f = make_soup(100)
    scene = fracas.Scene(quality="fast_build")
    scene.add(v, f).move(v + 0.1 * np.cos(7 * v))
    contacts = scene.detect()
    first = scene.detect(first=True)
    assert len(first) == 1 and first["toi"][0] == contacts["toi"].min()
    for wrong, words in (({"modes": "all"}, "modes is 'all'"), ({"siblings": 9}, "siblings is 9"),
                         ({"tolerance": 0.0}, "tolerance"), ({"tolerance": "x"}, "tolerance"),
                         ({"min_separation": np.nan}, "separation"), ({"modes": True}, "modes is")):
        with pytest.raises((ValueError, TypeError), match=words):
            scene.detect(**wrong)
    with pytest.raises(fracas.InvalidArgumentError):
        scene.nearby(-1)


def test_rigid_bodies():
    v, f = make_tetrahedron()
    scene = fracas.Scene()
    ground = scene.add(*make_sheet(2, size=3), motion="static")
    body = scene.add(v, f, motion="rigid", pose=(np.eye(3), (0.5, 0.5, 1)))
    assert body.info.motion == fracas.Motion.RIGID and ground.info.triangles == 8
    end = np.eye(4)
    end[:3, 3] = 0.5, 0.5, -1
    body.pose(end, (np.eye(3), [0.5, 0.5, 1]))
    contacts = scene.detect()
    assert len(contacts) > 0 and abs(contacts["toi"].min() - 0.5) < 1e-5
    same = scene.detect()
    scene.move_many([(body, [(np.eye(3), [0.5, 0.5, 1]), end])])
    assert np.array_equal(scene.detect(), same)
    with pytest.raises(fracas.InvalidArgumentError):
        ground.move(v)
    with pytest.raises(fracas.InvalidArgumentError):
        body.move(v)
    with pytest.raises(TypeError, match=r"moves\[0\] is a str; a fracas.Body is needed"):
        scene.move_many([("body", v)])


def test_move_many_moves_all_or_none():
    v, f = make_sheet(2)
    scene = fracas.Scene()
    a, b = scene.add(v, f), scene.add(v + 5, f)
    scene.move_many({a: v + 1, b: v + 6})
    assert a.vertex(0)[1].tolist() == [1, 1, 1]
    with pytest.raises(fracas.InvalidArgumentError, match=r"moves\[1\] has 8 points"):
        scene.move_many({a: v + 2, b: v[1:]})
    assert a.vertex(0)[1].tolist() == [1, 1, 1]


def test_breaking_and_joining():
    v, f = make_sheet(2)
    scene = fracas.Scene()
    body = scene.add(v, f)
    assert body.triangle(0) == tuple(f[0])
    labels = (v[f][:, :, 0].mean(axis=1) > 0.5).astype(int)
    parts = scene.split(body, labels)
    assert len(parts) == 1 and parts[0] != body
    assert body.info.triangles + parts[0].info.triangles == len(f)
    moved = int(np.flatnonzero(labels)[0])
    assert scene.trace(body, "triangle", moved) == (parts[0], 0)
    assert scene.trace(body, "triangle", int(np.flatnonzero(labels == 0)[0]))[0] == body
    count = parts[0].info.vertex_numbers
    vertices, triangles = scene.merge([body, parts[0]], [])
    assert len(vertices) >= 9 and len(triangles) >= 8 and body.info.triangles == 8
    assert (vertices[-count:] != fracas.NONE).all()
    with pytest.raises(fracas.StaleHandleError):
        parts[0].info  # pylint: disable=pointless-statement
    with pytest.raises(fracas.Error, match="label"):
        scene.split(body, [0, 1])
    with pytest.raises(fracas.Error):
        scene.merge([body, body], [])
    with pytest.raises(fracas.Error):
        scene.merge([])
    body.remove()
    assert scene.trace(body, "vertex", 0) is None


def test_where_contacts_are():
    v, f = make_tetrahedron()
    scene = fracas.Scene()
    scene.add(v, f)
    scene.add(v + 0.1, f)
    contacts = scene.detect("discrete")
    where = scene.intersections(contacts)
    assert len(where.records) == len(contacts) == len(where.places)
    assert set(where.records["meeting"]) <= {int(m) for m in fracas.Meeting}
    assert where.place_count == 1 and len(where.curves) == len(where.curve_places) > 0
    assert (where.curves[0][0] == where.curves[0][-1]).all()  # closed
    del scene
    assert np.isfinite(where.curves[0]).all()
    with pytest.raises(TypeError, match="contacts are the array that Scene.detect returns"):
        fracas.Scene().intersections(np.zeros(3))


def test_bodies_inside_others():
    scene = fracas.Scene()
    outer = scene.add(*make_tetrahedron(4))
    inner = scene.add(*make_tetrahedron(0.5, (0.5, 0.5, 0.5)))
    found = scene.find_inside(scene.detect("discrete"))
    assert len(found) == 1
    assert found[0]["inner"]["index"] == inner.index
    assert found[0]["outer"]["index"] == outer.index
    assert (found[0]["vertex"], found[0]["parts"]) == (0, 1)


def test_free_edges_and_points():
    v, f = make_sheet(2)
    wire = np.array([[0.4, 0.3, 1], [0.4, 0.3, -1]])
    scene = fracas.Scene()
    scene.add(v, f)
    scene.add(wire, edges=[[0, 1]])
    contacts = scene.detect("discrete")
    assert contacts["kind"].tolist() == [fracas.ContactKind.ET]
    point = scene.add([[0.6, 0.3, 1]], points=[0])
    point.move([[0.6, 0.3, -1]])
    assert fracas.ContactKind.VF in scene.detect()["kind"]


def test_bodies_of_other_scenes_and_removed_ones():
    v, f = make_sheet(2)
    a, b = fracas.Scene(), fracas.Scene()
    body = a.add(v, f)
    with pytest.raises(fracas.InvalidArgumentError, match="body is of another scene"):
        b.move(body, v)
    with pytest.raises(TypeError, match="body is a int"):
        b.remove(1)
    body.remove()
    for call in (body.remove, lambda: body.move(v), lambda: body.info, lambda: body.vertex(0)):
        with pytest.raises(fracas.StaleHandleError):
            call()
    with pytest.raises(LookupError):
        body.remove()
    assert body in {body} and repr(body).startswith("<fracas.Body")


@pytest.mark.parametrize("index", [-1, 2**32, 10**30])
def test_numbers_of_elements(index):
    scene, ground, _ = stone_and_ground()
    for call in (ground.vertex, ground.triangle):
        with pytest.raises(ValueError, match="index is"):
            call(index)
    with pytest.raises(TypeError):
        ground.vertex("first")
    with pytest.raises(fracas.BadDataError):
        ground.triangle(99)
    assert scene.trace(ground, "vertex", 99) is None


def test_statistics():
    scene, _, _ = stone_and_ground()
    contacts = scene.detect()
    assert contacts.statistics.ms_total >= 0
    assert contacts[:0].statistics.earliest_toi == contacts["toi"].min()
    assert scene.update_statistics.ms_refit >= 0
    assert isinstance(contacts.statistics, ctypes.Structure)


def test_describe():
    info = fracas.describe(*make_tetrahedron())
    assert (info.vertices, info.triangles, info.edges) == (4, 4, 6)
    assert info.closed and info.manifold and info.components == 1
    with pytest.raises(fracas.BadIndexError, match=r"f\[0, 1\] is 5"):
        fracas.describe(np.zeros((3, 3)), [[0, 5, 1]])
