"""Medial meshes: shapes of spheres, cones and slabs; rigid bodies of such shapes, and their contacts
in time."""
from __future__ import annotations

import ctypes
import os
from collections import abc
from typing import Any, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._context import Context, Handle, ProgressInput, default_context
from ._errors import BadDataError, InvalidArgumentError
from ._library import lib
from ._meshes import MeshInput, MeshView, path_bytes
from ._views import Records, collect, view

CHOICE = Union[str, int]


class MedialMesh:
    """The medial mesh of a closed surface: spheres, cones (edges) and slabs (triangles).

    spheres: how many; 0: as few as `error` allows, a part of the diagonal of the surface.
    samples: points of the surface that are used; 0: 15,000. fit_rounds: of fitting spheres.
    spheres_only: no cones and slabs.

    The arrays view the library's memory, read-only: `spheres` (n, 4), a centre and a radius each;
    `edges` (m, 2); `triangles` (k, 3).
    """

    def __init__(self, v: MeshInput, f: ArrayInput | None = None, *, spheres: SupportsIndex = 0,
                 error: float = 0.01, samples: SupportsIndex = 0, fit_rounds: SupportsIndex = 96,
                 spheres_only: bool = False, progress: ProgressInput = None,
                 context: Context | None = None) -> None:
        mesh = MeshView(v, f)
        options = lib.fracas_medial_mesh_default_options()
        options.spheres = _arrays.number(spheres, "spheres")
        options.error = _arrays.real(error, "error")
        options.samples = _arrays.number(samples, "samples")
        options.fit_rounds = _arrays.number(fit_rounds, "fit_rounds")
        options.spheres_only = bool(spheres_only)
        self._make(context, lib.fracas_medial_mesh_create, ctypes.byref(mesh.c),
                   ctypes.byref(options), check=mesh.check, progress=progress)

    def _make(self, context: Context | None, function: Any, *arguments: Any,
              check: Any = None, progress: ProgressInput = None) -> None:
        self.context = context or default_context()
        out = ctypes.POINTER(_abi.fracas_medial_mesh)()
        status = self.context.run(function, self.context.pointer(), *arguments, ctypes.byref(out),
                                  progress=progress)
        if check is not None:
            check(self.context, status)
        self.context.check(status)
        self.handle = Handle(self.context, "medial mesh", out, lib.fracas_medial_mesh_destroy)
        c = lib.fracas_medial_mesh_get_view(out)
        self.spheres = view(c.spheres, c.sphere_count, np.float64, self.handle, 4)
        self.edges = view(c.edges, c.edge_count, np.uint32, self.handle, 2)
        self.triangles = view(c.triangles, c.triangle_count, np.uint32, self.handle, 3)

    @classmethod
    def of(cls, spheres: ArrayInput, edges: ArrayInput = (), triangles: ArrayInput = (), *,
           context: Context | None = None) -> MedialMesh:
        """A medial mesh of spheres (n, 4), edges (m, 2) and triangles (k, 3); copied."""
        given = _arrays.as_array(spheres, "spheres")
        if given.ndim != 2:
            raise InvalidArgumentError(f"spheres has shape {given.shape}; (n, 4) is needed")
        array = _arrays.doubles(given, "spheres", (len(given), 4))
        pairs = _arrays.indices(edges, "edges", 2)
        corners = _arrays.indices(triangles, "triangles", 3)
        c = _abi.fracas_medial_view(
            _arrays.pointer(array, _abi.fracas_medial_sphere), _arrays.address(pairs),
            _arrays.address(corners), len(array), len(pairs), len(corners))

        def check(_context: Context, status: int) -> None:
            if status == _abi.fracas_status.ERROR_BAD_DATA:
                _arrays.explain_points(array, "spheres")
                for row in np.flatnonzero(array[:, 3] < 0):
                    raise BadDataError(f"spheres[{row}, 3] is {array[row, 3]}; a radius is at "
                                       "least 0")
                _arrays.explain_indices(pairs, "edges", len(array), "spheres")
                _arrays.explain_indices(corners, "triangles", len(array), "spheres")
        mesh = cls.__new__(cls)
        mesh._make(context, lib.fracas_medial_mesh_create_from, ctypes.byref(c), check=check)
        return mesh

    @classmethod
    def read(cls, path: str | bytes | os.PathLike[Any], *,
             context: Context | None = None) -> MedialMesh:
        """Read MA or MAT."""
        mesh = cls.__new__(cls)
        mesh._make(context, lib.fracas_medial_mesh_read, path_bytes(path))
        return mesh

    def write(self, path: str | bytes | os.PathLike[Any]) -> None:
        """Write MAT if the name ends in .mat, else MA."""
        self.context.check(self.handle.query(lib.fracas_medial_mesh_write, path_bytes(path)))

    @property
    def info(self) -> _abi.fracas_medial_mesh_info:
        """Counts, and how well it fits the surface."""
        out = _abi.fracas_medial_mesh_info()
        self.context.check(self.handle.ask(lib.fracas_medial_mesh_get_info, ctypes.byref(out)))
        return out

    def __repr__(self) -> str:
        return (f"<fracas.MedialMesh: {len(self.spheres)} spheres, {len(self.edges)} edges, "
                f"{len(self.triangles)} triangles>")


class MedialShape:
    """A shape for any number of bodies: of a MedialMesh, or of triangles without thickness (v, f),
    for scenery.

    degenerate: cones and slabs that add nothing: "exact" or "published".
    inflation: added to every radius. centre: moves linearly in a step; default: of a sphere around.
    """

    def __init__(self, mesh: MedialMesh | MeshInput, f: ArrayInput | None = None, *,
                 degenerate: CHOICE = "exact", inflation: float = 0.0,
                 centre: ArrayInput | None = None, context: Context | None = None) -> None:
        options = lib.fracas_medial_shape_default_options()
        options.degenerate = _arrays.choice(degenerate, "degenerate",
                                            _abi.fracas_medial_degenerate)
        options.inflation = _arrays.real(inflation, "inflation")
        if centre is not None:
            options.centre[:] = _arrays.doubles(centre, "centre", (3,)).tolist()
        out = ctypes.POINTER(_abi.fracas_medial_shape)()
        if isinstance(mesh, MedialMesh):
            if f is not None:
                raise InvalidArgumentError("f is given beside a fracas.MedialMesh")
            self.context = context or mesh.context
            self.context.check(mesh.handle.query(
                lambda pointer: lib.fracas_medial_shape_create(
                    self.context.pointer(), pointer, ctypes.byref(options), ctypes.byref(out))))
        else:
            surface = MeshView(mesh, f)
            self.context = context or default_context()
            surface.check(self.context, self.context.run(
                lib.fracas_medial_shape_create_from_surface, self.context.pointer(),
                ctypes.byref(surface.c), ctypes.byref(options), ctypes.byref(out)))
        self.handle = Handle(self.context, "shape", out, lib.fracas_medial_shape_destroy)

    @property
    def info(self) -> _abi.fracas_medial_shape_info:
        """Counts of primitives; the centre and the radius of a sphere around it."""
        out = _abi.fracas_medial_shape_info()
        self.context.check(self.handle.ask(lib.fracas_medial_shape_get_info, ctypes.byref(out)))
        return out


class MedialBody:
    """A body of fracas.MedialBodies. `index` is what contacts have in a["index"], b["index"]."""

    __slots__ = ("bodies", "index", "generation")

    def __init__(self, bodies: MedialBodies, index: int, generation: int) -> None:
        self.bodies = bodies
        self.index = index
        self.generation = generation

    def __repr__(self) -> str:
        return f"<fracas.MedialBody {self.index}>"

    def pose(self, end: Any, start: Any = None) -> None:
        """Set the pose at the end of the step and, if given, at its begin (else the same)."""
        c_end = _arrays.pose(end, "end")
        c_start = c_end if start is None else _arrays.pose(start, "start")
        self.bodies.change(lib.fracas_medial_bodies_set_motion, self, ctypes.byref(c_start),
                           ctypes.byref(c_end))

    def fix(self, fixed: bool = True) -> None:
        """It never moves: no contacts between two such bodies."""
        self.bodies.change(lib.fracas_medial_bodies_set_fixed, self, bool(fixed))

    def remove(self) -> None:
        """Remove it; it cannot be used afterwards."""
        self.bodies.change(lib.fracas_medial_bodies_remove, self)


class MedialBodies:
    """Rigid bodies of medial shapes. Add shapes, pose them for a step, then `detect`."""

    def __init__(self, *, context: Context | None = None) -> None:
        self.context = context or default_context()
        out = ctypes.POINTER(_abi.fracas_medial_bodies)()
        self.context.check(lib.fracas_medial_bodies_create(self.context.pointer(),
                                                           ctypes.byref(out)))
        self.handle = Handle(self.context, "bodies", out, lib.fracas_medial_bodies_destroy)

    def __enter__(self) -> MedialBodies:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Destroy them now."""
        self.handle.close()

    def change(self, function: abc.Callable[..., int], body: MedialBody, *arguments: Any) -> None:
        """A call that changes a body."""
        if not isinstance(body, MedialBody):
            raise TypeError(f"body is a {type(body).__name__}; a fracas.MedialBody is needed")
        if body.bodies is not self:
            raise InvalidArgumentError("body is of another fracas.MedialBodies")
        handle = _abi.fracas_medial_body(body.index, body.generation)
        self.context.check(self.handle.change(function, handle, *arguments))

    def add(self, shape: MedialShape) -> MedialBody:
        """Add a body of a shape, at the identity."""
        if not isinstance(shape, MedialShape):
            raise TypeError(f"shape is a {type(shape).__name__}; a fracas.MedialShape is needed")
        if shape.context is not self.context:
            raise InvalidArgumentError("shape is of another context")
        out = _abi.fracas_medial_body()
        self.handle.hold(shape.handle)
        self.context.check(self.handle.change(lib.fracas_medial_bodies_add,
                                              shape.handle.open_pointer(), ctypes.byref(out)))
        return MedialBody(self, out.index, out.generation)

    def detect(self, *, selection: CHOICE = "all", broad_phase: CHOICE = "sweep",
               tolerance: float = 1e-4, progress: ProgressInput = None) -> Records:
        """Contacts at any time of the step: a, b (index, generation), primitive_a, primitive_b,
        time, gap, position, normal; in the world, at that time.

        selection: "all" pairs of primitives, or the "first" of each pair of bodies.
        tolerance: how near counts as touching, as a part of the smaller radius of two bodies.
        """
        query = lib.fracas_medial_bodies_default_query()
        query.selection = _arrays.choice(selection, "selection", _abi.fracas_medial_selection)
        query.broad_phase = _arrays.choice(broad_phase, "broad_phase",
                                           _abi.fracas_medial_broad_phase)
        query.tolerance = _arrays.real(tolerance, "tolerance")
        return collect(
            lambda sink: self.context.check(self.handle.query(
                lib.fracas_medial_bodies_detect, ctypes.byref(query), ctypes.byref(sink),
                progress=progress)),
            _abi.fracas_medial_sink, _abi.fracas_medial_statistics())


__all__ = ["MedialBodies", "MedialBody", "MedialMesh", "MedialShape"]
