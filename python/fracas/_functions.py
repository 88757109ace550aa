"""One call for one mesh."""
from __future__ import annotations

from . import _arrays
from ._arrays import ArrayInput
from ._context import Context, ProgressInput
from ._errors import BadDataError, InvalidArgumentError
from ._meshes import Mesh, MeshInput
from ._scene import Scene
from ._views import Contacts


def self_intersections(v: MeshInput, f: ArrayInput | None = None, *,
                       edges: ArrayInput | None = None, progress: ProgressInput = None,
                       context: Context | None = None) -> Contacts:
    """All pairs of triangles of a mesh that intersect (kind TT), and of free edges and triangles
    (ET). Neighbours count only where they meet beyond what they share."""
    with Scene(modes="discrete", context=context) as scene:
        scene.add(v, f, edges=edges)
        return scene.detect("discrete", progress=progress)


def _moving(scene: Scene, v0: MeshInput, v1: ArrayInput, f: ArrayInput | None,
            edges: ArrayInput | None) -> None:
    start = v0.vertices if isinstance(v0, Mesh) else _arrays.points(v0, "v0")
    end = _arrays.points(v1, "v1", len(start), "v0")
    try:
        body = scene.add(v0 if isinstance(v0, Mesh) else start, f, edges=edges)
    except BadDataError as error:
        _arrays.explain_points(start, "v0")
        raise error
    scene.move(body, end)


def detect(v0: MeshInput, v1: ArrayInput, f: ArrayInput | None = None, *,
           edges: ArrayInput | None = None, modes: str | int = "continuous",
           tolerance: float = 1e-6, min_separation: float = 0.0, progress: ProgressInput = None,
           context: Context | None = None) -> Contacts:
    """All contacts of a mesh with itself while it moves from `v0` to `v1`."""
    with Scene(context=context) as scene:
        _moving(scene, v0, v1, f, edges)
        return scene.detect(modes, tolerance=tolerance, min_separation=min_separation,
                            progress=progress)


def max_step(v0: MeshInput, v1: ArrayInput, f: ArrayInput | None = None, *,
             edges: ArrayInput | None = None, tolerance: float = 1e-6, min_separation: float = 0.0,
             progress: ProgressInput = None, context: Context | None = None) -> float:
    """The largest fraction of the way from `v0` to `v1` without a contact of the mesh with
    itself."""
    with Scene(modes="continuous", context=context) as scene:
        _moving(scene, v0, v1, f, edges)
        return scene.max_step(tolerance=tolerance, min_separation=min_separation,
                              progress=progress)


def nearby(v: MeshInput, f: ArrayInput | None = None, distance: float | None = None, *,
           edges: ArrayInput | None = None, progress: ProgressInput = None,
           context: Context | None = None) -> Contacts:
    """Pairs of vertex and face, and of edges, of a mesh that are at most `distance` apart, with
    their distance."""
    if distance is None:
        raise InvalidArgumentError("distance is missing: nearby(v, f, distance)")
    with Scene(modes="continuous", context=context) as scene:
        scene.add(v, f, edges=edges)
        return scene.nearby(distance, progress=progress)
