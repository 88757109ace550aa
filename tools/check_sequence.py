#!/usr/bin/env python3
"""Find calls and initialisers whose result depends on the order in which C evaluates arguments.

That order is unspecified: `f(x, g(&x))` passes x as it was before or after g, and so does
`f(*p, g(p))`. Prints file:line and the expression for each, and exits with 1 if there is any. A
callee that only reads through a pointer to const is harmless, but is reported too: compute its
result in advance. Each run starts with a self-test.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VALUE = re.compile(r"\*?[A-Za-z_]\w*(?:(?:->|\.)\w+)*")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
                      re.DOTALL | re.MULTILINE)
CLOSING = {"(": ")", "{": "}", "[": "]"}


def blank(text):
    """The text without comments, literals and directives; lines keep their numbers."""
    return NOT_CODE.sub(lambda match: "0" + "\n" * match.group().count("\n"), text)


def lists(text):
    """(offset, items) of each list in parentheses or braces."""
    stack = []
    for at, c in enumerate(text):
        if c in CLOSING:
            stack.append((c, at, [at + 1]))
        elif c == "," and stack:
            stack[-1][2].append(at + 1)
        elif stack and c == CLOSING[stack[-1][0]]:
            bracket, start, begins = stack.pop()
            if bracket != "[" and len(begins) > 1:
                ends = [begin - 1 for begin in begins[1:]] + [at]
                yield start, [text[b:e].strip() for b, e in zip(begins, ends)]


def changes(item, value):
    """Whether a call within `item` gets the address of `value`."""
    address = re.escape(value[1:]) if value[0] == "*" else "&" + re.escape(value)
    return re.search(r"\w\([^;]*(?<![\w.>&*])" + address + r"\s*[,)]", item, re.DOTALL) is not None


def faults(text):
    text = blank(text)
    for start, items in lists(text):
        if any(";" in item for item in items):
            continue
        for i, item in enumerate(items):
            value = item.split("=", 1)[1].strip() if item.startswith(".") and "=" in item else item
            if VALUE.fullmatch(value) and any(changes(other, value) for j, other in enumerate(items) if j != i):
                yield text.count("\n", 0, start) + 1, " ".join(", ".join(items).split())


def self_test():
    wrong = ["f(s, a, g(&s, b));", "f(*s, x ? g(s) : m);", "r = (pair){.at = t->s, .m = g(&t->s)};", "f(g(&s), 1,\n s);",
             "h(f(s, g(a, h(&s)), 2), 1);"]
    right = ["f(&s, g(&s));", "f(s, &s);", "const big m = g(&s); f(s, m);", "f(t, g(&s));", "f(s, g(&s->x), h(&s.x));",
             "f(s, g(s));", '// f(s, g(&s))\n', "if (a) { f(s, 1); g(&s, 2); }"]
    bad = [code for code in wrong if not list(faults(code))] + [code for code in right if list(faults(code))]
    return ["the check misjudges: " + code for code in bad]


def main():
    found, count = self_test(), 0
    for top in ["include", "src", "cli", "scenes", "bench", "examples", "fuzz", "tests"]:
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            for name in sorted(name for name in names if name.endswith((".c", ".h", ".cpp", ".hpp"))):
                count += 1
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found += [f"{os.path.relpath(path, ROOT)}:{line}: depends on the order of evaluation: {code}"
                              for line, code in faults(file.read())]
    print("\n".join(found) if found else f"no argument of {count} files depends on the order of evaluation")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
