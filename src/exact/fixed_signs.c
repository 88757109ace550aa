/// @file fixed_signs.c  Signs at a number, and its lower bound as a double, in integers of fixed
/// width, by the steps of algebraic.c. Numbers in bits, q < 2^119, p < 2^n, n <= 184, or 2^(n + 3)
/// with degree 2:
///   q at m / 2^64, times 2^128                     119 + 2 + 128 = 249, 4 limbs
///   its middle coefficient on (lo, hi) / 2^64      119 + 2 + 128 + 1 = 250, 4 limbs
///   q at x / y, x and y up to n + 3 bits           119 + 2 + 2 (n + 3) = 495, 8 limbs
///   p at x / y, x and y coefficients of q or q'    n + 2 + 3 120 = 546, 9 limbs
///   remainder r of p by q                          n + 2 + 2 119 = 424, 7 limbs
///   r at m / 2^64, at x / y                        424 + 65 = 489, 8 limbs; 545, 9 limbs
///   q at the root of r                             119 + 2 424 + 2 = 969, 16 limbs
#include "exact/double_parts.h"
#include "exact/fixed_roots.h"

FRC_FIXED int sign_128(frc_i128 x) { return (x > 0) - (x < 0); }

// Signs of q at both ends of an interval, and of its middle Bernstein coefficient there.
typedef struct end_signs {
    int lo, hi, middle;
} end_signs;

// With v(m) = q2 m + q1 2^64 and w(m, n) = v(m) n + q0 2^128 these are w(lo, lo), w(hi, hi) and,
// twice the coefficient, w(lo, hi) + w(hi, lo).
FRC_DEVICE static __attribute__((noinline)) end_signs signs_at_ends(const frc_fixed_quadratic* q,
                                                                    uint64_t lo, uint64_t hi) {
    const uint64_t m[2] = {lo, hi};
    uint64_t c[3][2], v[2][3], w[2][2][4];
    FRC_FIXED_UNROLL
    for (int i = 0; i < 3; i++) frc_fixed_set_i128(c[i], q->c[i]);
    FRC_FIXED_UNROLL
    for (int i = 0; i < 2; i++) {
        frc_fixed_scale(v[i], c[2], 2, m[i]);
        frc_fixed_add(v[i], 3, c[1], 2, 1, false);
        FRC_FIXED_UNROLL
        for (int j = 0; j < 2; j++) {
            frc_fixed_scale(w[i][j], v[i], 3, m[j]);
            frc_fixed_add(w[i][j], 4, c[0], 2, 2, false);
        }
    }
    frc_fixed_add(w[0][1], 4, w[1][0], 4, 0, false);
    const end_signs signs = {frc_fixed_sign(w[0][0], 4), frc_fixed_sign(w[1][1], 4),
                             frc_fixed_sign(w[0][1], 4)};
    return signs;
}

// Sign of q just inside an end m / 2^64 where q is 0; `inward` is 1 at the left end, -1 at the
// right end. The derivative decides, and where it is 0 too, q2.
FRC_DEVICE static __attribute__((noinline)) int sign_inside_zero(const frc_fixed_quadratic* q,
                                                                 uint64_t m, int inward) {
    uint64_t twice[2], b[2], v[3];
    frc_fixed_set_i128(twice, 2 * q->c[2]);
    frc_fixed_set_i128(b, q->c[1]);
    frc_fixed_scale(v, twice, 2, m);
    frc_fixed_add(v, 3, b, 2, 1, false);
    const int slope = frc_fixed_sign(v, 3);
    return slope ? inward * slope : sign_128(q->c[2]);
}

// y^2 q(x / y) for x and y of one limb, y > x > 0: at most 119 + 2 + 128 bits.
FRC_DEVICE static __attribute__((noinline)) int sign_at_short(const frc_fixed_quadratic* q,
                                                              uint64_t x, uint64_t y) {
    uint64_t c[3][2], v1[3], term[3], v0[4], last[4];
    FRC_FIXED_UNROLL
    for (int i = 0; i < 3; i++) frc_fixed_set_i128(c[i], q->c[i]);
    frc_fixed_scale(v1, c[2], 2, x);
    frc_fixed_scale(term, c[1], 2, y);
    frc_fixed_add(v1, 3, term, 3, 0, false);
    frc_fixed_scale(v0, v1, 3, x);
    frc_fixed_scale(term, c[0], 2, y);
    frc_fixed_scale(last, term, 3, y);
    frc_fixed_add(v0, 4, last, 4, 0, false);
    return frc_fixed_sign(v0, 4);
}

// y^2 q(x / y)
FRC_DEVICE static __attribute__((noinline)) int
sign_at_rational(const frc_fixed_quadratic* q, const uint64_t x[3], const uint64_t y[3]) {
    uint64_t c[3][2], v1[5], term[5], v0[8], square[6], last[8];
    FRC_FIXED_UNROLL
    for (int i = 0; i < 3; i++) frc_fixed_set_i128(c[i], q->c[i]);
    if (q->c[2] == 0) {
        frc_fixed_multiply(v1, c[1], 2, x, 3);
        frc_fixed_multiply(term, c[0], 2, y, 3);
        frc_fixed_add(v1, 5, term, 5, 0, false);
        return frc_fixed_sign(v1, 5);
    }
    frc_fixed_multiply(v1, c[2], 2, x, 3);
    frc_fixed_multiply(term, c[1], 2, y, 3);
    frc_fixed_add(v1, 5, term, 5, 0, false);
    frc_fixed_multiply(v0, v1, 5, x, 3);
    frc_fixed_multiply(square, y, 3, y, 3);
    frc_fixed_multiply(last, c[0], 2, square, 6);
    frc_fixed_add(v0, 8, last, 8, 0, false);
    return frc_fixed_sign(v0, 8);
}

// y^3 p(x / y) for x and y of one limb, y > x > 0: at most n + 2 + 192 bits.
FRC_DEVICE static __attribute__((noinline)) int cubic_sign_short(const frc_fixed_poly* p,
                                                                 uint64_t x, uint64_t y) {
    uint64_t v2[4], term2[4], v1[5], term1[5], v0[6], term0[6];
    frc_fixed_scale(v2, p->c[3], 3, x);
    frc_fixed_scale(term2, p->c[2], 3, y);
    frc_fixed_add(v2, 4, term2, 4, 0, false);
    frc_fixed_scale(v1, v2, 4, x);
    frc_fixed_scale(term2, p->c[1], 3, y);
    frc_fixed_scale(term1, term2, 4, y);
    frc_fixed_add(v1, 5, term1, 5, 0, false);
    frc_fixed_scale(v0, v1, 5, x);
    frc_fixed_scale(term2, p->c[0], 3, y);
    frc_fixed_scale(term1, term2, 4, y);
    frc_fixed_scale(term0, term1, 5, y);
    frc_fixed_add(v0, 6, term0, 6, 0, false);
    return frc_fixed_sign(v0, 6);
}

// y^3 p(x / y), y > x > 0
FRC_DEVICE static __attribute__((noinline)) int cubic_sign(const frc_fixed_poly* p, frc_i128 x128,
                                                           frc_i128 y128) {
    uint64_t x[2], y[2], v2[5], term2[5], square[4], v1[7], term1[7], cube[6], v0[9], term0[9];
    frc_fixed_set_i128(x, x128);
    frc_fixed_set_i128(y, y128);
    frc_fixed_multiply(v2, x, 2, p->c[3], 3);
    frc_fixed_multiply(term2, y, 2, p->c[2], 3);
    frc_fixed_add(v2, 5, term2, 5, 0, false);
    frc_fixed_multiply(square, y, 2, y, 2);
    frc_fixed_multiply(v1, x, 2, v2, 5);
    frc_fixed_multiply(term1, p->c[1], 3, square, 4);
    frc_fixed_add(v1, 7, term1, 7, 0, false);
    frc_fixed_multiply(cube, y, 2, square, 4);
    frc_fixed_multiply(v0, x, 2, v1, 7);
    frc_fixed_multiply(term0, p->c[0], 3, cube, 6);
    frc_fixed_add(v0, 9, term0, 9, 0, false);
    return frc_fixed_sign(v0, 9);
}

// Sign of q, of degree 1, at a root of p, where q changes its sign between lo and hi, from q_lo:
// the sign of p at the root of q shows on which side of the root it is.
FRC_DEVICE static __attribute__((noinline)) int
sign_linear(const frc_fixed_number* at, const frc_fixed_quadratic* q, int q_lo) {
    const bool minus = q->c[1] < 0;
    const frc_i128 x = minus ? q->c[0] : -q->c[0], y = minus ? -q->c[1] : q->c[1];
    const int p_sign =
        y >> 64 == 0 ? cubic_sign_short(at->p, (uint64_t)x, (uint64_t)y) : cubic_sign(at->p, x, y);
    return p_sign == 0 ? 0 : p_sign == at->sign_lo ? -q_lo : q_lo;
}

enum { REMAINDER_LIMBS = 7, SIGMA_LIMBS = 16 };

// a b - c d for coefficients of p (a, c) and of q
FRC_FIXED void cross(uint64_t r[5], const uint64_t a[3], const uint64_t b[2], const uint64_t c[3],
                     const uint64_t d[2]) {
    uint64_t t[5];
    frc_fixed_multiply(r, a, 3, b, 2);
    frc_fixed_multiply(t, c, 3, d, 2);
    frc_fixed_add(r, 5, t, 5, 0, true);
}

// Pseudo-remainder r[0] + r[1] t of p by q; returns the sign of its factor.
FRC_DEVICE static __attribute__((noinline)) int
divide(const frc_fixed_poly* p, const frc_fixed_quadratic* q, uint64_t r[2][REMAINDER_LIMBS]) {
    uint64_t c[3][2], a1[5], a0[5], b[4], t[REMAINDER_LIMBS];
    FRC_FIXED_UNROLL
    for (int i = 0; i < 3; i++) frc_fixed_set_i128(c[i], q->c[i]);
    cross(a1, p->c[1], c[2], p->c[2], c[1]);
    cross(a0, p->c[0], c[2], p->c[2], c[0]);
    if (p->degree == 2) {
        frc_fixed_set(r[0], REMAINDER_LIMBS, a0, 5);
        frc_fixed_set(r[1], REMAINDER_LIMBS, a1, 5);
        return sign_128(q->c[2]);
    }
    // a0 q2 + p3 q0 q1, a1 q2 + p3 (q1^2 - q0 q2)
    uint64_t r0[REMAINDER_LIMBS], r1[REMAINDER_LIMBS];
    frc_fixed_multiply(r0, c[2], 2, a0, 5);
    frc_fixed_multiply(b, c[0], 2, c[1], 2);
    frc_fixed_multiply(t, p->c[3], 3, b, 4);
    frc_fixed_add(r0, REMAINDER_LIMBS, t, REMAINDER_LIMBS, 0, false);
    frc_fixed_multiply(r1, c[2], 2, a1, 5);
    uint64_t product[4];
    frc_fixed_multiply(b, c[1], 2, c[1], 2);
    frc_fixed_multiply(product, c[0], 2, c[2], 2);
    frc_fixed_add(b, 4, product, 4, 0, true);
    frc_fixed_multiply(t, p->c[3], 3, b, 4);
    frc_fixed_add(r1, REMAINDER_LIMBS, t, REMAINDER_LIMBS, 0, false);
    frc_fixed_set(r[0], REMAINDER_LIMBS, r0, REMAINDER_LIMBS);
    frc_fixed_set(r[1], REMAINDER_LIMBS, r1, REMAINDER_LIMBS);
    return 1;
}

// An end of an interval: m / 2^64 where y is 0, otherwise x / y.
typedef struct fraction {
    uint64_t m;
    frc_i128 x, y;
} fraction;

FRC_DEVICE static int remainder_sign(const uint64_t r[2][REMAINDER_LIMBS], const fraction* f) {
    enum { LIMBS = REMAINDER_LIMBS + 2 };
    uint64_t v[LIMBS], term[LIMBS], x[2], y[2];
    if (f->y == 0) {
        frc_fixed_scale(v, r[1], REMAINDER_LIMBS, f->m);
        frc_fixed_add(v, REMAINDER_LIMBS + 1, r[0], REMAINDER_LIMBS, 1, false);
        return frc_fixed_sign(v, REMAINDER_LIMBS + 1);
    }
    frc_fixed_set_i128(x, f->x);
    frc_fixed_set_i128(y, f->y);
    frc_fixed_multiply(v, x, 2, r[1], REMAINDER_LIMBS);
    frc_fixed_multiply(term, y, 2, r[0], REMAINDER_LIMBS);
    frc_fixed_add(v, LIMBS, term, LIMBS, 0, false);
    return frc_fixed_sign(v, LIMBS);
}

// sum += or -= q a b
FRC_DEVICE static __attribute__((noinline)) void add_product(uint64_t sum[SIGMA_LIMBS], frc_i128 q,
                                                             const uint64_t a[REMAINDER_LIMBS],
                                                             const uint64_t b[REMAINDER_LIMBS],
                                                             bool minus) {
    uint64_t c[2], ab[2 * REMAINDER_LIMBS], term[SIGMA_LIMBS];
    frc_fixed_set_i128(c, q);
    frc_fixed_multiply(ab, a, REMAINDER_LIMBS, b, REMAINDER_LIMBS);
    frc_fixed_multiply(term, c, 2, ab, 2 * REMAINDER_LIMBS);
    frc_fixed_add(sum, SIGMA_LIMBS, term, SIGMA_LIMBS, 0, minus);
}

// Sign of q at the root -r0 / r1 of the remainder: q0 r1^2 - q1 r0 r1 + q2 r0^2.
FRC_DEVICE static int sigma_sign(const frc_fixed_quadratic* q,
                                 const uint64_t r[2][REMAINDER_LIMBS]) {
    uint64_t sum[SIGMA_LIMBS] = {0};
    add_product(sum, q->c[0], r[1], r[1], false);
    add_product(sum, q->c[1], r[0], r[1], true);
    add_product(sum, q->c[2], r[0], r[0], false);
    return frc_fixed_sign(sum, SIGMA_LIMBS);
}

// Sign of q at the root of p, where q changes its sign once between lo and hi, at beta, from q_lo:
// p(beta) is the remainder of p by q there, and its sign shows on which side of the root beta is.
FRC_DEVICE static __attribute__((noinline)) int sign_by_remainder(const frc_fixed_number* at,
                                                                  const frc_fixed_quadratic* q,
                                                                  const fraction* lo,
                                                                  const fraction* hi, int q_lo) {
    uint64_t limbs[2][REMAINDER_LIMBS];
    const int factor = divide(at->p, q, limbs);
    const uint64_t(*const r)[REMAINDER_LIMBS] = (const uint64_t(*)[REMAINDER_LIMBS])limbs;
    int p_sign;
    if (frc_fixed_sign(r[1], REMAINDER_LIMBS) == 0) {
        p_sign = frc_fixed_sign(r[0], REMAINDER_LIMBS);
    } else {
        const int at_lo = remainder_sign(r, lo), at_hi = remainder_sign(r, hi);
        p_sign = at_lo ? at_lo : at_hi;
        if (at_lo * at_hi < 0) {
            const int sigma = sigma_sign(q, r);
            p_sign = sigma == 0 ? 0 : sigma == q_lo ? at_hi : at_lo;
        }
    }
    return p_sign == 0 ? 0 : factor * p_sign == at->sign_lo ? -q_lo : q_lo;
}

// q has the sign `same` just inside both ends, but its middle coefficient has the other: it has no
// root between them, a double root, or two.
FRC_DEVICE static __attribute__((noinline)) int
sign_with_vertex(const frc_fixed_number* at, const frc_fixed_quadratic* q, int same) {
    uint64_t c[3][2], square[4], product[4];
    FRC_FIXED_UNROLL
    for (int i = 0; i < 3; i++) frc_fixed_set_i128(c[i], q->c[i]);
    frc_fixed_multiply(square, c[1], 2, c[1], 2);
    frc_fixed_multiply(product, c[0], 2, c[2], 2);
    FRC_FIXED_UNROLL
    for (int i = 0; i < 4; i++) frc_fixed_add(square, 4, product, 4, 0, true);
    const int d = frc_fixed_sign(square, 4);
    if (d < 0) return same;
    // The vertex nu = -q1 / (2 q2) of the parabola lies inside, as in algebraic.c.
    const bool minus = q->c[2] < 0;
    const fraction nu = {0, minus ? q->c[1] : -q->c[1], minus ? -2 * q->c[2] : 2 * q->c[2]};
    const fraction lo = {at->lo, 0, 0}, hi = {at->hi, 0, 0};
    const int p_sign = cubic_sign(at->p, nu.x, nu.y);
    if (d == 0) return p_sign == 0 ? 0 : same;
    if (p_sign == 0) return -same;
    return p_sign == at->sign_lo ? sign_by_remainder(at, q, &nu, &hi, -same)
                                 : sign_by_remainder(at, q, &lo, &nu, same);
}

FRC_DEVICE int frc_fixed_sign_at(const frc_fixed_number* at, const frc_fixed_quadratic* q) {
    if (q->c[1] == 0 && q->c[2] == 0) return sign_128(q->c[0]);
    if (at->kind == FRC_RIGHT_OF_ZERO)
        return sign_128(q->c[0] ? q->c[0] : q->c[1] ? q->c[1] : q->c[2]);
    if (at->kind == FRC_RATIONAL) {
        if ((at->x[0] | at->x[1] | at->x[2]) == 0) return sign_128(q->c[0]);
        if ((at->y[1] | at->y[2]) == 0) return sign_at_short(q, at->x[0], at->y[0]);
        return sign_at_rational(q, at->x, at->y);
    }
    const end_signs e = signs_at_ends(q, at->lo, at->hi);
    const int q_lo = e.lo ? e.lo : sign_inside_zero(q, at->lo, 1);
    const int q_hi = e.hi ? e.hi : sign_inside_zero(q, at->hi, -1);
    if (q_lo == q_hi) return e.middle * q_lo >= 0 ? q_lo : sign_with_vertex(at, q, q_lo);
    if (q->c[2] == 0) return sign_linear(at, q, q_lo);
    const fraction lo = {at->lo, 0, 0}, hi = {at->hi, 0, 0};
    return sign_by_remainder(at, q, &lo, &hi, q_lo);
}

// mantissa * 2^exponent; here at least 2^-190 where it is not 0.
FRC_FIXED double scaled(uint64_t mantissa, int exponent) {
    return (double)mantissa * frc_power_of_two(exponent);
}

// y q > x 2^down, where x 2^down < 2 y 2^53
FRC_DEVICE static bool is_above(const uint64_t x[3], const uint64_t y[3], uint64_t q, int down) {
    uint64_t product[4], shifted[4];
    const int whole = down / 64, part = down % 64;
    frc_fixed_scale(product, y, 3, q);
    FRC_FIXED_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t limb = 0, below = 0;
        FRC_FIXED_UNROLL
        for (int j = 0; j < 3; j++) {
            if (j + whole == i) limb = x[j];
            if (j + whole + 1 == i) below = x[j];
        }
        shifted[i] = part ? limb << part | below >> (64 - part) : limb;
    }
    frc_fixed_add(product, 4, shifted, 4, 0, true);
    return frc_fixed_sign(product, 4) > 0;
}

// x / y in [0, 1], with the roundings of quotient_down() in algebraic.c.
FRC_DEVICE static double quotient_down(const uint64_t x[3], const uint64_t y[3]) {
    int ex, ey;
    const double mx = (double)frc_fixed_leading(x, 3, &ex),
                 my = (double)frc_fixed_leading(y, 3, &ey);
    if (mx == 0) return 0;
    if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2]) return 1;
    double ratio = mx / my;
    int e = ex - ey;
    if (ratio < 1) {
        ratio *= 2;
        e--;
    }
    uint64_t q = (uint64_t)(ratio * 0x1p52) + 2;
    for (int i = 0; i < 8 && is_above(x, y, q, 52 - e); i++) q--;
    return scaled(q, e - 52);
}

FRC_DEVICE double frc_fixed_lower(const frc_fixed_number* a) {
    if (a->kind == FRC_RIGHT_OF_ZERO) return 0;
    if (a->kind == FRC_RATIONAL) return quotient_down(a->x, a->y);
    int exponent;
    const uint64_t mantissa = frc_fixed_leading(&a->lo, 1, &exponent);
    return mantissa ? scaled(mantissa, exponent - 64) : 0;
}
