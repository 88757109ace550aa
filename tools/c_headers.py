"""Parse the public headers into a model of plain data: constants, enumerations, structures,
function types, functions, and the comments of all of them.

It reads declarations only, in the style of include/fracas: what it does not understand is an error
with file and line, so nothing is left out silently. A type is a tuple:
  ("name", NAME)   ("pointer", TYPE)   ("array", TYPE, COUNT)   ("function", RESULT, PARAMETERS)
  ("const", TYPE)
"""
import dataclasses
import os
import re

TOKEN = re.compile(r"""
    (?P<doc>///[^\n]*) | (?P<comment>//[^\n]*|/\*.*?\*/) |
    (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*) |
    (?P<name>[A-Za-z_]\w*) | (?P<number>(?:0[xX][0-9a-fA-F]+|\.?\d(?:[eE][+-]|[\w.])*)) |
    (?P<string>"(?:\\.|[^"\\])*") | (?P<space>\s+) | (?P<sign><<|>>|\.\.\.|.)
    """, re.X | re.S | re.M)
DEFINE = re.compile(r"\s*#\s*define\s+(\w+)(\([^)]*\))?[ \t]*(.*)", re.S)
WORDS = {"void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
         "_Bool"}
LIMITS = {"UINT8_MAX": 2**8 - 1, "UINT16_MAX": 2**16 - 1, "UINT32_MAX": 2**32 - 1,
          "UINT64_MAX": 2**64 - 1, "INT32_MAX": 2**31 - 1, "INT64_MAX": 2**63 - 1,
          "true": 1, "false": 0}


class HeaderError(Exception):
    """A declaration that is not understood."""


@dataclasses.dataclass
class Member:
    """A field of a structure, a parameter, or (with a value) a name of an enumeration."""
    name: str
    type: tuple | None = None
    doc: str = ""
    value: int | None = None


@dataclasses.dataclass
class Record:
    """A structure or a union. Without fields it is opaque. An anonymous one has no name."""
    name: str
    is_union: bool
    fields: list | None
    doc: str = ""


@dataclasses.dataclass
class Model:
    """Everything that the headers declare, in their order."""
    constants: dict = dataclasses.field(default_factory=dict)   # name: value
    enums: dict = dataclasses.field(default_factory=dict)       # name: (values, doc)
    records: dict = dataclasses.field(default_factory=dict)     # name: Record
    aliases: dict = dataclasses.field(default_factory=dict)     # name: (type, doc)
    functions: dict = dataclasses.field(default_factory=dict)   # name: (result, parameters, doc)
    attributes: set = dataclasses.field(default_factory=set)    # macros without a value


def evaluate(text, known):
    """The value of a constant expression, or None."""
    def replace(match):
        word = match.group(0)
        if word[0].isdigit() or word[0] == ".":
            is_hex = word[:2].lower() == "0x"
            return word.rstrip("uUlL") if is_hex else word.rstrip("uUlLfF")
        if word in known:
            return repr(known[word])
        raise KeyError(word)
    if not text or not re.fullmatch(r"[\w\s.()+\-*/|&~<>]+", text):
        return None
    try:
        return eval(re.sub(r"\.?\d(?:[eE][+-]|[\w.])*|[A-Za-z_]\w*", replace, text), {})
    except (KeyError, SyntaxError, TypeError, NameError):
        return None


class Parser:
    """One header."""

    def __init__(self, path, model):
        self.path, self.model, self.tokens, self.at = path, model, [], 0
        with open(path, encoding="utf-8") as file:
            text = file.read()
        line = 1
        for match in TOKEN.finditer(text):
            kind = match.lastgroup
            if kind not in ("comment", "space"):
                self.tokens.append((kind, match.group(0), line))
            elif kind == "space" and match.group(0).count("\n") > 1:
                self.tokens.append(("blank", "", line))
            line += match.group(0).count("\n")

    # ---- tokens

    def fail(self, what):
        line = self.tokens[min(self.at, len(self.tokens) - 1)][2] if self.tokens else 1
        raise HeaderError(f"{self.path}:{line}: {what}")

    def skip(self):
        while self.at < len(self.tokens) and self.tokens[self.at][0] in ("doc", "blank"):
            self.at += 1

    def peek(self, ahead=0):
        self.skip()
        at = self.at
        for _ in range(ahead):
            at += 1
            while at < len(self.tokens) and self.tokens[at][0] in ("doc", "blank"):
                at += 1
        return self.tokens[at][1] if at < len(self.tokens) else ""

    def take(self, wanted=None):
        text = self.peek()
        if not text or (wanted is not None and text != wanted):
            self.fail(f"expected {wanted!r} instead of {text!r}" if wanted else "unexpected end")
        self.at += 1
        return text

    def take_if(self, wanted):
        if self.peek() != wanted:
            return False
        self.at += 1
        return True

    def doc_before(self):
        """The comment above what follows; a blank line or a directive ends it."""
        lines = []
        while self.at < len(self.tokens) and self.tokens[self.at][0] in ("doc", "blank"):
            kind, text, _ = self.tokens[self.at]
            if kind == "blank":
                lines = []
            elif not text.startswith("///<"):
                lines.append(text[3:].removeprefix(" "))
            self.at += 1
        return "\n".join(lines).strip()

    def doc_after(self, line):
        """A comment `///<` that begins in `line`; it may continue in the next ones."""
        lines = []
        while self.at < len(self.tokens):
            kind, text, number = self.tokens[self.at]
            if kind != "doc" or not text.startswith("///<") or number > line + len(lines):
                break
            lines.append(text[4:].strip())
            self.at += 1
        return "\n".join(lines)

    def last_line(self):
        return self.tokens[self.at - 1][2]

    # ---- declarations

    def parse(self):
        conditions = []
        while True:
            doc = self.doc_before()
            if self.at >= len(self.tokens):
                break
            kind, text, _ = self.tokens[self.at]
            if kind == "directive":
                self.at += 1
                self.directive(text, conditions)
            else:
                self.declaration(doc)
        if conditions:
            self.fail("#if without #endif")

    def directive(self, text, conditions):
        word = re.match(r"\s*#\s*(\w+)", text).group(1)
        if word in ("if", "ifdef", "ifndef"):
            conditions.append(word)
        elif word == "endif":
            conditions.pop()
        elif word == "define":
            name, parameters, value = DEFINE.match(text).groups()
            value = re.sub(r"//.*|/\*.*?\*/", "", value, flags=re.S).strip()
            number = None if parameters else evaluate(value, self.known())
            if number is not None:
                self.model.constants[name] = number
            elif value.startswith('"') and not parameters:
                self.model.constants[name] = value[1:-1]
            elif not value or conditions:
                self.model.attributes.add(name)
            else:
                self.fail(f"{name}: its value is not a constant")
        elif word not in ("include", "pragma", "else", "elif", "undef"):
            self.fail(f"#{word} is not understood")

    def known(self):
        known = {**LIMITS, **self.model.constants}
        for values, _ in self.model.enums.values():
            known.update((value.name, value.value) for value in values)
        return known

    def declaration(self, doc):
        if self.take_if(";"):
            return
        if self.peek() in ("_Static_assert", "static_assert"):
            while self.take() != ";":
                pass
            return
        is_typedef = self.take_if("typedef")
        is_static = False
        while self.peek() in self.model.attributes or self.peek() in ("static", "inline", "extern"):
            is_static |= self.take() == "static"
        base = self.base_type(doc)
        if self.take_if(";"):
            return
        while True:
            name, kind = self.declarator(base)
            if not is_typedef and self.peek() == "{":
                if not is_static:
                    self.fail(f"{name} has a body")
                self.skip_braces()  # static inline: not in the library
                return
            separator = self.take()
            text = "\n".join(filter(None, [doc, self.doc_after(self.last_line())]))
            self.declared(name, kind, text, is_typedef, is_static)
            if separator == ";":
                return
            if separator != ",":
                self.fail(f"{separator!r} is not understood")

    def declared(self, name, kind, doc, is_typedef, is_static):
        if is_typedef:
            if kind != ("name", name):
                self.model.aliases[name] = (kind, doc)
            elif name in self.model.records and doc and not self.model.records[name].doc:
                self.model.records[name].doc = doc
        elif kind[0] == "function" and not is_static:
            if name in self.model.functions:
                self.fail(f"{name} is declared twice")
            self.model.functions[name] = (kind[1], kind[2], doc)
        elif not is_static:
            self.fail(f"{name} is a variable; libraries have functions only")

    def skip_braces(self):
        depth = 0
        while True:
            text = self.take()
            depth += (text == "{") - (text == "}")
            if depth == 0:
                return

    def base_type(self, doc=""):
        const = False
        while self.peek() in ("const", "volatile"):
            const |= self.take() == "const"
        word = self.take()
        if word in ("struct", "union"):
            kind = self.record(word == "union", doc)
        elif word == "enum":
            kind = self.enumeration(doc)
        elif word in WORDS:
            words = [word]
            while self.peek() in WORDS:
                words.append(self.take())
            kind = ("name", " ".join(words))
        elif re.fullmatch(r"[A-Za-z_]\w*", word):
            kind = ("name", word)
        else:
            self.fail(f"a type is expected, not {word!r}")
        while self.peek() in ("const", "volatile"):
            const |= self.take() == "const"
        return ("const", kind) if const else kind

    def record(self, is_union, doc):
        name = "" if self.peek() == "{" else self.take()
        fields = None
        if self.take_if("{"):
            fields = []
            doc_of_field = self.doc_before()
            while not self.take_if("}"):
                fields += self.field(doc_of_field)
                doc_of_field = self.doc_before()
        record = Record(name, is_union, fields, doc)
        if not name:
            return ("record", record)
        old = self.model.records.get(name)
        if old is None or old.fields is None:
            if old and not record.doc:
                record.doc = old.doc
            if not (old and fields is None):
                self.model.records.pop(name, None)
                self.model.records[name] = record
        return ("name", name)

    def field(self, doc):
        base = self.base_type()
        if self.take_if(";"):  # an anonymous structure or union
            return [Member("", base, doc)]
        found = []
        while True:
            name, kind = self.declarator(base)
            if self.peek() == ":":
                self.fail(f"{name}: bit fields are not understood")
            found.append(Member(name, kind, doc))
            separator = self.take()
            after = self.doc_after(self.last_line())
            if after:
                found[-1].doc = "\n".join(filter(None, [doc, after]))
            if separator == ";":
                return found
            if separator != ",":
                self.fail(f"{separator!r} is not understood")

    def enumeration(self, doc):
        name = "" if self.peek() == "{" else self.take()
        if not self.take_if("{"):
            return ("name", name)
        values, value = [], -1
        while True:
            text = self.doc_before()
            if self.take_if("}"):
                break
            member = self.take()
            value += 1
            if self.take_if("="):
                words = []
                while self.peek() not in (",", "}"):
                    words.append(self.take())
                known = {**self.known(), **{v.name: v.value for v in values}}
                value = evaluate(" ".join(words), known)
                if value is None:
                    self.fail(f"{member}: its value is not a constant")
            self.take_if(",")
            after = self.doc_after(self.last_line())
            values.append(Member(member, None, "\n".join(filter(None, [text, after])), value))
        if not name:
            self.model.constants.update((v.name, v.value) for v in values)
            return ("name", "int")
        self.model.enums[name] = (values, doc)
        return ("name", name)

    def declarator(self, base):
        """Name and type: pointers, then a name or a declarator in brackets, then suffixes."""
        while self.take_if("*"):
            base = ("pointer", base)
            while self.peek() in ("const", "restrict", "volatile"):
                self.take()
        inner = None
        name = ""
        if self.peek() == "(" and self.peek(1) in ("*", "("):
            self.take("(")
            inner = self.at
            depth = 1
            while depth:
                text = self.take()
                depth += (text == "(") - (text == ")")
        elif re.fullmatch(r"[A-Za-z_]\w*", self.peek()):
            name = self.take()
        kind = self.suffixes(base)
        if inner is None:
            return name, kind
        end, self.at = self.at, inner
        name, kind = self.declarator(kind)
        self.take(")")
        self.at = end
        return name, kind

    def suffixes(self, base):
        if self.take_if("["):
            words = []
            while not self.take_if("]"):
                words.append(self.take())
            words = [word for word in words if word not in ("static", "const")]
            count = evaluate(" ".join(words), self.known()) if words else 0
            if count is None:
                self.fail(f"[{' '.join(words)}] is not a constant")
            return ("array", self.suffixes(base), count)
        if self.take_if("("):
            return ("function", base, self.parameters())
        return base

    def parameters(self):
        if self.peek() == "void" and self.peek(1) == ")":
            self.take()
        found = []
        while not self.take_if(")"):
            if self.peek() == "...":
                self.fail("a function with any number of arguments is not understood")
            name, kind = self.declarator(self.base_type())
            if kind[0] == "array":
                kind = ("pointer", kind[1])
            elif kind[0] == "function":
                kind = ("pointer", kind)
            found.append(Member(name, kind))
            self.take_if(",")
        return found


def headers(folder):
    """All headers of a folder, each after those that it includes."""
    found = []

    def visit(name):
        if name in found:
            return
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for other in re.findall(r'#include "fracas/(\w+\.h)"', file.read()):
                visit(other)
        if name not in found:
            found.append(name)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".h"):
            visit(name)
    return [os.path.join(folder, name) for name in found]


def read_headers(folder):
    """The model of all headers of a folder."""
    model = Model()
    for path in headers(folder):
        Parser(path, model).parse()
    return model
