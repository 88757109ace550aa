#!/usr/bin/env python3
"""Check the links of README.md, CHANGELOG.md and docs/: the file exists, and so does the heading.

Prints file:line and the link for each that leads nowhere, and exits with 1 if there is any.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def texts():
    for folder in [ROOT, os.path.join(ROOT, "docs")]:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def anchors(path):
    """The anchors of the headings of a page, formed as GitHub does."""
    with open(path, encoding="utf-8") as file:
        headings = [line.lstrip("#").strip().lower() for line in file if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def is_broken(path, target, anchor):
    if "://" in target:
        return False
    there = os.path.join(os.path.dirname(path), target) if target else path
    if not os.path.exists(there):
        return True
    return bool(anchor) and there.endswith(".md") and anchor not in anchors(there)


def main():
    problems = []
    for path in texts():
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for target, anchor in LINK.findall(line):
                    if is_broken(path, target, anchor):
                        link = target + ("#" + anchor if anchor else "")
                        problems.append(f"{os.path.relpath(path, ROOT)}:{number}: there is no {link}")
    print("\n".join(problems) if problems else "all links lead to a file and a heading")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
