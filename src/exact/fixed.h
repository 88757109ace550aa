/// @file fixed.h  Integers of a constant number of 64-bit limbs, least significant first, in two's
/// complement. Lengths are constants of the caller: everything is inlined, and a GPU has the limbs
/// in registers. The caller proves that results fit.
#pragma once
#include "base/host_device.h"
#include <stdbool.h>
#include <stdint.h>

#define FRC_FIXED FRC_DEVICE static inline __attribute__((always_inline))

/// In front of each loop over limbs: gcc -O2 would not unroll it. clang does, and warns where it
/// has removed the loop before.
#if defined(__CUDACC__)
#define FRC_FIXED_UNROLL _Pragma("unroll")
#elif defined(__clang__)
#define FRC_FIXED_UNROLL
#else
#define FRC_FIXED_UNROLL _Pragma("GCC unroll 9")
#endif

__extension__ typedef __int128 frc_i128;
__extension__ typedef unsigned __int128 frc_u128;

/// Limb i of a number of n limbs; beyond them its sign.
FRC_FIXED uint64_t frc_fixed_limb(const uint64_t* a, int n, int i) {
    return i < n ? a[i] : (uint64_t)((int64_t)a[n - 1] >> 63);
}

FRC_FIXED int frc_fixed_sign(const uint64_t* a, int n) {
    uint64_t any = 0;
    FRC_FIXED_UNROLL
    for (int i = 0; i < n; i++) any |= a[i];
    return (int64_t)a[n - 1] < 0 ? -1 : any != 0;
}

/// r = a
FRC_FIXED void frc_fixed_set(uint64_t* r, int n, const uint64_t* a, int na) {
    FRC_FIXED_UNROLL
    for (int i = 0; i < n; i++) r[i] = frc_fixed_limb(a, na, i);
}

FRC_FIXED void frc_fixed_set_i128(uint64_t r[2], frc_i128 a) {
    r[0] = (uint64_t)a, r[1] = (uint64_t)((frc_u128)a >> 64);
}

/// r += a * 2^(64 at), or -=
FRC_FIXED void frc_fixed_add(uint64_t* r, int n, const uint64_t* a, int na, int at, bool minus) {
    uint64_t carry = minus;
    FRC_FIXED_UNROLL
    for (int i = at; i < n; i++) {
        const uint64_t limb = frc_fixed_limb(a, na, i - at);
        const frc_u128 sum = (frc_u128)r[i] + (minus ? ~limb : limb) + carry;
        r[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/// r = a * b
FRC_FIXED void frc_fixed_product(frc_i128 a, int64_t b, uint64_t r[3]) {
    const uint64_t low = (uint64_t)a, b_mask = (uint64_t)(b >> 63);
    const frc_u128 p = (frc_u128)low * (uint64_t)b;
    const frc_i128 high = (frc_i128)(int64_t)(a >> 64) * b + (frc_i128)(p >> 64);
    // As an unsigned factor of `low`, b is larger by 2^64 where it is negative.
    frc_fixed_set_i128(&r[1], high - (frc_i128)(low & b_mask));
    r[0] = (uint64_t)p;
}

/// r[0 .. n] = a * m for an unsigned m
FRC_FIXED void frc_fixed_scale(uint64_t* restrict r, const uint64_t* restrict a, int n,
                               uint64_t m) {
    uint64_t carry = 0;
    FRC_FIXED_UNROLL
    for (int i = 0; i < n; i++) {
        const frc_u128 t = (frc_u128)a[i] * m + carry;
        r[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    r[n] = carry - ((int64_t)a[n - 1] < 0 ? m : 0);
}

/// r[0 .. na + nb) = a * b. As unsigned numbers a and b are larger than they are by 2^(64 na) and
/// 2^(64 nb) where they are negative.
FRC_FIXED void frc_fixed_multiply(uint64_t* restrict r, const uint64_t* restrict a, int na,
                                  const uint64_t* restrict b, int nb) {
    FRC_FIXED_UNROLL
    for (int i = 0; i < na + nb; i++) r[i] = 0;
    FRC_FIXED_UNROLL
    for (int i = 0; i < na; i++) {
        uint64_t carry = 0;
        FRC_FIXED_UNROLL
        for (int j = 0; j < nb; j++) {
            const frc_u128 t = (frc_u128)a[i] * b[j] + r[i + j] + carry;
            r[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        r[i + nb] = carry;
    }
    const uint64_t mask_a = frc_fixed_limb(a, na, na), mask_b = frc_fixed_limb(b, nb, nb);
    uint64_t borrow_a = 0, borrow_b = 0;
    FRC_FIXED_UNROLL
    for (int i = 0; i < na + nb; i++) {
        const uint64_t above_a = i < na ? 0 : mask_a & b[i - na];
        const uint64_t above_b = i < nb ? 0 : mask_b & a[i - nb];
        const frc_u128 t = (frc_u128)r[i] - above_a - borrow_a;
        borrow_a = (uint64_t)(t >> 64) & 1;
        const frc_u128 u = (frc_u128)(uint64_t)t - above_b - borrow_b;
        borrow_b = (uint64_t)(u >> 64) & 1;
        r[i] = (uint64_t)u;
    }
}

/// |a|
FRC_FIXED void frc_fixed_magnitude(uint64_t* r, const uint64_t* a, int n) {
    const uint64_t mask = frc_fixed_limb(a, n, n);
    uint64_t carry = mask & 1;
    FRC_FIXED_UNROLL
    for (int i = 0; i < n; i++) {
        r[i] = (a[i] ^ mask) + carry;
        carry = carry && r[i] == 0;
    }
}

/// The leading 53 bits of a >= 0 as an integer, truncated: a = mantissa * 2^exponent (1 + e), 0 <=
/// e < 2^-52. The mantissa has 53 bits unless it is 0; the exponent of a short number is negative.
FRC_FIXED uint64_t frc_fixed_leading(const uint64_t* a, int n, int* exponent) {
    uint64_t top = 0, below = 0;
    int limbs = 0;
    FRC_FIXED_UNROLL
    for (int i = 0; i < n; i++) {
        if (a[i] == 0) continue;
        top = a[i], below = i ? a[i - 1] : 0, limbs = i + 1;
    }
    *exponent = 0;
    if (top == 0) return 0;
    const int zeros = (int)frc_leading_zeros(top);
    *exponent = 64 * limbs - zeros - 53;
    return (zeros ? top << zeros | below >> (64 - zeros) : top) >> 11;
}
