"""Find and load the shared library."""
from __future__ import annotations

import ctypes.util
import glob
import os
import sys

from . import _abi

ENDING = ".dylib" if sys.platform == "darwin" else ".so"
NAME = "libfracas" + ENDING
# libfracas with scenes on a GPU: loaded in place of the other where it is beside it.
CUDA_NAME = "libfracas-cuda" + ENDING


def candidates() -> list[str]:
    """Where the library may be, in order: FRACAS_LIBRARY, beside the package (in a wheel), in the
    build folders of the repository that the package is in, in the system."""
    given = os.environ.get("FRACAS_LIBRARY")
    if given:
        return [given]
    package = os.path.dirname(os.path.abspath(__file__))
    found = [os.path.join(package, NAME)]
    top = os.path.dirname(os.path.dirname(package))
    if os.path.isfile(os.path.join(top, "include", "fracas", "fracas.h")):
        found.append(os.path.join(top, "build", "release", "python", NAME))
        found += sorted(glob.glob(os.path.join(top, "build", "*", "python", NAME)))
    found = [os.path.join(os.path.dirname(path), name) for path in found
             for name in (CUDA_NAME, NAME)]
    installed = [ctypes.util.find_library(name) for name in ("fracas-cuda", "fracas")]
    return [path for path in found if os.path.isfile(path)] + [path for path in installed if path]


def load() -> _abi.Library:
    """Load the first library that is found."""
    paths = candidates()
    if not paths:
        raise ImportError(
            f"{NAME} was not found beside the package, in build/*/python or in the system: build "
            "it ('./dev wheel', or the CMake target fracas_python), or name it in FRACAS_LIBRARY")
    try:
        library = _abi.Library(paths[0])
    except OSError as error:
        raise ImportError(f"{paths[0]} cannot be loaded: {error}") from error
    version = (library.fracas_get_version() or b"").decode()
    wanted = (f"{_abi.FRACAS_VERSION_MAJOR}.{_abi.FRACAS_VERSION_MINOR}."
              f"{_abi.FRACAS_VERSION_PATCH}")
    if version != wanted:
        raise ImportError(f"{paths[0]} is version {version}; the package is {wanted}")
    return library


lib = load()
