#!/usr/bin/env bash
# Install, move the copy, check its files, build tests/package/external against it in both ways.
#   test_package.sh static|shared SOURCE BUILD COMPILER SCRATCH
# `static` installs what BUILD has. `shared` builds the preset `install` in SCRATCH with a shared library, and
# libfracas-cuda with the emulated device; with little optimization, to compile sooner.
set -euo pipefail
kind=$1 source=$2 build=$3 compiler=$4 scratch=$5
external=$source/tests/package/external
rm -rf "$scratch/copy" "$scratch/moved" "$scratch/found"
mkdir -p "$scratch"

say() { printf '%s\n' "$*"; }
die() { say "$*"; exit 1; }
quiet() {
    if ! "$@" >"$scratch/log" 2>&1; then
        say "failed: $*"
        tail -n 40 "$scratch/log"
        exit 1
    fi
}

if [ "$kind" = shared ]; then
    build=$scratch/build
    (cd "$source" && quiet cmake --preset install -B "$build" "-DCMAKE_C_COMPILER=$compiler" -DBUILD_SHARED_LIBS=ON \
        -DFRACAS_CUDA=EMULATED "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG")
    quiet cmake --build "$build" --parallel 2
    # A user's build has no tests, benchmarks or examples, and does not search for their libraries.
    ! grep -E '^(CMOCKA|GMP)_' "$build/CMakeCache.txt" || die "the preset 'install' looks for libraries of the tests"
    other=$(find "$build" -type f -perm -u+x \( -name 'test_*' -o -name 'example_*' -o -name 'fracas-bench-*' \))
    [ -z "$other" ] || die "the preset 'install' builds more than library and program: $other"
fi
quiet cmake --install "$build" --prefix "$scratch/copy"
# An installed copy must not depend on where it was installed.
mv "$scratch/copy" "$scratch/moved"
prefix=$scratch/moved
library=$(find "$prefix" -name 'libfracas.so' -o -name 'libfracas.a')
say "library: ${library#"$prefix"/}"

# Installed files.
for file in bin/fracas include/fracas/fracas.h share/man/man1/fracas.1 share/doc/fracas/LICENSE \
    share/doc/fracas/README.md share/doc/fracas/docs/cli.md share/doc/fracas/examples/hello.c; do
    [ -f "$prefix/$file" ] || die "not installed: $file"
done
# cuda.h is there if its library is.
cuda=$(find "$prefix" -name 'libfracas-cuda.so' -o -name 'libfracas-cuda.a')
[ "$kind" = static ] || [ -n "$cuda" ] || die "not installed: libfracas-cuda"
headers() { (cd "$1" && find . -name '*.h' | sort); }
wanted=$(headers "$source/include")
[ -n "$cuda" ] || wanted=$(grep -v '/cuda\.h$' <<<"$wanted")
[ "$(headers "$prefix/include")" = "$wanted" ] || die "the headers are not those of include/"
"$prefix/bin/fracas" --version

# The man page lists exactly the options of the program.
options_of_program() {
    for command in detect scene "scene bricks" play info tet medial; do
        read -ra words <<<"$command"
        "$prefix/bin/fracas" "${words[@]}" --help
    done | grep -oE '^  --[a-z-]+'
    say "  --version"
}
options_of_page() { sed 's/\\-/-/g' "$prefix/share/man/man1/fracas.1" | grep -oE '(^|[ "])--[a-z-]+' | tr -d ' "'; }
diff <(options_of_program | tr -d ' ' | sort -u) <(options_of_page | sort -u) ||
    die "docs/fracas.1 (>) and 'fracas COMMAND --help' (<) differ in their options"

if [ "$kind" = shared ]; then
    for file in "$library" "$cuda"; do
        leaked=$(nm -D --defined-only "$file" | awk '{print $3}' | grep -v '^fracas_' || true)
        [ -z "$leaked" ] || die "symbols of $file that should be hidden: $leaked"
    done
    # Minor versions may break the ABI: their number is part of the soname.
    version=$("$prefix/bin/fracas" --version | grep -oE '[0-9]+\.[0-9]+' | head -1)
    objdump -p "$library" | grep -q "SONAME *libfracas.so.$version\$" || die "the SONAME is not libfracas.so.$version"
else
    "$prefix/bin/fracas" bench | grep -q hashes || die "'fracas bench' does not find the installed benchmarks"
fi

# find_package
quiet cmake -S "$external" -B "$scratch/found" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$compiler"
quiet cmake --build "$scratch/found"
say "find_package: $("$scratch/found/external") contact"
[ -z "$cuda" ] || say "find_package with cuda: $("$scratch/found/external_cuda") contact"

# pkg-config
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name fracas.pc)")
export PKG_CONFIG_PATH
by_pkg_config() { # PACKAGE FLAG...
    local package=$1 flags libraries
    shift
    read -ra flags <<<"$(pkg-config --cflags "$package")"
    read -ra libraries <<<"$(pkg-config --libs "$package")"
    quiet "$compiler" -std=c17 -Wall -Wextra -Werror "${flags[@]}" "$@" "$external/main.c" \
        -o "$scratch/by_pkg_config" "${libraries[@]}"
    say "pkg-config $package $(pkg-config --modversion "$package"):" \
        "$(LD_LIBRARY_PATH=$(dirname "$library") "$scratch/by_pkg_config") contact"
}
by_pkg_config fracas
[ -z "$cuda" ] || by_pkg_config fracas-cuda -DEXTERNAL_CUDA
