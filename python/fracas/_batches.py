"""Impacts and distances of many pairs in one call: for programs with a broad phase of their own."""
from __future__ import annotations

import ctypes
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._context import Context, ProgressInput, default_context
from ._errors import BadDataError, InvalidArgumentError
from ._library import lib
from ._views import record_dtype

_WIDTHS = {_abi.fracas_contact_kind.VF: 4, _abi.fracas_contact_kind.EE: 4,
           _abi.fracas_contact_kind.VE: 3, _abi.fracas_contact_kind.VV: 2}
Found = tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]


class _Batch:
    """The arguments of both calls."""

    def __init__(self, kind: Union[str, int], pairs: ArrayInput, v0: ArrayInput | None,
                 v1: ArrayInput, names: tuple[str, str]) -> None:
        number = _abi.fracas_contact_kind(_arrays.choice(kind, "kind", _abi.fracas_contact_kind))
        if number not in _WIDTHS:
            raise InvalidArgumentError(f"kind is {kind!r}; it is one of 'vf', 'ee', 've', 'vv'")
        self.pairs = _arrays.indices(pairs, "pairs", _WIDTHS[number])
        self.named = [(_arrays.points(v1, names[1]), names[1])]
        if v0 is not None:
            start = _arrays.points(v0, names[0], len(self.named[0][0]), names[1])
            self.named.insert(0, (start, names[0]))
        self.c = lib.fracas_pairs_default_batch()
        self.c.kind = number
        self.c.points_t0 = _arrays.view_points(self.named[0][0])
        self.c.points_t1 = _arrays.view_points(self.named[-1][0])
        self.c.indices = _arrays.address(self.pairs)
        self.c.count = len(self.pairs)

    def run(self, function: Any, structure: type[ctypes.Structure], context: Context | None,
            progress: ProgressInput) -> Found:
        """Make the call."""
        context = context or default_context()
        hits = np.zeros(len(self.pairs), np.uint8)
        out = np.zeros(len(self.pairs), record_dtype(structure))
        result = _abi.fracas_pairs_result()
        status = context.run(function, context.pointer(), ctypes.byref(self.c),
                             _arrays.address(hits), _arrays.pointer(out, structure),
                             ctypes.byref(result), progress=progress)
        if status == _abi.fracas_status.ERROR_BAD_DATA:
            count = len(self.named[0][0])
            _arrays.explain_indices(self.pairs, "pairs", count, "points")
            message = context.message()
            row = self.pairs[result.bad_pair] if result.bad_pair < len(self.pairs) else ()
            for array, name in self.named:
                for vertex in row:
                    for axis in np.flatnonzero(~np.isfinite(array[vertex])):
                        raise BadDataError(f"{name}[{vertex}, {axis}] is {array[vertex, axis]}, in "
                                           f"pairs[{result.bad_pair}]; it must be finite")
            raise BadDataError(message)
        context.check(status)
        return hits.view(np.bool_), out


def impacts(kind: Union[str, int], pairs: ArrayInput, v0: ArrayInput, v1: ArrayInput, *,
            min_separation: float = 0.0, tolerance: float = 1e-6, progress: ProgressInput = None,
            context: Context | None = None) -> Found:
    """The first contacts of many pairs while the points move from `v0` to `v1`.

    kind: "vf" (pairs of shape (n, 4): vertex, corners of the face), "ee" ((n, 4): both edges), "ve"
    ((n, 3): vertex, edge) or "vv" ((n, 2)). Returns which pairs have one, and a structured array
    of toi, u, v and normal, which is zero for the others.
    """
    batch = _Batch(kind, pairs, v0, v1, ("v0", "v1"))
    batch.c.min_separation = _arrays.real(min_separation, "min_separation")
    batch.c.tolerance = _arrays.real(tolerance, "tolerance")
    return batch.run(lib.fracas_pairs_find_impacts, _abi.fracas_impact, context, progress)


def distances(kind: Union[str, int], pairs: ArrayInput, v: ArrayInput, *,
              max_distance: float = float("inf"), progress: ProgressInput = None,
              context: Context | None = None) -> Found:
    """The distances of many pairs; kinds are those of `impacts`. Returns which pairs are within
    `max_distance`, and a structured array of distance, weights, points, normal and type."""
    batch = _Batch(kind, pairs, None, v, ("v", "v"))
    batch.c.max_distance = _arrays.real(max_distance, "max_distance")
    return batch.run(lib.fracas_pairs_find_distances, _abi.fracas_distance, context, progress)
