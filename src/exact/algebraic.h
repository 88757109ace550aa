/// @file algebraic.h  Real roots of integer polynomials up to degree 3, and exact signs there.
///
/// All decisions use only +, -, * and signs of integers: no division, no tolerance, no greatest
/// common divisor. docs/exactness.md has the proofs.
#pragma once
#include "exact/bigint.h"
#include <stdbool.h>

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3; c[degree] is not zero. Degree -1 is the polynomial 0.
typedef struct frc_poly {
    frc_big c[4];
    int degree;
} frc_poly;

typedef enum frc_algebraic_kind {
    FRC_RATIONAL,      ///< x / y with y > 0
    FRC_ROOT,          ///< the only root of p in the open interval (lo, hi) / 2^k
    FRC_RIGHT_OF_ZERO  ///< the right-hand limit at 0: a sign there is that of the lowest term
} frc_algebraic_kind;

typedef struct frc_algebraic {
    frc_algebraic_kind kind;
    frc_big x, y;
    frc_poly p;  ///< degree 2 or 3, with opposite non-zero signs at lo and hi
    frc_big lo, hi;
    uint32_t k;
    int sign_lo;  ///< sign of p at lo
} frc_algebraic;

/// The polynomial with these coefficients, without leading zeros.
FRC_DEVICE frc_poly frc_poly_make(frc_big c0, frc_big c1, frc_big c2, frc_big c3);
/// Sign of p at x / y, y > 0 (for y < 0 the sign is multiplied by (-1)^degree).
FRC_DEVICE int frc_poly_sign_rational(frc_big_arena arena, const frc_poly* p, frc_big x, frc_big y);
/// Sign of p at m / 2^k.
FRC_DEVICE int frc_poly_sign_dyadic(frc_big_arena arena, const frc_poly* p, frc_big m, uint32_t k);

FRC_DEVICE frc_algebraic frc_algebraic_rational(frc_big x, frc_big y);  ///< y not zero, any sign

/// The distinct roots of p (not the polynomial 0) in [0, 1], in no particular order; returns their
/// number. Intervals are at most 2^-width_bits wide, width_bits <= 51. The roots are allocated in
/// `arena` and share limbs with p.
FRC_DEVICE int frc_algebraic_isolate(frc_big_arena* arena, const frc_poly* p, uint32_t width_bits,
                                     frc_algebraic out[3]);

/// Sign of q, of degree 2 at most, at the number.
FRC_DEVICE int frc_algebraic_sign(frc_big_arena arena, const frc_algebraic* at, const frc_poly* q);

/// A double that is not above the number or, for a root, not above its interval; at most
/// a few units in the last place below, or 0 where it would be subnormal.
FRC_DEVICE double frc_algebraic_lower(frc_big_arena arena, const frc_algebraic* a);

/// Counters of the branches taken, for tests; compiled out otherwise.
#if defined(FRC_ALGEBRAIC_COVER)
typedef enum frc_algebraic_branch {
    FRC_COVER_TRIPLE_ROOT,
    FRC_COVER_DOUBLE_ROOT,
    FRC_COVER_QUADRATIC_DOUBLE,
    FRC_COVER_ONE_REAL_ROOT,
    FRC_COVER_MIDPOINT_ROOT,
    FRC_COVER_DEEP_BISECTION,
    FRC_COVER_NARROW_ROOT,
    FRC_COVER_LINEAR_INSIDE,
    FRC_COVER_LINEAR_AT_ROOT,
    FRC_COVER_END_ZERO,
    FRC_COVER_BERNSTEIN,
    FRC_COVER_NO_REAL,
    FRC_COVER_TANGENT_AT_ROOT,
    FRC_COVER_TANGENT_OFF_ROOT,
    FRC_COVER_VERTEX_AT_ROOT,
    FRC_COVER_VERTEX_LEFT,
    FRC_COVER_VERTEX_RIGHT,
    FRC_COVER_REMAINDER_CONSTANT,
    FRC_COVER_REMAINDER_AT_LO,
    FRC_COVER_REMAINDER_EQUAL,
    FRC_COVER_SIGMA_ZERO,
    FRC_COVER_SIGMA,
    FRC_COVER_COMMON_ROOT,
    FRC_COVER_SEGMENT_TRUE,
    FRC_COVER_IDENTICALLY_ZERO,
    FRC_COVER_COUNT
} frc_algebraic_branch;
extern unsigned long frc_algebraic_cover[FRC_COVER_COUNT];
#define FRC_COVER(branch) (frc_algebraic_cover[FRC_COVER_##branch]++)
/// Defined by the test. Called before an arena of `count` limbs is used, to fill it with a pattern,
/// and `after`, to find the limbs that were written.
FRC_DEVICE void frc_cover_arena(uint64_t* limbs, uint32_t count, bool after);
#define FRC_COVER_ARENA(limbs, count, after) frc_cover_arena(limbs, count, after)
#else
#define FRC_COVER(branch) ((void)0)
#define FRC_COVER_ARENA(limbs, count, after) ((void)0)
#endif
