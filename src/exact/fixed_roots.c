/// @file fixed_roots.c  algebraic_isolate.c in integers of fixed width: the same steps with the
/// same guesses, so that intervals have the same ends.
///
/// Left to algebraic_isolate.c: multiple roots, roots at a midpoint, and roots that are so close
/// that numbers would not fit. Numbers in bits, n = 3 B + 13 <= 184:
///   coefficients of p, roots at 0 and 1 divided out          n + 3 <= 187, 3 limbs
///   Bernstein coefficients after k halvings                  n + 4 + 3 k <= 255, 4 limbs
///   p at m / 2^64, times 2^192: four terms                   n + 5 + 192 <= 381, 6 limbs
#include "exact/fixed_roots.h"
#include "exact/cubic.h"
#include "exact/double_parts.h"
#include <math.h>

enum { UNSURE = 2 };
enum { LIMBS = 3, ROW_LIMBS = 4, GUESS_BITS = 46, SIMPLE_BITS = 12 };

typedef struct row {
    uint64_t b[4][ROW_LIMBS];  // Bernstein coefficients
} row;

FRC_FIXED bool is_zero(const uint64_t a[LIMBS]) { return (a[0] | a[1] | a[2]) == 0; }

FRC_DEVICE void frc_fixed_poly_make(const uint64_t c[4][3], frc_fixed_poly* out) {
    out->degree = -1;
    for (int i = 0; i < 4; i++) {
        frc_fixed_set(out->c[i], LIMBS, c[i], LIMBS);
        if (!is_zero(c[i])) out->degree = i;
    }
}

FRC_DEVICE void frc_fixed_poly_quadratic(const frc_fixed_quadratic* q, frc_fixed_poly* out) {
    out->degree = -1;
    for (int i = 0; i < 4; i++) {
        uint64_t limbs[2];
        frc_fixed_set_i128(limbs, i < 3 ? q->c[i] : 0);
        frc_fixed_set(out->c[i], LIMBS, limbs, 2);
        if (!is_zero(out->c[i])) out->degree = i;
    }
}

// p(t) / t
FRC_DEVICE static void divide_by_t(frc_fixed_poly* p) {
    const uint64_t zero[LIMBS] = {0, 0, 0};
    for (int i = 0; i < 3; i++) frc_fixed_set(p->c[i], LIMBS, p->c[i + 1], LIMBS);
    frc_fixed_set(p->c[3], LIMBS, zero, LIMBS);
    p->degree--;
}

FRC_DEVICE static int sign_at_one(const frc_fixed_poly* p) {
    uint64_t sum[LIMBS];
    frc_fixed_set(sum, LIMBS, p->c[0], LIMBS);
    for (int i = 1; i < 4; i++) frc_fixed_add(sum, LIMBS, p->c[i], LIMBS, 0, false);
    return frc_fixed_sign(sum, LIMBS);
}

// p(t) / (t - 1): the coefficients are sums from the top.
FRC_DEVICE static void divide_by_t_minus_one(frc_fixed_poly* p) {
    for (int i = 2; i >= 1; i--) frc_fixed_add(p->c[i], LIMBS, p->c[i + 1], LIMBS, 0, false);
    divide_by_t(p);
}

// Within a factor of 1 - 2^-52 of the number. Not inlined: a GPU would have to fetch the same
// instructions several times.
FRC_DEVICE static __attribute__((noinline)) double to_double(const uint64_t a[ROW_LIMBS]) {
    uint64_t magnitude[ROW_LIMBS];
    int exponent;
    frc_fixed_magnitude(magnitude, a, ROW_LIMBS);
    const uint64_t mantissa = frc_fixed_leading(magnitude, ROW_LIMBS, &exponent);
    const double r = (double)mantissa * frc_power_of_two(exponent);
    return frc_fixed_sign(a, ROW_LIMBS) < 0 ? -r : r;
}

// Sign of the discriminant b^2 c^2 - 4 a c^3 - 4 b^3 d + 18 abcd - 27 a^2 d^2, or of c^2 - 4 b d
// for degree 2; UNSURE where rounding may have changed it. Each term has at most four factors with
// an error of 2^-52 each, and nine roundings of 2^-53, those of the sum included: 9 * 2^-52 of the
// sum of magnitudes, which is exact to as much. Integers below 2^190 do not overflow.
FRC_DEVICE static __attribute__((noinline)) int discriminant_sign(const frc_fixed_poly* p) {
    double x[4];
    FRC_UNROLL_NOT
    for (int i = 0; i < 4; i++) {
        uint64_t c[ROW_LIMBS];
        frc_fixed_set(c, ROW_LIMBS, p->c[i], LIMBS);
        x[i] = to_double(c);
    }
    const double d = x[0], c = x[1], b = x[2], a = x[3];
    double sum, size;
    if (p->degree == 2) {
        const double t0 = c * c, t1 = 4 * (d * b);
        sum = t0 - t1;
        size = t0 + fabs(t1);
    } else {
        const double bc = b * c, ad = a * d;
        const double t0 = bc * bc, t1 = 4 * (a * c * (c * c)), t2 = 4 * (b * d * (b * b));
        const double t3 = 18 * (ad * bc), t4 = 27 * (ad * ad);
        sum = t0 - t1 - t2 + t3 - t4;
        size = t0 + fabs(t1) + fabs(t2) + fabs(t3) + t4;
    }
    const double bound = 0x1p-48 * size;
    return sum > bound ? 1 : sum < -bound ? -1 : UNSURE;
}

// p(m / 2^64) 2^192
FRC_DEVICE static __attribute__((noinline)) int sign_at_dyadic(const frc_fixed_poly* p,
                                                               uint64_t m) {
    uint64_t v3[4], v2[5], v1[6];
    frc_fixed_scale(v3, p->c[3], LIMBS, m);
    frc_fixed_add(v3, 4, p->c[2], LIMBS, 1, false);
    frc_fixed_scale(v2, v3, 4, m);
    frc_fixed_add(v2, 5, p->c[1], LIMBS, 2, false);
    frc_fixed_scale(v1, v2, 5, m);
    frc_fixed_add(v1, 6, p->c[0], LIMBS, 3, false);
    return frc_fixed_sign(v1, 6);
}

FRC_DEVICE static void record_rational(frc_fixed_roots* f, uint64_t x, uint64_t y) {
    frc_fixed_number* a = &f->root[f->count++];
    a->kind = FRC_RATIONAL;
    a->x[0] = x, a->x[1] = a->x[2] = 0;
    a->y[0] = y, a->y[1] = a->y[2] = 0;
}

// Record -c0 / c1 when it lies strictly between 0 and 1.
FRC_DEVICE static void isolate_linear(frc_fixed_roots* f) {
    frc_fixed_number* a = &f->root[f->count];
    const uint64_t zero[LIMBS] = {0, 0, 0};
    const bool minus = frc_fixed_sign(f->p.c[1], LIMBS) < 0;
    uint64_t rest[LIMBS];
    a->kind = FRC_RATIONAL;
    frc_fixed_set(a->x, LIMBS, zero, LIMBS);
    frc_fixed_set(a->y, LIMBS, zero, LIMBS);
    frc_fixed_add(a->x, LIMBS, f->p.c[0], LIMBS, 0, !minus);
    frc_fixed_add(a->y, LIMBS, f->p.c[1], LIMBS, 0, minus);
    frc_fixed_set(rest, LIMBS, a->y, LIMBS);
    frc_fixed_add(rest, LIMBS, a->x, LIMBS, 0, true);
    if (frc_fixed_sign(a->x, LIMBS) > 0 && frc_fixed_sign(rest, LIMBS) > 0) f->count++;
}

// Move one end of the interval to m / 2^64 if that lies inside; if it is the root, *a becomes
// rational.
FRC_DEVICE static void narrow(frc_fixed_number* a, uint64_t m) {
    if (a->kind != FRC_ROOT || m <= a->lo || m > a->hi - 1) return;
    const int sign = sign_at_dyadic(a->p, m);
    if (sign == 0) {
        a->kind = FRC_RATIONAL;
        a->x[0] = m, a->x[1] = a->x[2] = 0;
        a->y[0] = a->y[2] = 0, a->y[1] = 1;
        return;
    }
    if (sign == a->sign_lo)
        a->lo = m;
    else
        a->hi = m;
}

FRC_FIXED bool narrow_enough(const frc_fixed_number* a, uint32_t width_bits) {
    return a->kind != FRC_ROOT || a->hi - a->lo - 1 < UINT64_C(1) << (64 - width_bits);
}

// Narrow the interval, of length 2^-k, to 2^-width_bits by a guess `g` relative to it. False: a
// number would have more than 64 bits behind the point, or the interval ends at 1.
FRC_DEVICE static bool refine(frc_fixed_number* a, double g, uint32_t k, uint32_t width_bits) {
    if (!narrow_enough(a, width_bits)) {
        if (k + GUESS_BITS > 64) return false;
        const uint32_t shift = 64 - GUESS_BITS - k;
        const uint64_t base = a->lo;
        const int64_t centre = (int64_t)(g * 0x1p46);
        const int64_t simple = (int64_t)(g * 0x1p12 + 0.5);
        const double off = g - (double)simple * 0x1p-12;
        if (simple > 0 && simple < 1 << SIMPLE_BITS && off <= 0x1p-30 && off >= -0x1p-30)
            narrow(a, base + ((uint64_t)simple << (64 - SIMPLE_BITS - k)));
        for (int64_t reach = 1; reach <= 256 && !narrow_enough(a, width_bits); reach *= 16) {
            for (int side = 0; side < 2; side++) {
                const int64_t at = side ? centre + reach + 1 : centre - reach;
                if (at > 0 && at < INT64_C(1) << GUESS_BITS)
                    narrow(a, base + ((uint64_t)at << shift));
            }
        }
        while (!narrow_enough(a, width_bits)) {
            const uint64_t last = a->hi - a->lo - 1;  // the length is 2^64 at most
            if (!(last & 1)) return false;
            narrow(a, a->lo + last / 2 + 1);
        }
    }
    return a->kind != FRC_ROOT || a->hi != 0;
}

// Record the only root of p in (m, m + 1) / 2^k, where `r` has the Bernstein coefficients. False:
// unsure.
FRC_DEVICE static __attribute__((noinline)) bool
record_root(frc_fixed_roots* f, const row* r, uint64_t m, uint32_t k, uint32_t width_bits) {
    const int n = f->p.degree;
    double v[4], c[4];
    FRC_UNROLL_NOT
    for (int i = 0; i < 4; i++) v[i] = i <= n ? to_double(r->b[i]) : 0;
    // Degree-elevated to a cubic, as in algebraic_isolate.c.
    c[0] = v[0], c[3] = n == 3 ? v[3] : v[2];
    c[1] = n == 3 ? v[1] : (v[0] + 2 * v[1]) / 3;
    c[2] = n == 3 ? v[2] : (2 * v[1] + v[2]) / 3;
    frc_fixed_number* a = &f->root[f->count++];
    a->kind = FRC_ROOT;
    a->p = &f->p;
    a->sign_lo = frc_fixed_sign(r->b[0], ROW_LIMBS);
    a->lo = k ? m << (64 - k) : 0;
    a->hi = k ? (m + 1) << (64 - k) : 0;  // 0 for 2^64
    return refine(a, frc_cubic_root(c, 0, 1, c[0], c[3], 0x1p-40), k, width_bits);
}

// Bernstein coefficients on (0, 1), times the degree.
FRC_FIXED void bernstein(const frc_fixed_poly* p, int n, row* r) {
    uint64_t at_one[ROW_LIMBS];
    frc_fixed_set(at_one, ROW_LIMBS, p->c[0], LIMBS);
    FRC_FIXED_UNROLL
    for (int i = 1; i <= n; i++) frc_fixed_add(at_one, ROW_LIMBS, p->c[i], LIMBS, 0, false);
    frc_fixed_set(r->b[0], ROW_LIMBS, p->c[0], LIMBS);
    frc_fixed_set(r->b[n], ROW_LIMBS, at_one, ROW_LIMBS);
    FRC_FIXED_UNROLL
    for (int i = 1; i < n; i++) {
        frc_fixed_add(r->b[0], ROW_LIMBS, p->c[0], LIMBS, 0, false);
        frc_fixed_add(r->b[n], ROW_LIMBS, at_one, ROW_LIMBS, 0, false);
    }
    frc_fixed_set(r->b[1], ROW_LIMBS, r->b[0], ROW_LIMBS);
    frc_fixed_add(r->b[1], ROW_LIMBS, p->c[1], LIMBS, 0, false);
    if (n == 2) return;
    frc_fixed_set(r->b[2], ROW_LIMBS, r->b[1], ROW_LIMBS);
    frc_fixed_add(r->b[2], ROW_LIMBS, p->c[1], LIMBS, 0, false);
    frc_fixed_add(r->b[2], ROW_LIMBS, p->c[2], LIMBS, 0, false);
}

// Sign variations of the n + 1 coefficients, zeros ignored.
FRC_FIXED int variations(const row* r, int n) {
    int count = 0, last = 0;
    FRC_FIXED_UNROLL
    for (int i = 0; i <= n; i++) {
        const int sign = frc_fixed_sign(r->b[i], ROW_LIMBS);
        count += sign * last < 0;
        last = sign ? sign : last;
    }
    return count;
}

FRC_FIXED void shift_up(uint64_t* r, const uint64_t* a, int shift) {
    FRC_FIXED_UNROLL
    for (int i = ROW_LIMBS - 1; i >= 0; i--)
        r[i] = shift == 0 ? a[i] : a[i] << shift | (i ? a[i - 1] >> (64 - shift) : 0);
}

// De Casteljau's scheme at 1/2 without the divisions: both halves are scaled by 2^n.
FRC_FIXED void halve(const row* whole, int n, row half[2]) {
    row r = *whole;
    FRC_FIXED_UNROLL
    for (int level = 0; level <= n; level++) {
        shift_up(half[0].b[level], r.b[0], n - level);
        shift_up(half[1].b[n - level], r.b[n - level], n - level);
        FRC_FIXED_UNROLL
        for (int i = 0; i < n - level; i++)
            frc_fixed_add(r.b[i], ROW_LIMBS, r.b[i + 1], ROW_LIMBS, 0, false);
    }
}

// As bisect() of algebraic_isolate.c; false: unsure.
FRC_FIXED bool bisect(frc_fixed_roots* f, int n, int bits, uint32_t width_bits) {
    const int fit = (255 - (3 * bits + 13 + 4)) / 3, most = fit < 64 ? fit : 64;
    row w, half[2];
    bernstein(&f->p, n, &w);
    int count = variations(&w, n);
    uint64_t m = 0;
    if (count == 0) return true;
    if (n == 3 || count > 1) {
        const int sign = discriminant_sign(&f->p);
        if (sign == UNSURE) return false;
        if (sign < 0 && count != 1 && count != 3) return true;
        if (sign < 0) count = 1;  // the only real root
    }
    if (count == 1) return record_root(f, &w, m, 0, width_bits);
    FRC_UNROLL_NOT
    for (int k = 1; count >= 2; k++) {
        if (k > most) return false;
        halve(&w, n, half);
        if (frc_fixed_sign(half[0].b[n], ROW_LIMBS) == 0) return false;
        const int v0 = variations(&half[0], n), v1 = variations(&half[1], n);
        if (v0 == 1 && !record_root(f, &half[0], 2 * m, (uint32_t)k, width_bits)) return false;
        if (v1 == 1 && !record_root(f, &half[1], 2 * m + 1, (uint32_t)k, width_bits)) return false;
        count = v0 >= 2 ? v0 : v1 >= 2 ? v1 : 0;
        w = v0 >= 2 ? half[0] : half[1];
        m = 2 * m + (v0 < 2);
    }
    return true;
}

FRC_DEVICE bool frc_fixed_isolate(const frc_fixed_poly* original, int bits, uint32_t width_bits,
                                  frc_fixed_roots* f) {
    f->p = *original;
    f->count = 0;
    if (is_zero(f->p.c[0])) record_rational(f, 0, 1);
    while (f->p.degree > 0 && is_zero(f->p.c[0])) divide_by_t(&f->p);
    bool at_one = false;
    while (f->p.degree > 0 && sign_at_one(&f->p) == 0) {
        at_one = true;
        divide_by_t_minus_one(&f->p);
    }
    if (at_one) record_rational(f, 1, 1);
    if (f->p.degree == 1) isolate_linear(f);
    if (f->p.degree == 2) return bisect(f, 2, bits, width_bits);
    if (f->p.degree == 3) return bisect(f, 3, bits, width_bits);
    return true;
}
