"""Arrays of numpy that view memory of the library, and keep it alive."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _abi
from ._context import Context
from ._library import lib


def record_dtype(structure: type[ctypes.Structure]) -> np.dtype[Any]:
    """The structured dtype of a structure of C, without its reserved fields."""
    full = np.dtype(structure)
    fields: Any = full.fields or {}
    names = [name for name in full.names or () if name != "reserved"]
    return np.dtype({"names": names, "formats": [fields[name][0] for name in names],
                     "offsets": [fields[name][1] for name in names], "itemsize": full.itemsize})


BODY = record_dtype(_abi.fracas_body)
CONTACT = record_dtype(_abi.fracas_contact)
PENETRATION = record_dtype(_abi.fracas_penetration)
INTERSECTION = record_dtype(_abi.fracas_intersection)
INSIDE = record_dtype(_abi.fracas_inside)
CLOSEST_POINT = record_dtype(_abi.fracas_closest_point)
BODY_DISTANCE = record_dtype(_abi.fracas_body_distance)
BODY_DEPTH = record_dtype(_abi.fracas_body_depth)
PLACE = record_dtype(_abi.fracas_contact_place)
RECORD = record_dtype(_abi.fracas_contact_record)
RUN = record_dtype(_abi.fracas_contact_run)
TRIANGLE_MARK = record_dtype(_abi.fracas_triangle_mark)
FRAGMENT_CONTACT = record_dtype(_abi.fracas_fragment_contact)
DEPTH = record_dtype(_abi.fracas_depth)
MEDIAL_CONTACT = record_dtype(_abi.fracas_medial_contact)


class _Memory:
    """A piece of memory for numpy; `owner` keeps it alive."""

    def __init__(self, address: int, size: int, owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (size,),
                                    "data": (address, True)}


def view(address: Any, count: int, dtype: Any, owner: Any, width: int = 0) -> npt.NDArray[Any]:
    """A read-only array of `count` elements, or rows of `width` elements, at an address or a
    pointer. It keeps `owner` alive."""
    dtype = np.dtype(dtype)
    shape = (count, width) if width else (count,)
    if count == 0 or not address:
        empty = np.empty((0, width) if width else (0,), dtype)
        empty.flags.writeable = False
        return empty
    at = address if isinstance(address, int) else ctypes.cast(address, ctypes.c_void_p).value or 0
    size = count * max(width, 1) * dtype.itemsize
    array: npt.NDArray[Any] = np.asarray(_Memory(at, size, owner)).view(dtype)
    return array.reshape(shape)


class List:
    """A list of results of C. It goes back to the context when no array views it any more."""

    def __init__(self, context: Context, name: str) -> None:
        self._name, self._core = name, context.core
        pointer = self._core.take_list(name)
        if pointer is None:
            pointer = ctypes.POINTER(getattr(_abi, f"fracas_{name}"))()
            create = getattr(lib, f"fracas_{name}_create")
            context.check(create(context.pointer(), ctypes.byref(pointer)))
        self.pointer = pointer
        self._core.acquire()

    def __del__(self) -> None:
        pointer = getattr(self, "pointer", None)
        if pointer is not None:
            self._core.give_back(self._name, pointer)
            self._core.release()

    def sink(self) -> Any:
        """Clear the list; the receiver for a query."""
        return ctypes.byref(getattr(lib, f"fracas_{self._name}_get_sink")(self.pointer))

    def records(self, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """All records, without a copy."""
        count = ctypes.c_size_t()
        get = getattr(lib, f"fracas_{self._name}_get_data")
        data = get(self.pointer, ctypes.byref(count))
        return view(data, count.value, dtype, self)

    def statistics(self) -> Any:
        """A copy of the statistics of the query."""
        found = getattr(lib, f"fracas_{self._name}_get_statistics")(self.pointer).contents
        return type(found).from_buffer_copy(found)


class Records(np.ndarray[Any, np.dtype[np.void]]):
    """A structured array of results; `statistics` is the work of the query."""

    statistics: Any = None

    def __array_finalize__(self, other: Any) -> None:
        if other is not None:
            self.statistics = getattr(other, "statistics", None)


def collect(query: Any, sink: Any, statistics: Any) -> Records:
    """The records that a query reports one by one, copied. `query` makes the call with a sink of
    the type `sink`; `statistics` are filled in."""
    found: list[bytes] = []
    callback = dict(sink._fields_)["report"]
    structure = callback._argtypes_[0]._type_
    size = ctypes.sizeof(structure)

    def report(record: Any, _user: Any) -> bool:
        found.append(ctypes.string_at(record, size))
        return True
    query(sink(callback(report), None, ctypes.pointer(statistics)))
    result = np.frombuffer(bytearray().join(found), record_dtype(structure)).view(Records)
    result.statistics = statistics
    return result


class Contacts(np.ndarray[Any, np.dtype[np.void]]):
    """Contacts of a query: a read-only structured array that views the library's memory.

    Fields are those of fracas_contact: kind (ContactKind), body_a, body_b (index, generation),
    a, b (two indices each, NONE if unused), toi, u, v, normal, distance.
    """

    statistics: _abi.fracas_statistics | None = None

    def __array_finalize__(self, other: Any) -> None:
        if other is not None:
            self.statistics = getattr(other, "statistics", None)

    def of_kind(self, kind: str | int) -> Contacts:
        """The contacts of one kind: "tt", "et", "vf", "ee", "ve" or "vv". They are sorted by kind,
        so this is a slice."""
        from ._arrays import choice  # pylint: disable=import-outside-toplevel
        number = choice(kind, "kind", _abi.fracas_contact_kind)
        begin, end = np.searchsorted(self["kind"], [number, number + 1])
        return self[begin:end].view(Contacts)

    @property
    def pairs(self) -> npt.NDArray[np.uint32]:
        """A copy of the first indices of both sides, shape (n, 2): of kind TT the triangles."""
        return np.column_stack([self["a"][:, 0], self["b"][:, 0]]).view(np.ndarray)


def contacts_of(found: List) -> Contacts:
    """The records of a list of contacts, with the statistics of the query."""
    result = found.records(CONTACT).view(Contacts)
    result.statistics = found.statistics()
    return result
