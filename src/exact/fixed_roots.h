/// @file fixed_roots.h  algebraic.h in integers of fixed width, for polynomials with short
/// coefficients. The answers are those of algebraic.h bit for bit, but for polynomials whose roots
/// it does not isolate: for these the caller has to use that.
#pragma once
#include "exact/algebraic.h"
#include "exact/fixed.h"

/// With coordinates of at most this many bits, B, the numbers fit: coefficients of cubics are below
/// 2^n, n = 3B + 13 <= 184, and of quadratics whose signs are asked for below 2^(2B + 5) <= 2^119.
enum { FRC_FIXED_BITS = 57 };

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3; c[degree] is not zero.
typedef struct frc_fixed_poly {
    uint64_t c[4][3];
    int degree;
} frc_fixed_poly;

typedef struct frc_fixed_quadratic {
    frc_i128 c[3];
} frc_fixed_quadratic;

/// As frc_algebraic; an interval is (lo, hi) / 2^64.
typedef struct frc_fixed_number {
    frc_algebraic_kind kind;
    uint64_t x[3], y[3];
    const frc_fixed_poly* p;
    uint64_t lo, hi;
    int sign_lo;
} frc_fixed_number;

typedef struct frc_fixed_roots {
    frc_fixed_poly p;
    frc_fixed_number root[3];
    int count;
} frc_fixed_roots;

/// The polynomial with these coefficients of 3 limbs.
FRC_DEVICE void frc_fixed_poly_make(const uint64_t c[4][3], frc_fixed_poly* out);
FRC_DEVICE void frc_fixed_poly_quadratic(const frc_fixed_quadratic* q, frc_fixed_poly* out);

/// As frc_algebraic_isolate, for coordinates of `bits` bits; false: unsure. The roots refer to
/// out->p.
FRC_DEVICE bool frc_fixed_isolate(const frc_fixed_poly* p, int bits, uint32_t width_bits,
                                  frc_fixed_roots* out);

/// Sign of q at the number.
FRC_DEVICE int frc_fixed_sign_at(const frc_fixed_number* at, const frc_fixed_quadratic* q);

/// As frc_algebraic_lower.
FRC_DEVICE double frc_fixed_lower(const frc_fixed_number* a);
