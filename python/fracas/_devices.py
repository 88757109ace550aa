"""Devices of scenes: the CPU, or a GPU by libfracas-cuda."""
from __future__ import annotations

import ctypes
import threading
from typing import Any

from . import _abi
from ._context import Context
from ._errors import InvalidArgumentError, UnsupportedError
from ._library import CUDA_NAME, lib

_EMULATED = "emulated"
_lock = threading.Lock()


def _number(device: str) -> int:
    """The number of a GPU."""
    kind, colon, number = device.partition(":")
    if device == _EMULATED or (kind == "cuda" and not colon):
        return 0
    if kind != "cuda" or not (number.isascii() and number.isdigit()) or int(number) > 65535:
        raise InvalidArgumentError(f"device is {device!r}; it is 'cpu', 'cuda', or 'cuda:1' for "
                                   "another GPU")
    return int(number)


def _create(context: Context, number: int) -> Any:
    options = lib.fracas_cuda_default_options()
    options.device = number
    out = ctypes.POINTER(_abi.fracas_cuda_context)()
    context.check(lib.fracas_cuda_context_create(context.pointer(), ctypes.byref(options),
                                                 ctypes.byref(out)))
    return out


def name_of(device: Any) -> str:
    """What the device says."""
    return (lib.fracas_cuda_context_get_name(device) or b"").decode("utf-8", "replace")


def open_device(context: Context, device: str) -> Any:
    """The fracas_cuda_context of a name, one for each context and device; None: the CPU."""
    if not isinstance(device, str):
        raise TypeError(f"device is a {type(device).__name__}; a str is needed")
    if device == "cpu":
        return None
    number = _number(device)
    if not lib.has_cuda:
        raise UnsupportedError(
            f"device={device!r} needs {CUDA_NAME}, and {lib.path} has no CUDA: build it with "
            "-DFRACAS_CUDA=ON (CMake target fracas_python_cuda), beside the other or named in "
            "FRACAS_LIBRARY")
    devices = context.core.devices
    with _lock:
        if number not in devices:
            devices[number] = _create(context, number)
    found = devices[number]
    # A library has one kind of device, and is not to be mistaken about it.
    if (name_of(found) == _EMULATED) != (device == _EMULATED):
        raise UnsupportedError(f"device={device!r}: {lib.path} has the device "
                               f"{name_of(found)!r} only")
    return found


__all__ = ["name_of", "open_device"]
