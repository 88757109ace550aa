"""Volumes: which vertices of deforming tetrahedra are inside which tetrahedra."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._context import Context, Handle, ProgressInput, default_context
from ._errors import InvalidArgumentError
from ._library import lib
from ._meshes import MeshInput, TetView
from ._views import PENETRATION, List


class TetBody:
    """A body of tetrahedra. `index` is what penetrations have in vertex_body and tet_body."""

    __slots__ = ("tets", "index", "generation", "points")

    def __init__(self, tets: Tets, index: int, generation: int, points: int) -> None:
        self.tets = tets
        self.index = index
        self.generation = generation
        self.points = points

    def __repr__(self) -> str:
        return f"<fracas.TetBody {self.index}>"

    def move(self, v: ArrayInput) -> None:
        """As Tets.move."""
        self.tets.move(self, v)

    def remove(self) -> None:
        """As Tets.remove."""
        self.tets.remove(self)


class Penetrations(np.ndarray[Any, np.dtype[np.void]]):
    """Vertices in tetrahedra: a read-only structured array that views the library's memory.

    Fields are those of fracas_penetration: vertex_body, tet_body (index, generation), vertex, tet,
    barycentric (4), depth, direction (3).
    """

    statistics: _abi.fracas_tets_statistics | None = None

    def __array_finalize__(self, other: Any) -> None:
        if other is not None:
            self.statistics = getattr(other, "statistics", None)


class Tets:
    """Bodies of tetrahedra. Add them once, move them in every step, then `detect`.

    depth: prepare for queries of depth.
    cell_size: edge length of a grid cell; 0: chosen from the lengths of edges.
    """

    def __init__(self, *, depth: bool = False, cell_size: float = 0.0,
                 context: Context | None = None) -> None:
        self.context = context or default_context()
        options = lib.fracas_tets_default_options()
        options.depth = self._depth = bool(depth)
        options.cell_size = _arrays.real(cell_size, "cell_size")
        out = ctypes.POINTER(_abi.fracas_tets)()
        self.context.check(lib.fracas_tets_create(self.context.pointer(), ctypes.byref(options),
                                                  ctypes.byref(out)))
        self._handle = Handle(self.context, "volumes", out, lib.fracas_tets_destroy)

    def __enter__(self) -> Tets:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Destroy it now. Penetrations of earlier queries stay valid."""
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._handle.closed

    def _own(self, body: TetBody) -> _abi.fracas_body:
        if not isinstance(body, TetBody):
            raise TypeError(f"body is a {type(body).__name__}; a fracas.TetBody is needed")
        if body.tets is not self:
            raise InvalidArgumentError("body is of another fracas.Tets")
        return _abi.fracas_body(body.index, body.generation)

    def add(self, v: MeshInput, t: ArrayInput | None = None) -> TetBody:
        """Add a body: points (n, 3) and tetrahedra (m, 4), or a fracas.Mesh; copied."""
        view, out = TetView(v, t), _abi.fracas_body()
        view.check(self.context, self._handle.change(lib.fracas_tets_add, ctypes.byref(view.c),
                                                     ctypes.byref(out)))
        return TetBody(self, out.index, out.generation, len(view.v))

    def remove(self, body: TetBody) -> None:
        """Remove a body."""
        self.context.check(self._handle.change(lib.fracas_tets_remove, self._own(body)))

    def move(self, body: TetBody, v: ArrayInput) -> None:
        """Set the positions of all points of a body."""
        handle = self._own(body)
        array = _arrays.points(v, "v", body.points, "the body")
        status = self._handle.change(lib.fracas_tets_move, handle,
                                     ctypes.byref(_arrays.view_points(array)))
        if status == _abi.fracas_status.ERROR_BAD_DATA:
            _arrays.explain_points(array, "v")
        self.context.check(status)

    def update(self) -> None:
        """Prepare for queries. They do it themselves when it is needed."""
        self.context.check(self._handle.change(lib.fracas_tets_update))
        self._handle.changed = False

    def detect(self, *, self_pairs: bool = True, inter: bool = True, depth: bool | None = None,
               progress: ProgressInput = None) -> Penetrations:
        """All vertices inside tetrahedra, sorted.

        self_pairs, inter: within one body; between two.
        depth: also how deep, and in which direction; default: as Tets(depth=...).
        """
        query = lib.fracas_tets_default_query()
        setattr(query, "self", bool(self_pairs))
        query.inter = bool(inter)
        query.depth = self._depth if depth is None else bool(depth)
        if self._handle.changed:
            self.update()
        found = List(self.context, "penetrations")
        self.context.check(self._handle.query(lib.fracas_tets_detect, ctypes.byref(query),
                                              found.sink(), progress=progress))
        result = found.records(PENETRATION).view(Penetrations)
        result.statistics = found.statistics()
        return result


def penetrations(v: MeshInput, t: ArrayInput | None = None, *, depth: bool = False,
                 context: Context | None = None) -> npt.NDArray[Any]:
    """The vertices of one volume that are inside its own tetrahedra."""
    with Tets(depth=depth, context=context) as tets:
        tets.add(v, t)
        return tets.detect()
