#!/usr/bin/env python3
"""Check includes: they lead to lower layers of docs/architecture.md, and form no cycle.

Prints file:line and the reason for each include that breaks a rule, and the files of each include
cycle. Exits with 1 if there is any.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The layers of src/: for each module the modules that it may include besides itself.
BASE = ["base"]
NUMBERS = BASE + ["exact"]
GEOMETRY = NUMBERS + ["geom"]
STRUCTURES = GEOMETRY + ["mesh", "io", "bvh", "block", "grid", "delaunay"]
MAY_INCLUDE = {
    "base": [],
    "exact": BASE,
    "geom": NUMBERS,
    "mesh": GEOMETRY,
    "grid": GEOMETRY,
    "delaunay": BASE,
    "io": GEOMETRY + ["mesh"],
    "pairs": GEOMETRY + ["mesh"],
    "bvh": GEOMETRY,
    "block": GEOMETRY + ["mesh", "bvh"],
    "cull": STRUCTURES,
    "detect": STRUCTURES + ["cull"],
    "scene": STRUCTURES + ["cull", "detect"],
    "tets": STRUCTURES,
    "tet_mesh": STRUCTURES,
    "medial_mesh": STRUCTURES,
    "fragment": STRUCTURES,
    "medial": STRUCTURES,
    # The top layers: no other module includes them.
    "published": STRUCTURES + ["cull", "detect", "scene", "tets"],
    "cuda": STRUCTURES + ["cull", "detect", "scene", "medial"],
}

# Folders outside src/, and the folders that they may include. All may include include/fracas.
OUTSIDE = {
    "cli": ["cli", "scenes"],
    "scenes": ["scenes", "examples"],
    "examples": ["examples"],
    "fuzz": ["fuzz", "src", "tests"],
    "tests": ["tests", "src", "bench", "scenes", "cli"],
    "bench": ["bench", "src", "tests", "scenes"],
}

# The library needs libc, libm and pthreads only.
SYSTEM = set("""assert complex ctype errno fcntl fenv float inttypes limits locale math pthread
sched semaphore signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string strings
sys/mman sys/stat sys/types tgmath time unistd wchar""".split())
# For src/base/simd.h and simd_int.h only; see check_intrinsics.sh.
SIMD = {"arm_neon", "emmintrin", "immintrin", "smmintrin", "wasm_simd128"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Folders in which an included name is searched after the folder of the including file.
PATHS = ["include", "src", "tests", "bench", "scenes", "cli", "examples"]


def find(folder, name):
    """The path, from the root, of the file that an include names; None if no such file exists."""
    modules = ["tests/" + m for m in MAY_INCLUDE] if folder.startswith(("tests", "fuzz")) else []
    for base in [folder] + PATHS + modules:
        path = os.path.normpath(os.path.join(base, name))
        if os.path.isfile(os.path.join(ROOT, path)):
            return path
    return None


def not_public(target):
    return f"may include include/fracas only, not {target}"


def judge(path, quoted, name, target):
    """The rule that this include breaks, or None. `target` is the included file, if it is ours."""
    parts = path.split(os.sep)
    if not quoted and not name.startswith("fracas/"):
        allowed = SYSTEM | (SIMD if path.startswith("src/base/simd") else set())
        if parts[0] == "src" and name.removesuffix(".h") not in allowed:
            return f"the library needs libc, libm and pthreads only, not <{name}>"
        return None
    if target is None:
        return f'there is no file "{name}"' if quoted else f"there is no public header <{name}>"
    there = target.split(os.sep)
    if there[0] == "include":
        return None
    if parts[0] == "include":
        return not_public(target)
    if parts[0] == "src":
        if there[0] != "src":
            return f"the library may not include {there[0]}/"
        if there[1] != parts[1] and there[1] not in MAY_INCLUDE.get(parts[1], []):
            return f"src/{parts[1]} may not include src/{there[1]}: only lower layers"
        return None
    if there[0] in OUTSIDE[parts[0]]:
        return None
    return not_public(target) if there[0] == "src" else f"{parts[0]}/ may not include {there[0]}/"


def read_includes(path):
    """(line, quoted, name, target) of each include of a file."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                quoted, name = match.group(1) == '"', match.group(2)
                ours = quoted or name.startswith("fracas/")
                yield number, quoted, name, find(os.path.dirname(path), name) if ours else None


def find_cycles(graph):
    """The cycles that a depth-first search closes, as lists of files; empty if there is no cycle.

    `graph` maps each file to its included files. A .c file and its header are two files.
    """
    cycles, path, done = [], [], set()

    def visit(file):
        if file in path:
            cycles.append(path[path.index(file):])
        elif file not in done:
            path.append(file)
            for included in graph.get(file, {}):
                visit(included)
            done.add(path.pop())

    for file in graph:
        visit(file)
    return cycles


def self_test():
    plain = {"a.c": ["a.h", "b.h"], "a.h": ["b.h"], "b.c": ["b.h", "a.h"], "b.h": []}
    cyclic = {"a.c": ["a.h"], "a.h": ["b.h"], "b.h": ["c.h"], "c.h": ["a.h"]}
    return (find_cycles(plain) == [] and find_cycles(cyclic) == [["a.h", "b.h", "c.h"]] and
            find_cycles({"a.h": ["a.h"]}) == [["a.h"]])


def sources():
    for top in ["include", "src", *OUTSIDE]:
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cpp", ".hpp")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def main():
    if not self_test():
        print("the search for include cycles is broken")
        return 1
    problems, graph = [], {}
    for path in sources():
        graph[path] = {}  # included file -> line
        for number, quoted, name, target in read_includes(path):
            reason = judge(path, quoted, name, target)
            if reason:
                problems.append(f"{path}:{number}: {reason}")
            if target:
                graph[path].setdefault(target, number)
    for cycle in find_cycles(graph):
        line = graph[cycle[0]][cycle[1 % len(cycle)]]
        problems.append(f"{cycle[0]}:{line}: include cycle: " + " -> ".join(cycle + cycle[:1]))
    print("\n".join(problems) if problems else
          f"{len(graph)} files: all includes lead to lower layers, no cycles")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
