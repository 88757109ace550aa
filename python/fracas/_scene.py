"""Scenes: bodies that deform, move and break; their contacts."""
from __future__ import annotations

import ctypes
from collections import abc
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays, _devices, _distances
from ._arrays import ArrayInput
from ._context import Context, Handle, ProgressInput, default_context
from ._errors import CLASSES, InternalError, InvalidArgumentError, StaleHandleError
from ._library import lib
from ._meshes import MeshInput, MeshView
from ._queries import CHOICE, Candidates, Intersections, Stream, group, make_query
from ._views import CONTACT, INSIDE, PLACE, TRIANGLE_MARK, Contacts, List, contacts_of

_BAD_DATA = _abi.fracas_status.ERROR_BAD_DATA


class Body:
    """A body of a scene. `index` is what contacts have in body_a["index"] and body_b["index"]."""

    __slots__ = ("scene", "index", "generation")

    def __init__(self, scene: Scene, index: int, generation: int) -> None:
        self.scene = scene
        self.index = index
        self.generation = generation

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Body) and other.scene is self.scene
                and (other.index, other.generation) == (self.index, self.generation))

    def __hash__(self) -> int:
        return hash((id(self.scene), self.index, self.generation))

    def __repr__(self) -> str:
        return f"<fracas.Body {self.index}>"

    @property
    def handle(self) -> _abi.fracas_body:
        """The handle of C."""
        return _abi.fracas_body(self.index, self.generation)

    @property
    def info(self) -> _abi.fracas_body_info:
        """Motion and counts."""
        return self.scene._info(self)

    def move(self, v1: ArrayInput) -> None:
        """As Scene.move."""
        self.scene.move(self, v1)

    def pose(self, end: Any, start: Any = None) -> None:
        """As Scene.pose."""
        self.scene.pose(self, end, start)

    @property
    def thickness(self) -> float:
        """On each side of the surface: two bodies are in contact, in continuous queries and nearby
        pairs, when their distance is at most the sum of their thicknesses."""
        return self.info.thickness

    @thickness.setter
    def thickness(self, value: float) -> None:
        self.scene.set_thickness(self, value)

    @property
    def user(self) -> Any:
        """An object of yours; None at first. Parts that break off have that of their body."""
        return self.scene._user(self)

    @user.setter
    def user(self, value: Any) -> None:
        self.scene._set_user(self, value)

    def triangle_marks(self, mode: CHOICE = "discrete") -> npt.NDArray[Any]:
        """How the trees of a mode, "discrete" or "continuous", have each triangle: depth, and the
        region in which no pair has to be tested (0: none)."""
        return self.scene._triangle_marks(self, mode)

    def contains(self, points: ArrayInput) -> npt.NDArray[np.uint8]:
        """Where points are at t = 1, exactly: fracas.Side of each. The body must be closed."""
        return _distances.contains(self.scene, self, points)

    def closest_points(self, points: ArrayInput) -> npt.NDArray[Any]:
        """The closest point of the body to each point, at t = 1: distance, point, u, v, triangle."""
        return _distances.closest_points(self.scene, self, points)

    def signed_distances(self, points: ArrayInput) -> npt.NDArray[Any]:
        """The same for a closed body: distances inside are negative; `side` is fracas.Side."""
        return _distances.signed_distances(self.scene, self, points)

    def remove(self) -> None:
        """As Scene.remove."""
        self.scene.remove(self)

    def triangle(self, index: SupportsIndex) -> tuple[int, int, int]:
        """The vertices of a triangle, as they are numbered now."""
        return self.scene._triangle(self, index)

    def vertex(self, index: SupportsIndex) -> npt.NDArray[np.float64]:
        """The positions of a vertex at t = 0 and t = 1, shape (2, 3)."""
        return self.scene._vertex(self, index)


class Scene:
    """Bodies that deform, move and break. A step is: move, then queries, then `advance`.

    modes: which queries are possible: "discrete", "continuous" or "both".
    quality: "fast_query" or "fast_build" trees.
    device: "cpu", or "cuda" ("cuda:1", ...): queries run on a GPU, with the same contacts bit for
        bit. It needs libfracas-cuda; what needs trees is refused there.
    Queries update the trees when that is needed. `with Scene() as scene:` closes it at the end.
    """

    def __init__(self, *, modes: CHOICE = "both", quality: CHOICE = "fast_query",
                 device: str = "cpu", context: Context | None = None) -> None:
        self.context = context or default_context()
        self._device = _devices.open_device(self.context, device)
        options = lib.fracas_scene_default_options()
        options.modes = _arrays.choice(modes, "modes", _abi.fracas_mode)
        options.quality = _arrays.choice(quality, "quality", _abi.fracas_build_quality)
        out = ctypes.POINTER(_abi.fracas_scene)()
        if self._device is None:
            status = lib.fracas_scene_create(self.context.pointer(), ctypes.byref(options),
                                             ctypes.byref(out))
        else:
            status = lib.fracas_cuda_scene_create(self._device, ctypes.byref(options),
                                                  ctypes.byref(out))
        self.context.check(status)
        self.handle = Handle(self.context, "scene", out, lib.fracas_scene_destroy)
        # By index: generation and user object. Bodies refer to the scene, and not the other way
        # round, so that it goes with its last reference.
        self._bodies: dict[int, tuple[int, Any]] = {}

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Destroy the scene now. Contacts of earlier queries stay valid."""
        self.handle.close()

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self.handle.closed

    @property
    def bodies(self) -> list[Body]:
        """All bodies."""
        return [Body(self, index, generation) for index, (generation, _)
                in list(self._bodies.items())]

    def body(self, index: SupportsIndex) -> Body:
        """The body that has this index now, for contacts: scene.body(contact["body_a"]["index"])."""
        number = _arrays.number(index, "index")
        if number not in self._bodies:
            raise StaleHandleError(f"there is no body {number} in the scene")
        return Body(self, number, self._bodies[number][0])

    def _keep(self, body: _abi.fracas_body, user: Any = None) -> Body:
        self._bodies[body.index] = (body.generation, user)
        return Body(self, body.index, body.generation)

    def _user(self, body: Body) -> Any:
        self._info(body)  # raises for a body that has been removed
        return self._bodies.get(body.index, (0, None))[1]

    def _set_user(self, body: Body, value: Any) -> None:
        self._info(body)
        self._bodies[body.index] = (body.generation, value)

    @property
    def device(self) -> str:
        """"cpu", or the name of the GPU."""
        return "cpu" if self._device is None else _devices.name_of(self._device)

    @property
    def device_statistics(self) -> _abi.fracas_cuda_statistics:
        """What the last query did on the GPU."""
        if self._device is None:
            raise InvalidArgumentError("the scene is on the CPU: give it device=\"cuda\"")
        out = _abi.fracas_cuda_statistics()
        self.context.check(self.handle.query(lib.fracas_cuda_scene_get_statistics,
                                             ctypes.byref(out)))
        return out

    # ---- edits

    def own(self, body: Body, name: str = "body") -> _abi.fracas_body:
        """The handle of a body of this scene."""
        if not isinstance(body, Body):
            raise TypeError(f"{name} is a {type(body).__name__}; a fracas.Body is needed")
        if body.scene is not self:
            raise InvalidArgumentError(f"{name} is of another scene")
        return body.handle

    def _edit(self, function: Any, *arguments: Any) -> None:
        self.context.check(self.handle.change(function, *arguments))

    def add(self, v: MeshInput, f: ArrayInput | None = None, *, edges: ArrayInput | None = None,
            points: ArrayInput | None = None, motion: CHOICE = "deforming",
            group: SupportsIndex = 1, mask: SupportsIndex = 0xFFFFFFFF,
            self_collision: bool = True, thickness: float = 0.0, pose: Any = None,
            user: Any = None, progress: ProgressInput = None) -> Body:
        """Add a body at rest: vertices (n, 3), triangles (m, 3), free edges (k, 2), free points
        (l,), or a fracas.Mesh. The arrays are copied.

        motion: "deforming", "rigid" (then `v` is in the frame of the body) or "static".
        group, mask: two bodies are tested when the group of each is in the mask of the other.
        thickness: on each side of the surface, for continuous queries and nearby pairs.
        pose: of a rigid body, see Scene.pose. user: Body.user.
        """
        mesh = MeshView(v, f, edges, points)
        options = lib.fracas_body_default_options()
        options.motion = _arrays.choice(motion, "motion", _abi.fracas_motion)
        options.group = _arrays.number(group, "group")
        options.mask = _arrays.number(mask, "mask")
        options.self_collision = bool(self_collision)
        options.thickness = _arrays.real(thickness, "thickness")
        options.pose = _arrays.pose(pose, "pose")
        out = _abi.fracas_body()
        mesh.check(self.context, self.handle.change_long(
            lib.fracas_scene_add, ctypes.byref(mesh.c), ctypes.byref(options), ctypes.byref(out),
            progress=progress))
        return self._keep(out, user)

    def remove(self, body: Body) -> None:
        """Remove a body; it cannot be used afterwards."""
        self._edit(lib.fracas_scene_remove, self.own(body))
        self._bodies.pop(body.index, None)

    def move(self, body: Body, v1: ArrayInput) -> None:
        """Set the positions of a deforming body at t = 1: one for every vertex number."""
        handle, array = self.own(body), _arrays.points(v1, "v1")
        status = self.handle.change(lib.fracas_scene_move, handle,
                                     ctypes.byref(_arrays.view_points(array)))
        if status == _BAD_DATA:
            _arrays.explain_points(array, "v1")
        if status:
            message = self.context.message()
            self._check_count(body, array, "v1")
            raise_for(status, message)

    def _check_count(self, body: Body, array: npt.NDArray[Any], name: str) -> None:
        try:
            numbers = self._info(body).vertex_numbers
        except StaleHandleError:
            return
        if numbers != len(array):
            raise InvalidArgumentError(f"{name} has {len(array)} points; the body has "
                                       f"{numbers} vertex numbers")

    def pose(self, body: Body, end: Any, start: Any = None) -> None:
        """Set the pose of a rigid body at t = 1 and, if given, at t = 0 (else the same): matrices
        of shape (3, 4) or (4, 4), or tuples of rotation and translation."""
        c_end = _arrays.pose(end, "end")
        c_start = c_end if start is None else _arrays.pose(start, "start")
        self._edit(lib.fracas_scene_pose, self.own(body), ctypes.byref(c_start),
                   ctypes.byref(c_end))

    def move_many(self, moves: abc.Mapping[Body, Any] | abc.Iterable[tuple[Body, Any]]) -> None:
        """Move many bodies in one call, all or none: for a deforming body its positions at t = 1,
        for a rigid one its pose at t = 1, or a list [start, end] of poses."""
        items = list(moves.items() if isinstance(moves, abc.Mapping) else moves)
        array = (_abi.fracas_move * len(items))()
        kept: list[npt.NDArray[Any]] = []
        for number, (body, value) in enumerate(items):
            name, move = f"moves[{number}]", array[number]
            move.body = self.own(body, name)
            if self._info(body).motion == _abi.fracas_motion.RIGID:
                move.kind = _abi.fracas_move_kind.POSE
                pair = value if isinstance(value, list) and len(value) == 2 else [value, value]
                move.poses[0], move.poses[1] = (_arrays.pose(p, name) for p in pair)
            else:
                kept.append(_arrays.points(value, name))
                move.kind = _abi.fracas_move_kind.POINTS
                move.points_t1 = _arrays.view_points(kept[-1])
        status = self.handle.change(lib.fracas_scene_move_many, array, len(items))
        if status:
            message = self.context.message()
            for number, (body, value) in enumerate(items):
                if self._info(body).motion != _abi.fracas_motion.RIGID:
                    points = _arrays.points(value, f"moves[{number}]")
                    _arrays.explain_points(points, f"moves[{number}]")
                    self._check_count(body, points, f"moves[{number}]")
            raise_for(status, message)

    def set_thickness(self, body: Body, thickness: float) -> None:
        """Set the thickness of a body, see Body.thickness."""
        self._edit(lib.fracas_scene_set_thickness, self.own(body),
                   _arrays.real(thickness, "thickness"))

    def advance(self) -> None:
        """Start the next step: every body is at rest at its positions of t = 1."""
        self._edit(lib.fracas_scene_advance)

    def update(self, *, progress: ProgressInput = None) -> None:
        """Prepare for queries. They do it themselves when it is needed. Ctrl-C cancels it; progress
        is reported when the bodies that have changed have 65536 triangles or more."""
        self.context.check(self.handle.change_long(lib.fracas_scene_update, progress=progress))
        self.handle.changed = False

    def split(self, body: Body, labels: ArrayInput) -> list[Body]:
        """Break a body: triangle t stays where labels[t] is 0, else it leaves with part
        labels[t] - 1. Returns the parts."""
        array = _arrays.indices(labels, "labels", None)
        plan = ctypes.POINTER(_abi.fracas_split_plan)()
        self.context.check(self.handle.ask(
            lib.fracas_split_plan_create, self.own(body), _arrays.address(array), len(array),
            ctypes.byref(plan)))
        try:
            split = lib.fracas_split_plan_get_split(plan)
            count = split.contents.part_count
            parts = (_abi.fracas_body * max(count, 1))()
            self._edit(lib.fracas_scene_split, self.own(body), split, parts)
            user = self._user(body)
            return [self._keep(parts[i], user) for i in range(count)]
        finally:
            lib.fracas_split_plan_destroy(plan)

    def merge(self, bodies: abc.Sequence[Body], welds: ArrayInput = ()
              ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Join bodies into the first, which keeps its numbers. welds: rows of (body_a, vertex_a,
        body_b, vertex_b), where bodies are indices in `bodies`; the second vertex becomes the
        first. Returns the new numbers of all vertices and of all triangles, body after body."""
        handles = (_abi.fracas_body * max(len(bodies), 1))(
            *(self.own(body, f"bodies[{i}]") for i, body in enumerate(bodies)))
        pairs = _arrays.indices(welds, "welds", 4)
        infos = [self._info(body) for body in bodies]
        vertices = np.empty(sum(info.vertex_numbers for info in infos), np.uint32)
        triangles = np.empty(sum(info.triangle_numbers for info in infos), np.uint32)
        merge = lib.fracas_scene_default_merge()
        merge.weld_count = len(pairs)
        if len(pairs):
            merge.welds = _arrays.pointer(pairs, _abi.fracas_weld_pair)
        merge.vertex_map = _arrays.address(vertices)
        merge.triangle_map = _arrays.address(triangles)
        out = _abi.fracas_body()
        self._edit(lib.fracas_scene_merge, handles, len(bodies), ctypes.byref(merge),
                   ctypes.byref(out))
        for body in bodies[1:]:
            self._bodies.pop(body.index, None)
        return vertices, triangles

    # ---- queries

    def _info(self, body: Body) -> _abi.fracas_body_info:
        info = _abi.fracas_body_info()
        self.context.check(self.handle.ask(lib.fracas_scene_get_body, self.own(body),
                                            ctypes.byref(info)))
        return info

    def _triangle(self, body: Body, index: SupportsIndex) -> tuple[int, int, int]:
        corners = (ctypes.c_uint32 * 3)()
        self.context.check(self.handle.ask(lib.fracas_scene_get_triangle, self.own(body),
                                            _arrays.number(index, "index"), corners))
        return corners[0], corners[1], corners[2]

    def _vertex(self, body: Body, index: SupportsIndex) -> npt.NDArray[np.float64]:
        out = np.empty((2, 3))
        at = _arrays.address(out) or 0
        self.context.check(self.handle.ask(lib.fracas_scene_get_vertex, self.own(body),
                                            _arrays.number(index, "index"), at, at + 24))
        return out

    def trace(self, body: Body, kind: CHOICE, index: SupportsIndex) -> tuple[Body, int] | None:
        """Follow a "vertex" or "triangle", named as at the last `advance`, through all edits since.
        None: it has been removed."""
        old, now = _abi.fracas_element(), _abi.fracas_element()
        old.body = self.own(body)
        old.kind = _arrays.choice(kind, "kind", _abi.fracas_element_kind)
        old.index = _arrays.number(index, "index")
        self.context.check(self.handle.ask(lib.fracas_scene_trace, ctypes.byref(old),
                                            ctypes.byref(now)))
        if now.body.index == 0:
            return None
        return Body(self, now.body.index, now.body.generation), now.index

    def _triangle_marks(self, body: Body, mode: CHOICE) -> npt.NDArray[Any]:
        number = _arrays.choice(mode, "mode", _abi.fracas_mode)
        self.ready()
        out = np.zeros(self._info(body).triangle_numbers, TRIANGLE_MARK)
        self.context.check(self.handle.ask(
            lib.fracas_scene_get_triangle_marks, self.own(body), number,
            _arrays.pointer(out, _abi.fracas_triangle_mark), len(out)))
        return out

    def ready(self) -> None:
        """Update if something has changed."""
        if self.handle.changed:
            self.update()

    def _find(self, function: Any, *arguments: Any, progress: ProgressInput) -> Contacts:
        self.ready()
        found = List(self.context, "contacts")
        self.context.check(self.handle.query(function, *arguments, found.sink(),
                                              progress=progress))
        return contacts_of(found)

    def detect(self, modes: CHOICE = "continuous", *, first: bool = False,
               siblings: CHOICE = "until_separated", tolerance: float = 1e-6,
               min_separation: float = 0.0, t_max: float = 1.0,
               max_contacts: SupportsIndex = 0, progress: ProgressInput = None) -> Contacts:
        """All contacts, sorted: "discrete" (at t = 1), "continuous" (in the step) or "both".

        first: only the earliest. siblings: "until_separated", "report" or "ignore".
        tolerance: how early a time may be, as a part of the step.
        min_separation: report pairs that come within this distance.
        t_max: report only contacts up to this time. max_contacts: at most so many; 0: all.
        progress: a function of the completed part, or a bar like tqdm's.
        """
        query = make_query(modes, first, siblings, tolerance, min_separation, t_max, max_contacts)
        return self._find(lib.fracas_scene_detect, ctypes.byref(query), progress=progress)

    def nearby(self, distance: float, *, progress: ProgressInput = None) -> Contacts:
        """Pairs of vertex and face, and of edges, whose distance at t = 1 is at most `distance`."""
        return self._find(lib.fracas_scene_nearby, _arrays.real(distance, "distance"),
                          progress=progress)

    def stream(self, modes: CHOICE = "continuous", *, siblings: CHOICE = "until_separated",
               tolerance: float = 1e-6, min_separation: float = 0.0, t_max: float = 1.0,
               max_contacts: SupportsIndex = 0, block_contacts: SupportsIndex = 65536,
               progress: ProgressInput = None) -> Stream:
        """The contacts of `detect` in blocks of at most `block_contacts`, with memory for one
        block. They are sorted within a block; blocks are the same for any number of workers."""
        query = make_query(modes, False, siblings, tolerance, min_separation, t_max, max_contacts)
        return Stream(self, lib.fracas_scene_stream, (ctypes.byref(query),), block_contacts,
                      progress)

    def stream_nearby(self, distance: float, *, block_contacts: SupportsIndex = 65536,
                      progress: ProgressInput = None) -> Stream:
        """The pairs of `nearby` in blocks."""
        return Stream(self, lib.fracas_scene_stream_nearby, (_arrays.real(distance, "distance"),),
                      block_contacts, progress)

    def max_step(self, *, siblings: CHOICE = "until_separated", tolerance: float = 1e-6,
                 min_separation: float = 0.0, progress: ProgressInput = None) -> float:
        """The largest safe fraction of the step: no contact is before it."""
        query = make_query("continuous", False, siblings, tolerance, min_separation)
        out = ctypes.c_double()
        self.ready()
        self.context.check(self.handle.query(lib.fracas_scene_max_step, ctypes.byref(query),
                                              ctypes.byref(out), progress=progress))
        return out.value

    @staticmethod
    def _contacts(contacts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if not isinstance(contacts, np.ndarray) or contacts.dtype != CONTACT:
            raise TypeError("contacts are the array that Scene.detect returns, or a part of it")
        if contacts.ndim != 1:
            raise InvalidArgumentError(f"contacts has shape {contacts.shape}; (n,) is needed")
        return np.ascontiguousarray(contacts)

    def candidates(self, distance: float) -> Candidates:
        """Pairs that may come into contact in a step, for line searches: those whose boxes over the
        step are at most `distance` apart."""
        out = ctypes.POINTER(_abi.fracas_candidates)()
        self.ready()
        self.context.check(self.handle.query(lib.fracas_candidates_create,
                                             _arrays.real(distance, "distance"), ctypes.byref(out)))
        return Candidates(self, out)

    def safe_distances(self, distance: float, bodies: abc.Sequence[Body]
                       ) -> list[npt.NDArray[np.float64]]:
        """How far each vertex of some bodies may move from its place at t = 1, in any direction and
        all at once, so that nothing comes into contact; at most half of `distance`."""
        values = (_abi.fracas_vertex_values * max(len(bodies), 1))()
        arrays = []
        for number, body in enumerate(bodies):
            values[number].body = self.own(body, f"bodies[{number}]")
            arrays.append(np.zeros(self._info(body).vertex_numbers))
            values[number].count = len(arrays[-1])
            values[number].values = _arrays.address(arrays[-1])
        self.ready()
        self.context.check(self.handle.query(lib.fracas_scene_safe_distances,
                                             _arrays.real(distance, "distance"), values,
                                             len(bodies)))
        return arrays

    def set_filter(self, *, rings: SupportsIndex = 0, rest_distance: float = 0.0,
                   rest_shapes: abc.Mapping[Body, ArrayInput] | None = None,
                   vertex_pairs: abc.Iterable[tuple[Body, int, Body, int]] = ()) -> None:
        """Leave out pairs of features in all queries: within `rings` edges of each other; within
        `rest_distance` in the rest shape; of listed vertices (body_a, vertex_a, body_b, vertex_b).
        Without arguments: nothing."""
        c = lib.fracas_scene_default_filter()
        c.rings = _arrays.number(rings, "rings")
        c.rest_distance = _arrays.real(rest_distance, "rest_distance")
        named = [(body, _arrays.points(points, f"rest_shapes[{number}]"))
                 for number, (body, points) in enumerate((rest_shapes or {}).items())]
        shapes = (_abi.fracas_rest_shape * max(len(named), 1))(
            *(_abi.fracas_rest_shape(self.own(body, f"rest_shapes[{number}]"),
                                     _arrays.view_points(points))
              for number, (body, points) in enumerate(named)))
        pairs = [_abi.fracas_vertex_pair(
            self.own(a, f"vertex_pairs[{number}][0]"), self.own(b, f"vertex_pairs[{number}][2]"),
            _arrays.number(i, f"vertex_pairs[{number}][1]"),
            _arrays.number(j, f"vertex_pairs[{number}][3]"))
            for number, (a, i, b, j) in enumerate(vertex_pairs)]
        c_pairs = (_abi.fracas_vertex_pair * max(len(pairs), 1))(*pairs)
        c.rest_shapes = ctypes.cast(shapes, ctypes.POINTER(_abi.fracas_rest_shape))
        c.vertex_pairs = ctypes.cast(c_pairs, ctypes.POINTER(_abi.fracas_vertex_pair))
        c.rest_shape_count, c.vertex_pair_count = len(named), len(pairs)
        status = self.handle.change(lib.fracas_scene_set_filter, ctypes.byref(c))
        if status == _BAD_DATA:
            for number, (_, points) in enumerate(named):
                _arrays.explain_points(points, f"rest_shapes[{number}]")
        self.context.check(status)

    def places(self, contacts: npt.NDArray[Any], *, at_end: bool = False) -> npt.NDArray[Any]:
        """The vertices of contacts (a, b: three each) and their points on both sides (point_a,
        point_b), at their times or (`at_end`, for nearby pairs) at t = 1."""
        array = self._contacts(contacts)
        out = np.zeros(len(array), PLACE)
        source = _arrays.pointer(array, _abi.fracas_contact)
        target = _arrays.pointer(out, _abi.fracas_contact_place)
        time = _abi.fracas_place_time.END if at_end else _abi.fracas_place_time.IMPACT
        self.context.check(self.handle.query(lib.fracas_scene_place_contacts, source, len(array),
                                             time, target))
        return out

    def group(self, contacts: npt.NDArray[Any], body: Body, feature: CHOICE = "vertex", *,
              edges: ArrayInput | None = None
              ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The contacts of each "vertex", "face" or "edge" of a body, as rows of a sparse matrix
        (CSR): offsets, and numbers of contacts. Row r has numbers[offsets[r]:offsets[r + 1]].

        edges: the rows when they are edges, shape (n, 2).
        """
        array, info = self._contacts(contacts), self._info(body)
        rows = (info.triangle_numbers if _arrays.choice(feature, "feature", _abi.fracas_feature)
                == _abi.fracas_feature.FACE else info.vertex_numbers)
        return group(self.context, array, self.own(body), feature, rows, edges)

    def distances(self, pairs: abc.Iterable[tuple[Body, Body]]) -> npt.NDArray[Any]:
        """The distances of pairs of bodies at t = 1, and the points where they are closest."""
        return _distances.of_pairs(self, pairs, False)

    def depths(self, pairs: abc.Iterable[tuple[Body, Body]]) -> npt.NDArray[Any]:
        """How far the second body of each pair must be moved away from the first at t = 1: depth,
        gap, direction, translation. Of convex hulls."""
        return _distances.of_pairs(self, pairs, True)

    def intersections(self, contacts: npt.NDArray[Any]) -> Intersections:
        """Where discrete contacts of the last `detect` are: points, segments and polygons, the
        curves that segments form, and places."""
        array = self._contacts(contacts)
        pointer = _arrays.pointer(array, _abi.fracas_contact)
        out = ctypes.POINTER(_abi.fracas_intersections)()
        self.ready()
        self.context.check(self.handle.query(lib.fracas_intersections_create, pointer, len(array),
                                              ctypes.byref(out)))
        return Intersections(self.context, out)

    def find_inside(self, contacts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Bodies inside closed bodies without a contact of their surfaces: rows of inner, outer,
        vertex (of inner) and parts. `contacts` are all discrete contacts of `detect`."""
        array = self._contacts(contacts)
        pointer = _arrays.pointer(array, _abi.fracas_contact)
        found: list[bytes] = []

        def report(inside: Any, _user: Any) -> bool:
            found.append(bytes(inside.contents))
            return True
        self.ready()
        self.context.check(self.handle.query(lib.fracas_scene_find_inside, pointer, len(array),
                                              _abi.fracas_inside_fn(report), None))
        return np.frombuffer(b"".join(found), INSIDE)

    @property
    def update_statistics(self) -> _abi.fracas_update_statistics:
        """Work of the last update."""
        out = _abi.fracas_update_statistics()
        self.context.check(self.handle.ask(lib.fracas_scene_get_update_statistics,
                                            ctypes.byref(out)))
        return out


def raise_for(status: int, message: str) -> None:
    """Raise the exception of a status."""
    raise CLASSES.get(status, InternalError)(message)


__all__ = ["Body", "Scene"]
