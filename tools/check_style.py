#!/usr/bin/env python3
"""Warn about functions over 60 lines, files over 600 and public headers over 300.

Warnings fail only with --strict. The code is formatted by clang-format, so a function begins with a
line that ends in `) {` and ends with a `}` in the first column.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FUNCTION_LIMIT, FILE_LIMIT, HEADER_LIMIT = 60, 600, 300
NAME = re.compile(r"(\w+)\(")


def long_functions(lines):
    """(line, name, length) of each function over the limit."""
    head = start = None
    for number, line in enumerate(lines, 1):
        if line[:1].isalpha() and "(" in line and not line.startswith("typedef"):
            head = number
        if head and start is None and line.rstrip().endswith(") {"):
            start = head
        if line.startswith(";") or line.rstrip().endswith(";"):
            head = head if start else None
        if line.rstrip() == "}" and start:
            length = number - start + 1
            name = NAME.search(lines[start - 1])
            if length > FUNCTION_LIMIT:
                yield start, name.group(1) if name else "?", length
            head = start = None


def check(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    limit = HEADER_LIMIT if path.startswith("include") else FILE_LIMIT
    if len(lines) > limit:
        yield f"{path}:1: {len(lines)} lines; {limit} is the limit"
    for line, name, length in long_functions(lines):
        yield f"{path}:{line}: {name} has {length} lines; {FUNCTION_LIMIT} is the limit"


def main():
    warnings = []
    for top in ["include", "src", "cli", "scenes", "bench", "examples", "fuzz", "tests"]:
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cpp")):
                    warnings += check(os.path.relpath(os.path.join(folder, name), ROOT))
    for warning in warnings:
        print("warning:", warning)
    print(f"{len(warnings)} long functions and files")
    return 1 if warnings and "--strict" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
