// Stage 2 for the common case, two candidates at a time: the cubic changes its sign between the ends
// of the step, certainly, and has no other root. Three in four candidates that the filters leave
// are such. What is not is left to ccd_roots.c, whose bounds and notation are used here. Each lane
// depends on its own candidate alone, and goes through the same steps as any other.
#include "base/simd.h"
#include "geom/ccd_sides.h"
#include "geom/ccd_stages.h"

#define INLINE static inline __attribute__((always_inline))

INLINE f64x2 mul(f64x2 a, f64x2 b) { return f64x2_mul(a, b); }
INLINE f64x2 add(f64x2 a, f64x2 b) { return f64x2_add(a, b); }
INLINE f64x2 sub(f64x2 a, f64x2 b) { return f64x2_sub(a, b); }
INLINE m64x2 both(m64x2 a, m64x2 b) { return m64x2_and(a, b); }

// ---- the root

typedef struct cubic2 {
    f64x2 c[4], e;
} cubic2;

// Two cubics, scaled, and turned so that they are positive at the start. One that is not safe
// becomes one that changes no sign.
INLINE cubic2 load_cubics(const frc_ccd_query* const q[2]) {
    double c[4][2], e[2];
    for (int i = 0; i < 2; i++) {
        const double scale = q[i]->safe ? frc_ccd_scale(q[i], &e[i]) : (e[i] = 0);
        const double turned = q[i]->cubic[0] < 0 ? -scale : scale;
        for (int k = 0; k < 4; k++) c[k][i] = q[i]->safe ? q[i]->cubic[k] * turned : 0;
    }
    cubic2 p = {.e = f64x2_load(e)};
    for (int k = 0; k < 4; k++) p.c[k] = f64x2_load(c[k]);
    return p;
}

enum { STEPS = 5 };  // of Newton's method: enough for all but a few in a hundred

// About where the cubic changes its sign, and its slope there. In powers of t: a guess needs no
// bound.
typedef struct guess {
    f64x2 t, slope;
} guess;

INLINE guess guess_root(const cubic2* p) {
    const f64x2 three = f64x2_splat(3), half = f64x2_splat(0.5);
    const f64x2 a1 = mul(three, sub(p->c[1], p->c[0]));
    const f64x2 a2 = sub(mul(three, sub(p->c[2], p->c[1])), a1);
    const f64x2 a3 = sub(sub(p->c[3], p->c[0]), add(a1, a2));
    const f64x2 b2 = add(a2, a2), b3 = mul(three, a3);
    f64x2 l = f64x2_splat(0), h = f64x2_splat(1);
    guess g = {.t = f64x2_div(p->c[0], sub(p->c[0], p->c[3]))};
    for (int i = 0; i < STEPS; i++) {
        const f64x2 y = add(mul(add(mul(add(mul(a3, g.t), a2), g.t), a1), g.t), p->c[0]);
        g.slope = add(mul(add(mul(b3, g.t), b2), g.t), a1);
        const m64x2 early = f64x2_lt(f64x2_splat(0), y);
        l = f64x2_choose(early, g.t, l);
        h = f64x2_choose(early, h, g.t);
        const f64x2 next = sub(g.t, f64x2_div(y, g.slope));
        const m64x2 within = both(f64x2_le(l, next), f64x2_le(next, h));
        g.t = f64x2_choose(within, next, mul(half, add(l, h)));
    }
    return g;
}

// An interval around the only root, where `sure` says so.
typedef struct interval2 {
    f64x2 lo, hi;
    m64x2 sure;
} interval2;

INLINE f64x2 mix(f64x2 a, f64x2 b, f64x2 t, f64x2 rest) { return add(mul(rest, a), mul(t, b)); }

// The Bernstein coefficients on both sides of t: those at `left`, `left_inner`, `value` and
// `value`, `right_inner`, `right`, and the ends of the whole.
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

// Before `lo` and behind `hi` all coefficients have a certain sign, so there is no root there; and
// the signs are opposite, so there is one in between.
INLINE interval2 enclose(const cubic2* p, double width) {
    const guess g = guess_root(p);
    const f64x2 over = f64x2_div(mul(f64x2_splat(3), p->e), f64x2_abs(g.slope));
    const f64x2 least = f64x2_splat(width), zero = f64x2_splat(0), one = f64x2_splat(1);
    const f64x2 reach = f64x2_choose(f64x2_lt(least, over), over, least);
    const f64x2 before = sub(g.t, reach), behind = add(g.t, reach);
    interval2 r = {.lo = f64x2_choose(f64x2_lt(zero, before), before, zero),
                   .hi = f64x2_choose(f64x2_lt(behind, one), behind, one)};
    const parts a = divide(p, r.lo), b = divide(p, r.hi);
    const f64x2 minus = f64x2_neg(p->e);
    r.sure = both(f64x2_lt(p->e, p->c[0]), f64x2_lt(p->c[3], minus));
    r.sure = both(r.sure, both(f64x2_lt(p->e, a.left), f64x2_lt(p->e, a.left_inner)));
    r.sure = both(r.sure, both(f64x2_lt(p->e, a.value), f64x2_lt(b.value, minus)));
    return (interval2){r.lo, r.hi,
                       both(r.sure, both(f64x2_lt(b.right_inner, minus), f64x2_lt(b.right, minus)))};
}

// ---- inside or outside

typedef struct middle2 {
    f64x2 x[4][3], e[3];
} middle2;

INLINE f64x2 larger(f64x2 a, f64x2 b) { return f64x2_choose(f64x2_lt(a, b), b, a); }

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
            most = larger(most, f64x2_abs(v));
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

// What stands along the axis on which the normal stands out most from its error: the bound, and of
// each point the two other coordinates.
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

// Bits of the candidates for which every root in the interval is a contact, or none is.
typedef struct sides {
    unsigned in, out;
} sides;

INLINE sides sides_of(frc_ccd_kind kind, const frc_ccd_query* const q[2], const interval2* at) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    const middle2 m = middle_of(q, count, at);
    const flat2 f = flatten(kind, &m);
    f64x2 p[4];
    for (int i = 0; i < count; i++) {
        const frc_ccd_side* s = &FRC_CCD_SIDES[kind][i];
        p[i] = sub(mul(f.a[s->x], f.b[s->y]), mul(f.b[s->x], f.a[s->y]));
    }
    const f64x2 n = kind == FRC_CCD_VF ? add(add(p[0], p[1]), p[2]) : sub(p[0], p[1]);
    const m64x2 turned = f64x2_lt(n, f64x2_splat(0));
    const m64x2 flat = f64x2_lt(mul(f64x2_splat(4), f.e), f64x2_abs(n));
    f64x2 least = f64x2_splat(0);
    for (int i = 0; i < count; i++) {
        const f64x2 v = FRC_CCD_SIDES[kind][i].sign > 0 ? p[i] : f64x2_neg(p[i]);
        const f64x2 w = f64x2_choose(turned, f64x2_neg(v), v);
        least = i == 0 ? w : f64x2_choose(f64x2_lt(w, least), w, least);
    }
    return (sides){m64x2_bits(both(flat, f64x2_lt(f.e, least))),
                   m64x2_bits(both(flat, f64x2_lt(least, f64x2_neg(f.e))))};
}

INLINE void decide_two(frc_ccd_kind kind, const frc_ccd_query* const q[2], double tolerance,
                       frc_ccd_verdict* const verdict[2], double* const toi[2]) {
    const cubic2 p = load_cubics(q);
    const interval2 at = enclose(&p, frc_ccd_coarse(tolerance));
    const sides s = sides_of(kind, q, &at);
    const unsigned sure = m64x2_bits(at.sure);
    const double lo[2] = {f64x2_low(at.lo), f64x2_high(at.lo)};
    const double hi[2] = {f64x2_low(at.hi), f64x2_high(at.hi)};
    for (int i = 0; i < 2; i++) {
        const bool sharp = hi[i] - lo[i] <= 0.75 * tolerance;
        *toi[i] = lo[i];
        *verdict[i] = FRC_CCD_UNSURE;
        if (sure & s.out & 1u << i) *verdict[i] = FRC_CCD_OUTSIDE;
        if ((sure & s.in & 1u << i) && sharp) *verdict[i] = FRC_CCD_HIT;
    }
}

INLINE void quick(frc_ccd_kind kind, const frc_ccd_query* queries, size_t count, double tolerance,
                  frc_ccd_verdict* verdicts, double* toi) {
    uint8_t list[FRC_CCD_GROUP + 1];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const double *c = queries[i].cubic;
        verdicts[i] = FRC_CCD_UNSURE;
        list[n] = (uint8_t)i;
        n += (c[0] > 0) != (c[3] > 0);
    }
    list[n] = list[n > 0 ? n - 1 : 0];
    for (size_t i = 0; i < n; i += 2) {
        const frc_ccd_query* const q[2] = {&queries[list[i]], &queries[list[i + 1]]};
        frc_ccd_verdict* const v[2] = {&verdicts[list[i]], &verdicts[list[i + 1]]};
        double* const t[2] = {&toi[list[i]], &toi[list[i + 1]]};
        decide_two(kind, q, tolerance, v, t);
    }
}

void frc_ccd_quick(frc_ccd_kind kind, const frc_ccd_query* queries, size_t count, double tolerance,
                   frc_ccd_verdict* verdicts, double* toi) {
    if (kind == FRC_CCD_VF)
        quick(FRC_CCD_VF, queries, count, tolerance, verdicts, toi);
    else
        quick(FRC_CCD_EE, queries, count, tolerance, verdicts, toi);
}
