#!/usr/bin/env python3
"""Generate python/fracas/_abi.py and _abi.pyi from include/fracas/*.h.

  python_abi.py            write both files
  python_abi.py --check    fail when they differ from what would be written
  python_abi.py --c        print a C program of assertions that compares sizes, offsets, types and
                           constants of _abi.py, and the declarations as they were parsed, with the
                           compiler's: it compiles, or names what differs

c_headers.py parses the headers. Pointers to numbers are addresses (c_void_p), because numpy gives
and takes addresses; pointers to structures keep their type.
"""
import ctypes
import os
import sys
import textwrap

import c_headers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "python", "fracas")
NUMBERS = {"bool": "c_bool", "_Bool": "c_bool", "char": "c_char", "float": "c_float",
           "double": "c_double", "size_t": "c_size_t", "int": "c_int", "unsigned": "c_uint",
           "unsigned int": "c_uint", "uintptr_t": "c_size_t", "ptrdiff_t": "c_ssize_t",
           **{f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u")
              for bits in (8, 16, 32, 64)}}
TAKES = {"c_bool": "bool", "c_char": "bytes", "c_float": "float", "c_double": "float"}


def plain(kind):
    """A type without const."""
    return plain(kind[1]) if kind[0] == "const" else kind


class Writer:
    """Both files, line by line."""

    def __init__(self, model):
        self.model = model
        self.anonymous = []  # records without a name of their own: (name, record)

    # ---- types

    def enum_type(self, name):
        values, _ = self.model.enums[name]
        return "c_int" if any(value.value < 0 for value in values) else "c_uint"

    def is_record(self, kind):
        kind = plain(kind)
        return kind[0] == "name" and kind[1] in self.model.records

    def ctype(self, kind):
        """The type in Python source."""
        kind = plain(kind)
        if kind[0] == "name":
            name = kind[1]
            if name in self.model.enums:
                return self.enum_type(name)
            if name in self.model.records:
                return name
            if name in self.model.aliases:
                return self.ctype(self.model.aliases[name][0])
            if name not in NUMBERS:
                raise c_headers.HeaderError(f"the type {name} is unknown")
            return NUMBERS[name]
        if kind[0] == "array":
            return f"{self.ctype(kind[1])} * {kind[2]}"
        if kind[0] == "function":
            return self.callback(kind)
        if kind[0] == "record":
            return next(name for name, record in self.anonymous if record is kind[1])
        target = plain(kind[1])
        if kind[1] == ("const", ("name", "char")):
            return "c_char_p"
        if target[0] == "function":
            return self.callback(target)
        if target[0] == "name" and target[1] in self.model.aliases:
            return target[1]
        if target[0] == "pointer" and self.is_record(target[1]):
            return f"POINTER(POINTER({plain(target[1])[1]}))"
        return f"POINTER({target[1]})" if self.is_record(target) else "c_void_p"

    def callback(self, kind):
        arguments = [self.ctype(parameter.type) for parameter in kind[2]]
        return f"CFUNCTYPE({', '.join([self.result(kind[1])] + arguments)})"

    def result(self, kind):
        return "None" if plain(kind) == ("name", "void") else self.ctype(kind)

    def hint(self, kind, given=False):
        """The type for a checker: of a value that is read, or (given) of one that is passed."""
        name = self.result(kind)
        if name == "None":
            return name
        if name.startswith("POINTER(POINTER("):
            return f"_Ref[ctypes._Pointer[{name[16:-2]}]]"
        if name.startswith("POINTER("):
            return f"_Ref[{name[8:-1]}]" if given else f"ctypes._Pointer[{name[8:-1]}]"
        if name == "c_void_p":
            return "_Address" if given else "int | None"
        if name == "c_char_p":
            return "bytes | None"
        if name.startswith("CFUNCTYPE"):
            return "Any"
        if " * " in name:
            inner = plain(kind)
            return f"ctypes.Array[{self.element(inner[1])}]"
        return TAKES.get(name, "int") if name.startswith("c_") else name

    def element(self, kind):
        kind = plain(kind)
        if kind[0] == "array":
            return f"ctypes.Array[{self.element(kind[1])}]"
        name = self.ctype(kind)
        return f"ctypes.{name}" if name.startswith("c_") else name

    # ---- the module

    def docstring(self, text, indent):
        if not text:
            return []
        text = text.replace("\\", "\\\\").replace('"""', "'''")
        lines = textwrap.indent(f'"""{text}"""', indent).split("\n")
        return [line.rstrip() for line in lines]

    def member_docs(self, doc, fields):
        lines = [f"{field.name}: {' '.join(field.doc.split())}" for field in fields if field.doc]
        wrapped = [textwrap.fill(line, 92, subsequent_indent="    ") for line in lines]
        return "\n".join(filter(None, [doc, "\n".join(wrapped)]))

    def short_names(self, enum, values):
        """Names of an enumeration without its name, or else without their common beginning."""
        begin = enum.upper() + "_"
        if all(value.name.startswith(begin) for value in values):
            names = [value.name[len(begin):] for value in values]
            return [name if name.isidentifier() else "_" + name for name in names]
        split = [value.name.split("_") for value in values]
        common = 0
        while all(len(words) > common + 1 for words in split) and \
                len({words[common] for words in split}) == 1:
            common += 1
        if len(values) == 1:
            common = 1
        names = ["_".join(words[common:]) for words in split]
        return [name if name.isidentifier() else "_" + name for name in names]

    def name_anonymous(self):
        """Give names to structures and unions inside others."""
        def visit(name, record):
            for number, field in enumerate(record.fields or []):
                kind = plain(field.type)
                if kind[0] == "array":
                    kind = plain(kind[1])
                if kind[0] == "record":
                    inner = f"_{name.lstrip('_')}_{number}"
                    visit(inner, kind[1])
                    self.anonymous.append((inner, kind[1]))
        for name, record in list(self.model.records.items()):
            visit(name, record)

    def module(self):
        out = ['"""The C interface of Fracas: generated from include/fracas by tools/python_abi.py.',
               "", "Do not edit: change the headers, and run the script.", '"""',
               "import ctypes", "import enum",
               "from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_bool, c_char, c_char_p,",
               "                    c_double, c_float, c_int, c_int8, c_int16, c_int32, c_int64,",
               "                    c_size_t, c_ssize_t, c_uint, c_uint8, c_uint16, c_uint32,",
               "                    c_uint64, c_void_p)", "from typing import Any", ""]
        for name, value in self.model.constants.items():
            out.append(f"{name} = {value!r}")
        for name, (values, doc) in self.model.enums.items():
            out += ["", "", f"class {name}(enum.IntEnum):"]
            short = self.short_names(name, values)
            named = [c_headers.Member(new, None, value.doc) for new, value in zip(short, values)]
            out += self.docstring(self.member_docs(doc, named) or f"{name} of C.", "    ")
            out += [f"    {new} = {value.value}" for new, value in zip(short, values)]
        self.name_anonymous()
        records = [(name, record) for name, record in self.model.records.items()]
        for name, record in self.anonymous + records:
            base = "Union" if record.is_union else "Structure"
            text = self.member_docs(record.doc, record.fields or [])
            out += ["", "", f"class {name}({base}):"]
            out += self.docstring(text, "    ") or [f'    """{name} of C."""']
        out += ["", ""]
        for name, (kind, doc) in self.model.aliases.items():
            if plain(kind)[0] == "function":
                out += [f"# {line}" for line in doc.split("\n") if doc]
                out += self.wrapped(f"{name} = ", self.callback(plain(kind)))
        for name, record in self.sorted_records(records):
            out += self.fields(name, record)
        out += ["", "# By function: result, arguments, comment.", "FUNCTIONS: dict[str, Any] = {"]
        for name, (result, parameters, doc) in self.model.functions.items():
            out += [f'    "{name}": (', f"        {self.result(result)},", "        (" +
                    "".join(f'\n            ("{p.name}", {self.ctype(p.type)}),' for p in parameters)
                    + "),"]
            out += self.docstring(doc, "        ") or ['        ""']
            out[-1] += "),"
        return "\n".join(out + ["}", LIBRARY])

    def sorted_records(self, records):
        """Structures after those that they contain by value."""
        every = dict(self.anonymous + records)
        done = []

        def visit(name):
            if name in done:
                return
            for field in every[name].fields or []:
                kind = plain(field.type)
                while kind[0] == "array":
                    kind = plain(kind[1])
                if kind[0] == "record" or self.is_record(kind):
                    visit(self.ctype(kind))
            if name not in done:
                done.append(name)
        for name in every:
            visit(name)
        return [(name, every[name]) for name in done if every[name].fields is not None]

    def wrapped(self, begin, text):
        lines = textwrap.wrap(begin + text, 96, subsequent_indent="    ", break_long_words=False)
        return lines

    def fields(self, name, record):
        hidden = [f"_{number}" for number, f in enumerate(record.fields) if not f.name]
        out = [f'{name}._anonymous_ = ({", ".join(map(repr, hidden))},)'] if hidden else []
        out.append(f"{name}._fields_ = [")
        for number, field in enumerate(record.fields):
            out.append(f'    ("{field.name or f"_{number}"}", {self.ctype(field.type)}),')
        return out + ["]"]

    # ---- the stub

    def stub(self):
        out = [STUB]
        out += [f"{name}: {'float' if isinstance(value, float) else type(value).__name__}"
                for name, value in self.model.constants.items()]
        for name, (values, _) in self.model.enums.items():
            out += ["", f"class {name}(enum.IntEnum):"]
            out += [f"    {new} = {value.value}"
                    for new, value in zip(self.short_names(name, values), values)]
        for name, record in self.anonymous + list(self.model.records.items()):
            lines = self.stub_fields(record)
            base = "Union" if record.is_union else "Structure"
            out += ["", f"class {name}(ctypes.{base}):" + ("" if lines else " ...")] + lines
        out.append("")
        for name, (kind, _) in self.model.aliases.items():
            if plain(kind)[0] == "function":
                out.append(f"{name}: Any")
        out += ["", "FUNCTIONS: dict[str, Any]", "", "class Library:", "    path: str",
                "    has_cuda: bool",
                "    def __init__(self, path: str) -> None: ..."]
        for name, (result, parameters, _) in self.model.functions.items():
            arguments = ", ".join(self.hint(p.type, given=True) for p in parameters)
            result_hint = self.hint(result)
            line = f"    {name}: Callable[[{arguments}], {result_hint}]"
            if len(line) > 100:
                inner = textwrap.fill(arguments, 90, initial_indent=" " * 8,
                                      subsequent_indent=" " * 8, break_long_words=False)
                line = f"    {name}: Callable[[\n{inner}\n    ], {result_hint}]"
            out.append(line)
        return "\n".join(out) + "\n"

    def stub_fields(self, record):
        lines = []
        for number, field in enumerate(record.fields or []):
            kind = plain(field.type)
            if not field.name:
                lines.append(f"    _{number}: Any")
                lines += self.stub_fields(kind[1])
            else:
                lines.append(f"    {field.name}: {self.hint(field.type)}")
        return lines


LIBRARY = '''

class Library:
    """The functions of the shared library, by their names in C; each has its comment. Those of
    fracas/cuda.h are in libfracas-cuda only."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.has_cuda = True
        handle = ctypes.CDLL(path)
        for name, (result, arguments, doc) in FUNCTIONS.items():
            try:
                function = getattr(handle, name)
            except AttributeError:
                if name.startswith("fracas_cuda_"):
                    self.has_cuda = False
                    continue
                raise ImportError(f"{path} has no function {name}: it is of another version "
                                  "than the package") from None
            function.restype = result
            function.argtypes = [kind for _, kind in arguments]
            names = ", ".join(argument for argument, _ in arguments)
            function.__doc__ = f"{name}({names})\\n\\n{doc}"
            setattr(self, name, function)
'''

STUB = '''# The C interface of Fracas: generated from include/fracas by tools/python_abi.py.
import ctypes
import enum
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound=ctypes._CData)
_Ref = ctypes._Pointer[_T] | ctypes.Array[_T] | ctypes._CArgObject | None
_Address = int | ctypes.c_void_p | ctypes._CArgObject | ctypes.Array[Any] | None
'''


# ---- comparison with the compiler

def c_type(kind, name=""):
    """A declaration in C, of a type as it was parsed."""
    if kind[0] == "const":
        inner = plain(kind)
        if inner[0] == "name":
            return f"const {inner[1]} {name}"
        return c_type(inner, name)
    if kind[0] == "name":
        return f"{kind[1]} {name}"
    if kind[0] == "pointer":
        wrap = plain(kind[1])[0] in ("array", "function")
        return c_type(kind[1], f"(*{name})" if wrap else f"*{name}")
    if kind[0] == "array":
        return c_type(kind[1], f"{name}[{kind[2] or ''}]")
    arguments = ", ".join(c_type(p.type, p.name) for p in kind[2]) or "void"
    return c_type(kind[1], f"{name}({arguments})")


def c_program(model, abi):
    """Assertions about everything in the module `abi`."""
    out = [f'#include "fracas/{os.path.basename(path)}"'
           for path in c_headers.headers(os.path.join(ROOT, "include", "fracas"))]
    same = '_Static_assert({}, "{}");'.format
    numbers = {ctypes.c_double: "double", ctypes.c_float: "float", ctypes.c_bool: "bool"}
    for name, value in model.constants.items():
        if isinstance(value, int):  # others are no constant expressions of integers
            out.append(same(f"{name} == {getattr(abi, name)!r}", name))
    for name, (values, _) in model.enums.items():
        in_python = list(getattr(abi, name).__members__.values())
        if len(in_python) != len(values):
            raise SystemExit(f"{name} has {len(values)} values, in Python {len(in_python)}")
        out += [same(f"{v.name} == {p.value}", v.name) for v, p in zip(values, in_python)]
    for name, record in model.records.items():
        if record.fields is None:
            continue
        structure = getattr(abi, name)
        out.append(same(f"sizeof({name}) == {ctypes.sizeof(structure)}", f"size of {name}"))

        def visit(outer, fields, base=0, name=name, structure=structure):
            for field, (in_python, kind) in zip(fields, outer._fields_, strict=True):
                descriptor = getattr(outer, in_python)
                if not field.name:
                    visit(kind, plain(field.type)[1].fields, base + descriptor.offset)
                    continue
                place, what = f"(({name}*)0)->{field.name}", f"{name}.{field.name}"
                out.append(same(f"offsetof({name}, {field.name}) == {base + descriptor.offset}",
                                f"offset of {what}"))
                out.append(same(f"sizeof {place} == {ctypes.sizeof(kind)}", f"size of {what}"))
                while hasattr(kind, "_length_"):
                    place, kind = f"{place}[0]", kind._type_
                if kind in numbers:
                    out.append(same(f"_Generic({place}, {numbers[kind]}: 1, default: 0)",
                                    f"type of {what}"))
        visit(structure, record.fields)
    # A second declaration must be compatible with the first.
    for name, (result, parameters, _) in model.functions.items():
        out.append(c_type(("function", result, parameters), name) + ";")
    return "\n".join(out) + "\n"


def main():
    model = c_headers.read_headers(os.path.join(ROOT, "include", "fracas"))
    writer = Writer(model)
    files = {"_abi.py": writer.module(), "_abi.pyi": writer.stub()}
    if "--c" in sys.argv:
        sys.path.insert(0, os.path.dirname(PACKAGE))
        from fracas import _abi  # pylint: disable=import-outside-toplevel
        print(c_program(model, _abi), end="")
        return 0
    different = []
    for name, text in files.items():
        path = os.path.join(PACKAGE, name)
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            continue
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                different.append(name)
    for name in different:
        print(f"python/fracas/{name} is not what the headers say: run tools/python_abi.py")
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except c_headers.HeaderError as error:
        sys.exit(str(error))
