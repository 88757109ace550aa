/// @file exact_det.c  Orientation determinants in integers.
///
/// A determinant of coordinate differences keeps its sign when an axis is multiplied by a positive
/// number. Each axis is therefore scaled by the power of two that moves the lowest bit set in any
/// of its coordinates to bit 0. Floating-point expansions would need no scaling, but they can
/// overflow and underflow; integers cannot.
///
/// The number of bits depends on the spread of the exponents. Coordinates of one mesh mostly need
/// 25 to 70, differences fewer; arbitrary doubles need up to 2,098. Four sizes:
///   differences below 2^41: the determinant is below 6 * 2^123 and fits 128 bits;
///   differences below 2^62: 2 x 2 minors are below 2^125, the determinant below 3 * 2^187;
///   differences below 2^126, as when a coordinate is 1e-17 instead of zero: below 3 * 2^379;
///   all others: big integers (bigint.h) on the stack.
#include "exact/exact_det.h"
#include "exact/bigint.h"
#include "exact/double_parts.h"
#include <stdbool.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

FRC_DEVICE static int sign_of(i128 a) { return (a > 0) - (a < 0); }

/// Coordinates of up to four points along one axis.
typedef struct axis {
    frc_double_parts value[4];
    frc_double_span span;
} axis;

FRC_DEVICE static axis make_axis(const double* const points[], int count, int k) {
    axis x = {.span = FRC_DOUBLE_SPAN_EMPTY};
    for (int i = 0; i < count; i++) {
        x.value[i] = frc_double_split(points[i][k]);
        frc_double_span_add(&x.span, x.value[i]);
    }
    if (x.span.high < x.span.low) x.span.low = x.span.high = 0;  // all zero
    return x;
}

/// The integer p / 2^low.
FRC_DEVICE static i128 scaled(frc_double_parts p, int low) {
    const int shift = p.exponent - low;
    if (!p.mantissa) return 0;
    const u128 magnitude = shift >= 0 ? (u128)p.mantissa << shift : (u128)(p.mantissa >> -shift);
    return p.sign < 0 ? -(i128)magnitude : (i128)magnitude;
}

// ---- differences of at most 62 bits

/// Differences to the first point; false when one does not fit. `*bits` is or'ed with their
/// magnitudes.
FRC_DEVICE static bool small_differences(const axis* x, int count, int64_t out[], uint64_t* bits) {
    if (x->span.high - x->span.low > 126) return false;
    const i128 origin = scaled(x->value[0], x->span.low);
    for (int i = 1; i < count; i++) {
        const i128 d = scaled(x->value[i], x->span.low) - origin;
        const u128 magnitude = d < 0 ? -(u128)d : (u128)d;
        if (magnitude >> 62) return false;
        *bits |= (uint64_t)magnitude;
        out[i - 1] = (int64_t)d;
    }
    return true;
}

/// 192 bits, two's complement.
typedef struct i192 {
    uint64_t low;
    i128 high;
} i192;

FRC_DEVICE static i192 multiply_i192(i128 a, int64_t b) {
    // a = high * 2^64 + low with low >= 0.
    const i128 low = (i128)(uint64_t)a * b;  // below 2^126
    const i128 high = (i128)(int64_t)(a >> 64) * b;
    return (i192){.low = (uint64_t)low, .high = high + (low >> 64)};
}

FRC_DEVICE static i192 add_i192(i192 a, i192 b) {
    const uint64_t low = a.low + b.low;
    return (i192){.low = low, .high = a.high + b.high + (low < a.low)};
}

/// Sign of det(x, y, z), where `bits` is the or of all magnitudes.
FRC_DEVICE static int small_det3(const int64_t x[3], const int64_t y[3], const int64_t z[3],
                                 uint64_t bits) {
    const i128 mx = (i128)y[0] * z[1] - (i128)z[0] * y[1];
    const i128 my = (i128)z[0] * x[1] - (i128)x[0] * z[1];
    const i128 mz = (i128)x[0] * y[1] - (i128)y[0] * x[1];
    if (!(bits >> 41)) return sign_of(mx * x[2] + my * y[2] + mz * z[2]);
    const i192 det = add_i192(add_i192(multiply_i192(mx, x[2]), multiply_i192(my, y[2])),
                              multiply_i192(mz, z[2]));
    return det.high < 0 ? -1 : (det.high | det.low) != 0;
}

// ---- differences of at most 126 bits

/// 384 bits, two's complement, lowest limb first.
enum { WIDE = 6 };
typedef struct wide {
    uint64_t limb[WIDE];
} wide;

/// a + b, or a - b with `flip` all ones.
FRC_DEVICE static inline wide wide_add(const wide* a, const wide* b, uint64_t flip) {
    wide r;
    u128 sum = flip & 1;
    for (int i = 0; i < WIDE; i++) {
        sum += (u128)a->limb[i] + (b->limb[i] ^ flip);
        r.limb[i] = (uint64_t)sum;
        sum >>= 64;
    }
    return r;
}

/// The low 384 bits of the product. Only the two lowest limbs of `b` are multiplied; the others are
/// its sign extension, which for a negative b stands for -2^128.
FRC_DEVICE static inline wide wide_multiply(const wide* a, const wide* b) {
    wide r = {{0}}, high = {{0}};
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < WIDE; j++) {
            const u128 t = (u128)a->limb[j] * b->limb[i] + r.limb[i + j] + carry;
            r.limb[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
    }
    if (!(b->limb[2] >> 63)) return r;
    for (int j = 2; j < WIDE; j++) high.limb[j] = a->limb[j - 2];
    return wide_add(&r, &high, UINT64_MAX);
}

/// Differences to the first point; false when they may not fit.
FRC_DEVICE static bool wide_differences(const axis* x, int count, wide out[]) {
    if (x->span.high - x->span.low > FRC_EXACT_DET_BITS) return false;
    const i128 origin = scaled(x->value[0], x->span.low);
    for (int i = 1; i < count; i++) {
        const i128 d = scaled(x->value[i], x->span.low) - origin;
        const uint64_t sign = d < 0 ? UINT64_MAX : 0;
        out[i - 1] = (wide){
            {(uint64_t)d, (uint64_t)(d >> 64), sign, sign, sign, sign}
        };
    }
    return true;
}

FRC_DEVICE static int wide_sign(const wide* a) {
    uint64_t any = 0;
    for (int i = 0; i < WIDE; i++) any |= a->limb[i];
    return a->limb[WIDE - 1] >> 63 ? -1 : any != 0;
}

/// Sign of x[0] y[1] - y[0] x[1].
FRC_DEVICE static int wide_det2(const wide x[2], const wide y[2]) {
    const wide p = wide_multiply(&x[0], &y[1]), q = wide_multiply(&y[0], &x[1]);
    const wide det = wide_add(&p, &q, UINT64_MAX);
    return wide_sign(&det);
}

/// Sign of det(d[0], d[1], d[2]).
FRC_DEVICE static int wide_det3(const wide d[3][3]) {
    wide sum = {{0}};
    for (int k = 0; k < 3; k++) {
        const wide *y = d[(k + 1) % 3], *z = d[(k + 2) % 3];
        const wide p = wide_multiply(&y[0], &z[1]), q = wide_multiply(&z[0], &y[1]);
        const wide minor = wide_add(&p, &q, UINT64_MAX), term = wide_multiply(&minor, &d[k][2]);
        sum = wide_add(&sum, &term, 0);
    }
    return wide_sign(&sum);
}

// ---- any size; on a GPU there is no memory for it

#if defined(__CUDACC__)

FRC_DEVICE static int big_det2(const double* const points[3], const axis axes[2]) {
    (void)points, (void)axes;
    frc_trap();
    return 0;
}

FRC_DEVICE static int big_det3(const double* const points[4], const axis axes[3]) {
    (void)points, (void)axes;
    frc_trap();
    return 0;
}

#else

/// A coordinate has at most 2,098 bits: 33 limbs, and two more during construction. In limbs, with
/// one more for the carry of each sum: 12 coordinates of 35, 9 differences of 34, 3 components of a
/// cross product with 2 products of 66 and a difference of 67, 3 products of 100 and 2 sums of 102.
enum { LIMBS = 12 * 35 + 9 * 34 + 3 * (2 * 66 + 67) + 3 * 100 + 2 * 102 };

/// Differences to the first point: out[i - 1][k] for point i on axis k.
static void big_differences(frc_big_arena* s, const double* const points[], int count,
                            const axis* x, int k, frc_big out[][3]) {
    const frc_big origin = frc_big_from_double(s, points[0][k], x->span.low);
    for (int i = 1; i < count; i++)
        out[i - 1][k] =
            frc_big_subtract(s, frc_big_from_double(s, points[i][k], x->span.low), origin);
}

// Not inlined: only coordinates with a large span need this stack frame.
__attribute__((noinline)) static int big_det2(const double* const points[3], const axis axes[2]) {
    uint64_t limbs[LIMBS];
    frc_big_arena s = {limbs, limbs + LIMBS};
    frc_big d[2][3];
    for (int k = 0; k < 2; k++) big_differences(&s, points, 3, &axes[k], k, d);
    return frc_big_cross(&s, d[0][0], d[1][1], d[0][1], d[1][0]).sign;
}

__attribute__((noinline)) static int big_det3(const double* const points[4], const axis axes[3]) {
    uint64_t limbs[LIMBS];
    frc_big_arena s = {limbs, limbs + LIMBS};
    frc_big d[3][3], normal[3];
    for (int k = 0; k < 3; k++) big_differences(&s, points, 4, &axes[k], k, d);
    frc_big_cross3(&s, d[0], d[1], normal);
    return frc_big_dot(&s, normal, d[2]).sign;
}

#endif

// ---- the two predicates

FRC_DEVICE int frc_exact_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double* const points[3] = {a, b, c};
    const axis axes[2] = {make_axis(points, 3, 0), make_axis(points, 3, 1)};
    int64_t x[2], y[2];
    uint64_t bits = 0;
    if (small_differences(&axes[0], 3, x, &bits) && small_differences(&axes[1], 3, y, &bits))
        return sign_of((i128)x[0] * y[1] - (i128)y[0] * x[1]);
    wide v[2], w[2];
    if (wide_differences(&axes[0], 3, v) && wide_differences(&axes[1], 3, w))
        return wide_det2(v, w);
    return big_det2(points, axes);
}

FRC_DEVICE int frc_exact_orient3d(const double a[3], const double b[3], const double c[3],
                                  const double d[3]) {
    const double* const points[4] = {a, b, c, d};
    const axis axes[3] = {make_axis(points, 4, 0), make_axis(points, 4, 1),
                          make_axis(points, 4, 2)};
    int64_t x[3], y[3], z[3];
    uint64_t bits = 0;
    if (small_differences(&axes[0], 4, x, &bits) && small_differences(&axes[1], 4, y, &bits) &&
        small_differences(&axes[2], 4, z, &bits))
        return small_det3(x, y, z, bits);
    wide w[3][3];
    if (wide_differences(&axes[0], 4, w[0]) && wide_differences(&axes[1], 4, w[1]) &&
        wide_differences(&axes[2], 4, w[2]))
        return wide_det3(w);
    return big_det3(points, axes);
}
