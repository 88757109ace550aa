#!/usr/bin/env bash
# Compare the ABI of the shared library with that of the last tag, by abidiff.
#   check_abi.sh SCRATCH
# Versions with the same major and minor number have the same SOVERSION: between those, additions are
# allowed and everything else fails. Otherwise the ABI may differ, and nothing is compared.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=${1:?usage: check_abi.sh SCRATCH}
tag=$(git -C "$root" describe --tags --abbrev=0)
rm -rf "$scratch"
mkdir -p "$scratch/tagged"
git -C "$root" archive "$tag" | tar -x -C "$scratch/tagged"

soversion() { sed -n 's/^project(fracas VERSION \([0-9]*\.[0-9]*\).*/\1/p' "$1/CMakeLists.txt"; }
if [ "$(soversion "$root")" != "$(soversion "$scratch/tagged")" ]; then
    echo "$tag has the SOVERSION $(soversion "$scratch/tagged"), this is $(soversion "$root"): the ABI may differ"
    exit 0
fi

build() { # SOURCE NAME: the shared library with debug information, from which abidiff reads the types
    cmake -S "$1" -B "$scratch/$2" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_SHARED_LIBS=ON -DFRACAS_TESTS=OFF
    cmake --build "$scratch/$2" --target fracas_shared
}
build "$scratch/tagged" old
build "$root" new

abidiff --no-added-syms --headers-dir1 "$scratch/tagged/include" --headers-dir2 "$root/include" \
    "$scratch/old/libfracas.so" "$scratch/new/libfracas.so"
