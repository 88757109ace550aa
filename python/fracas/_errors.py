"""Exceptions. Each status of C has a class of its own, which is also the built-in class that
Python programs expect: a bad number is a ValueError, no memory a MemoryError."""
from __future__ import annotations

from . import _abi


class Error(Exception):
    """A call of the library failed and changed nothing. The text is the library's message."""

    status: _abi.fracas_status = _abi.fracas_status.ERROR_INTERNAL


class InvalidArgumentError(Error, ValueError):
    """An argument of a wrong shape or range, or a call out of order."""

    status = _abi.fracas_status.ERROR_INVALID_ARGUMENT


class BadDataError(Error, ValueError):
    """A number that is not finite, an index out of range, a malformed file."""

    status = _abi.fracas_status.ERROR_BAD_DATA


class BadIndexError(BadDataError, IndexError):
    """An index out of range."""


class StaleHandleError(Error, LookupError):
    """The body has been removed."""

    status = _abi.fracas_status.ERROR_STALE_HANDLE


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""

    status = _abi.fracas_status.ERROR_OUT_OF_MEMORY


class FileError(Error, OSError):
    """A file could not be opened, read or written."""

    status = _abi.fracas_status.ERROR_FILE


class UnsupportedError(Error, NotImplementedError):
    """Not part of this build, or not possible on this CPU."""

    status = _abi.fracas_status.ERROR_UNSUPPORTED


class CancelledError(Error):
    """Stopped by the progress function or by Context.cancel."""

    status = _abi.fracas_status.ERROR_CANCELLED


class InternalError(Error, RuntimeError):
    """A bug in Fracas."""

    status = _abi.fracas_status.ERROR_INTERNAL


CLASSES: dict[int, type[Error]] = {
    int(kind.status): kind
    for kind in (InvalidArgumentError, BadDataError, StaleHandleError, OutOfMemoryError, FileError,
                 UnsupportedError, CancelledError, InternalError)}
