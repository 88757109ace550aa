"""Queries with a state of their own: candidates of line searches, contacts in blocks; where contacts
are, and contacts as rows of a sparse matrix."""
from __future__ import annotations

import ctypes
import queue
import threading
from collections import abc
from typing import TYPE_CHECKING, Any, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import ArrayInput
from ._context import Context, Handle, Progress, ProgressInput
from ._errors import InvalidArgumentError
from ._library import lib
from ._views import CONTACT, INTERSECTION, RECORD, RUN, Contacts, List, contacts_of, view

if TYPE_CHECKING:
    from . import _scene

CHOICE = Union[str, int]


def make_query(modes: CHOICE, first: bool, siblings: CHOICE, tolerance: float,
               min_separation: float, t_max: float = 1.0,
               max_contacts: SupportsIndex = 0) -> _abi.fracas_query:
    """The query of C."""
    query = lib.fracas_scene_default_query()
    query.modes = _arrays.choice(modes, "modes", _abi.fracas_mode)
    query.first = bool(first)
    query.siblings = _arrays.choice(siblings, "siblings", _abi.fracas_siblings)
    query.tolerance = _arrays.real(tolerance, "tolerance")
    query.min_separation = _arrays.real(min_separation, "min_separation")
    query.t_max = _arrays.real(t_max, "t_max")
    query.max_contacts = _arrays.number(max_contacts, "max_contacts", 2**64 - 1)
    return query


class Candidates:
    """Pairs of features that may come into contact: found once, decided for every step length."""

    def __init__(self, scene: _scene.Scene, pointer: Any) -> None:
        self.scene = scene
        # The candidates of C refer to the scene, which must not be closed or changed meanwhile.
        self._handle = Handle(scene.context, "candidates", pointer,
                              lib.fracas_candidates_destroy, scene.handle)

    def __len__(self) -> int:
        return self._handle.ask(lib.fracas_candidates_get_count)

    def detect(self, *, siblings: CHOICE = "until_separated", tolerance: float = 1e-6,
               min_separation: float = 0.0, t_max: float = 1.0,
               progress: ProgressInput = None) -> Contacts:
        """The continuous contacts among them at the present positions of the scene."""
        query = make_query("continuous", False, siblings, tolerance, min_separation, t_max)
        found = List(self.scene.context, "contacts")
        self.scene.context.check(self._handle.query(
            lib.fracas_candidates_detect, ctypes.byref(query), found.sink(), progress=progress))
        return contacts_of(found)

    def max_step(self, *, siblings: CHOICE = "until_separated", tolerance: float = 1e-6,
                 min_separation: float = 0.0, progress: ProgressInput = None) -> float:
        """The largest safe fraction of the step among them."""
        query = make_query("continuous", False, siblings, tolerance, min_separation)
        out = ctypes.c_double()
        self.scene.context.check(self._handle.query(
            lib.fracas_candidates_max_step, ctypes.byref(query), ctypes.byref(out),
            progress=progress))
        return out.value


# ---- contacts in blocks

def _block(c: _abi.fracas_contact_block) -> Contacts:
    """A copy of a block as contacts."""
    records, runs = view(c.records, c.count, RECORD, None), view(c.runs, c.run_count, RUN, None)
    out = np.zeros(c.count, CONTACT)
    out["a"], out["b"] = records["a"], records["b"]
    for name in ("kind", "body_a", "body_b"):
        out[name] = np.repeat(runs[name], runs["count"])
    out["toi"] = view(c.toi, c.count, np.float64, None)
    parameters = view(c.parameters, c.count, np.float64, None, 2)
    out["u"], out["v"] = parameters[:, 0], parameters[:, 1]
    out["normal"] = view(c.normals, c.count, np.float64, None, 3)
    out["distance"] = view(c.distances, c.count, np.float64, None)
    out["closest"] = view(c.closest, c.count, np.uint32, None)
    return out.view(Contacts)


class _Exchange:
    """Between the thread in which C works and the thread that iterates: one of them waits."""

    def __init__(self, progress: ProgressInput) -> None:
        self._wants_progress = progress is not None
        self._offers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.stopped = False
        self.reader = threading.current_thread()

    # In the thread of C.

    def _offer(self, item: Any) -> bool:
        """False: stop. When the reader has ended without closing the stream, nobody answers: Python
        waits for this thread at its end."""
        self._offers.put(item)
        while not self.stopped:
            try:
                return self._answers.get(timeout=0.1)
            except queue.Empty:
                if not (threading.main_thread().is_alive() or self.reader.is_alive()):
                    break
        return False

    def _report(self, fraction: float) -> bool:
        return not self.stopped and (not self._wants_progress or self._offer(fraction))

    def run(self, handle: Handle, function: Any, arguments: tuple[Any, ...],
            stream: _abi.fracas_stream) -> None:
        """Make the call."""
        statistics = _abi.fracas_statistics()
        errors: list[BaseException] = []

        def take(block: Any, _user: Any) -> bool:
            try:
                return self._offer(_block(block.contents))
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
                return False
        try:
            stream.report = _abi.fracas_block_fn(take)
            stream.statistics = ctypes.pointer(statistics)
            handle.context.check(handle.query(function, *arguments, ctypes.byref(stream),
                                              progress=self._report))
        except BaseException as error:  # pylint: disable=broad-except
            errors.append(error)
        self._offers.put(errors[0] if errors else statistics)

    # In the thread that iterates.

    def read(self) -> Any:
        """The next item."""
        return self._offers.get()

    def answer(self, go_on: bool) -> None:
        """After an item."""
        self.stopped = self.stopped or not go_on
        self._answers.put(go_on)


class Stream(abc.Iterator[Contacts]):
    """Contacts in blocks, with memory for one: `for contacts in scene.stream():`. Meanwhile the
    scene cannot be changed. Leaving the loop early ends the query when the stream is closed or no
    longer referred to; `with scene.stream() as stream:` closes it."""

    statistics: _abi.fracas_statistics | None = None  # after the last block

    def __init__(self, scene: _scene.Scene, function: Any, arguments: tuple[Any, ...],
                 block_contacts: SupportsIndex, progress: ProgressInput) -> None:
        self._scene = scene
        self._call = function, arguments
        self._bar = None if progress is None else Progress(progress)
        self._exchange = _Exchange(progress)
        self._thread: threading.Thread | None = None
        self._reading = threading.Lock()
        self._state = "new"  # then "reading", "block" (which awaits an answer), "ended"
        self._c = lib.fracas_scene_default_stream()
        self._c.block_contacts = _arrays.number(block_contacts, "block_contacts")
        if not self._c.block_contacts:
            raise InvalidArgumentError("block_contacts is 0; it is at least 1")
        self._c.values = sum(_abi.fracas_record_values)

    def _start(self) -> None:
        self._scene.ready()
        self._thread = threading.Thread(
            target=self._exchange.run, args=(self._scene.handle, *self._call, self._c))
        self._thread.start()

    def __next__(self) -> Contacts:
        if not self._reading.acquire(blocking=False):
            raise InvalidArgumentError("the stream is being read by another call")
        try:
            return self._next()
        finally:
            self._reading.release()

    def _next(self) -> Contacts:
        if self._state == "ended":
            raise StopIteration
        self._scene.context.pointer()  # in a child process there is no thread
        try:
            self._exchange.reader = threading.current_thread()
            if self._state == "new":
                self._start()
            elif self._state == "block":
                self._exchange.answer(True)
            self._state = "reading"
            while True:
                item = self._exchange.read()
                if isinstance(item, Contacts):
                    self._state = "block"
                    return item
                if not isinstance(item, float):
                    break
                self._exchange.answer(self._bar is None or self._bar.report(item))
        except BaseException:
            self.close()
            raise
        self._join()
        if isinstance(item, BaseException):
            raise item
        self.statistics = item
        if self._bar is not None:
            self._bar.report(1.0)
        raise StopIteration

    def _join(self) -> None:
        self._state = "ended"
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End the query."""
        if self._state != "ended":
            self._exchange.answer(False)
            self._join()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        thread = getattr(self, "_thread", None)
        if thread is not None and self._state != "ended":
            self._exchange.answer(False)
            self._scene.handle.end_soon(thread)


# ---- places and rows

class Intersections:
    """Where discrete contacts are: the arrays view the library's memory and keep it alive.

    records: by contact: meeting (Meeting), count and points of the intersection.
    places: by contact: the number of its place, NONE for contacts of other kinds.
    curves: for each curve its points, shape (n, 3). curve_places: the place of each.
    """

    def __init__(self, context: Context, pointer: Any) -> None:
        owner = Handle(context, "intersections", pointer, lib.fracas_intersections_destroy)
        c = lib.fracas_intersections_get_view(pointer)
        self.records = view(c.data, c.count, INTERSECTION, owner)
        self.places = view(c.places, c.count, np.uint32, owner)
        self.place_count = c.place_count
        offsets = view(c.curve_offsets, c.curve_count + 1, np.uint32, owner)
        total = int(offsets[-1]) if len(offsets) else 0
        points = view(c.curve_points, total, np.float64, owner, 3)
        self.curves = [points[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]
        self.curve_places = view(c.curve_places, c.curve_count, np.uint32, owner)


def group(context: Context, contacts: npt.NDArray[Any], body: _abi.fracas_body, feature: CHOICE,
          row_count: int, edges: ArrayInput | None
          ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Contacts by the features of one body: offsets of rows, and numbers of contacts."""
    rows = _abi.fracas_contact_rows(body, _arrays.choice(feature, "feature", _abi.fracas_feature),
                                    row_count)
    listed = np.zeros((0, 2), np.uint32)
    if rows.feature == _abi.fracas_feature.EDGE:
        if edges is None:
            raise InvalidArgumentError("edges are missing: the rows, two vertices each")
        listed = _arrays.indices(edges, "edges", 2)
        rows.row_count = len(listed)
        rows.edges = _arrays.address(listed)
    elif edges is not None:
        raise InvalidArgumentError("edges are given, but the rows are not edges")
    offsets = np.zeros(rows.row_count + 1, np.uintp)
    entries = np.zeros(2 * len(contacts), np.uintp)  # a contact is in two rows at most
    rows.offsets, rows.entries = _arrays.address(offsets), _arrays.address(entries)
    rows.entry_capacity = len(entries)
    context.check(context.run(lib.fracas_contacts_group, context.pointer(),
                              _arrays.pointer(contacts, _abi.fracas_contact), len(contacts),
                              ctypes.byref(rows)))
    return offsets.view(np.intp), entries[:int(offsets[-1])].view(np.intp)


__all__ = ["Candidates", "Intersections", "Stream", "group", "make_query"]
