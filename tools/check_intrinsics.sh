#!/usr/bin/env bash
# Intrinsics are allowed in src/base/simd.h and simd_int.h only, so that the scalar build replaces
# all of them.
cd "$(dirname "$0")/.." || exit 2
pattern='#[[:space:]]*include[[:space:]]*[<"](arm_(neon|sve)|[a-z]*mmintrin|x86intrin|wasm_simd128)'
pattern+='|\b_mm(256|512)?_[a-z0-9_]+[[:space:]]*\(|\b__m(128|256|512)[id]?\b'
pattern+='|\bv[a-z0-9]+q?_(lane_|n_)?[fsu](8|16|32|64)[[:space:]]*\(|\b(float|u?int)(8|16|32|64)x(2|4|8|16)(x[234])?_t\b'
pattern+='|\b__builtin_(ia32|neon|aarch64)_|\bwasm_[fiv](8|16|32|64|128)x?[0-9]*_'
found=$(find include src cli scenes bench examples fuzz tests -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' \) \
    ! -path src/base/simd.h ! -path src/base/simd_int.h -print0 | sort -z | xargs -0 grep -nE "$pattern" | grep -vE '^[^:]+:[0-9]+:[[:space:]]*//')
if [ -n "$found" ]; then
    while IFS= read -r line; do
        echo "${line%%:*}:$(cut -d: -f2 <<<"$line"): intrinsics belong in src/base/simd.h:$(cut -d: -f3- <<<"$line")"
    done <<<"$found"
    exit 1
fi
echo "intrinsics are in src/base/simd.h and simd_int.h only"
