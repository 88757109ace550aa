"""The context, and how every call of the library is made: errors, Ctrl-C, progress, lifetimes."""
from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections import abc
from types import FrameType
from typing import Any, Union

from . import _abi
from ._arrays import number, real
from ._errors import CLASSES, CancelledError, InternalError, InvalidArgumentError
from ._library import lib

ProgressInput = Union[abc.Callable[[float], Any], Any, None]


class Progress:
    """Reports to a bar with tqdm's protocol (`total`, `update(n)`), or to a function of the
    completed part, which returns False to cancel."""

    def __init__(self, target: Any) -> None:
        self._update = getattr(target, "update", None)
        self._target = target
        self._done = 0.0
        if self._update is None and not callable(target):
            raise TypeError(f"progress is a {type(target).__name__}; a function or a bar like "
                            "tqdm's is needed")
        self._total = 1.0
        if self._update is not None:
            total = getattr(target, "total", None)
            if total is None:
                target.total = 1.0
            else:
                self._total = real(total, "progress.total")

    def report(self, fraction: float) -> bool:
        """False: the function cancels."""
        if self._update is None:
            return self._target(fraction) is not False
        if fraction > self._done:
            self._update((fraction - self._done) * self._total)
            self._done = fraction
        return True


class _Call:
    """A call that reports progress, on the thread that makes it."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.error: BaseException | None = None
        self.interrupted = False
        self._old: Any = None

    def begin(self) -> None:
        """A handler that raised inside the callback of C would be lost: Python prints such
        exceptions and goes on. So SIGINT is only noted until the call has ended."""
        if threading.current_thread() is threading.main_thread():
            old = signal.getsignal(signal.SIGINT)
            if callable(old):
                signal.signal(signal.SIGINT, self._note)
                self._old = old

    def _note(self, number_: int, frame: FrameType | None) -> None:
        self.interrupted = True

    def end(self) -> None:
        """Give a noted signal to the handler of the program; by default it raises
        KeyboardInterrupt."""
        old, self._old = self._old, None
        if old is not None:
            signal.signal(signal.SIGINT, old)
            if self.interrupted:
                old(signal.SIGINT, None)
        if self.error is not None:
            raise self.error

    def report(self, fraction: float) -> bool:
        """Called from C."""
        if self.error is not None:
            return False
        try:
            if self.progress is not None and not self.progress.report(fraction):
                return False
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error
            return False
        return not self.interrupted


class _Threads(threading.local):
    """The innermost call of each thread."""

    call: _Call | None = None


_forks = 0  # a child of os.fork has none of the threads of its parent's contexts


class _Core:
    """The context of C. It is destroyed when no object uses it any more: the garbage collector
    finalizes objects of one cycle in any order, so references alone do not keep it long enough.
    Operations on lists are atomic; a lock could be taken again by a finalizer inside it."""

    def __init__(self, pointer: Any, callback: Any) -> None:
        self.pointer = pointer
        self.callback = callback  # C calls it
        self.forks = _forks
        self._users: list[None] = []
        self._alive = [pointer]
        self._free: dict[str, list[Any]] = {}
        self.devices: dict[int, Any] = {}  # fracas_cuda_context by number; scenes are users, too

    def acquire(self) -> None:
        """One more object uses it."""
        self._users.append(None)

    def release(self) -> None:
        """One object less."""
        self._users.pop()
        if self._users or self.forks != _forks:
            return
        try:
            pointer = self._alive.pop()
        except IndexError:
            return
        for name, lists in self._free.items():
            for item in lists:
                getattr(lib, f"fracas_{name}_destroy")(item)
        for device in self.devices.values():
            lib.fracas_cuda_context_destroy(device)
        lib.fracas_context_destroy(pointer)

    # Lists of results are reused once no array views them.

    def take_list(self, name: str) -> Any:
        """An unused list of C (fracas_contacts, fracas_penetrations, ...), or None."""
        try:
            return self._free[name].pop()
        except (IndexError, KeyError):
            return None

    def give_back(self, name: str, item: Any) -> None:
        """Keep a list for the next query, or destroy it."""
        free = self._free.setdefault(name, [])
        if self.forks != _forks:
            return
        if len(free) < 4:
            free.append(item)
        else:
            getattr(lib, f"fracas_{name}_destroy")(item)


class Context:
    """Threads and memory of scenes and all other objects, which keep it alive.

    workers: threads that work on one call; 0: one per core.
    spin_ms: how long an idle thread spins before it sleeps; a simulation loop is faster with
        float("inf").
    """

    def __init__(self, workers: int = 0, *, spin_ms: float = 0.0) -> None:
        self._threads = threads = _Threads()

        def report(fraction: float, _user: Any) -> bool:
            call = threads.call
            return call is None or call.report(fraction)
        callback = _abi.fracas_progress_fn(report)
        options = lib.fracas_context_default_options()
        options.worker_count = number(workers, "workers", 1024)
        options.spin_ms = real(spin_ms, "spin_ms")
        if not options.spin_ms >= 0:
            raise InvalidArgumentError(f"spin_ms is {spin_ms}; it is at least 0")
        options.progress = callback
        out = ctypes.POINTER(_abi.fracas_context)()
        status = lib.fracas_context_create(ctypes.byref(options), ctypes.byref(out))
        if status:
            raise CLASSES.get(status, InternalError)("the context could not be created: "
                                                     + status_name(status))
        self.core = _Core(out, callback)
        self.core.acquire()

    def __del__(self) -> None:
        core = getattr(self, "core", None)
        if core is not None:
            core.release()

    @property
    def workers(self) -> int:
        """Threads that work on one call, including the calling one."""
        return lib.fracas_context_get_worker_count(self.pointer())

    def cancel(self) -> None:
        """Stop all calls on this context, running and later ones, until `resume`; from any
        thread."""
        lib.fracas_context_cancel(self.pointer())

    def resume(self) -> None:
        """Allow calls again after `cancel`."""
        lib.fracas_context_resume(self.pointer())

    def pointer(self) -> Any:
        """The object of C."""
        if self.core.forks != _forks:
            raise InvalidArgumentError("this context was created before os.fork: its threads are "
                                       "not in this process; create another one here")
        return self.core.pointer

    def message(self) -> str:
        """The message of the last failed call."""
        buffer = ctypes.create_string_buffer(2048)
        lib.fracas_context_get_message(self.core.pointer, buffer, 2048)
        return buffer.value.decode("utf-8", "replace")

    def check(self, status: int) -> None:
        """Raise the exception of a status with the message of the library."""
        if status:
            message = self.message() or status_name(status)
            raise CLASSES.get(status, InternalError)(message)

    def run(self, function: abc.Callable[..., int], *arguments: Any,
            progress: ProgressInput = None) -> int:
        """Make a long call. Ctrl-C cancels it, `progress` is reported."""
        bar = None if progress is None else Progress(progress)
        call, threads = _Call(bar), self._threads
        before = threads.call
        try:
            threads.call = call
            call.begin()
            status = function(*arguments)
        finally:
            threads.call = before
            call.end()
        if status == _abi.fracas_status.ERROR_CANCELLED and call.interrupted:
            raise CancelledError("cancelled by SIGINT")
        if status == 0 and bar is not None:
            bar.report(1.0)
        return status


def status_name(status: int) -> str:
    """For example "bad data"."""
    return (lib.fracas_status_get_name(status) or b"").decode()


_default: Context | None = None
_default_lock = threading.Lock()


def default_context() -> Context:
    """The context of calls without one: one worker per core."""
    global _default  # pylint: disable=global-statement
    with _default_lock:
        if _default is None:
            _default = Context()
        return _default


def _after_fork() -> None:
    global _forks, _default, _default_lock  # pylint: disable=global-statement
    _forks += 1
    _default = None
    _default_lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


class Handle:
    """An object of C: destroyed once, refused afterwards. Several threads may query it at once, but
    a call that changes it must be alone: one that is not raises instead of crashing."""

    def __init__(self, context: Context, what: str, pointer: Any,
                 destroy: abc.Callable[[Any], None], owner: Handle | None = None) -> None:
        self.context = context
        self._owner = owner  # an object that this one refers to: its calls use both
        self._held: list[Handle] = []
        self._dependents: list[None] = []
        self._closing: list[Any] = []
        if owner is not None:
            self.hold(owner)
        self._core = context.core
        self._core.acquire()
        self._what = what
        self._pointer = pointer
        self._destroy = destroy
        self._lock = threading.Lock()
        self._users = 0  # calls in progress; -1: one that changes the object
        self._ending: list[threading.Thread] = []  # whose calls end soon
        self.changed = False  # since it was last set to false

    def __del__(self) -> None:
        self._release()

    def _release(self) -> None:
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            self._closing.append(pointer)
            self._finish()

    def _finish(self) -> None:
        """Destroy the object of C when nothing refers to it; as _Core, by atomic operations."""
        if self._dependents:
            return
        try:
            pointer = self._closing.pop()
        except IndexError:
            return
        if self._core.forks == _forks:
            self._destroy(pointer)
        for other in self._held:
            other._dependents.pop()
            other._finish()
        self._core.release()

    def hold(self, other: Handle) -> None:
        """The object of C refers to another one, which is destroyed after this one."""
        if other not in self._held:
            other._dependents.append(None)
            self._held.append(other)

    def open_pointer(self) -> Any:
        """The object of C, as an argument of another one's call. It never changes, or that call
        holds it."""
        pointer = self._pointer
        if pointer is None:
            raise InvalidArgumentError(f"the {self._what} has been closed")
        self.context.pointer()  # raises in a child process
        return pointer

    def close(self) -> None:
        """Destroy the object of C now."""
        self._wait()
        with self._lock:
            if self._users:
                raise InvalidArgumentError(f"the {self._what} is in use by another call")
            self._users = -1  # alone
        self._release()
        self._users = 0

    @property
    def closed(self) -> bool:
        """Whether it has been destroyed."""
        return self._pointer is None

    def end_soon(self, thread: threading.Thread) -> None:
        """A call of this thread has been told to end: calls that change the object wait for it.
        For finalizers, which must not wait: they run within any operation, and the thread may need
        a lock that the interrupted one has."""
        self._ending.append(thread)

    def _wait(self) -> None:
        while True:
            try:
                thread = self._ending.pop()
            except IndexError:
                return
            thread.join()

    def _begin(self, changes: bool) -> Any:
        if self._owner is not None:
            self._owner._begin(False)
        if changes:
            self._wait()
        try:
            return self._begin_alone(changes)
        except BaseException:
            if self._owner is not None:
                self._owner._end()
            raise

    def _begin_alone(self, changes: bool) -> Any:
        with self._lock:
            pointer = self._pointer
            if pointer is None:
                raise InvalidArgumentError(f"the {self._what} has been closed")
            if self._core.forks != _forks:
                self.context.pointer()  # raises
            if self._users < 0 or (changes and self._users):
                raise InvalidArgumentError(f"the {self._what} is in use by another call: one that "
                                           "changes it must be alone")
            self._users = -1 if changes else self._users + 1
            return pointer

    def _end(self) -> None:
        with self._lock:
            self._users = max(0, self._users - 1)
        if self._owner is not None:
            self._owner._end()

    def change(self, function: abc.Callable[..., int], *arguments: Any) -> int:
        """A short call that changes the object; returns the status."""
        pointer = self._begin(True)
        self.changed = True
        try:
            return function(pointer, *arguments)
        finally:
            self._end()

    def change_long(self, function: abc.Callable[..., int], *arguments: Any,
                    progress: ProgressInput = None) -> int:
        """A call that changes the object, and that Ctrl-C may cancel."""
        pointer = self._begin(True)
        self.changed = True
        try:
            return self.context.run(function, pointer, *arguments, progress=progress)
        finally:
            self._end()

    def ask(self, function: abc.Callable[..., int], *arguments: Any) -> int:
        """A short call that changes nothing."""
        pointer = self._begin(False)
        try:
            return function(pointer, *arguments)
        finally:
            self._end()

    def query(self, function: abc.Callable[..., int], *arguments: Any,
              progress: ProgressInput = None) -> int:
        """A call that changes nothing, and that Ctrl-C may cancel."""
        pointer = self._begin(False)
        try:
            return self.context.run(function, pointer, *arguments, progress=progress)
        finally:
            self._end()
