#!/usr/bin/env python3
"""Keep the first example in README.md equal to examples/hello.c.

Without arguments: check, and end with 1 when they differ. With --write: copy it over.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = re.compile(r"(## The first example\n\n)(```c\n.*?```\n|@HELLO@\n)", re.S)


def main():
    with open(os.path.join(ROOT, "examples/hello.c"), encoding="utf-8") as file:
        example = "```c\n" + file.read() + "```\n\n"
    path = os.path.join(ROOT, "README.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    wanted = re.sub(r"\n\n\n+It prints", "\n\nIt prints", PLACE.sub(lambda m: m.group(1) + example, text))
    if wanted == text:
        print("README.md shows examples/hello.c")
        return 0
    if "--write" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
        return 0
    print("README.md:1: the first example is not examples/hello.c; run tools/readme_example.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
