#!/usr/bin/env python3
"""Check that the files exist that README.md, CHANGELOG.md and docs/ link to.

Prints file:line and the missing file, and exits with 1 if there is any.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def texts():
    for folder in [ROOT, os.path.join(ROOT, "docs")]:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def main():
    problems = []
    for path in texts():
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for target, _ in LINK.findall(line):
                    if "://" in target or os.path.exists(os.path.join(os.path.dirname(path), target)):
                        continue
                    problems.append(f"{os.path.relpath(path, ROOT)}:{number}: there is no {target}")
    print("\n".join(problems) if problems else "all linked files exist")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
