"""Files and pair tests."""
import gc
import pathlib

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_soup

OBJ = b"""v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.1 0.2 0.3
f 1 2 3 4
l 1 5
"""


def test_a_file_is_viewed(tmp_path):
    path = tmp_path / "a.obj"
    path.write_bytes(OBJ)
    mesh = fracas.read(path)
    v, f = mesh
    assert v.shape == (5, 3) and v[4].tolist() == [0.1, 0.2, 0.3]
    assert f.dtype == np.uint32 and f.shape == (2, 3) and mesh.edges.tolist() == [[0, 4]]
    assert mesh.face_offsets.tolist() == [0, 4, 6] or mesh.face_offsets.tolist() == [0, 4]
    assert mesh.face_vertices[:4].tolist() == [0, 1, 2, 3] and mesh.format == "obj"
    assert mesh.triangle_faces.tolist() == [0, 0] and not mesh.left_out
    assert not v.flags.writeable and not v.flags.owndata and "2 triangles" in repr(mesh)
    del mesh
    gc.collect()
    assert v[4].tolist() == [0.1, 0.2, 0.3]
    for name in (str(path), bytes(path)):
        assert len(fracas.read(name).vertices) == 5


def test_memory_is_parsed():
    assert np.array_equal(fracas.parse("a.obj", OBJ).vertices, fracas.parse("b.obj",
                                                                           bytearray(OBJ)).vertices)
    with pytest.raises(fracas.BadDataError, match="b.obj:2"):
        fracas.parse("b.obj", b"v 0 0 0\nv 1 nan\n")
    with pytest.raises(TypeError, match="data is a str"):
        fracas.parse("b.obj", "v 0 0 0")
    with pytest.raises(fracas.Error):
        fracas.parse("b.obj", b"")


def test_errors_of_files(tmp_path):
    with pytest.raises(OSError, match="missing.ply"):
        fracas.read(tmp_path / "missing.ply")
    with pytest.raises(fracas.InvalidArgumentError, match="zero byte"):
        fracas.read("a\0b.ply")
    with pytest.raises(TypeError):
        fracas.read(3.5)
    with pytest.raises(fracas.InvalidArgumentError, match="weld is 'x'"):
        fracas.read("a.ply", weld="x")
    (tmp_path / "a.xyz").write_bytes(b"hello")
    with pytest.raises(fracas.UnsupportedError):
        fracas.read(tmp_path / "a.xyz")


def test_ply_is_written(tmp_path):
    v, f = make_soup(30)
    parents = np.arange(len(v)) - 1
    fracas.write_ply(tmp_path / "a.ply", v, f, edges=[[0, 5]], vertex_parents=parents,
                     face_parents=np.zeros(len(f), np.int32))
    mesh = fracas.read(tmp_path / "a.ply")
    assert (mesh.vertices == v).all() and (mesh.triangles == f).all()
    assert mesh.vertex_parents.tolist() == parents.tolist() and mesh.edges.tolist() == [[0, 5]]
    assert np.array_equal(fracas.self_intersections(mesh), fracas.self_intersections(v, f))
    with pytest.raises(fracas.InvalidArgumentError, match="vertex_parents has 3 entries"):
        fracas.write_ply(tmp_path / "b.ply", v, f, vertex_parents=[1, 2, 3])
    with pytest.raises(fracas.BadIndexError, match=r"f\[0, 2\] is 999"):
        fracas.write_ply(tmp_path / "b.ply", v, [[0, 1, 999]])
    with pytest.raises(OSError):
        fracas.write_ply(tmp_path / "none" / "b.ply", v, f)
    with pytest.raises(fracas.InvalidArgumentError, match="f is given beside a fracas.Mesh"):
        fracas.self_intersections(mesh, f)


def test_pairs():
    a = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    b = [[0.2, 0.2, -1], [0.2, 0.2, 1], [0.3, 0.2, 1]]
    assert fracas.triangles_intersect(a, b)
    meeting, points = fracas.triangles_intersection(a, b)
    assert meeting == fracas.Meeting.CROSS and points.shape == (2, 3) and (points[:, 2] == 0).all()
    assert not fracas.triangles_intersect(a, np.add(b, 5))
    assert fracas.triangles_intersection(a, np.add(b, 5))[1].shape == (0, 3)
    tet = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert fracas.point_in_tetrahedron([0, 0, 0.5], tet)
    assert not fracas.point_in_tetrahedron([0, 0, 1.5], tet)
    impact = fracas.vertex_face_impact([0.2, 0.2, 1], a, [0.2, 0.2, -1], a)
    assert abs(impact.toi - 0.5) < 1e-5 and list(impact.normal) == [0, 0, 1]
    assert fracas.vertex_face_impact([0.2, 0.2, 1], a, [0.2, 0.2, 0.5], a) is None
    edge = [[0.2, -1, 1], [0.2, 1, 1]]
    assert fracas.edge_edge_impact(edge, a[:2], np.subtract(edge, (0, 0, 2)), a[:2]).toi < 0.5
    with pytest.raises(fracas.InvalidArgumentError, match=r"a has shape \(2, 3\)"):
        fracas.triangles_intersect(a[:2], b)
    with pytest.raises(fracas.BadDataError, match=r"b\[1, 0\] is nan"):
        fracas.triangles_intersect(a, [[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]])


def test_meshes_of_the_repository(sheet):
    folder = pathlib.Path(__file__).parents[2] / "examples" / "data"
    if not folder.is_dir():
        pytest.skip("not in the repository")
    assert len(fracas.self_intersections(fracas.read(folder / "crossing.obj"))) == 1
    assert len(fracas.self_intersections(*make_sheet(3))) == 0
