"""The exact tests of single pairs, for programs with a broad phase of their own."""
from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._errors import BadDataError
from ._library import lib


def _doubles(value: ArrayInput, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    array = _arrays.doubles(value, name, shape)
    if not np.isfinite(array).all():
        bad = np.argwhere(~np.isfinite(array))[0]
        place = ", ".join(str(int(i)) for i in bad)
        raise BadDataError(f"{name}[{place}] is {array[tuple(bad)]}; all numbers must be finite")
    return array


def triangles_intersect(a: ArrayInput, b: ArrayInput) -> bool:
    """Whether two closed triangles, each of shape (3, 3), intersect."""
    x, y = _doubles(a, "a", (3, 3)), _doubles(b, "b", (3, 3))
    return lib.fracas_triangles_intersect(_arrays.address(x), _arrays.address(y))


def triangles_intersection(a: ArrayInput, b: ArrayInput
                           ) -> tuple[_abi.fracas_meeting, npt.NDArray[np.float64]]:
    """How two triangles meet, and the corners of their intersection, shape (n, 3)."""
    x, y = _doubles(a, "a", (3, 3)), _doubles(b, "b", (3, 3))
    out = _abi.fracas_intersection()
    lib.fracas_triangles_find_intersection(_arrays.address(x), _arrays.address(y),
                                           ctypes.byref(out))
    points = np.array([list(row) for row in out.points[:out.count]]).reshape(out.count, 3)
    return _abi.fracas_meeting(out.meeting), points


def point_in_tetrahedron(p: ArrayInput, tetrahedron: ArrayInput) -> bool:
    """Whether a point is in a closed tetrahedron of shape (4, 3)."""
    x = _doubles(p, "p", (3,))
    y = _doubles(tetrahedron, "tetrahedron", (4, 3))
    return lib.fracas_point_is_in_tetrahedron(_arrays.address(x), _arrays.address(y))


def vertex_face_impact(vertex_t0: ArrayInput, face_t0: ArrayInput, vertex_t1: ArrayInput,
                       face_t1: ArrayInput, tolerance: float = 0.0) -> _abi.fracas_impact | None:
    """The first contact of a moving vertex (3,) and a moving triangle (3, 3), or None."""
    arrays = (_doubles(vertex_t0, "vertex_t0", (3,)), _doubles(face_t0, "face_t0", (3, 3)),
              _doubles(vertex_t1, "vertex_t1", (3,)), _doubles(face_t1, "face_t1", (3, 3)))
    out = _abi.fracas_impact()
    a, b, c, d = (_arrays.address(array) for array in arrays)
    found = lib.fracas_vertex_face_find_impact(a, b, c, d, _arrays.real(tolerance, "tolerance"),
                                               ctypes.byref(out))
    return out if found else None


def edge_edge_impact(ab_t0: ArrayInput, cd_t0: ArrayInput, ab_t1: ArrayInput, cd_t1: ArrayInput,
                     tolerance: float = 0.0) -> _abi.fracas_impact | None:
    """The first contact of two moving edges, each of shape (2, 3), or None."""
    names = ("ab_t0", "cd_t0", "ab_t1", "cd_t1")
    arrays = [_doubles(value, name, (2, 3))
              for value, name in zip((ab_t0, cd_t0, ab_t1, cd_t1), names)]
    out = _abi.fracas_impact()
    a, b, c, d = (_arrays.address(array) for array in arrays)
    found = lib.fracas_edge_edge_find_impact(a, b, c, d, _arrays.real(tolerance, "tolerance"),
                                             ctypes.byref(out))
    return out if found else None
