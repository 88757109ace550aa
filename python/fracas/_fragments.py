"""Rigid solids that break into fragments, and the contacts between fragments."""
from __future__ import annotations

import ctypes
from collections import abc
from typing import Any, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._context import Context, Handle, ProgressInput, default_context
from ._errors import InvalidArgumentError
from ._library import lib
from ._meshes import MeshInput, TetView
from ._views import DEPTH, Records, collect, view

CHOICE = Union[str, int]


class Solid:
    """Tetrahedra (n, 4) of points (m, 3), or a fracas.Mesh: preprocessed once, for any number of
    fragments. `grid_cells`: of the distance grid, along the longest side."""

    def __init__(self, v: MeshInput, t: ArrayInput | None = None, *, grid_cells: SupportsIndex = 48,
                 progress: ProgressInput = None, context: Context | None = None) -> None:
        self.context = context or default_context()
        tets = TetView(v, t)
        options = lib.fracas_solid_default_options()
        options.grid_cells = _arrays.number(grid_cells, "grid_cells")
        out = ctypes.POINTER(_abi.fracas_solid)()
        tets.check(self.context, self.context.run(
            lib.fracas_solid_create, self.context.pointer(), ctypes.byref(tets.c),
            ctypes.byref(options), ctypes.byref(out), progress=progress))
        self.handle = Handle(self.context, "solid", out, lib.fracas_solid_destroy)
        self.points = len(tets.v)

    @property
    def info(self) -> _abi.fracas_solid_info:
        """Counts, volume, centre, radius, ..."""
        out = _abi.fracas_solid_info()
        self.context.check(self.handle.ask(lib.fracas_solid_get_info, ctypes.byref(out)))
        return out


class Fragment:
    """A fragment of fracas.Fragments. `index` is what contacts have in a["index"], b["index"]."""

    __slots__ = ("fragments", "solid", "index", "generation")

    def __init__(self, fragments: Fragments, solid: Solid, index: int, generation: int) -> None:
        self.fragments = fragments
        self.solid = solid
        self.index = index
        self.generation = generation

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Fragment) and other.fragments is self.fragments
                and (other.index, other.generation) == (self.index, self.generation))

    def __hash__(self) -> int:
        return hash((id(self.fragments), self.index, self.generation))

    def __repr__(self) -> str:
        return f"<fracas.Fragment {self.index}>"

    @property
    def info(self) -> _abi.fracas_fragment_info:
        """Counts, volume, centre of mass, moments of inertia, box."""
        out = _abi.fracas_fragment_info()
        self.fragments.ask(lib.fracas_fragments_get_info, self, ctypes.byref(out))
        return out

    def pose(self, pose: Any) -> None:
        """Place it: a matrix (3, 4) or (4, 4), or (rotation, translation)."""
        c = _arrays.pose(pose, "pose")
        self.fragments.change(lib.fracas_fragments_set_pose, self, ctypes.byref(c))

    def fix(self, fixed: bool = True) -> None:
        """It never moves: no contacts between two such fragments."""
        self.fragments.change(lib.fracas_fragments_set_fixed, self, bool(fixed))

    def remove(self) -> None:
        """Remove it; it cannot be used afterwards."""
        self.fragments.change(lib.fracas_fragments_remove, self)

    def locate(self, points: ArrayInput) -> npt.NDArray[Any]:
        """Which points, in the frame of the solid, are inside, and how deep: inside, depth,
        direction."""
        array = np.ascontiguousarray(_arrays.points(points, "points"), np.float64)
        out = np.zeros(len(array), DEPTH)
        source, target = _arrays.address(array) or 0, _arrays.pointer(out, _abi.fracas_depth)

        def each(pointer: Any, handle: Any) -> int:
            for i in range(len(array)):
                status = lib.fracas_fragments_locate(pointer, handle, source + 24 * i,
                                                     ctypes.byref(target[i]))
                if status:
                    return status
            return 0
        status = self.fragments.handle.query(each, self.fragments.own(self))
        if status == _abi.fracas_status.ERROR_BAD_DATA:
            _arrays.explain_points(array, "points")
        self.fragments.context.check(status)
        return out

    def surface(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32],
                               npt.NDArray[np.bool_]]:
        """The closed surface in the frame of the solid: vertices, triangles, and which triangles
        are of a crack. Copies, for drawing or a fracas.Scene."""
        out = ctypes.POINTER(_abi.fracas_fragment_surface)()
        self.fragments.ask(lib.fracas_fragment_surface_create, self, ctypes.byref(out))
        try:
            mesh = lib.fracas_fragment_surface_get_view(out)
            cracks = lib.fracas_fragment_surface_get_cracks(out)
            return (view(mesh.points.data, mesh.points.count, np.float64, None, 3).copy(),
                    view(mesh.triangles, mesh.triangle_count, np.uint32, None, 3).copy(),
                    view(cracks, mesh.triangle_count, np.bool_, None).copy())
        finally:
            lib.fracas_fragment_surface_destroy(out)

    def fracture(self, parts: ArrayInput, cut_edges: ArrayInput = (), cut_at: ArrayInput = (), *,
                 count: SupportsIndex | None = None) -> list[Fragment]:
        """Break it: `parts` is the part of each point of the solid, from 0 to `count` - 1 (default:
        the largest); those of points that are not of the fragment do not count. Edges between parts
        are cut in the middle, or where `cut_at` (n,) says for the edges in `cut_edges` (n, 2): as a
        part of the way from the first to the second. Returns the parts; this fragment is gone."""
        labels = _arrays.indices(parts, "parts", None)
        if len(labels) != self.solid.points:
            raise InvalidArgumentError(f"parts has {len(labels)} entries; the solid has "
                                       f"{self.solid.points} points")
        edges = _arrays.indices(cut_edges, "cut_edges", 2)
        at = _arrays.doubles(cut_at, "cut_at", (len(edges),))
        cuts = (_abi.fracas_cut_edge * max(len(edges), 1))()
        for number, (edge, part) in enumerate(zip(edges.tolist(), at.tolist())):
            cuts[number].node[:] = edge
            cuts[number].at = part
        if count is None:  # each part has a point
            _arrays.explain_indices(labels, "parts", self.solid.points, "points, and as many parts")
            count = int(labels.max()) + 1
        number_of_parts = _arrays.number(count, "count", self.solid.points)
        return self._fracture(_abi.fracas_fracture(
            number_of_parts, len(edges), _arrays.address(labels),
            ctypes.cast(cuts, ctypes.POINTER(_abi.fracas_cut_edge))))

    def break_plane(self, point: ArrayInput, normal: ArrayInput) -> list[Fragment]:
        """Break it by the plane through a point (3,) with a normal (3,), in the frame of the solid.
        Parts are connected, so there may be more than two."""
        p, n = _arrays.doubles(point, "point", (3,)), _arrays.doubles(normal, "normal", (3,))
        return self._break(lib.fracas_fracture_pattern_create_plane, _arrays.address(p),
                           _arrays.address(n))

    def break_voronoi(self, sites: ArrayInput) -> list[Fragment]:
        """Break it into the Voronoi cells of sites (n, 3), in the frame of the solid."""
        array = np.ascontiguousarray(_arrays.points(sites, "sites"), np.float64)
        _arrays.explain_points(array, "sites")
        return self._break(lib.fracas_fracture_pattern_create_voronoi, _arrays.address(array),
                           len(array))

    def _break(self, create: Any, *arguments: Any) -> list[Fragment]:
        pattern = ctypes.POINTER(_abi.fracas_fracture_pattern)()
        self.fragments.ask(create, self, *arguments, ctypes.byref(pattern))
        try:
            return self._fracture(lib.fracas_fracture_pattern_get(pattern))
        finally:
            lib.fracas_fracture_pattern_destroy(pattern)

    def _fracture(self, fracture: _abi.fracas_fracture) -> list[Fragment]:
        out = (_abi.fracas_fragment * max(fracture.part_count, 1))()
        self.fragments.change(lib.fracas_fragments_fracture, self, ctypes.byref(fracture), out)
        return [Fragment(self.fragments, self.solid, out[i].index, out[i].generation)
                for i in range(fracture.part_count)]


class Fragments:
    """Fragments that move as rigid bodies and break. Add solids, pose them, then `detect`.

    field_update: "closest_point", "visit_once", "literal" or "exact": how a fracture updates
        distances. tree_update: "nearest", "first" or "rebuild". docs/fragment.md explains both.
    """

    def __init__(self, *, field_update: CHOICE = "closest_point", tree_update: CHOICE = "nearest",
                 context: Context | None = None) -> None:
        self.context = context or default_context()
        options = lib.fracas_fragments_default_options()
        options.field_update = _arrays.choice(field_update, "field_update",
                                              _abi.fracas_field_update)
        options.tree_update = _arrays.choice(tree_update, "tree_update", _abi.fracas_tree_update)
        out = ctypes.POINTER(_abi.fracas_fragments)()
        self.context.check(lib.fracas_fragments_create(self.context.pointer(),
                                                       ctypes.byref(options), ctypes.byref(out)))
        self.handle = Handle(self.context, "fragments", out, lib.fracas_fragments_destroy)

    def __enter__(self) -> Fragments:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Destroy them now."""
        self.handle.close()

    def own(self, fragment: Fragment) -> _abi.fracas_fragment:
        """The handle of C."""
        if not isinstance(fragment, Fragment):
            raise TypeError(f"fragment is a {type(fragment).__name__}; a fracas.Fragment is needed")
        if fragment.fragments is not self:
            raise InvalidArgumentError("fragment is of another fracas.Fragments")
        return _abi.fracas_fragment(fragment.index, fragment.generation)

    def ask(self, function: Any, fragment: Fragment, *arguments: Any) -> None:
        """A call about a fragment that changes nothing."""
        self.context.check(self.handle.query(function, self.own(fragment), *arguments))

    def change(self, function: abc.Callable[..., int], fragment: Fragment, *arguments: Any) -> None:
        """A call that changes a fragment."""
        self.context.check(self.handle.change(function, self.own(fragment), *arguments))

    def add(self, solid: Solid, pose: Any = None) -> Fragment:
        """Add a whole solid as one fragment."""
        if not isinstance(solid, Solid):
            raise TypeError(f"solid is a {type(solid).__name__}; a fracas.Solid is needed")
        if solid.context is not self.context:
            raise InvalidArgumentError("solid is of another context")
        c, out = _arrays.pose(pose, "pose"), _abi.fracas_fragment()
        self.handle.hold(solid.handle)
        self.context.check(self.handle.change(lib.fracas_fragments_add,
                                              solid.handle.open_pointer(), ctypes.byref(out)))
        fragment = Fragment(self, solid, out.index, out.generation)
        if pose is not None:
            try:
                self.change(lib.fracas_fragments_set_pose, fragment, ctypes.byref(c))
            except BaseException:
                fragment.remove()
                raise
        return fragment

    def detect(self, *, selection: CHOICE = "adaptive", order: CHOICE = "max_distance",
               contact_count: SupportsIndex = 8, skin: float = 0.002, distance: float = 0.0,
               progress: ProgressInput = None) -> Records:
        """Points of fragments inside others, at their poses: a, b (index, generation), point,
        depth, position, normal; in the world.

        selection: for each pair "adaptive" (contact_count of them, then those deeper than `skin`, a
        part of the smaller radius), "fixed" (contact_count) or "all".
        distance: also points outside that are nearer than this.
        """
        query = lib.fracas_fragments_default_query()
        query.selection = _arrays.choice(selection, "selection", _abi.fracas_contact_selection)
        query.order = _arrays.choice(order, "order", _abi.fracas_contact_order)
        query.contact_count = _arrays.number(contact_count, "contact_count")
        query.skin = _arrays.real(skin, "skin")
        query.distance = _arrays.real(distance, "distance")
        return collect(
            lambda sink: self.context.check(self.handle.query(
                lib.fracas_fragments_detect, ctypes.byref(query), ctypes.byref(sink),
                progress=progress)),
            _abi.fracas_fragment_sink, _abi.fracas_fragment_statistics())


__all__ = ["Fragment", "Fragments", "Solid"]
