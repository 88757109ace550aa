"""Volumes."""
import gc

import numpy as np
import pytest

import fracas

V = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4.0]])
T = np.array([[0, 1, 2, 3]], np.uint32)


def test_a_vertex_in_a_tetrahedron():
    tets = fracas.Tets(depth=True)
    a, b = tets.add(V, T), tets.add(V + 0.5, T)
    found = tets.detect()
    assert found.dtype == fracas.PENETRATION and len(found) == 1
    assert found["vertex_body"]["index"][0] == b.index and found["vertex"][0] == 0
    assert found["tet_body"]["index"][0] == a.index and found["tet"][0] == 0
    assert found["barycentric"][0].tolist() == [0.625, 0.125, 0.125, 0.125]
    assert found["depth"][0] == 0.5 and found.statistics.penetrations == 1
    assert len(tets.detect(inter=False)) == 0
    b.move(V + 9)
    assert len(tets.detect()) == 0
    assert len(found) == 1 and found["depth"][0] == 0.5
    tets.close()
    gc.collect()
    assert found["vertex"][0] == 0


def test_within_one_body():
    v = np.concatenate([V, V + 0.5])
    t = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])
    found = fracas.penetrations(v, t)
    assert found["vertex"].tolist() == [4] and found["tet"].tolist() == [0]


def test_bad_input():
    tets = fracas.Tets()
    with pytest.raises(fracas.BadDataError, match=r"v\[1, 2\] is nan"):
        tets.add(np.where(np.arange(12).reshape(4, 3) == 5, np.nan, V), T)
    with pytest.raises(fracas.BadIndexError, match=r"t\[0, 3\] is 4; there are 4 points"):
        tets.add(V, [[0, 1, 2, 4]])
    with pytest.raises(fracas.InvalidArgumentError, match=r"t has shape \(1, 3\)"):
        tets.add(V, [[0, 1, 2]])
    body = tets.add(V, T)
    with pytest.raises(fracas.InvalidArgumentError, match="v has 3 points; the body has 4"):
        body.move(V[:3])
    with pytest.raises(fracas.BadDataError, match=r"v\[0, 0\] is inf"):
        body.move(V + np.inf)
    with pytest.raises(fracas.InvalidArgumentError):
        tets.detect(depth=True)
    with pytest.raises(fracas.InvalidArgumentError, match="another"):
        fracas.Tets().move(body, V)
    body.remove()
    with pytest.raises(fracas.StaleHandleError):
        body.move(V)
    with pytest.raises(fracas.Error):
        fracas.Tets(cell_size=-1)


def test_surfaces_of_volumes():
    triangles, owners = fracas.tet_boundary(V, T)
    assert triangles.shape == (4, 3) and owners.tolist() == [0, 0, 0, 0]
    assert fracas.describe(V, triangles).closed
    with pytest.raises(fracas.BadIndexError, match=r"t\[0, 0\] is 7"):
        fracas.tet_boundary(V, [[7, 1, 2, 3]])
