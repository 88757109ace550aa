"""Distances and containment at t = 1. Scene.contains and the other methods call these."""
from __future__ import annotations

import ctypes
from collections import abc
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._errors import InvalidArgumentError
from ._library import lib
from ._views import BODY_DEPTH, BODY_DISTANCE, CLOSEST_POINT

if TYPE_CHECKING:
    from . import _scene


def of_points(scene: _scene.Scene, body: _scene.Body, points: ArrayInput, function: Any,
              dtype: Any) -> npt.NDArray[Any]:
    """A query of a body for each of some points."""
    handle = scene.own(body)
    array = _arrays.points(points, "points")
    out = np.zeros(len(array), dtype)
    scene.ready()
    status = scene.handle.query(function, handle, ctypes.byref(_arrays.view_points(array)),
                                _arrays.address(out))
    if status == _abi.fracas_status.ERROR_BAD_DATA:
        _arrays.explain_points(array, "points")
    scene.context.check(status)
    return out


def contains(scene: _scene.Scene, body: _scene.Body, points: ArrayInput) -> npt.NDArray[np.uint8]:
    """Where points are: values of fracas.Side."""
    return of_points(scene, body, points, lib.fracas_scene_find_containment, np.uint8)


def _records(function: Any, structure: type[ctypes.Structure]) -> Any:
    """The last argument as a pointer to structures."""
    def call(*arguments: Any) -> int:
        pointer = ctypes.cast(arguments[-1] or 0, ctypes.POINTER(structure))
        status: int = function(*arguments[:-1], pointer)
        return status
    return call


def closest_points(scene: _scene.Scene, body: _scene.Body, points: ArrayInput) -> npt.NDArray[Any]:
    """The closest points of a body."""
    call = _records(lib.fracas_scene_find_closest_points, _abi.fracas_closest_point)
    return of_points(scene, body, points, call, CLOSEST_POINT)


def signed_distances(scene: _scene.Scene, body: _scene.Body, points: ArrayInput) -> npt.NDArray[Any]:
    """The same of a closed body, with the side and the sign."""
    call = _records(lib.fracas_scene_find_signed_distances, _abi.fracas_closest_point)
    return of_points(scene, body, points, call, CLOSEST_POINT)


def of_pairs(scene: _scene.Scene, pairs: abc.Iterable[tuple[_scene.Body, _scene.Body]],
             depths: bool) -> npt.NDArray[Any]:
    """Distances or depths of pairs of bodies."""
    listed = list(pairs)
    array = (_abi.fracas_body_pair * max(len(listed), 1))()
    for number, pair in enumerate(listed):
        try:
            a, b = pair
        except (TypeError, ValueError):
            raise InvalidArgumentError(f"pairs[{number}] is not a pair of bodies") from None
        array[number].a = scene.own(a, f"pairs[{number}][0]")
        array[number].b = scene.own(b, f"pairs[{number}][1]")
    structure: Any = _abi.fracas_body_depth if depths else _abi.fracas_body_distance
    function: Any = lib.fracas_scene_find_depths if depths else lib.fracas_scene_find_distances
    out = np.zeros(len(listed), BODY_DEPTH if depths else BODY_DISTANCE)
    pointer = _arrays.pointer(out, structure)
    scene.ready()
    scene.context.check(scene.handle.query(function, array, len(listed), pointer))
    return out
