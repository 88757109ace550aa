"""Arrays from the caller: checks that name argument and index, without a copy where the layout
allows it.

What is cheap is checked here: type, shape, number of rows. That numbers are finite and indices in
range is checked by the library, in the same pass in which it reads them; only when it refuses do
`explain_points` and `explain_indices` look for the place.
"""
from __future__ import annotations

import ctypes
import operator
import typing
from typing import Any, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _abi
from ._errors import BadDataError, BadIndexError, InvalidArgumentError


class SupportsDLPack(typing.Protocol):
    """What exports its memory by DLPack: tensors of PyTorch, JAX, CuPy, ..."""

    def __dlpack__(self) -> Any: ...


ArrayInput = Union[npt.ArrayLike, SupportsDLPack]
_HOST_DEVICES = (1, 3, 11, 13)  # of DLPack: CPU, and memory of CUDA and ROCm that the CPU reads
LARGEST = 0xFFFFFFFE  # of counts and indices; the next number means "none"


def as_array(value: ArrayInput, name: str) -> npt.NDArray[Any]:
    """`value` as an array: of numpy, by DLPack, by the array interface, by the buffer protocol, or
    of nested sequences."""
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
            raise TypeError(f"{name} is a masked array with masked values")
        return np.asarray(value)
    if hasattr(value, "__dlpack__"):
        device = getattr(value, "__dlpack_device__", lambda: (1, 0))()[0]
        if device not in _HOST_DEVICES:
            raise TypeError(f"{name} is not in the memory of the CPU (DLPack device {device})")
        try:
            exporter: Any = value
            return np.from_dlpack(exporter)
        except Exception as error:  # pylint: disable=broad-except
            if not hasattr(value, "__array__"):
                raise TypeError(f"{name} cannot be read by DLPack: {error}") from error
    try:
        array = np.asarray(value)
    except Exception as error:  # pylint: disable=broad-except
        raise TypeError(f"{name} is not an array: {error}") from error
    if array.dtype == object:
        raise TypeError(f"{name} is not an array of numbers: {type(value).__name__}")
    return array


def _as_floats(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """float64 or float32 in native order; other numbers are converted where that is exact."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f" and size in (4, 8) and array.dtype.isnative:
        return array
    if kind not in "iuf" or (kind == "f" and size > 8):
        raise TypeError(f"{name} has dtype {array.dtype}; float64 or float32 is needed")
    converted = array.astype(np.float64)
    if kind in "iu" and size == 8 and array.size:
        if np.abs(converted).max() > 2.0**53:
            raise InvalidArgumentError(f"{name} has integers over 2^53, which float64 cannot hold")
    return converted


def points(value: ArrayInput, name: str, count: int | None = None,
           of: str = "") -> npt.NDArray[Any]:
    """An array of shape (n, 3) that `view_points` can pass on. `count`: the rows that `of` has."""
    array = _as_floats(as_array(value, name), name)
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise InvalidArgumentError(f"{name} has shape {array.shape}; (n, 3) is needed")
    if count is not None and array.shape[0] != count:
        raise InvalidArgumentError(f"{name} has {array.shape[0]} points; {of} has {count}")
    if array.shape[0] > LARGEST:
        raise InvalidArgumentError(f"{name} has {array.shape[0]} points; at most {LARGEST} fit")
    size = array.itemsize
    if array.shape[0] > 1:
        plain = array.strides[1] == size and 3 * size <= array.strides[0] <= LARGEST
    else:
        plain = array.flags.c_contiguous
    return array if plain else np.ascontiguousarray(array)


def address(array: npt.NDArray[Any]) -> int | None:
    """Where the first element is; None without elements."""
    return int(array.__array_interface__["data"][0]) if array.size else None


def pointer(array: npt.NDArray[Any], structure: type[ctypes.Structure]) -> Any:
    """Where the first element is, for C: records of a structure."""
    return ctypes.cast(address(array) or 0, ctypes.POINTER(structure))


def view_points(array: npt.NDArray[Any]) -> _abi.fracas_points:
    """The structure of C for an array of `points`. It is valid while the array lives."""
    scalar = (_abi.fracas_scalar.DOUBLE if array.itemsize == 8 else _abi.fracas_scalar.FLOAT)
    rows = array.shape[0]
    return _abi.fracas_points(address(array), rows, array.strides[0] if rows > 1 else 0, scalar)


def explain_points(array: npt.NDArray[Any], name: str) -> None:
    """Raise for the first number that is not finite, if there is one."""
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        row, column = (int(i) for i in bad[0])
        raise BadDataError(f"{name}[{row}, {column}] is {array[row, column]}; "
                           "all coordinates must be finite")


def _place(name: str, array: npt.NDArray[Any], flat: int) -> str:
    index = ", ".join(str(int(i)) for i in np.unravel_index(flat, array.shape))
    return f"{name}[{index}]"


def indices(value: ArrayInput, name: str, width: int | None,
            signed: bool = False) -> npt.NDArray[np.uint32]:
    """uint32 of shape (n, width), or (n,) without a width. int32 is taken as it is: a negative
    number is out of range also without its sign. `signed`: any int32, passed as its bits."""
    array = as_array(value, name)
    if array.size == 0:
        shape = (0,) if width is None else (0, width)
        if array.ndim > len(shape) or (array.ndim == 2 and array.shape[1] not in (0, width)):
            raise InvalidArgumentError(f"{name} has shape {array.shape}; "
                                       f"{'(n,)' if width is None else f'(n, {width})'} is needed")
        return np.zeros(shape, np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}; an integer type is needed")
    if array.ndim != (1 if width is None else 2) or (width and array.shape[1] != width):
        raise InvalidArgumentError(f"{name} has shape {array.shape}; "
                                   f"{'(n,)' if width is None else f'(n, {width})'} is needed")
    if array.shape[0] > LARGEST:
        raise InvalidArgumentError(f"{name} has {array.shape[0]} rows; at most {LARGEST} fit")
    if array.dtype.itemsize == 4 and array.dtype.isnative:
        return np.ascontiguousarray(array).view(np.uint32)
    low, high = (-2**31, 2**31 - 1) if signed else (0, 2**32 - 1)
    if array.min() < low or array.max() > high:
        bad = int(np.flatnonzero((array < low) | (array > high))[0])
        raise BadIndexError(f"{_place(name, array, bad)} is {array.flat[bad]}; "
                            f"numbers are from {low} to {high}")
    if signed:
        return np.ascontiguousarray(array, np.int32).view(np.uint32)
    return np.ascontiguousarray(array, np.uint32)


def explain_indices(array: npt.NDArray[np.uint32], name: str, limit: int, of: str) -> None:
    """Raise for the first index that is not below `limit`, if there is one."""
    if array.size and int(array.max()) >= limit:
        bad = int(np.flatnonzero(array >= limit)[0])
        value = int(array.flat[bad])
        if value >= 2**31:
            value -= 2**32  # it was negative
        raise BadIndexError(f"{_place(name, array, bad)} is {value}; there are {limit} {of}")


def number(value: SupportsIndex, name: str, largest: int = 0xFFFFFFFF) -> int:
    """An integer from 0 to `largest`."""
    try:
        result = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}; an integer is needed") from None
    if not 0 <= result <= largest:
        raise InvalidArgumentError(f"{name} is {result}; it is from 0 to {largest}")
    return result


def real(value: float, name: str) -> float:
    """A number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a {type(value).__name__}; a number is needed") from None
    except OverflowError:
        raise InvalidArgumentError(f"{name} is too large for a float") from None


def doubles(value: ArrayInput, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Contiguous float64 of exactly this shape."""
    array = _as_floats(as_array(value, name), name)
    if array.shape != shape:
        raise InvalidArgumentError(f"{name} has shape {array.shape}; {shape} is needed")
    return np.ascontiguousarray(array, np.float64)


def choice(value: Any, name: str, kind: Any) -> int:
    """A value of an enumeration: by its name, or the value itself."""
    if isinstance(value, str) and value.upper() in kind.__members__:
        return int(kind[value.upper()])
    if not isinstance(value, (str, bool)):
        try:
            return int(kind(operator.index(value)))
        except (TypeError, ValueError):
            pass
    names = ", ".join(repr(member.lower()) for member in kind.__members__)
    raise InvalidArgumentError(f"{name} is {value!r}; it is one of {names}")


def pose(value: Any, name: str) -> _abi.fracas_pose:
    """A pose: None (identity), a matrix of shape (3, 4) or (4, 4), or (rotation, translation)."""
    result = _abi.fracas_pose()
    if value is None:
        matrix = np.eye(3, 4)
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        matrix = np.column_stack([doubles(value[0], f"{name}[0]", (3, 3)),
                                  doubles(value[1], f"{name}[1]", (3,))])
    else:
        array = _as_floats(as_array(value, name), name).astype(np.float64)
        if array.shape not in ((3, 4), (4, 4)):
            raise InvalidArgumentError(f"{name} has shape {array.shape}; (3, 4) or (4, 4) is "
                                       "needed, or a tuple of rotation and translation")
        if array.shape == (4, 4) and not np.array_equal(array[3], (0, 0, 0, 1)):
            raise InvalidArgumentError(f"{name}[3] is {array[3]}; it is (0, 0, 0, 1)")
        matrix = array[:3]
    if not np.isfinite(matrix).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(matrix))[0])
        raise BadDataError(f"{name}[{row}, {column}] is {matrix[row, column]}; "
                           "all numbers must be finite")
    result.rotation[:] = matrix[:, :3].ravel().tolist()
    result.translation[:] = matrix[:, 3].tolist()
    return result
