/// @file bigint.h  Big integers in an arena on the caller's stack, without heap allocation.
///
/// A number is immutable: sign and magnitude, with the limbs in an arena. A function that only
/// returns a sign takes the arena by value, so its intermediate numbers are freed when it returns.
/// Other arguments of such a call that are allocated in the same arena must be computed in an
/// earlier statement: C does not define the order in which arguments are evaluated, and the arena
/// might be copied first (tools/check_sequence.py).
#pragma once
#include "base/host_device.h"
#include <stdint.h>

typedef struct frc_big {
    const uint64_t* limb;  ///< least significant first; the last one is not zero
    uint32_t count;        ///< 0 for zero
    int32_t sign;          ///< -1, 0, 1
} frc_big;

/// Free space for limbs. Each caller that creates an arena proves that it is large enough (as in
/// ccd_exact.c); an overflow traps and never writes past `end`.
typedef struct frc_big_arena {
    uint64_t* top;
    uint64_t* end;
} frc_big_arena;

#define FRC_BIG_ZERO ((frc_big){0, 0, 0})

/// sign * magnitude * 2^shift; zero when sign or magnitude is.
FRC_DEVICE frc_big frc_big_make(frc_big_arena* arena, int sign, uint64_t magnitude, uint32_t shift);
/// x / 2^exponent, rounded towards 0.
FRC_DEVICE frc_big frc_big_from_double(frc_big_arena* arena, double x, int exponent);
FRC_DEVICE frc_big frc_big_add(frc_big_arena* arena, frc_big a, frc_big b);
FRC_DEVICE frc_big frc_big_multiply(frc_big_arena* arena, frc_big a, frc_big b);
FRC_DEVICE frc_big frc_big_times(frc_big_arena* arena, frc_big a, uint64_t factor);
FRC_DEVICE frc_big frc_big_shift(frc_big_arena* arena, frc_big a, uint32_t bits);  ///< a * 2^bits
FRC_DEVICE frc_big frc_big_shift_down(frc_big_arena* arena, frc_big a,
                                      uint32_t bits);  ///< a / 2^bits, exact

FRC_DEVICE static inline frc_big frc_big_negate(frc_big a) {
    a.sign = -a.sign;
    return a;
}
FRC_DEVICE static inline frc_big frc_big_subtract(frc_big_arena* arena, frc_big a, frc_big b) {
    return frc_big_add(arena, a, frc_big_negate(b));
}

/// a * b - c * d
FRC_DEVICE frc_big frc_big_cross(frc_big_arena* arena, frc_big a, frc_big b, frc_big c, frc_big d);

FRC_DEVICE frc_big frc_big_dot(frc_big_arena* arena, const frc_big a[3], const frc_big b[3]);
FRC_DEVICE void frc_big_cross3(frc_big_arena* arena, const frc_big a[3], const frc_big b[3],
                               frc_big out[3]);
FRC_DEVICE void frc_big_subtract3(frc_big_arena* arena, const frc_big a[3], const frc_big b[3],
                                  frc_big out[3]);

FRC_DEVICE int frc_big_compare(frc_big a, frc_big b);  ///< sign of a - b
FRC_DEVICE uint32_t frc_big_bits(frc_big a);           ///< bit length of the magnitude

/// A copy of `a` in `arena`, which may outlive the arena copy in which `a` was allocated.
FRC_DEVICE frc_big frc_big_keep(frc_big_arena* arena, frc_big a);

/// Copy `a` to `slot`, which must hold its limbs and may overlap them.
FRC_DEVICE frc_big frc_big_store(uint64_t* slot, frc_big a);
FRC_DEVICE uint64_t* frc_big_slot(frc_big_arena* arena, uint32_t limbs);  ///< uninitialised limbs

/// The leading 53 bits of the magnitude, truncated: |a| = mantissa * 2^exponent * (1 + e), 0 <= e <
/// 2^-52, with mantissa an integer below 2^53; exponent may be negative for short numbers.
FRC_DEVICE uint64_t frc_big_leading(frc_big a, int32_t* exponent);

/// The same with the sign of `a`, as a double.
FRC_DEVICE double frc_big_leading_double(frc_big a, int32_t* exponent);
/// a / b within a few units in the last place, for |a| <= |b|, b not 0.
FRC_DEVICE double frc_big_ratio(frc_big a, frc_big b);
