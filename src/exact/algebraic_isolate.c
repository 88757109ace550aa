/// @file algebraic_isolate.c  Root isolation in [0, 1]. Roots at 0 and 1 are divided out; where the
/// discriminant vanishes the roots are rational, by formula; otherwise bisection with Descartes'
/// rule on Bernstein coefficients separates the roots, and exact signs around a floating-point
/// guess narrow each interval.
#include "exact/algebraic.h"
#include "exact/cubic.h"
#include "exact/double_parts.h"

typedef frc_big big;
typedef frc_big_arena arena;

typedef struct found {
    frc_algebraic* out;
    int count;
    uint32_t width_bits;
    uint64_t* slot[3][2];  // storage for the ends of the recorded intervals
} found;

FRC_DEVICE static void record_rational(found* f, big x, big y) {
    f->out[f->count++] = frc_algebraic_rational(x, y);
}

// Record x / y when it lies strictly between 0 and 1.
FRC_DEVICE static void record_inside(found* f, big x, big y) {
    const frc_algebraic a = frc_algebraic_rational(x, y);
    if (a.x.sign > 0 && frc_big_compare(a.x, a.y) < 0) f->out[f->count++] = a;
}

FRC_DEVICE static big one(arena* s) { return frc_big_make(s, 1, 1, 0); }

FRC_DEVICE static big value_at_one(arena* s, const frc_poly* p) {
    big sum = p->c[0];
    for (int i = 1; i <= p->degree; i++) sum = frc_big_add(s, sum, p->c[i]);
    return sum;
}

// p / (2^k t - m) for a root m / 2^k, m odd or k = 0. From the leading coefficient down, p_n = 2^k
// q_(n-1) and p_i = 2^k q_(i-1) - m q_i; the quotient has integer coefficients (Gauss's lemma), so
// each shift is exact.
FRC_DEVICE static frc_poly deflate(arena* s, const frc_poly* p, big m, uint32_t k) {
    frc_poly q = {.degree = p->degree - 1};
    big row = p->c[p->degree];
    for (int i = p->degree - 1; i >= 0; i--) {
        q.c[i] = frc_big_shift_down(s, row, k);
        row = frc_big_add(s, p->c[i], frc_big_multiply(s, q.c[i], m));
    }
    return q;
}

// Bit length of the longest coefficient.
FRC_DEVICE static uint32_t longest(const frc_poly* p) {
    uint32_t bits = 0;
    for (int i = 0; i <= p->degree; i++)
        if (frc_big_bits(p->c[i]) > bits) bits = frc_big_bits(p->c[i]);
    return bits;
}

// Bernstein coefficients on (0, 1), times 2 (degree 2) or 3 (degree 3).
FRC_DEVICE static void bernstein(arena* s, const frc_poly* p, big b[4]) {
    const uint64_t n = (uint64_t)p->degree;
    b[0] = frc_big_times(s, p->c[0], n);
    b[1] = frc_big_add(s, b[0], p->c[1]);
    if (n == 2) {
        b[2] = frc_big_times(s, value_at_one(s, p), 2);
        return;
    }
    b[2] = frc_big_add(s, frc_big_add(s, b[1], p->c[1]), p->c[2]);
    b[3] = frc_big_times(s, value_at_one(s, p), 3);
}

// Sign variations of the n + 1 coefficients, zeros ignored.
FRC_DEVICE static int variations(const big b[4], int n) {
    int count = 0, last = b[0].sign;
    for (int i = 1; i <= n; i++) {
        if (b[i].sign == 0 || b[i].sign == last) continue;
        if (last) count++;
        last = b[i].sign;
    }
    return count;
}

// De Casteljau's scheme at 1/2 without the divisions: both halves are scaled by 2^n.
FRC_DEVICE static void halve(arena* s, const big b[4], int n, big left[4], big right[4]) {
    big row[4];
    for (int i = 0; i <= n; i++) row[i] = b[i];
    for (int level = 0; level <= n; level++) {
        const uint32_t shift = (uint32_t)(n - level);
        left[level] = frc_big_shift(s, row[0], shift);
        right[n - level] = frc_big_shift(s, row[n - level], shift);
        for (int i = 0; i < n - level; i++) row[i] = frc_big_add(s, row[i], row[i + 1]);
    }
}

// Doubles proportional to the Bernstein coefficients, degree-elevated to a cubic.
FRC_DEVICE static void to_doubles(const big b[4], int n, double out[4]) {
    int32_t exponent[4], largest = INT32_MIN;
    uint64_t mantissa[4];
    for (int i = 0; i <= n; i++) {
        mantissa[i] = frc_big_leading(b[i], &exponent[i]);
        if (mantissa[i] && exponent[i] > largest) largest = exponent[i];
    }
    double v[4] = {0};
    for (int i = 0; i <= n; i++) {
        const int32_t below = largest - exponent[i];
        if (mantissa[i] && below < 1000)
            v[i] = (double)mantissa[i] * frc_power_of_two(-below) * b[i].sign;
    }
    out[0] = v[0], out[3] = v[n];
    out[1] = n == 3 ? v[1] : (v[0] + 2 * v[1]) / 3;
    out[2] = n == 3 ? v[2] : (2 * v[1] + v[2]) / 3;
}

// Move one end of the interval to m / 2^k if that lies inside; if it is the root, *a becomes
// rational.
FRC_DEVICE static void narrow(arena s, frc_algebraic* a, big m, uint32_t k, uint64_t* slot_lo,
                              uint64_t* slot_hi) {
    if (a->kind != FRC_ROOT || k < a->k) return;
    const big lo = frc_big_shift(&s, a->lo, k - a->k), hi = frc_big_shift(&s, a->hi, k - a->k);
    if (frc_big_compare(m, lo) <= 0 || frc_big_compare(m, hi) >= 0) return;
    const int sign = frc_poly_sign_dyadic(s, &a->p, m, k);
    if (sign == 0) {
        FRC_COVER(NARROW_ROOT);
        *a = (frc_algebraic){.kind = FRC_RATIONAL,
                             .x = frc_big_store(slot_lo, m),
                             .y = frc_big_store(slot_hi, frc_big_make(&s, 1, 1, k))};
        return;
    }
    a->lo = frc_big_store(slot_lo, sign == a->sign_lo ? m : lo);
    a->hi = frc_big_store(slot_hi, sign == a->sign_lo ? hi : m);
    a->k = k;
}

FRC_DEVICE static bool narrow_enough(arena s, const frc_algebraic* a, uint32_t width_bits) {
    if (a->kind != FRC_ROOT) return true;
    if (a->k < width_bits) return false;
    const big width = frc_big_subtract(&s, a->hi, a->lo);
    return frc_big_compare(width, frc_big_make(&s, 1, 1, a->k - width_bits)) <= 0;
}

enum { SIMPLE_BITS = 12, GUESS_BITS = 46 };

// Narrow the interval to 2^-width_bits: at points left and right of the floating-point guess `g`
// (relative to the interval), then by bisection if the guess was inaccurate.
FRC_DEVICE static void refine(arena s, frc_algebraic* a, double g, uint32_t width_bits,
                              uint64_t* slot[2]) {
    if (narrow_enough(s, a, width_bits)) return;
    const uint32_t k = a->k + GUESS_BITS;
    arena t = s;
    const big base = frc_big_keep(&t, frc_big_shift(&t, a->lo, GUESS_BITS));
    const int64_t centre = (int64_t)(g * 0x1p46);
    // A guess close to a fraction with few bits is probably that fraction: times like 1/2 become
    // exact.
    const int64_t simple = (int64_t)(g * 0x1p12 + 0.5);
    const double off = g - (double)simple * 0x1p-12;
    if (simple > 0 && off <= 0x1p-30 && off >= -0x1p-30) {
        arena scratch = t;
        const big m = frc_big_add(&scratch, frc_big_shift(&scratch, a->lo, SIMPLE_BITS),
                                  frc_big_make(&scratch, 1, (uint64_t)simple, 0));
        narrow(scratch, a, m, a->k + SIMPLE_BITS, slot[0], slot[1]);
    }
    for (int64_t reach = 1; reach <= 256 && !narrow_enough(t, a, width_bits); reach *= 16) {
        for (int side = 0; side < 2; side++) {
            const int64_t at = side ? centre + reach + 1 : centre - reach;
            if (at <= 0) continue;
            const big m = frc_big_add(&t, base, frc_big_make(&t, 1, (uint64_t)at, 0));
            narrow(t, a, m, k, slot[0], slot[1]);
        }
    }
    while (!narrow_enough(s, a, width_bits)) {
        t = s;
        const big middle = frc_big_add(&t, a->lo, a->hi);
        narrow(t, a, middle, a->k + 1, slot[0], slot[1]);
    }
}

// Record the only root of p in (m, m + 1) / 2^k, where b are the Bernstein coefficients.
FRC_DEVICE static void record_root(arena s, found* f, const frc_poly* p, const big b[4], big m,
                                   uint32_t k) {
    double c[4];
    to_doubles(b, p->degree, c);
    uint64_t** const slot = f->slot[f->count];
    frc_algebraic a = {.kind = FRC_ROOT, .p = *p, .k = k, .sign_lo = b[0].sign};
    a.lo = frc_big_store(slot[0], m);
    a.hi = frc_big_store(slot[1], frc_big_add(&s, m, one(&s)));
    refine(s, &a, frc_cubic_root(c, 0, 1, c[0], c[3], 0x1p-40), f->width_bits, slot);
    f->out[f->count++] = a;
}

// The subinterval (m, m + 1) / 2^k that still has two or more sign variations.
typedef struct part {
    big b[4], m;
    uint32_t k;
    uint64_t* slot[5];
} part;

// Replace `w` by one of its halves, whose coefficients are in the arena that `s` is a copy of.
FRC_DEVICE static void descend(arena s, part* w, const big half[4], int n, int right) {
    // A half may share limbs with the slots, so it is copied before they are overwritten.
    big copy[4];
    for (int i = 0; i <= n; i++) copy[i] = frc_big_keep(&s, half[i]);
    for (int i = 0; i <= n; i++) w->b[i] = frc_big_store(w->slot[i], copy[i]);
    big m = frc_big_shift(&s, w->m, 1);
    if (right) m = frc_big_add(&s, m, one(&s));
    w->m = frc_big_store(w->slot[4], m);
    w->k++;
}

// Bisect (0, 1) until each subinterval has at most one sign variation, and record the roots. The
// variations of two halves sum to at most those of the whole, so at most one half has two or more:
// a loop, no stack. Returns true when a midpoint was a root: then only that root is recorded, *p is
// divided by its factor, and the caller has to isolate the roots of the quotient.
FRC_DEVICE static bool bisect(arena* s, found* f, frc_poly* p, uint32_t slot_limbs) {
    const int n = p->degree, before = f->count;
    part w = {.m = FRC_BIG_ZERO, .k = 0};
    for (int i = 0; i < 5; i++) w.slot[i] = frc_big_slot(s, slot_limbs);
    arena t = *s;
    big half[2][4];
    bernstein(&t, p, w.b);
    for (int i = 0; i <= n; i++) w.b[i] = frc_big_store(w.slot[i], w.b[i]);
    int count = variations(w.b, n);
    if (count == 1) record_root(*s, f, p, w.b, w.m, w.k);
    while (count >= 2) {
        if (w.k == 60) FRC_COVER(DEEP_BISECTION);
        t = *s;
        halve(&t, w.b, n, half[0], half[1]);
        if (half[0][n].sign == 0) {
            FRC_COVER(MIDPOINT_ROOT);
            f->count = before;
            const big m = frc_big_add(s, frc_big_shift(s, w.m, 1), one(s));
            record_rational(f, m, frc_big_make(s, 1, 1, w.k + 1));
            *p = deflate(s, p, m, w.k + 1);
            return true;
        }
        const int v[2] = {variations(half[0], n), variations(half[1], n)};
        for (int side = 0; side < 2; side++) {
            if (v[side] != 1) continue;
            big m = frc_big_shift(&t, w.m, 1);
            if (side) m = frc_big_add(&t, m, one(&t));
            record_root(t, f, p, half[side], m, w.k + 1);
        }
        count = v[0] >= 2 ? v[0] : v[1] >= 2 ? v[1] : 0;
        if (count) descend(t, &w, v[0] >= 2 ? half[0] : half[1], n, v[0] < 2);
    }
    return false;
}

FRC_DEVICE static void isolate_linear(found* f, const frc_poly* p) {
    record_inside(f, frc_big_negate(p->c[0]), p->c[1]);
}

FRC_DEVICE static void isolate_quadratic(arena* s, found* f, frc_poly p) {
    const big* c = p.c;
    const big d = frc_big_cross(s, c[1], c[1], frc_big_times(s, c[0], 4), c[2]);
    if (d.sign < 0) return;
    if (d.sign == 0) {
        FRC_COVER(QUADRATIC_DOUBLE);
        record_inside(f, frc_big_negate(c[1]), frc_big_times(s, c[2], 2));
        return;
    }
    // Two roots of p with coefficients below 2^n are more than 2^-n apart: after n + 3 halvings a
    // subinterval has at most one, and each halving adds 2 bits to n + 3.
    if (bisect(s, f, &p, (3 * longest(&p) + 256) / 64)) isolate_linear(f, &p);
}

// The roots of a cubic with discriminant 0 are rational: a triple root -b / 3a when w = b^2 - 3ac
// is 0, otherwise a double root (9ad - bc) / 2w and a simple root.
FRC_DEVICE static void isolate_multiple(arena* s, found* f, const frc_poly* p, big w) {
    const big d = p->c[0], c = p->c[1], b = p->c[2], a = p->c[3];
    if (w.sign == 0) {
        FRC_COVER(TRIPLE_ROOT);
        record_inside(f, frc_big_negate(b), frc_big_times(s, a, 3));
        return;
    }
    FRC_COVER(DOUBLE_ROOT);
    const big ad9 = frc_big_times(s, frc_big_multiply(s, a, d), 9);
    const big bc = frc_big_multiply(s, b, c);
    record_inside(f, frc_big_subtract(s, ad9, bc), frc_big_times(s, w, 2));
    // Simple root: (4abc - 9a^2 d - b^3) / (a w).
    const big abc4 = frc_big_times(s, frc_big_multiply(s, a, bc), 4);
    const big rest = frc_big_add(s, frc_big_multiply(s, a, ad9),
                                 frc_big_multiply(s, b, frc_big_multiply(s, b, b)));
    record_inside(f, frc_big_subtract(s, abc4, rest), frc_big_multiply(s, a, w));
}

// b^2 c^2 - 4 a c^3 - 4 b^3 d + 18 abcd - 27 a^2 d^2
FRC_DEVICE static int discriminant_sign(arena s, const frc_poly* p) {
    const big d = p->c[0], c = p->c[1], b = p->c[2], a = p->c[3];
    const big bc = frc_big_multiply(&s, b, c), ad = frc_big_multiply(&s, a, d);
    const big ac = frc_big_multiply(&s, a, c), bd = frc_big_multiply(&s, b, d);
    const big c2 = frc_big_multiply(&s, c, c), b2 = frc_big_multiply(&s, b, b);
    big sum = frc_big_multiply(&s, bc, bc);
    sum = frc_big_subtract(&s, sum, frc_big_times(&s, frc_big_multiply(&s, ac, c2), 4));
    sum = frc_big_subtract(&s, sum, frc_big_times(&s, frc_big_multiply(&s, bd, b2), 4));
    sum = frc_big_add(&s, sum, frc_big_times(&s, frc_big_multiply(&s, ad, bc), 18));
    sum = frc_big_subtract(&s, sum, frc_big_times(&s, frc_big_multiply(&s, ad, ad), 27));
    return sum.sign;
}

FRC_DEVICE static void isolate_cubic(arena* s, found* f, frc_poly p) {
    const int sign = discriminant_sign(*s, &p);
    if (sign == 0) {
        const big w = frc_big_cross(s, p.c[2], p.c[2], frc_big_times(s, p.c[1], 3), p.c[3]);
        isolate_multiple(s, f, &p, w);
        return;
    }
    if (sign < 0) {  // one real root: it is inside when the signs at the ends differ
        big b[4];
        bernstein(s, &p, b);
        if (b[0].sign == b[3].sign) return;
        FRC_COVER(ONE_REAL_ROOT);
        record_root(*s, f, &p, b, FRC_BIG_ZERO, 0);
        return;
    }
    // Mahler: roots are more than 2^-(2n+6) apart for coefficients below 2^n, so at most 2n + 9
    // halvings are needed, each adding 3 bits to n + 4: 7n + 31 bits.
    if (bisect(s, f, &p, (7 * longest(&p) + 256) / 64)) isolate_quadratic(s, f, p);
}

FRC_DEVICE int frc_algebraic_isolate(frc_big_arena* s, const frc_poly* original,
                                     uint32_t width_bits, frc_algebraic out[3]) {
    found f = {.out = out, .width_bits = width_bits};
    frc_poly p = *original;
    // Bits of an interval end: the number of halvings, 2n + 9 at most, plus refinement: 51 for the
    // width, 46 for a guess, 51 for bisection after an inaccurate guess.
    const uint32_t end_limbs = (2 * longest(&p) + 256) / 64;
    for (int i = 0; i < p.degree; i++)
        for (int side = 0; side < 2; side++) f.slot[i][side] = frc_big_slot(s, end_limbs);
    if (p.c[0].sign == 0) record_rational(&f, FRC_BIG_ZERO, one(s));
    while (p.degree > 0 && p.c[0].sign == 0)
        p = frc_poly_make(p.c[1], p.c[2], p.c[3], FRC_BIG_ZERO);
    // Divide by (t - 1) while 1 is a root: the quotient's coefficients are sums from the top.
    bool at_one = false;
    while (p.degree > 0 && value_at_one(s, &p).sign == 0) {
        at_one = true;
        p = deflate(s, &p, one(s), 0);
    }
    if (at_one) record_rational(&f, one(s), one(s));
    if (p.degree == 1) isolate_linear(&f, &p);
    if (p.degree == 2) isolate_quadratic(s, &f, p);
    if (p.degree == 3) isolate_cubic(s, &f, p);
    return f.count;
}
