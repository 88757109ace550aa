#!/usr/bin/env bash
# Install a copy, move it, build tests/package/external against it in both ways, run the results.
#   test_package.sh static|shared SOURCE BUILD COMPILER SCRATCH
# `static` installs what BUILD has; `shared` builds the library anew in SCRATCH.
set -euo pipefail
kind=$1 source=$2 build=$3 compiler=$4 scratch=$5
external=$source/tests/package/external
rm -rf "$scratch/copy" "$scratch/moved" "$scratch/found"
mkdir -p "$scratch"

say() { printf '%s\n' "$*"; }
quiet() {
    if ! "$@" >"$scratch/log" 2>&1; then
        say "failed: $*"
        tail -n 40 "$scratch/log"
        exit 1
    fi
}

if [ "$kind" = shared ]; then
    quiet cmake -S "$source" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$compiler" \
        -DBUILD_SHARED_LIBS=ON -DFRACAS_TESTS=OFF
    quiet cmake --build "$scratch/build" --target fracas_shared -- -j2
    build=$scratch/build
fi
quiet cmake --install "$build" --prefix "$scratch/copy" --component development
# An installed copy must not remember where it was installed.
mv "$scratch/copy" "$scratch/moved"
prefix=$scratch/moved

# Only what is public may be seen in the shared library.
library=$(find "$prefix" -name 'libfracas.so' -o -name 'libfracas.a')
say "library: ${library#"$prefix"/}"
if [ "$kind" = shared ]; then
    leaked=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^fracas_' || true)
    [ -z "$leaked" ] || { say "symbols that should be hidden: $leaked"; exit 1; }
fi

# find_package
quiet cmake -S "$external" -B "$scratch/found" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$compiler"
quiet cmake --build "$scratch/found"
say "find_package: $("$scratch/found/external") contact"

# pkg-config
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name fracas.pc)")
export PKG_CONFIG_PATH
read -ra flags <<<"$(pkg-config --cflags fracas)"
read -ra libraries <<<"$(pkg-config --libs fracas)"
quiet "$compiler" -std=c17 -Wall -Wextra -Werror "${flags[@]}" "$external/main.c" -o "$scratch/by_pkg_config" "${libraries[@]}"
say "pkg-config $(pkg-config --modversion fracas): $(LD_LIBRARY_PATH=$(dirname "$library") "$scratch/by_pkg_config") contact"
