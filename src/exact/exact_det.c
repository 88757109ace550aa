// Orientation determinants in integers.
//
// A determinant of coordinate differences keeps its sign when an axis is multiplied by a positive
// number. Each axis is therefore scaled by the power of two that makes its coordinates integers,
// just so: the lowest bit set in any of them becomes bit 0. Floating expansions would need no
// scaling, but they overflow and underflow; integers do not.
//
// How many bits the integers have depends on the spread of the exponents. Coordinates of one mesh
// mostly need 25 to 70, differences fewer; the widest doubles need 2,098. Four sizes:
//   differences below 2^41: the determinant is below 6 * 2^123 and fits 128 bits;
//   differences below 2^62: 2 x 2 minors are below 2^125, the determinant below 3 * 2^187;
//   differences below 2^126, as when a coordinate is 1e-17 instead of zero: below 3 * 2^379;
//   anything else: numbers of as many 64-bit limbs as it takes, on the stack.
#include "exact/exact_det.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/// A double taken apart: (-1)^negative * mantissa * 2^exponent.
typedef struct parts {
    uint64_t mantissa;
    int exponent, negative;
} parts;

static parts take_apart(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    const int field = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    return (parts){
        .mantissa = field ? fraction | (uint64_t)1 << 52 : fraction,
        .exponent = (field ? field : 1) - 1075,
        .negative = (int)(bits >> 63),
    };
}

static int sign_of(i128 a) { return (a > 0) - (a < 0); }

/// Coordinates of up to four points along one axis, with the exponents of the lowest bit set and of
/// one above the highest.
typedef struct axis {
    parts value[4];
    int low, high;
} axis;

static axis make_axis(const double* const points[], int count, int k) {
    axis x = {.low = INT32_MAX, .high = INT32_MIN};
    for (int i = 0; i < count; i++) {
        const parts p = x.value[i] = take_apart(points[i][k]);
        if (!p.mantissa) continue;
        const int low = p.exponent + __builtin_ctzll(p.mantissa);
        const int high = p.exponent + 64 - __builtin_clzll(p.mantissa);
        if (low < x.low) x.low = low;
        if (high > x.high) x.high = high;
    }
    if (x.high < x.low) x.low = x.high = 0;  // all zero
    return x;
}

static i128 scaled(parts p, int low) {
    const int shift = p.exponent - low;
    if (!p.mantissa) return 0;
    const u128 magnitude = shift >= 0 ? (u128)p.mantissa << shift : (u128)(p.mantissa >> -shift);
    return p.negative ? -(i128)magnitude : (i128)magnitude;
}

/* ---- differences of at most 62 bits */

/// Differences to the first point, when they all fit; `*bits` collects their magnitudes, or'ed.
static bool small_differences(const axis* x, int count, int64_t out[], uint64_t* bits) {
    if (x->high - x->low > 126) return false;
    const i128 origin = scaled(x->value[0], x->low);
    for (int i = 1; i < count; i++) {
        const i128 d = scaled(x->value[i], x->low) - origin;
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

static i192 multiply_i192(i128 a, int64_t b) {
    // a = high * 2^64 + low with low >= 0.
    const i128 low = (i128)(uint64_t)a * b;  // below 2^126
    const i128 high = (i128)(int64_t)(a >> 64) * b;
    return (i192){.low = (uint64_t)low, .high = high + (low >> 64)};
}

static i192 add_i192(i192 a, i192 b) {
    const uint64_t low = a.low + b.low;
    return (i192){.low = low, .high = a.high + b.high + (low < a.low)};
}

static int small_det3(const int64_t x[3], const int64_t y[3], const int64_t z[3], uint64_t bits) {
    const i128 mx = (i128)y[0] * z[1] - (i128)z[0] * y[1];
    const i128 my = (i128)z[0] * x[1] - (i128)x[0] * z[1];
    const i128 mz = (i128)x[0] * y[1] - (i128)y[0] * x[1];
    if (!(bits >> 41)) return sign_of(mx * x[2] + my * y[2] + mz * z[2]);
    const i192 det = add_i192(add_i192(multiply_i192(mx, x[2]), multiply_i192(my, y[2])),
                              multiply_i192(mz, z[2]));
    return det.high < 0 ? -1 : (det.high | det.low) != 0;
}

/* ---- differences of at most 126 bits */

/// 384 bits, two's complement, lowest limb first.
enum { WIDE = 6 };
typedef struct wide {
    uint64_t limb[WIDE];
} wide;

static wide wide_from(i128 a) {
    const uint64_t rest = a < 0 ? UINT64_MAX : 0;
    return (wide){
        {(uint64_t)a, (uint64_t)(a >> 64), rest, rest, rest, rest}
    };
}

/// a + b, or a - b with `flip` all ones.
static inline wide wide_add(const wide* a, const wide* b, uint64_t flip) {
    wide r;
    u128 sum = flip & 1;
    for (int i = 0; i < WIDE; i++) {
        sum += (u128)a->limb[i] + (b->limb[i] ^ flip);
        r.limb[i] = (uint64_t)sum;
        sum >>= 64;
    }
    return r;
}

/// The product's low 384 bits. Of `b` only the lowest two limbs are looked at; the rest of a
/// negative b is -2^128.
static inline wide wide_multiply(const wide* a, const wide* b) {
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

static bool wide_differences(const axis* x, wide out[3]) {
    if (x->high - x->low > 125) return false;
    const i128 origin = scaled(x->value[0], x->low);
    for (int i = 1; i < 4; i++) out[i - 1] = wide_from(scaled(x->value[i], x->low) - origin);
    return true;
}

static int wide_det3(const wide d[3][3]) {
    wide sum = {{0}};
    for (int k = 0; k < 3; k++) {
        const wide *y = d[(k + 1) % 3], *z = d[(k + 2) % 3];
        const wide p = wide_multiply(&y[0], &z[1]), q = wide_multiply(&z[0], &y[1]);
        const wide minor = wide_add(&p, &q, UINT64_MAX), term = wide_multiply(&minor, &d[k][2]);
        sum = wide_add(&sum, &term, 0);
    }
    uint64_t any = 0;
    for (int i = 0; i < WIDE; i++) any |= sum.limb[i];
    return sum.limb[WIDE - 1] >> 63 ? -1 : any != 0;
}

/* ---- any size */

/// Sign and magnitude, lowest limb first, no leading zero limb. Differences have at most 2,099 bits
/// (33 limbs), minors 66 limbs, determinants 99; an addition looks at one limb more.
enum { LIMBS = 101 };
typedef struct big {
    int sign, count;
    uint64_t limb[LIMBS];
} big;

static void big_trim(big* a) {
    while (a->count && !a->limb[a->count - 1]) a->count--;
    if (!a->count) a->sign = 0;
}

static void big_set(big* out, parts p, int low) {
    const int shift = p.mantissa ? p.exponent - low : 0;
    const uint64_t m = shift < 0 ? p.mantissa >> -shift : p.mantissa;
    const int up = shift > 0 ? shift : 0;
    out->sign = p.negative ? -1 : 1;
    out->count = up / 64 + 2;
    memset(out->limb, 0, sizeof(uint64_t) * (size_t)out->count);
    const u128 shifted = (u128)m << up % 64;
    out->limb[up / 64] = (uint64_t)shifted;
    out->limb[up / 64 + 1] = (uint64_t)(shifted >> 64);
    big_trim(out);
}

static int big_compare_magnitude(const big* a, const big* b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (int i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/// |out| = |a| + |b| or |a| - |b|, where |a| has at least as many limbs and, for the difference, is
/// not smaller.
static void big_merge_magnitude(big* out, const big* a, const big* b, bool subtract) {
    uint64_t carry = 0;
    for (int i = 0; i < a->count; i++) {
        const uint64_t v = i < b->count ? b->limb[i] : 0;
        const u128 r = subtract ? (u128)a->limb[i] - v - carry : (u128)a->limb[i] + v + carry;
        out->limb[i] = (uint64_t)r;
        carry = (uint64_t)(r >> 64) & 1;
    }
    out->limb[a->count] = subtract ? 0 : carry;
    out->count = a->count + 1;
}

/// out = a + b, or a - b when `flip` is -1. `out` is neither of them.
static void big_add(big* out, const big* a, const big* b, int flip) {
    const int b_sign = b->sign * flip;
    const bool swap = big_compare_magnitude(a, b) < 0;
    const bool subtract = a->sign * b_sign < 0;
    big_merge_magnitude(out, swap ? b : a, swap ? a : b, subtract);
    out->sign = swap ? b_sign : a->sign;
    big_trim(out);
}

static void big_multiply(big* out, const big* a, const big* b) {
    out->sign = a->sign * b->sign;
    out->count = a->count + b->count;
    memset(out->limb, 0, sizeof(uint64_t) * (size_t)out->count);
    for (int i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->count; j++) {
            const u128 r = (u128)a->limb[i] * b->limb[j] + out->limb[i + j] + carry;
            out->limb[i + j] = (uint64_t)r;
            carry = (uint64_t)(r >> 64);
        }
        out->limb[i + b->count] = carry;
    }
    big_trim(out);
}

static void big_differences(const axis* x, int count, big out[]) {
    big origin, value;
    big_set(&origin, x->value[0], x->low);
    for (int i = 1; i < count; i++) {
        big_set(&value, x->value[i], x->low);
        big_add(&out[i - 1], &value, &origin, -1);
    }
}

/// out = a d - b c
static void big_det2(big* out, const big* a, const big* b, const big* c, const big* d) {
    big ad, bc;
    big_multiply(&ad, a, d);
    big_multiply(&bc, b, c);
    big_add(out, &ad, &bc, -1);
}

static int big_det3(const axis axes[3]) {
    big d[3][3], minor, term, sums[3];
    for (int k = 0; k < 3; k++) big_differences(&axes[k], 4, d[k]);
    for (int k = 0; k < 3; k++) {
        const big *y = d[(k + 1) % 3], *z = d[(k + 2) % 3];
        big_det2(&minor, &y[0], &z[0], &y[1], &z[1]);
        big_multiply(k ? &term : &sums[0], &minor, &d[k][2]);
        if (k) big_add(&sums[k], &sums[k - 1], &term, 1);
    }
    return sums[2].sign;
}

/* ---- the two predicates */

int frc_exact_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double* const points[3] = {a, b, c};
    const axis axes[2] = {make_axis(points, 3, 0), make_axis(points, 3, 1)};
    int64_t x[2], y[2];
    uint64_t bits = 0;
    if (small_differences(&axes[0], 3, x, &bits) && small_differences(&axes[1], 3, y, &bits))
        return sign_of((i128)x[0] * y[1] - (i128)y[0] * x[1]);
    big dx[2], dy[2], det;
    big_differences(&axes[0], 3, dx);
    big_differences(&axes[1], 3, dy);
    big_det2(&det, &dx[0], &dy[0], &dx[1], &dy[1]);
    return det.sign;
}

int frc_exact_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    const double* const points[4] = {a, b, c, d};
    const axis axes[3] = {make_axis(points, 4, 0), make_axis(points, 4, 1),
                          make_axis(points, 4, 2)};
    int64_t x[3], y[3], z[3];
    uint64_t bits = 0;
    if (small_differences(&axes[0], 4, x, &bits) && small_differences(&axes[1], 4, y, &bits) &&
        small_differences(&axes[2], 4, z, &bits))
        return small_det3(x, y, z, bits);
    wide w[3][3];
    if (wide_differences(&axes[0], w[0]) && wide_differences(&axes[1], w[1]) &&
        wide_differences(&axes[2], w[2]))
        return wide_det3(w);
    return big_det3(axes);
}
