"""The generated module is that of the headers, and agrees with the compiler."""
import os
import shutil
import subprocess
import sys

import pytest

import fracas
from conftest import ROOT

GENERATOR = os.path.join(ROOT, "tools", "python_abi.py")
pytestmark = pytest.mark.skipif(not os.path.isfile(GENERATOR), reason="not in the repository")


def generate(*arguments, folder=None):
    command = [sys.executable, GENERATOR if folder is None else os.path.join(
        folder, "tools", "python_abi.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_drift():
    run = generate("--check")
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_compiler_agrees(tmp_path):
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("needs a C compiler")
    program = generate("--c").stdout
    assert program.count("_Static_assert") > 1000

    def compiles(text):
        (tmp_path / "abi.c").write_text(text)
        return subprocess.run([compiler, "-std=c17", "-w", "-fsyntax-only", "-I",
                               os.path.join(ROOT, "include"), str(tmp_path / "abi.c")],
                              capture_output=True, text=True, check=False)
    run = compiles(program)
    assert run.returncode == 0, run.stderr
    # The assertions can fail: an offset, a size, a type, a constant, a parameter.
    for old, new in (("offsetof(fracas_contact, toi) == 40", "offsetof(fracas_contact, toi) == 44"),
                     ("sizeof(fracas_query) == ", "sizeof(fracas_query) == 1"),
                     ("((fracas_contact*)0)->u, double: 1", "((fracas_contact*)0)->u, float: 1"),
                     ("FRACAS_NONE == 4294967295", "FRACAS_NONE == 4294967294"),
                     ("double distance,", "float distance,")):
        assert old in program, old
        assert compiles(program.replace(old, new)).returncode != 0, old


@pytest.fixture
def copy(tmp_path):
    """A copy of what the generator reads and writes."""
    shutil.copytree(os.path.join(ROOT, "include"), tmp_path / "include")
    shutil.copytree(os.path.join(ROOT, "tools"), tmp_path / "tools")
    (tmp_path / "python" / "fracas").mkdir(parents=True)
    return tmp_path


NEW = """#pragma once
#include "fracas/base.h"

#define FRACAS_NEW_FLAG (1u << 4 | FRACAS_VERSION_MINOR)

typedef struct fracas_thing fracas_thing;  // opaque

/// Kinds.
typedef enum fracas_thing_kind {
    FRACAS_THING_KIND_A = -2,  ///< the first
    FRACAS_THING_KIND_B        ///< the second
} fracas_thing_kind;

/// What is new.
typedef struct fracas_news {
    uint32_t struct_size;
    struct { float x, y; } at[FRACAS_NEW_FLAG];
    union {
        const double (*rows)[3];
        void (*call)(fracas_thing* thing, const uint8_t key[16], void* user);
    };
    const char* name;  ///< may be NULL
    int16_t small[2][3];
} fracas_news;

typedef int fracas_thing_fn(const fracas_news* news, fracas_thing_kind kind);

static inline uint32_t fracas_twice(uint32_t x) { return x * 2; }

/// Make news.
/// @return nothing
FRACAS_API void fracas_thing_make(fracas_thing** out, fracas_thing_fn* fn, const double (*rows)[3],
                                  fracas_news news);
FRACAS_API uint64_t fracas_thing_count(void);
"""


def test_new_declarations_are_taken_in(copy):
    (copy / "include" / "fracas" / "thing.h").write_text(NEW)
    shutil.copy(os.path.join(os.path.dirname(fracas.__file__), "_abi.py"),
                copy / "python" / "fracas")
    shutil.copy(os.path.join(os.path.dirname(fracas.__file__), "_abi.pyi"),
                copy / "python" / "fracas")
    drift = generate("--check", folder=copy)
    assert drift.returncode == 1 and "_abi.py is not what the headers say" in drift.stdout
    assert generate(folder=copy).returncode == 0
    assert generate("--check", folder=copy).returncode == 0
    text = (copy / "python" / "fracas" / "_abi.py").read_text()
    space = {}
    exec(compile(text, "_abi.py", "exec"), space)  # pylint: disable=exec-used
    assert space["FRACAS_NEW_FLAG"] == 17
    assert space["fracas_thing_kind"].B == -1 and "A: the first" in space["fracas_thing_kind"].__doc__
    news = space["fracas_news"]
    assert news.at.size == 17 * 8 and news.name.offset == news.rows.offset + 8
    assert news.rows.offset == news.call.offset and "name: may be NULL" in news.__doc__
    result, arguments, doc = space["FUNCTIONS"]["fracas_thing_make"]
    assert result is None and [name for name, _ in arguments] == ["out", "fn", "rows", "news"]
    assert doc.startswith("Make news.") and "fracas_twice" not in space["FUNCTIONS"]
    assert "fracas_thing_count: Callable[[], int]" in (
        copy / "python" / "fracas" / "_abi.pyi").read_text()
    # And the compiler agrees with all of it.
    (copy / "python" / "fracas" / "__init__.py").write_text("")
    program = generate("--c", folder=copy).stdout
    (copy / "abi.c").write_text(program)
    subprocess.run([os.environ.get("CC") or "cc", "-std=c17", "-w", "-fsyntax-only", "-I",
                    str(copy / "include"), str(copy / "abi.c")], check=True)


@pytest.mark.parametrize("text, words", [
    ("FRACAS_API int fracas_print(const char* format, ...);", "any number of arguments"),
    ("typedef struct fracas_bits { uint32_t a : 3; } fracas_bits;", "bit fields"),
    ("extern int fracas_state;", "is a variable"),
    ("#define FRACAS_MIN(a, b) ((a) < (b) ? (a) : (b))", "is not a constant"),
    ("FRACAS_API fracas_unknown fracas_f(void);", "fracas_unknown is unknown"),
    ("FRACAS_API int fracas_f(int a)", "unexpected end|is not understood"),
])
def test_what_is_not_understood_is_an_error(copy, text, words):
    path = copy / "include" / "fracas" / "thing.h"
    path.write_text("#pragma once\n#include \"fracas/base.h\"\n" + text + "\n")
    run = generate(folder=copy)
    assert run.returncode == 1
    import re
    assert re.search(words, run.stderr), run.stderr


def test_comments_become_docstrings():
    assert "Work of one query" in fracas.abi.fracas_statistics.__doc__
    assert fracas.lib.fracas_scene_nearby.__doc__.startswith("fracas_scene_nearby(scene, distance,")
    assert fracas.abi.fracas_contact.toi.offset == 40


def test_all_functions_are_in_the_library():
    text = "".join(open(os.path.join(ROOT, "include", "fracas", name), encoding="utf-8").read()
                   for name in os.listdir(os.path.join(ROOT, "include", "fracas")))
    declared = text.count("\nFRACAS_API ")
    assert declared == len(fracas.abi.FUNCTIONS) > 140
    for name in fracas.abi.FUNCTIONS:
        absent = name.startswith("fracas_cuda_") and not fracas.lib.has_cuda
        assert absent != hasattr(fracas.lib, name), name
