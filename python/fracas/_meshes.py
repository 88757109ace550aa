"""Meshes: files, and views of arrays for C."""
from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._context import Context, ProgressInput, default_context
from ._errors import BadDataError, InvalidArgumentError
from ._library import lib
from ._views import view


class _File:
    """Owner of a fracas_mesh_file."""

    def __init__(self, context: Context) -> None:
        self._core = context.core
        self._core.acquire()
        self.pointer = ctypes.POINTER(_abi.fracas_mesh_file)()

    def __del__(self) -> None:
        lib.fracas_mesh_file_destroy(self.pointer)
        self._core.release()


class Mesh:
    """A mesh from a file. Its arrays view the library's memory, read-only, and keep it alive.

    vertices: (n, 3) float64.                  triangles: (n, 3) uint32, polygons triangulated.
    edges: (n, 2) uint32, free edges.          points: (n,) uint32, free points.
    tets: (n, 4) uint32, of volumes.           format: "obj", "ply", ...
    face_offsets, face_vertices: polygons as in the file; face f has the corners
        face_vertices[face_offsets[f]:face_offsets[f + 1]].
    triangle_faces: the face of each triangle. face_tets: with `surface`, the tetrahedron of each.
    vertex_parents, face_parents: int32 of PLY files that have them, else None.
    left_out: what the reader does not support, {name: count}.
    """

    def __init__(self, file: _File) -> None:
        self._file = file
        at = file.pointer
        mesh = lib.fracas_mesh_file_get_view(at)
        tets = lib.fracas_mesh_file_get_tets(at)
        faces = lib.fracas_mesh_file_get_faces(at)
        count = mesh.points.count
        self.vertices = view(mesh.points.data, count, np.float64, file, 3)
        self.triangles = view(mesh.triangles, mesh.triangle_count, np.uint32, file, 3)
        self.edges = view(mesh.edges, mesh.edge_count, np.uint32, file, 2)
        self.points = view(mesh.vertices, mesh.vertex_count, np.uint32, file)
        self.tets = view(tets.tets, tets.tet_count, np.uint32, file, 4)
        self.face_offsets = view(faces.face_offsets, faces.face_count + 1, np.uint32, file)
        corners = int(self.face_offsets[-1]) if len(self.face_offsets) else 0
        self.face_vertices = view(faces.face_vertices, corners, np.uint32, file)
        self.triangle_faces = view(faces.triangle_faces, mesh.triangle_count, np.uint32, file)
        self.face_tets = self._optional(lib.fracas_mesh_file_get_face_tets(at), faces.face_count,
                                        np.uint32)
        self.vertex_parents = self._optional(lib.fracas_mesh_file_get_vertex_parents(at), count,
                                             np.int32)
        self.face_parents = self._optional(lib.fracas_mesh_file_get_face_parents(at),
                                           faces.face_count, np.int32)
        self.format = (lib.fracas_mesh_file_get_format(at) or b"").decode()
        self.left_out: dict[str, int] = {}
        for index in range(lib.fracas_mesh_file_count_left_out(at)):
            kind = lib.fracas_mesh_file_get_left_out(at, index)
            self.left_out[(kind.name or b"").decode()] = kind.count

    def _optional(self, address: int | None, count: int, dtype: Any) -> npt.NDArray[Any] | None:
        return view(address, count, dtype, self._file) if address else None

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        """So that `v, f = fracas.read(path)` works."""
        return iter((self.vertices, self.triangles))

    def __repr__(self) -> str:
        kinds = [("vertices", self.vertices), ("triangles", self.triangles),
                 ("free edges", self.edges), ("free points", self.points), ("tets", self.tets)]
        counts = ", ".join(f"{len(array)} {name}" for name, array in kinds if len(array))
        return f"<fracas.Mesh {self.format}: {counts}>"


def path_bytes(path: str | bytes | os.PathLike[Any], name: str = "path") -> bytes:
    """A path as C takes it."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise InvalidArgumentError(f"{name} contains a zero byte")
    return encoded


def _file_options(weld: str | int, surface: bool) -> _abi.fracas_mesh_file_options:
    options = lib.fracas_mesh_file_default_options()
    options.weld = _arrays.choice(weld, "weld", _abi.fracas_weld)
    options.surface = bool(surface)
    return options


def read(path: str | bytes | os.PathLike[Any], *, weld: str | int = "default",
         surface: bool = False, progress: ProgressInput = None,
         context: Context | None = None) -> Mesh:
    """Read a mesh: OBJ, PLY, STL, OFF; volumes: MSH, VTK, VTU, TetGen, Medit.

    weld: points at equal positions become one: "default" (STL), "exact" or "none".
    surface: the faces of a volume are its surface.
    """
    context = context or default_context()
    file, options = _File(context), _file_options(weld, surface)
    context.check(context.run(lib.fracas_mesh_file_read, context.pointer(), path_bytes(path),
                              ctypes.byref(options), ctypes.byref(file.pointer),
                              progress=progress))
    return Mesh(file)


def parse(name: str, data: bytes, *, weld: str | int = "default", surface: bool = False,
          progress: ProgressInput = None, context: Context | None = None) -> Mesh:
    """The same from memory. `name` is for messages, and tells the format if the bytes do not."""
    context = context or default_context()
    file, options = _File(context), _file_options(weld, surface)
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data is a {type(data).__name__}; bytes are needed")
    block = np.frombuffer(data, np.uint8)
    context.check(context.run(lib.fracas_mesh_file_parse, context.pointer(),
                              path_bytes(name, "name"), _arrays.address(block) or 1, block.size,
                              ctypes.byref(options), ctypes.byref(file.pointer),
                              progress=progress))
    return Mesh(file)


MeshInput = Union[ArrayInput, Mesh]


class MeshView:
    """Arrays of a mesh as a fracas_mesh_view, which is valid while this object lives."""

    def __init__(self, v: MeshInput, f: ArrayInput | None, edges: ArrayInput | None = None,
                 points: ArrayInput | None = None,
                 names: tuple[str, str, str, str] = ("v", "f", "edges", "points")) -> None:
        self.names = names
        if isinstance(v, Mesh):
            if f is not None:
                raise InvalidArgumentError(f"{names[1]} is given beside a fracas.Mesh")
            edges = v.edges if edges is None else edges
            points = v.points if points is None else points
            f = v.triangles
            v = v.vertices
        self.v = _arrays.points(v, names[0])
        self.f = _arrays.indices([] if f is None else f, names[1], 3)
        self.edges = _arrays.indices([] if edges is None else edges, names[2], 2)
        self.points = _arrays.indices([] if points is None else points, names[3], None)
        self.c = _abi.fracas_mesh_view(
            _arrays.view_points(self.v), _arrays.address(self.f), len(self.f), len(self.edges),
            _arrays.address(self.edges), _arrays.address(self.points), len(self.points))

    def check(self, context: Context, status: int) -> None:
        """Raise for a status that is not OK; for bad data the message names argument and index."""
        if status == _abi.fracas_status.ERROR_BAD_DATA:
            _arrays.explain_points(self.v, self.names[0])
            for array, name in ((self.f, self.names[1]), (self.edges, self.names[2]),
                                (self.points, self.names[3])):
                _arrays.explain_indices(array, name, len(self.v), f"points in {self.names[0]}")
        context.check(status)


def write_ply(path: str | bytes | os.PathLike[Any], v: MeshInput, f: ArrayInput | None = None, *,
              edges: ArrayInput | None = None, vertex_parents: ArrayInput | None = None,
              face_parents: ArrayInput | None = None, context: Context | None = None) -> None:
    """Write a binary PLY with double points; parents (int32) are optional."""
    context = context or default_context()
    mesh = MeshView(v, f, edges)
    parents = []
    for value, name, count in ((vertex_parents, "vertex_parents", len(mesh.v)),
                               (face_parents, "face_parents", len(mesh.f))):
        array = None if value is None else _arrays.indices(value, name, None, signed=True)
        if array is not None and len(array) != count:
            raise InvalidArgumentError(f"{name} has {len(array)} entries; {count} are needed")
        parents.append(array)
    addresses = [None if array is None else _arrays.address(array) for array in parents]
    mesh.check(context, context.run(lib.fracas_ply_write, context.pointer(), path_bytes(path),
                                    ctypes.byref(mesh.c), *addresses))


def describe(v: MeshInput, f: ArrayInput | None = None, *, edges: ArrayInput | None = None,
             points: ArrayInput | None = None,
             context: Context | None = None) -> _abi.fracas_mesh_info:
    """Counts and defects of a mesh: open, non-manifold and misoriented edges, duplicates, ..."""
    context = context or default_context()
    mesh, info = MeshView(v, f, edges, points), _abi.fracas_mesh_info()
    mesh.check(context, lib.fracas_mesh_describe(context.pointer(), ctypes.byref(mesh.c),
                                                 ctypes.byref(info)))
    return info


class TetView:
    """Arrays of tetrahedra as a fracas_tet_view, which is valid while this object lives."""

    def __init__(self, v: MeshInput, t: ArrayInput | None) -> None:
        if isinstance(v, Mesh):
            if t is not None:
                raise InvalidArgumentError("t is given beside a fracas.Mesh")
            t = v.tets
            v = v.vertices
        self.v = _arrays.points(v, "v")
        self.t = _arrays.indices([] if t is None else t, "t", 4)
        self.c = _abi.fracas_tet_view(_arrays.view_points(self.v), _arrays.address(self.t),
                                      len(self.t))

    def check(self, context: Context, status: int) -> None:
        """As MeshView.check."""
        if status == _abi.fracas_status.ERROR_BAD_DATA:
            _arrays.explain_points(self.v, "v")
            _arrays.explain_indices(self.t, "t", len(self.v), "points in v")
        context.check(status)


def tet_boundary(v: MeshInput, t: ArrayInput | None = None, *, context: Context | None = None
                 ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The surface of a volume: triangles (n, 3), and the tetrahedron of each."""
    context = context or default_context()
    tets = TetView(v, t)
    triangles = np.empty((4 * len(tets.t), 3), np.uint32)
    owners = np.empty(4 * len(tets.t), np.uint32)
    count = ctypes.c_uint64()
    tets.check(context, lib.fracas_tet_find_boundary(
        context.pointer(), ctypes.byref(tets.c), _arrays.address(triangles),
        _arrays.address(owners), ctypes.byref(count)))
    return triangles[:count.value].copy(), owners[:count.value].copy()


__all__ = ["BadDataError", "Mesh", "MeshInput", "MeshView", "TetView", "describe", "parse", "read",
           "tet_boundary", "write_ply"]
