/// @file ccd_roots_simd.c  Stage 2 for the common cases, two roots at a time in SIMD lanes. Either
/// the cubic certainly changes its sign between the ends of the step and has one root (three
/// quarters of the candidates that pass the filters), or it has the same sign at both ends and two
/// roots or none. All other candidates are left to ccd_roots.c, whose bounds and notation are used
/// here. The result for a candidate depends on that candidate alone.
#include "base/simd.h"
#include "geom/ccd_hull_edges.h"
#include "geom/ccd_stages.h"
#include <math.h>

#define INLINE static inline __attribute__((always_inline))

INLINE f64x2 mul(f64x2 a, f64x2 b) { return f64x2_mul(a, b); }
INLINE f64x2 add(f64x2 a, f64x2 b) { return f64x2_add(a, b); }
INLINE f64x2 sub(f64x2 a, f64x2 b) { return f64x2_sub(a, b); }
INLINE m64x2 both(m64x2 a, m64x2 b) { return m64x2_and(a, b); }

// ---- one root per candidate, two candidates in the lanes

typedef struct cubic2 {
    f64x2 c[4], e;
} cubic2;

// Two cubics, scaled, with signs such that they are positive at the start.
INLINE cubic2 load_cubics(const frc_ccd_query* const q[2]) {
    double c[4][2], e[2];
    for (int i = 0; i < 2; i++) {
        const double scale = frc_ccd_scale(q[i], &e[i]);
        const double factor = q[i]->cubic[0] < 0 ? -scale : scale;
        for (int k = 0; k < 4; k++) c[k][i] = q[i]->cubic[k] * factor;
    }
    cubic2 p = {.e = f64x2_load(e)};
    for (int k = 0; k < 4; k++) p.c[k] = f64x2_load(c[k]);
    return p;
}

enum { STEPS = 5 };  // of Newton's method: sufficient for all but a few percent of candidates

// An approximate root and the slope there. In the monomial basis: a guess needs no error bound.
typedef struct guess {
    f64x2 a0, a1, a2, a3;  // coefficients of powers of t
    f64x2 l, h;            // bracket of the root
    f64x2 t, slope;
} guess;

INLINE guess guess_start(const cubic2* p) {
    const f64x2 three = f64x2_splat(3);
    guess g = {.a0 = p->c[0], .l = f64x2_splat(0), .h = f64x2_splat(1)};
    g.a1 = mul(three, sub(p->c[1], p->c[0]));
    g.a2 = sub(mul(three, sub(p->c[2], p->c[1])), g.a1);
    g.a3 = sub(sub(p->c[3], p->c[0]), add(g.a1, g.a2));
    g.t = f64x2_div(p->c[0], sub(p->c[0], p->c[3]));
    return g;
}

INLINE void guess_step(guess* g) {
    const f64x2 t = g->t, a3t = mul(g->a3, t);
    const f64x2 y = add(mul(add(mul(add(a3t, g->a2), t), g->a1), t), g->a0);
    g->slope = add(mul(add(add(a3t, add(a3t, a3t)), add(g->a2, g->a2)), t), g->a1);
    const m64x2 before_root = f64x2_lt(f64x2_splat(0), y);
    g->l = f64x2_choose(before_root, t, g->l);
    g->h = f64x2_choose(before_root, g->h, t);
    const f64x2 next = sub(t, f64x2_div(y, g->slope));
    const m64x2 within = both(f64x2_le(g->l, next), f64x2_le(next, g->h));
    g->t = f64x2_choose(within, next, mul(f64x2_splat(0.5), add(g->l, g->h)));
}

// An interval around the only root; only valid in lanes where `sure` is set.
typedef struct interval2 {
    f64x2 lo, hi;
    m64x2 sure;
} interval2;

INLINE f64x2 mix(f64x2 a, f64x2 b, f64x2 t, f64x2 rest) { return add(mul(rest, a), mul(t, b)); }

// The Bernstein coefficients after division at t: on [0, t] C0, `left`, `left_inner`, `value`, on
// [t, 1] `value`, `right_inner`, `right`, C3.
typedef struct parts {
    f64x2 left, left_inner, value, right_inner, right;
} parts;

INLINE parts divide(const cubic2* p, f64x2 t) {
    const f64x2 rest = sub(f64x2_splat(1), t);
    const f64x2 a = mix(p->c[0], p->c[1], t, rest), b = mix(p->c[1], p->c[2], t, rest);
    const f64x2 c = mix(p->c[2], p->c[3], t, rest);
    const f64x2 ab = mix(a, b, t, rest), bc = mix(b, c, t, rest);
    return (parts){a, ab, mix(ab, bc, t, rest), bc, c};
}

// Half-width of the enclosure: three times E over the slope, but at least `width`.
INLINE f64x2 reach_of(const cubic2* p, const guess* g, double width) {
    const f64x2 over = f64x2_div(mul(f64x2_splat(3), p->e), f64x2_abs(g->slope));
    const f64x2 least = f64x2_splat(width);
    return f64x2_choose(f64x2_lt(least, over), over, least);
}

// On [0, lo] and on [hi, 1] all coefficients certainly have one sign, so there is no root; and the
// two signs are opposite, so there is one in between.
INLINE interval2 enclose(const cubic2* p, const guess* g, double width) {
    const f64x2 reach = reach_of(p, g, width), zero = f64x2_splat(0), one = f64x2_splat(1);
    const f64x2 before = sub(g->t, reach), behind = add(g->t, reach);
    interval2 r = {.lo = f64x2_choose(f64x2_lt(zero, before), before, zero),
                   .hi = f64x2_choose(f64x2_lt(behind, one), behind, one)};
    const parts a = divide(p, r.lo), b = divide(p, r.hi);
    const f64x2 minus = f64x2_neg(p->e);
    r.sure = both(f64x2_lt(p->e, p->c[0]), f64x2_lt(p->c[3], minus));
    r.sure = both(r.sure, both(f64x2_lt(p->e, a.left), f64x2_lt(p->e, a.left_inner)));
    r.sure = both(r.sure, both(f64x2_lt(p->e, a.value), f64x2_lt(b.value, minus)));
    return (interval2){
        r.lo, r.hi, both(r.sure, both(f64x2_lt(b.right_inner, minus), f64x2_lt(b.right, minus)))};
}

// ---- inside or outside

typedef struct middle2 {
    f64x2 x[4][3], e[3];
} middle2;

// As in ccd_roots.c: rho = 12 u L + r M, e = 2 (rho_j L_l + rho_l L_j + rho_j rho_l) + 8 u L_j L_l.
INLINE middle2 middle_of(const frc_ccd_query* const q[2], int count, const interval2* at) {
    const f64x2 half = f64x2_splat(0.5), t = mul(half, add(at->lo, at->hi));
    const f64x2 r = add(mul(half, sub(at->hi, at->lo)), f64x2_splat(0x1p-52));
    f64x2 rho[3], l[3];
    middle2 m;
    for (int k = 0; k < 3; k++) {
        f64x2 most = f64x2_splat(0);
        for (int i = 0; i < count; i++) {
            const f64x2 a = f64x2_load(q[0]->d[i][k]), b = f64x2_load(q[1]->d[i][k]);
            const f64x2 start = f64x2_low_low(a, b), v = sub(f64x2_high_high(a, b), start);
            m.x[i][k] = add(start, mul(t, v));
            const f64x2 speed = f64x2_abs(v);
            most = f64x2_choose(f64x2_lt(most, speed), speed, most);
        }
        l[k] = f64x2_set(q[0]->extent[k], q[1]->extent[k]);
        rho[k] = add(mul(f64x2_splat(12 * FRC_CCD_UNIT), l[k]), mul(r, most));
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const f64x2 sum = add(add(mul(rho[i], l[j]), mul(rho[j], l[i])), mul(rho[i], rho[j]));
        m.e[k] = add(add(sum, sum), mul(f64x2_splat(8 * FRC_CCD_UNIT), mul(l[i], l[j])));
    }
    return m;
}

INLINE f64x2 cross(const f64x2 a[3], const f64x2 b[3], int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return sub(mul(a[i], b[j]), mul(a[j], b[i]));
}

// The projection along the axis on which the normal is largest relative to its error: the two other
// coordinates of each D_i, and the error bound of that axis.
typedef struct flat2 {
    f64x2 a[4], b[4], e;
} flat2;

INLINE flat2 flatten(frc_ccd_kind kind, const middle2* m) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    const int from = kind == FRC_CCD_VF ? 0 : 2, to = kind == FRC_CCD_VF ? 1 : 0;
    f64x2 u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = sub(m->x[to][k], m->x[from][k]);
        v[k] = sub(m->x[kind == FRC_CCD_VF ? 2 : 1][k], m->x[0][k]);
    }
    for (int k = 0; k < 3; k++) n[k] = f64x2_abs(cross(u, v, k));
    const m64x2 y = f64x2_lt(mul(n[0], m->e[1]), mul(n[1], m->e[0]));
    const f64x2 best = f64x2_choose(y, n[1], n[0]), e = f64x2_choose(y, m->e[1], m->e[0]);
    const m64x2 z = f64x2_lt(mul(best, m->e[2]), mul(n[2], e));
    flat2 f = {.e = f64x2_choose(z, m->e[2], e)};
    for (int i = 0; i < count; i++) {
        const f64x2* x = m->x[i];
        f.a[i] = f64x2_choose(z, x[0], f64x2_choose(y, x[2], x[1]));
        f.b[i] = f64x2_choose(z, x[1], f64x2_choose(y, x[0], x[2]));
    }
    return f;
}

// Bits of the lanes in which every root in the interval is a contact, or none is.
typedef struct sides {
    unsigned in, out;
} sides;

INLINE sides sides_of(frc_ccd_kind kind, const frc_ccd_query* const q[2], const interval2* at) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    const middle2 m = middle_of(q, count, at);
    const flat2 f = flatten(kind, &m);
    f64x2 p[4];
    for (int i = 0; i < count; i++) {
        const frc_hull_edge* s = &FRC_HULL_EDGES[kind][i];
        p[i] = sub(mul(f.a[s->x], f.b[s->y]), mul(f.b[s->x], f.a[s->y]));
    }
    const f64x2 n = kind == FRC_CCD_VF ? add(add(p[0], p[1]), p[2]) : sub(p[0], p[1]);
    const m64x2 negative = f64x2_lt(n, f64x2_splat(0));
    const m64x2 certain = f64x2_lt(mul(f64x2_splat(4), f.e), f64x2_abs(n));
    f64x2 least = f64x2_splat(0);
    for (int i = 0; i < count; i++) {
        const f64x2 v = FRC_HULL_EDGES[kind][i].sign > 0 ? p[i] : f64x2_neg(p[i]);
        const f64x2 w = f64x2_choose(negative, f64x2_neg(v), v);
        least = i == 0 ? w : f64x2_choose(f64x2_lt(w, least), w, least);
    }
    return (sides){m64x2_bits(both(certain, f64x2_lt(f.e, least))),
                   m64x2_bits(both(certain, f64x2_lt(least, f64x2_neg(f.e))))};
}

INLINE void decide_two(frc_ccd_kind kind, const frc_ccd_query* const q[2], double tolerance,
                       const interval2* at, frc_ccd_verdict verdict[2], double toi[2]) {
    const sides s = sides_of(kind, q, at);
    const unsigned sure = m64x2_bits(at->sure);
    const double hi[2] = {f64x2_low(at->hi), f64x2_high(at->hi)};
    f64x2_store(toi, at->lo);
    for (int i = 0; i < 2; i++) {
        const bool sharp = hi[i] - toi[i] <= 0.75 * tolerance;
        verdict[i] = FRC_CCD_UNSURE;
        if (sure & s.out & 1u << i) verdict[i] = FRC_CCD_OUTSIDE;
        if ((sure & s.in & 1u << i) && sharp) verdict[i] = FRC_CCD_HIT;
    }
}

// Four candidates: the two dependency chains of Newton's method overlap in the pipeline.
INLINE void decide_four(frc_ccd_kind kind, const frc_ccd_query* const q[4], double tolerance,
                        frc_ccd_verdict verdict[4], double toi[4]) {
    const cubic2 p[2] = {load_cubics(q), load_cubics(q + 2)};
    guess g[2] = {guess_start(&p[0]), guess_start(&p[1])};
    for (int i = 0; i < STEPS; i++) {
        guess_step(&g[0]);
        guess_step(&g[1]);
    }
    const double width = frc_ccd_coarse(tolerance);
    for (int k = 0; k < 2; k++) {
        const interval2 at = enclose(&p[k], &g[k], width);
        decide_two(kind, q + 2 * k, tolerance, &at, verdict + 2 * k, toi + 2 * k);
    }
}

// ---- two roots of one candidate: lane 0 follows time, lane 1 reversed time

// The local minimum of the cubic, which is positive at both ends; not in (0, 1), or NaN, where
// there is no minimum inside. It need not be accurate.
static double minimum_at(const frc_ccd_query* q) {
    const double sign = q->cubic[0] < 0 ? -1 : 1;
    const double d0 = sign * (q->cubic[1] - q->cubic[0]), d1 = sign * (q->cubic[2] - q->cubic[1]),
                 d2 = sign * (q->cubic[3] - q->cubic[2]);
    // derivative / 3 = a t^2 + 2 b t + d0: its root with positive slope
    const double a = d0 - 2 * d1 + d2, b = d1 - d0, root = sqrt(b * b - a * d0);
    return b > 0 ? -d0 / (b + root) : (root - b) / a;
}

// The cubic, scaled and positive at the start, in t and in 1 - t.
INLINE cubic2 both_ways(const frc_ccd_query* q) {
    double e, scale = frc_ccd_scale(q, &e);
    if (q->cubic[0] < 0) scale = -scale;
    cubic2 p = {.e = f64x2_splat(e)};
    for (int k = 0; k < 4; k++) p.c[k] = f64x2_set(q->cubic[k] * scale, q->cubic[3 - k] * scale);
    return p;
}

// The start of Newton's method: the root of the parabola with its vertex at the minimum.
INLINE guess guess_from_minimum(const cubic2* p, f64x2 vertex, f64x2 lowest) {
    guess g = guess_start(p);
    const f64x2 part = f64x2_sqrt(f64x2_div(f64x2_neg(lowest), sub(p->c[0], lowest)));
    g.h = vertex;
    g.t = mul(vertex, sub(f64x2_splat(1), part));
    return g;
}

// t rounded to a multiple of 2^-52, so that 1 - t is exact. For 0 <= t <= 1.
INLINE f64x2 on_grid(f64x2 t) { return sub(add(t, f64x2_splat(1)), f64x2_splat(1)); }

// Intervals around both roots, each in its own direction of time. On [0, lo] all coefficients are
// certainly positive; at `hi` the value is certainly negative, and so are all coefficients between
// the two `hi`: there is no other root.
INLINE interval2 enclose_both(const cubic2* p, const guess* g, f64x2 vertex, double width) {
    const f64x2 reach = reach_of(p, g, width), zero = f64x2_splat(0), minus = f64x2_neg(p->e);
    const f64x2 before = sub(g->t, reach), behind = add(g->t, reach);
    interval2 r = {.lo = on_grid(f64x2_choose(f64x2_lt(zero, before), before, zero)),
                   .hi = on_grid(f64x2_choose(f64x2_lt(behind, vertex), behind, vertex))};
    const parts a = divide(p, r.lo), b = divide(p, r.hi);
    const f64x2 other = sub(f64x2_splat(1), f64x2_swap(r.hi));
    const f64x2 between = mix(b.left_inner, b.right_inner, other, sub(f64x2_splat(1), other));
    r.sure = both(f64x2_lt(p->e, p->c[0]), f64x2_le(r.hi, other));
    r.sure = both(r.sure, both(f64x2_lt(p->e, a.left), f64x2_lt(p->e, a.left_inner)));
    r.sure = both(r.sure, both(f64x2_lt(p->e, a.value), f64x2_lt(b.value, minus)));
    r.sure = both(r.sure, f64x2_lt(between, minus));
    return r;
}

// From both directions of time to t: exact on the grid.
INLINE interval2 in_time(interval2 at) {
    const f64x2 one = f64x2_splat(1), lo = sub(one, at.hi), hi = sub(one, at.lo);
    return (interval2){f64x2_set(f64x2_low(at.lo), f64x2_high(lo)),
                       f64x2_set(f64x2_low(at.hi), f64x2_high(hi)), at.sure};
}

// No root: all coefficients on both sides of the minimum are certainly positive.
INLINE bool stays_positive(const cubic2* p, const parts* low) {
    m64x2 yes = both(f64x2_lt(p->e, p->c[0]), f64x2_lt(p->e, low->value));
    yes = both(yes, both(f64x2_lt(p->e, low->left), f64x2_lt(p->e, low->left_inner)));
    yes = both(yes, both(f64x2_lt(p->e, low->right), f64x2_lt(p->e, low->right_inner)));
    return m64x2_bits(yes) == 3;
}

INLINE frc_ccd_verdict decide_both(frc_ccd_kind kind, const frc_ccd_query* query, const cubic2* p,
                                   const guess* g, f64x2 vertex, double tolerance, double* toi) {
    const interval2 at = in_time(enclose_both(p, g, vertex, frc_ccd_coarse(tolerance)));
    const frc_ccd_query* const q[2] = {query, query};
    if (m64x2_bits(at.sure) != 3) return FRC_CCD_UNSURE;
    const sides s = sides_of(kind, q, &at);
    const f64x2 wide = sub(at.hi, at.lo);
    if (s.out == 3) return FRC_CCD_OUTSIDE;
    const bool second = s.out & 1;
    if (!(s.in & (second ? 2 : 1))) return FRC_CCD_UNSURE;
    *toi = second ? f64x2_high(at.lo) : f64x2_low(at.lo);
    const bool sharp = (second ? f64x2_high(wide) : f64x2_low(wide)) <= 0.75 * tolerance;
    return sharp ? FRC_CCD_HIT : FRC_CCD_UNSURE;
}

// Two candidates, with overlapping dependency chains as in decide_four.
INLINE void decide_two_roots(frc_ccd_kind kind, const frc_ccd_query* const q[2], double tolerance,
                             frc_ccd_verdict verdict[2], double toi[2]) {
    cubic2 p[2];
    guess g[2];
    f64x2 vertex[2];
    bool crosses[2];
    for (int i = 0; i < 2; i++) {
        verdict[i] = FRC_CCD_UNSURE;
        const double low = minimum_at(q[i]);
        vertex[i] = f64x2_set(low, 1 - low);
        p[i] = both_ways(q[i]);
        const parts at = divide(&p[i], vertex[i]);
        const bool inside = low > 0 && low < 1;
        if (inside && stays_positive(&p[i], &at)) verdict[i] = FRC_CCD_NO_ROOT;
        crosses[i] = inside && m64x2_bits(f64x2_lt(at.value, f64x2_neg(p[i].e))) == 3;
        g[i] = guess_from_minimum(&p[i], vertex[i], at.value);
    }
    for (int i = 0; i < STEPS && (crosses[0] | crosses[1]); i++) {
        guess_step(&g[0]);
        guess_step(&g[1]);
    }
    for (int i = 0; i < 2; i++)
        if (crosses[i])
            verdict[i] = decide_both(kind, q[i], &p[i], &g[i], vertex[i], tolerance, &toi[i]);
}

// ---- all candidates

// Indices of the candidates whose cubic changes its sign between the ends, and of the others, both
// only where it is safe. The lists are padded with their last element to full groups of lanes.
typedef struct lists {
    uint8_t crossing[FRC_CCD_GROUP + 3], others[FRC_CCD_GROUP + 1];
    size_t crossing_count, other_count;
} lists;

static void classify(const frc_ccd_query* queries, size_t count, lists* out) {
    size_t n = 0, m = 0;
    for (size_t i = 0; i < count; i++) {
        const double* c = queries[i].cubic;
        const bool crosses = (c[0] > 0) != (c[3] > 0);
        out->crossing[n] = out->others[m] = (uint8_t)i;
        n += crosses & queries[i].safe;
        m += !crosses & queries[i].safe;
    }
    for (size_t i = n; n > 0 && i < n + 3; i++) out->crossing[i] = out->crossing[n - 1];
    if (m > 0) out->others[m] = out->others[m - 1];
    out->crossing_count = n;
    out->other_count = m;
}

INLINE void decide_all(frc_ccd_kind kind, const frc_ccd_query* queries, size_t count,
                       double tolerance, frc_ccd_verdict* verdicts, double* toi) {
    lists l;
    frc_ccd_verdict v[4];
    double t[4] = {0};
    for (size_t i = 0; i < count; i++) verdicts[i] = FRC_CCD_UNSURE;
    classify(queries, count, &l);
    for (size_t i = 0; i < l.crossing_count; i += 4) {
        const uint8_t* at = &l.crossing[i];
        const frc_ccd_query* const q[4] = {&queries[at[0]], &queries[at[1]], &queries[at[2]],
                                           &queries[at[3]]};
        decide_four(kind, q, tolerance, v, t);
        for (int k = 0; k < 4; k++) verdicts[at[k]] = v[k], toi[at[k]] = t[k];
    }
    for (size_t i = 0; i < l.other_count; i += 2) {
        const uint8_t* at = &l.others[i];
        const frc_ccd_query* const q[2] = {&queries[at[0]], &queries[at[1]]};
        decide_two_roots(kind, q, tolerance, v, t);
        for (int k = 0; k < 2; k++) verdicts[at[k]] = v[k], toi[at[k]] = t[k];
    }
}

void frc_ccd_roots_simd(frc_ccd_kind kind, const frc_ccd_query* queries, size_t count,
                        double tolerance, frc_ccd_verdict* verdicts, double* toi) {
    if (kind == FRC_CCD_VF)
        decide_all(FRC_CCD_VF, queries, count, tolerance, verdicts, toi);
    else
        decide_all(FRC_CCD_EE, queries, count, tolerance, verdicts, toi);
}
