"""Many pairs in one call, candidates, safe distances, filters, distances of bodies."""
import itertools
import time

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_soup, make_tetrahedron

RANDOM = np.random.default_rng(3)


def moving_points(count):
    v0 = RANDOM.random((count, 3))
    return v0, v0 + RANDOM.random((count, 3)) - 0.5


@pytest.mark.parametrize("kind, width, single", [
    ("vf", 4, fracas.vertex_face_impact), ("ee", 4, fracas.edge_edge_impact)])
def test_impacts_are_those_of_single_pairs(kind, width, single):
    v0, v1 = moving_points(200)
    pairs = RANDOM.permuted(np.tile(np.arange(200), (1200, 1)), axis=1)[:, :width]
    hits, found = fracas.impacts(kind, pairs, v0, v1)
    split = 1 if kind == "vf" else 2
    for row, hit, impact in zip(pairs, hits, found):
        a, b = row[:split], row[split:]
        start, end = (v0[a], v0[b]), (v1[a], v1[b])
        if kind == "vf":
            start, end = (start[0][0], start[1]), (end[0][0], end[1])
        expected = single(*start, *end, 1e-6)
        assert hit == (expected is not None)
        if hit:
            assert impact["toi"] == expected.toi and impact["u"] == expected.u
            assert impact["normal"].tolist() == list(expected.normal)
        else:
            assert impact["toi"] == 0
    assert 10 < hits.sum() < 1000 and hits.dtype == bool


def test_distances_of_points():
    v, _ = moving_points(50)
    pairs = np.array(list(itertools.combinations(range(50), 2)))
    near, found = fracas.distances("vv", pairs, v)
    assert near.all()
    expected = np.linalg.norm(v[pairs[:, 0]] - v[pairs[:, 1]], axis=1)
    assert np.allclose(found["distance"], expected, rtol=1e-13)
    near, _ = fracas.distances("vv", pairs, v, max_distance=0.5)
    assert (near == (expected <= 0.5)).all()


def test_bad_batches():
    v0, v1 = moving_points(9)
    for arguments, words in (
            (("vf", [[0, 1, 2, 9]], v0, v1), r"pairs\[0, 3\] is 9; there are 9 points"),
            (("vf", [[0, 1, 2]], v0, v1), r"pairs has shape \(1, 3\); \(n, 4\) is needed"),
            (("tt", [[0, 1]], v0, v1), "kind is 'tt'"), (("x", [[0, 1]], v0, v1), "kind is 'x'"),
            (("vv", [[0, 1]], v0[1:], v1), "v0 has 8 points; v1 has 9")):
        with pytest.raises(ValueError, match=words):
            fracas.impacts(*arguments)
    v1[4, 1] = np.nan
    with pytest.raises(fracas.BadDataError, match=r"v1\[4, 1\] is nan, in pairs\[1\]"):
        fracas.impacts("vv", [[0, 1], [2, 4]], v0, v1)
    assert len(fracas.impacts("vv", [[0, 1], [2, 3]], v0, v1)[0]) == 2  # not used
    assert len(fracas.impacts("vv", [], v0, v1)[0]) == 0
    with pytest.raises(ValueError):
        fracas.distances("vv", [[0, 1]], v0, max_distance=-1)


def test_batches_are_much_faster_than_a_loop():
    """A loop over the function of one pair, 200 times slower on an idle machine."""
    v0, v1 = moving_points(4000)
    pairs = RANDOM.integers(0, 4000, (100000, 4))
    context = fracas.Context(1)
    fracas.impacts("vf", pairs[:1000], v0, v1, context=context)
    begin = time.thread_time()
    fracas.impacts("vf", pairs, v0, v1, context=context)
    batch = (time.thread_time() - begin) / len(pairs)
    begin = time.thread_time()
    for row in pairs[:500]:
        fracas.vertex_face_impact(v0[row[0]], v0[row[1:]], v1[row[0]], v1[row[1:]])
    loop = (time.thread_time() - begin) / 500
    assert loop > 20 * batch


def two_sheets():
    v, f = make_sheet(4)
    scene = fracas.Scene()
    return scene, scene.add(v, f), scene.add(v + (0.01, 0.02, 0.5), f), v, f


def test_candidates():
    scene, _, upper, v, _ = two_sheets()
    step = np.array([0, 0, -1.0])
    upper.move(v + (0.01, 0.02, 0.5) + step)
    candidates = scene.candidates(0.1)
    assert len(candidates) > 0
    for part in (1.0, 0.75, 0.5, 0.25):
        upper.move(v + (0.01, 0.02, 0.5) + part * step)
        assert np.array_equal(candidates.detect(), scene.detect())
        assert candidates.max_step() == scene.max_step()
    with pytest.raises(fracas.Error):
        candidates.detect(min_separation=0.5)
    upper.move(v + 50)
    with pytest.raises(fracas.BadDataError):
        candidates.detect()
    scene.close()
    with pytest.raises(fracas.InvalidArgumentError, match="the scene has been closed"):
        candidates.detect()
    del scene, candidates


def test_candidates_of_a_scene_that_is_gone():
    candidates = two_sheets()[0].candidates(0.6)
    assert len(candidates.detect()) == 0 and len(candidates) > 0


def test_safe_distances():
    scene, lower, upper, v, f = two_sheets()
    safe = scene.safe_distances(1.0, [lower, upper])
    assert [len(array) for array in safe] == [len(v), len(v)]
    assert all((array > 0).all() and (array <= 0.25).all() for array in safe)
    lower.move(v + (0, 0, 1) * safe[0][:, None])
    upper.move(v + (0.01, 0.02, 0.5) - (0, 0, 1) * safe[1][:, None])
    assert scene.max_step() == 1 and len(scene.detect("both")) == 0 and len(f)


def test_filters_and_thickness():
    scene, lower, upper, v, _ = two_sheets()
    assert len(scene.nearby(0.5)) and lower.thickness == 0
    near = len(scene.nearby(0.1))
    lower.thickness = 0.45
    assert lower.thickness == 0.45 and len(scene.nearby(0.1)) > near
    lower.thickness = 0
    scene.set_filter(rings=2)
    between = scene.nearby(0.3)
    assert (between["body_a"]["index"] != between["body_b"]["index"]).all()
    scene.set_filter(rest_distance=10, rest_shapes={lower: v, upper: v})
    assert len(scene.nearby(0.5)) == 0
    scene.set_filter(vertex_pairs=[(lower, 0, upper, 0)])
    scene.set_filter()
    assert len(scene.nearby(0.5))
    for arguments, words in (({"rings": 99}, "rings"), ({"rings": -1}, "rings is -1"),
                             ({"rest_distance": 1, "rest_shapes": {lower: v * np.nan}},
                              r"rest_shapes\[0\]\[0, 0\] is nan"),
                             ({"vertex_pairs": [(lower, 99, upper, 0)]}, "99")):
        with pytest.raises(fracas.Error, match=words):
            scene.set_filter(**arguments)
    with pytest.raises(ValueError):
        lower.thickness = -1


def test_limits_of_queries():
    v, f = make_soup(100)
    scene = fracas.Scene()
    scene.add(v, f).move(v + 0.1 * np.cos(7 * v))
    contacts = scene.detect()
    early = scene.detect(t_max=0.5)
    assert np.array_equal(early, contacts[contacts["toi"] <= 0.5]) and 0 < len(early)
    some = scene.detect(max_contacts=5)
    assert len(some) == 5 and some.statistics.limit_reached == 1


def test_places():
    scene, _, upper, v, f = two_sheets()
    upper.move(v + (0.01, 0.02, -0.5))
    contacts = scene.detect().of_kind("vf")
    places = scene.places(contacts)
    assert (places["a"][:, 0] == contacts["a"][:, 0]).all() and (places["a_count"] == 1).all()
    assert (places["b"] == f[contacts["b"][:, 0]]).all() and (places["b_count"] == 3).all()
    assert np.allclose(places["point_a"], places["point_b"], atol=1e-5)
    near = scene.places(scene.nearby(2.0), at_end=True)
    assert np.isfinite(near["point_a"]).all()


def test_distances_of_bodies():
    scene = fracas.Scene()
    v, f = make_tetrahedron()
    a, b = scene.add(v, f), scene.add(v + (3, 0, 0), f)
    c = scene.add(v + 0.1, f)
    found = scene.distances([(a, b), (a, c)])
    assert found["distance"][0] == 2 and found["distance"][1] == 0
    depth = scene.depths([(a, b), (a, c)])
    assert depth["depth"][0] == 0 and depth["depth"][1] > 0.1
    c.move(v + 0.1 + depth["translation"][1])
    assert len(scene.detect("discrete")) == 0
    for pairs, words in (([(a, 3)], r"pairs\[0\]\[1\] is a int"), ([a], r"pairs\[0\] is not a pair")):
        with pytest.raises((TypeError, ValueError), match=words):
            scene.distances(pairs)
    with pytest.raises(fracas.Error):
        scene.depths([(a, a)])


def test_distances_of_points_from_a_body():
    scene = fracas.Scene()
    body = scene.add(*make_tetrahedron(2))
    points = [[0.2, 0.2, 0.2], [-1, 0.5, 0.5], [0, 0.5, 0.5], [9, 9, 9]]
    side = body.contains(points)
    assert side.tolist() == [fracas.Side.INSIDE, fracas.Side.OUTSIDE, fracas.Side.SURFACE,
                             fracas.Side.OUTSIDE]
    signed = body.signed_distances(points)
    assert np.allclose(signed["distance"][:3], [-0.2, 1, 0]) and (signed["side"] == side).all()
    closest = body.closest_points(points)
    assert np.allclose(closest["distance"], abs(signed["distance"]))
    assert closest["point"][1].tolist() == [0, 0.5, 0.5]
    with pytest.raises(fracas.BadDataError, match=r"points\[1, 2\] is nan"):
        body.contains([[0, 0, 0], [0, 0, np.nan]])
    open_body = scene.add(*make_sheet(2))
    with pytest.raises(fracas.BadDataError, match="edge"):
        open_body.contains(points)
    assert body.contains([]).shape == (0,)
