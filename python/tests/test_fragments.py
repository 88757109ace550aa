"""Solids that break; medial meshes."""
import gc
import itertools
import re

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_tetrahedron


def brick(n=3):
    """A cube of n x n x n cells, six tetrahedra each."""
    line = np.linspace(0, 1, n + 1)
    v = np.stack(np.meshgrid(line, line, line, indexing="ij"), -1).reshape(-1, 3)
    t = []
    for cell in itertools.product(range(n), repeat=3):
        for order in itertools.permutations(range(3)):
            at, corners = np.array(cell), []
            for axis in (None, *order):
                at = at + (np.arange(3) == axis) if axis is not None else at
                corners.append(int(at @ ((n + 1)**2, n + 1, 1)))
            a, b, c, d = v[corners]
            t.append(corners if np.linalg.det([b - a, c - a, d - a]) > 0
                     else [corners[i] for i in (0, 2, 1, 3)])
    return v, np.array(t)


def signed_volume(v, f):
    return np.linalg.det(v[f]).sum() / 6


def test_a_brick_breaks():
    solid = fracas.Solid(*brick())
    assert solid.info.volume == pytest.approx(1) and solid.info.tets == 162
    fragments = fracas.Fragments()
    whole = fragments.add(solid)
    v, f, cracks = whole.surface()
    assert signed_volume(v, f) == pytest.approx(1) and not cracks.any() and len(f) == 108
    halves = whole.break_plane((0.5, 0.5, 0.5), (1, 0, 0))
    assert len(halves) == 2 and sum(h.info.volume for h in halves) == pytest.approx(1)
    with pytest.raises(fracas.StaleHandleError):
        whole.info  # pylint: disable=pointless-statement
    for half in halves:
        v, f, cracks = half.surface()
        assert signed_volume(v, f) == pytest.approx(half.info.volume)
        assert np.abs(v[f[cracks]][..., 0] - 0.5).max() < 1e-9 and cracks.any()
    sites = np.random.default_rng(1).random((6, 3))
    parts = halves[0].break_voronoi(sites)
    assert len(parts) > 2 and len(set(parts + halves[1:])) == len(parts) + 1
    assert sum(p.info.volume for p in parts) == pytest.approx(halves[0].solid.info.volume
                                                              - halves[1].info.volume)


def test_a_fracture_of_ones_own():
    v, t = brick()
    fragments, solid = fracas.Fragments(), fracas.Solid(v, t)
    labels = (v[:, 0] > 0.5).astype(int)
    edges = np.array([(a, b) for a, b in itertools.combinations(range(len(v)), 2)
                      if (v[a] != v[b]).sum() == 1 and abs(v[a] - v[b]).sum() < 0.4
                      and labels[a] != labels[b]])
    left, right = fragments.add(solid).fracture(labels)
    assert left.info.volume == pytest.approx(0.5) and right.info.nodes == labels.sum()
    left, right = fragments.add(solid).fracture(labels, edges, np.full(len(edges), 0.25))
    assert left.info.volume < 0.5 and left.info.volume + right.info.volume == pytest.approx(1)
    with pytest.raises(fracas.BadDataError):  # nodes of other fragments count as part 0
        right.fracture(np.zeros(len(v), int), count=2)
    whole = fragments.add(solid)
    for error, words, call in (
            ("InvalidArgumentError", "parts has 3 entries; the solid has 64 points",
             lambda: whole.fracture([0, 1, 0])),
            ("BadIndexError", "parts[2] is -1", lambda: whole.fracture(
                np.where(np.arange(64) == 2, -1, 0).astype(np.int32))),
            ("InvalidArgumentError", "count is 65", lambda: whole.fracture(labels, count=65)),
            ("InvalidArgumentError", "cut_at has shape (1,)",
             lambda: whole.fracture(labels, edges, [0.5])),
            ("BadDataError", "", lambda: whole.fracture(labels, edges[:1], [2.0])),
            ("BadDataError", "", lambda: whole.fracture(labels, [[0, 63]], [0.5])),
            ("BadDataError", "", lambda: whole.break_plane((9, 9, 9), (1, 0, 0))),
            ("BadDataError", "sites[0, 1] is nan", lambda: whole.break_voronoi([[0, np.nan, 0]])),
            ("BadDataError", "1 sites", lambda: whole.break_voronoi([[0, 0, 0]])),
            ("InvalidArgumentError", "normal has shape", lambda: whole.break_plane((0, 0, 0), 1))):
        with pytest.raises(getattr(fracas, error), match=re.escape(words)):
            call()
    assert whole.info.volume == pytest.approx(1)


def test_points_inside_fragments_and_contacts():
    solid, seen = fracas.Solid(*brick()), []
    with fracas.Fragments() as fragments:
        a, b = fragments.add(solid), fragments.add(solid, pose=(np.eye(3), [0.9, 0, 0]))
        found = a.locate([[0.5, 0.5, 0.5], [0.9, 0.5, 0.5], [2, 0, 0]])
        assert found["inside"].tolist() == [True, True, False]
        assert found["depth"] == pytest.approx([0.5, 0.1, 0])
        assert found["direction"][1] == pytest.approx([1, 0, 0])
        with pytest.raises(fracas.BadDataError, match=r"points\[1, 0\] is inf"):
            a.locate([[0, 0, 0], [np.inf, 0, 0]])
        contacts = fragments.detect(selection="all", progress=seen.append)
        assert contacts.dtype == fracas.FRAGMENT_CONTACT and seen[-1] == 1
        assert len(contacts) == contacts.statistics.contacts == 32
        assert contacts["depth"].min() >= 0 and contacts["depth"].max() == pytest.approx(0.1)
        assert np.abs(contacts["position"] - (0.95, 0.5, 0.5)).max() < 0.5 + 1e-9
        assert set(contacts["a"]["index"]) == {a.index, b.index}
        deep = contacts[contacts["depth"] > 0.05]
        assert len(deep) == 8 and np.abs(deep["normal"][:, 0]) == pytest.approx(np.ones(8))
        assert 0 < len(fragments.detect(selection="fixed", contact_count=3)) <= 6
        a.fix(), b.fix()
        assert len(fragments.detect(selection="all")) == 0
        b.fix(False), b.pose(np.eye(4))
        assert len(fragments.detect(selection="all")) > 32
        for wrong in (dict(selection="x"), dict(skin=-1.0), dict(distance=np.nan),
                      dict(contact_count=0), dict(order=7)):
            with pytest.raises(fracas.InvalidArgumentError, match=next(iter(wrong))):
                fragments.detect(**wrong)
        b.remove()
        assert len(fragments.detect()) == 0
        with pytest.raises(fracas.StaleHandleError):
            b.pose(np.eye(4))
    with pytest.raises(fracas.InvalidArgumentError, match="fragments has been closed"):
        fragments.detect()


def test_bad_solids_and_mixed_objects():
    v, t = brick(1)
    with pytest.raises(fracas.BadDataError, match=r"v\[1, 2\] is nan"):
        fracas.Solid(np.where(np.arange(24).reshape(8, 3) == 5, np.nan, v), t)
    with pytest.raises(fracas.BadIndexError, match=r"t\[0, 3\] is 8; there are 8 points in v"):
        fracas.Solid(v, [[0, 1, 2, 8]])
    with pytest.raises(fracas.BadDataError):
        fracas.Solid(v, t[:, [1, 0, 2, 3]])
    with pytest.raises(fracas.InvalidArgumentError, match="grid_cells"):
        fracas.Solid(v, t, grid_cells=1)
    a, b = fracas.Fragments(), fracas.Fragments(context=fracas.Context(1))
    fragment = a.add(fracas.Solid(v, t))
    with pytest.raises(fracas.InvalidArgumentError, match="solid is of another context"):
        b.add(fragment.solid)
    with pytest.raises(TypeError, match="solid is a int"):
        a.add(3)
    with pytest.raises(fracas.InvalidArgumentError, match="of another fracas.Fragments"):
        b.own(fragment)
    gc.collect()
    assert fragment.info.volume == pytest.approx(1)  # the solid lives


# ---- medial meshes

def ball(n=12):
    """A closed surface near the unit sphere."""
    v, f = make_sheet(n)
    sides = []
    for axis in range(3):
        for sign in (1, -1):
            p = np.column_stack([2 * v[:, 0] - 1, 2 * v[:, 1] - 1, np.ones(len(v))])
            p = p * (sign, 1, sign)
            sides.append(np.roll(p, axis, axis=1))
    p = np.round(np.concatenate(sides), 12)
    points, index = np.unique(p, axis=0, return_inverse=True)
    f = index.ravel()[np.concatenate([f + i * len(v) for i in range(6)])]
    return points / np.linalg.norm(points, axis=1)[:, None], f.astype(np.uint32)


def test_the_medial_mesh_of_a_ball(tmp_path):
    v, f = ball()
    seen = []
    mesh = fracas.MedialMesh(v, f, spheres=1, samples=500, fit_rounds=2, progress=seen.append)
    assert mesh.spheres.shape[1] == 4 and mesh.info.spheres == len(mesh.spheres) and seen[-1] == 1
    assert np.abs(mesh.spheres[0] - (0, 0, 0, 1)).max() < 0.1
    assert not mesh.spheres.flags.writeable
    mesh.write(tmp_path / "ball.ma")
    again = fracas.MedialMesh.read(tmp_path / "ball.ma")
    assert (again.spheres == mesh.spheres).all() and (again.edges == mesh.edges).all()
    spheres = mesh.spheres
    del mesh
    gc.collect()
    assert (again.spheres == spheres).all()
    with pytest.raises(fracas.BadDataError):
        fracas.MedialMesh(*make_sheet(3))  # open
    with pytest.raises(fracas.InvalidArgumentError, match="error"):
        fracas.MedialMesh(v, f, error=-1)
    with pytest.raises(fracas.FileError):
        fracas.MedialMesh.read(tmp_path / "missing.ma")


def test_medial_meshes_of_arrays():
    mesh = fracas.MedialMesh.of([[0, 0, 0, 1], [2, 0, 0, 0.5], [0, 2, 0, 0.5]], [[0, 1]],
                                [[0, 1, 2]])
    assert repr(mesh) == "<fracas.MedialMesh: 3 spheres, 1 edges, 1 triangles>"
    for error, words, given in (
            ("BadDataError", "spheres[1, 3] is -1.0; a radius", ([[0, 0, 0, 1], [0, 0, 0, -1]],)),
            ("BadDataError", "spheres[0, 2] is nan", ([[0, 0, np.nan, 1]],)),
            ("BadIndexError", "edges[0, 1] is 5", ([[0, 0, 0, 1]], [[0, 5]])),
            ("BadIndexError", "triangles[0, 0] is 7", ([[0, 0, 0, 1]], (), [[7, 0, 1]])),
            ("InvalidArgumentError", "spheres has shape (3,)", ([0, 0, 0],))):
        with pytest.raises(getattr(fracas, error), match=re.escape(words)):
            fracas.MedialMesh.of(*given)


def test_medial_bodies_meet():
    """Two balls of radius 1 approach from 4 apart by 4: they touch halfway."""
    mesh = fracas.MedialMesh.of([[0, 0, 0, 1.0]])
    shape, floor = fracas.MedialShape(mesh), fracas.MedialShape(*make_tetrahedron(50, (0, 0, -90)))
    assert (shape.info.spheres, shape.info.radius) == (1, pytest.approx(1))
    assert fracas.MedialShape(mesh, inflation=0.5).info.radius == pytest.approx(1.5)
    at = [(np.eye(3), [x, 0, 0]) for x in (0, 4, 0)]
    with fracas.MedialBodies() as bodies:
        a, b, ground = bodies.add(shape), bodies.add(shape), bodies.add(floor)
        ground.fix()
        a.pose(at[0]), b.pose(at[2], at[1])
        contacts = bodies.detect()
        assert contacts.dtype == fracas.MEDIAL_CONTACT and len(contacts) == 1
        contact = contacts[0]
        assert contact["time"] == pytest.approx(0.5, abs=1e-4) and contact["time"] <= 0.5
        assert (contact["a"]["index"], contact["b"]["index"]) == (a.index, b.index)
        assert contact["position"] == pytest.approx([1, 0, 0], abs=1e-3)
        assert contact["normal"] == pytest.approx([-1, 0, 0])
        assert contacts.statistics.contacts == 1
        assert bodies.detect(selection="first", broad_phase="none").tobytes() == contacts.tobytes()
        with pytest.raises(fracas.BadDataError, match=r"end\[0, 0\] is nan"):
            a.pose(np.full((3, 4), np.nan))
        with pytest.raises(fracas.BadDataError):
            a.pose(np.zeros((3, 4)))
        for wrong in (dict(selection="x"), dict(tolerance=-1.0), dict(broad_phase=9)):
            with pytest.raises(fracas.InvalidArgumentError, match=next(iter(wrong))):
                bodies.detect(**wrong)
        with pytest.raises(fracas.InvalidArgumentError, match="of another context"):
            bodies.add(fracas.MedialShape(mesh, context=fracas.Context(1)))
        b.remove()
        with pytest.raises(fracas.StaleHandleError):
            b.fix()
        with pytest.raises(TypeError, match="body is a int"):
            bodies.change(fracas.lib.fracas_medial_bodies_remove, 3)
        del shape, mesh
        gc.collect()
        assert len(bodies.detect()) == 0
    with pytest.raises(fracas.InvalidArgumentError, match="centre has shape"):
        fracas.MedialShape(fracas.MedialMesh.of([[0, 0, 0, 1]]), centre=[1, 2])
    with pytest.raises(fracas.BadIndexError, match=r"f\[0, 2\] is 9"):
        fracas.MedialShape(np.eye(3), [[0, 1, 9]])
