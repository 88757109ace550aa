#!/usr/bin/env python3
"""Check that includes go the way the house is built (docs/architecture.md): down, never up.

Prints file:line and why for each that does not, and ends with 1.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The floors of src/, each room with the rooms it may see besides itself.
GROUND = ["base"]
NUMBERS = GROUND + ["exact"]
GEOMETRY = NUMBERS + ["geom"]
STORES = GEOMETRY + ["mesh", "io", "bvh", "block", "grid"]
MAY_SEE = {
    "base": [],
    "exact": GROUND,
    "geom": NUMBERS,
    "mesh": GEOMETRY,
    "grid": GEOMETRY,
    "io": GEOMETRY + ["mesh"],
    "bvh": GEOMETRY,
    "block": GEOMETRY + ["mesh", "bvh"],
    "cull": STORES,
    "detect": STORES + ["cull"],
    "scene": STORES + ["cull", "detect"],
    "tets": STORES,
    "fragment": STORES,
    "medial": STORES,
    # The top of src: nothing there includes it.
    "published": STORES + ["cull", "detect", "scene", "tets"],
}

# Folders outside src/, and which others they may see. All see include/fracas.
OUTSIDE = {
    "cli": ["cli", "scenes"],
    "scenes": ["scenes"],
    "examples": ["examples"],
    "viewer": ["viewer", "scenes"],
    "fuzz": ["fuzz", "src", "tests"],
    "tests": ["tests", "src", "bench", "scenes", "cli"],
    "bench": ["bench", "src", "tests", "scenes"],
}

# libfracas needs libc, libm and pthreads, nothing else.
SYSTEM = set("""assert complex ctype errno fcntl fenv float inttypes limits locale math pthread sched semaphore
signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string strings sys/mman sys/stat
sys/types tgmath time unistd wchar""".split())
SIMD = {"arm_neon", "emmintrin", "immintrin", "smmintrin", "wasm_simd128"}  # src/base/simd.h, simd_int.h; see check_intrinsics.sh

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Where a quoted name is looked for after the file's own folder.
PATHS = ["include", "src", "tests", "bench", "scenes", "cli"]


def find(folder, name):
    """The file that a quoted include means, from the root; None when there is none."""
    rooms = ["tests/" + room for room in MAY_SEE] if folder.startswith(("tests", "fuzz")) else []
    for base in [folder] + PATHS + rooms:
        path = os.path.normpath(os.path.join(base, name))
        if os.path.isfile(os.path.join(ROOT, path)):
            return path
    return None


def why_not_public(target):
    return f"only include/fracas may be seen from here, not {target}"


def judge(path, quoted, name):
    """Why this include is wrong, or None."""
    parts = path.split(os.sep)
    if not quoted and not name.startswith("fracas/"):
        if parts[0] == "src" and name.removesuffix(".h") not in SYSTEM | (SIMD if path.startswith("src/base/simd") else set()):
            return f"the library needs libc, libm and pthreads only, not <{name}>"
        return None
    target = find(os.path.dirname(path), name)
    if target is None:
        return f'there is no file "{name}"' if quoted else f"there is no public header <{name}>"
    there = target.split(os.sep)
    if there[0] == "include":
        return None
    if parts[0] == "include":
        return why_not_public(target)
    if parts[0] == "src":
        if there[0] != "src":
            return f"the library may not see {there[0]}/"
        if there[1] != parts[1] and there[1] not in MAY_SEE.get(parts[1], []):
            return f"src/{parts[1]} may not see src/{there[1]}: includes go down, never up or sideways"
        return None
    if there[0] in OUTSIDE[parts[0]]:
        return None
    return why_not_public(target) if there[0] == "src" else f"{parts[0]}/ may not see {there[0]}/"


def check(path):
    problems = []
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                reason = judge(path, match.group(1) == '"', match.group(2))
                if reason:
                    problems.append(f"{path}:{number}: {reason}")
    return problems


def sources():
    for top in ["include", "src", *OUTSIDE]:
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cpp", ".hpp")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def main():
    problems, count = [], 0
    for path in sources():
        count += 1
        problems += check(path)
    print("\n".join(problems) if problems else f"includes of {count} files go the right way")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
