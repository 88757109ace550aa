/// @file quick_roots.c  Device code: the stage of the common cases of the roots, one candidate in a
/// thread.
///
/// Every operation of geom/ccd_roots_simd.c on one lane, in its order: the time of impact has the
/// same bits. That file explains the method. All is inlined for each kind, with loops unrolled and
/// no index that is computed: vectors are then in registers.
#include "cuda/quick_roots.h"
#include "cuda/lists.h"
#include "cuda/quick_query.h"
#include "geom/ccd_hull_edges.h"
#include <math.h>

typedef struct cubic {
    double c[4], e;
} cubic;

enum { STEPS = 5 };  // of Newton's method

typedef struct guess {
    double a0, a1, a2, a3;  // coefficients of powers of t
    double l, h, t, slope;
} guess;

FRC_QUICK guess guess_start(const cubic* p) {
    guess g;
    g.a0 = p->c[0], g.l = 0, g.h = 1;
    g.a1 = 3 * (p->c[1] - p->c[0]);
    g.a2 = 3 * (p->c[2] - p->c[1]) - g.a1;
    g.a3 = (p->c[3] - p->c[0]) - (g.a1 + g.a2);
    g.t = p->c[0] / (p->c[0] - p->c[3]);
    g.slope = 0;
    return g;
}

FRC_QUICK void guess_step(guess* g) {
    const double t = g->t, a3t = g->a3 * t;
    const double y = ((a3t + g->a2) * t + g->a1) * t + g->a0;
    g->slope = ((a3t + (a3t + a3t)) + (g->a2 + g->a2)) * t + g->a1;
    if (0 < y)
        g->l = t;
    else
        g->h = t;
    const double next = t - y / g->slope;
    g->t = g->l <= next && next <= g->h ? next : 0.5 * (g->l + g->h);
}

typedef struct interval {
    double lo, hi;
    bool sure;
} interval;

FRC_QUICK double mix(double a, double b, double t, double rest) { return rest * a + t * b; }

typedef struct parts {
    double left, left_inner, value, right_inner, right;
} parts;

FRC_QUICK parts divide(const cubic* p, double t) {
    const double rest = 1 - t;
    const double a = mix(p->c[0], p->c[1], t, rest), b = mix(p->c[1], p->c[2], t, rest);
    const double c = mix(p->c[2], p->c[3], t, rest);
    const double ab = mix(a, b, t, rest), bc = mix(b, c, t, rest);
    const parts r = {a, ab, mix(ab, bc, t, rest), bc, c};
    return r;
}

FRC_QUICK double reach_of(const cubic* p, const guess* g, double width) {
    const double over = 3 * p->e / fabs(g->slope);
    return width < over ? over : width;
}

FRC_QUICK interval enclose(const cubic* p, const guess* g, double width) {
    const double reach = reach_of(p, g, width), before = g->t - reach, behind = g->t + reach;
    interval r;
    r.lo = 0 < before ? before : 0;
    r.hi = behind < 1 ? behind : 1;
    const parts a = divide(p, r.lo), b = divide(p, r.hi);
    const double minus = -p->e;
    r.sure = p->e < p->c[0] && p->c[3] < minus && p->e < a.left && p->e < a.left_inner &&
             p->e < a.value && b.value < minus && b.right_inner < minus && b.right < minus;
    return r;
}

// ---- inside or outside

typedef struct middle {
    double x[4][3], e[3];
} middle;

FRC_QUICK void set_middle(frc_ccd_kind kind, const frc_ccd_query* q, const interval* at,
                          middle* m) {
    const double t = 0.5 * (at->lo + at->hi), r = 0.5 * (at->hi - at->lo) + 0x1p-52;
    double rho[3];
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        double most = 0;
        FRC_UNROLL
        for (int i = 0; i < (kind == FRC_CCD_VF ? 3 : 4); i++) {
            const double start = q->d[i][k][0], v = q->d[i][k][1] - start, speed = fabs(v);
            m->x[i][k] = start + t * v;
            most = most < speed ? speed : most;
        }
        rho[k] = 12 * FRC_CCD_UNIT * q->extent[k] + r * most;
    }
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double li = q->extent[i], lj = q->extent[j];
        const double sum = (rho[i] * lj + rho[j] * li) + rho[i] * rho[j];
        m->e[k] = (sum + sum) + 8 * FRC_CCD_UNIT * (li * lj);
    }
}

FRC_QUICK double cross(const double a[3], const double b[3], int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return a[i] * b[j] - a[j] * b[i];
}

// The axis on which the normal is largest relative to its error.
FRC_QUICK int best_axis(frc_ccd_kind kind, const middle* m) {
    const bool vf = kind == FRC_CCD_VF;
    double u[3], v[3], n[3];
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        u[k] = m->x[vf ? 1 : 0][k] - m->x[vf ? 0 : 2][k];
        v[k] = m->x[vf ? 2 : 1][k] - m->x[0][k];
    }
    FRC_UNROLL
    for (int k = 0; k < 3; k++) n[k] = fabs(cross(u, v, k));
    const bool second = n[0] * m->e[1] < n[1] * m->e[0];
    const double most = second ? n[1] : n[0], e = second ? m->e[1] : m->e[0];
    return most * m->e[2] < n[2] * e ? 2 : second ? 1 : 0;
}

FRC_QUICK double choose(int axis, double x, double y, double z) {
    return axis == 0 ? x : axis == 1 ? y : z;
}

// 1: every root in the interval is a contact; -1: none is; 0: not known.
FRC_QUICK int side_of(frc_ccd_kind kind, const frc_ccd_query* q, const interval* at) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    middle m;
    set_middle(kind, q, at, &m);
    const int axis = best_axis(kind, &m);
    double a[4], b[4], p[4], least = 0;
    FRC_UNROLL
    for (int k = 0; k < count; k++) {
        a[k] = choose(axis, m.x[k][1], m.x[k][2], m.x[k][0]);
        b[k] = choose(axis, m.x[k][2], m.x[k][0], m.x[k][1]);
    }
    FRC_UNROLL
    for (int k = 0; k < count; k++) {
        const frc_hull_edge* s = &FRC_HULL_EDGES[kind][k];
        p[k] = a[s->x] * b[s->y] - b[s->x] * a[s->y];
    }
    const double n = kind == FRC_CCD_VF ? (p[0] + p[1]) + p[2] : p[0] - p[1];
    const double e = choose(axis, m.e[0], m.e[1], m.e[2]);
    if (!(4 * e < fabs(n))) return 0;
    FRC_UNROLL
    for (int k = 0; k < count; k++) {
        const double v = FRC_HULL_EDGES[kind][k].sign > 0 ? p[k] : -p[k];
        const double w = n < 0 ? -v : v;
        least = k == 0 || w < least ? w : least;
    }
    return e < least ? 1 : least < -e ? -1 : 0;
}

// ---- one root

FRC_QUICK frc_ccd_verdict decide_one(frc_ccd_kind kind, const frc_ccd_query* q, double tolerance,
                                     double* toi) {
    cubic p;
    const double scale = frc_ccd_scale(q, &p.e), factor = q->cubic[0] < 0 ? -scale : scale;
    FRC_UNROLL
    for (int k = 0; k < 4; k++) p.c[k] = q->cubic[k] * factor;
    guess g = guess_start(&p);
    FRC_UNROLL
    for (int i = 0; i < STEPS; i++) guess_step(&g);
    const interval at = enclose(&p, &g, frc_ccd_coarse(tolerance));
    if (!at.sure) return FRC_CCD_UNSURE;
    const int side = side_of(kind, q, &at);
    if (side < 0) return FRC_CCD_OUTSIDE;
    *toi = at.lo;
    return side > 0 && at.hi - at.lo <= 0.75 * tolerance ? FRC_CCD_HIT : FRC_CCD_UNSURE;
}

// ---- two roots or none: direction 0 follows time, direction 1 reversed time

FRC_QUICK double minimum_at(const frc_ccd_query* q) {
    const double sign = q->cubic[0] < 0 ? -1 : 1;
    const double d0 = sign * (q->cubic[1] - q->cubic[0]), d1 = sign * (q->cubic[2] - q->cubic[1]),
                 d2 = sign * (q->cubic[3] - q->cubic[2]);
    const double a = d0 - 2 * d1 + d2, b = d1 - d0, root = sqrt(b * b - a * d0);
    return b > 0 ? -d0 / (b + root) : (root - b) / a;
}

FRC_QUICK guess guess_from_minimum(const cubic* p, double vertex, double lowest) {
    guess g = guess_start(p);
    const double part = sqrt(-lowest / (p->c[0] - lowest));
    g.h = vertex;
    g.t = vertex * (1 - part);
    return g;
}

FRC_QUICK double on_grid(double t) { return (t + 1) - 1; }

FRC_QUICK bool stays_positive(const cubic* p, const parts* low) {
    return p->e < p->c[0] && p->e < low->value && p->e < low->left && p->e < low->left_inner &&
           p->e < low->right && p->e < low->right_inner;
}

// Intervals around both roots, each in its own direction of time. False: not certain.
FRC_QUICK bool enclose_both(const cubic p[2], const guess g[2], const double vertex[2],
                            double width, interval out[2]) {
    parts b[2];
    bool sure = true;
    FRC_UNROLL
    for (int i = 0; i < 2; i++) {
        const double reach = reach_of(&p[i], &g[i], width);
        const double before = g[i].t - reach, behind = g[i].t + reach;
        out[i].lo = on_grid(0 < before ? before : 0);
        out[i].hi = on_grid(behind < vertex[i] ? behind : vertex[i]);
        const parts a = divide(&p[i], out[i].lo);
        b[i] = divide(&p[i], out[i].hi);
        sure = sure && p[i].e < p[i].c[0] && p[i].e < a.left && p[i].e < a.left_inner &&
               p[i].e < a.value && b[i].value < -p[i].e;
    }
    FRC_UNROLL
    for (int i = 0; i < 2; i++) {
        const double other = 1 - out[1 - i].hi;
        const double between = mix(b[i].left_inner, b[i].right_inner, other, 1 - other);
        sure = sure && out[i].hi <= other && between < -p[i].e;
    }
    return sure;
}

FRC_QUICK frc_ccd_verdict decide_both(frc_ccd_kind kind, const frc_ccd_query* q, const cubic p[2],
                                      const guess g[2], const double vertex[2], double tolerance,
                                      double* toi) {
    interval at[2];
    if (!enclose_both(p, g, vertex, frc_ccd_coarse(tolerance), at)) return FRC_CCD_UNSURE;
    const double lo = 1 - at[1].hi, hi = 1 - at[1].lo;
    at[1].lo = lo, at[1].hi = hi;
    int side = side_of(kind, q, &at[0]);
    if (side < 0) {
        side = side_of(kind, q, &at[1]);
        if (side < 0) return FRC_CCD_OUTSIDE;
        at[0] = at[1];
    }
    if (side <= 0) return FRC_CCD_UNSURE;
    *toi = at[0].lo;
    return at[0].hi - at[0].lo <= 0.75 * tolerance ? FRC_CCD_HIT : FRC_CCD_UNSURE;
}

FRC_QUICK frc_ccd_verdict decide_two_roots(frc_ccd_kind kind, const frc_ccd_query* q,
                                           double tolerance, double* toi) {
    const double low = minimum_at(q), vertex[2] = {low, 1 - low};
    if (!(low > 0 && low < 1)) return FRC_CCD_UNSURE;
    cubic p[2];
    guess g[2];
    bool positive = true, crosses = true;
    double scale = frc_ccd_scale(q, &p[0].e);
    if (q->cubic[0] < 0) scale = -scale;
    p[1].e = p[0].e;
    FRC_UNROLL
    for (int k = 0; k < 4; k++)
        p[0].c[k] = q->cubic[k] * scale, p[1].c[k] = q->cubic[3 - k] * scale;
    FRC_UNROLL
    for (int i = 0; i < 2; i++) {
        const parts at = divide(&p[i], vertex[i]);
        positive = positive && stays_positive(&p[i], &at);
        crosses = crosses && at.value < -p[i].e;
        g[i] = guess_from_minimum(&p[i], vertex[i], at.value);
    }
    if (crosses) {
        FRC_UNROLL
        for (int i = 0; i < STEPS; i++) guess_step(&g[0]), guess_step(&g[1]);
        return decide_both(kind, q, p, g, vertex, tolerance, toi);
    }
    return positive ? FRC_CCD_NO_ROOT : FRC_CCD_UNSURE;
}

FRC_QUICK frc_ccd_verdict decide(frc_ccd_kind kind, const frc_ccd_query* q, double tolerance,
                                 double* toi) {
    if (!q->safe) return FRC_CCD_UNSURE;
    return (q->cubic[0] > 0) != (q->cubic[3] > 0) ? decide_one(kind, q, tolerance, toi)
                                                  : decide_two_roots(kind, q, tolerance, toi);
}

FRC_DEVICE frc_ccd_verdict frc_quick_roots(const frc_ccd_query* q, double tolerance, double* toi) {
    return q->kind == FRC_CCD_VF ? decide(FRC_CCD_VF, q, tolerance, toi)
                                 : decide(FRC_CCD_EE, q, tolerance, toi);
}

// ---- the stage

FRC_QUICK void decide_list(frc_ccd_kind kind, const frc_step* s, const frc_pair_list* in,
                           uint32_t warp, uint32_t warps) {
    const uint64_t count = frc_list_stored(in);
    FRC_EACH_32(first, count, warp, warps) {
        bool hit[FRC_LANES], unsure[FRC_LANES];
        frc_slot_pair pair[FRC_LANES];
        double toi[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            hit[i] = unsure[i] = false;
            if (n >= count) continue;
            pair[i] = in->pairs[n];
            const frc_ccd_pair candidate = frc_quick_candidate(kind, s, pair[i]);
            frc_ccd_query q;
            frc_quick_make(kind, s->points, candidate.point, &q);
            const frc_ccd_verdict v = decide(kind, &q, s->tolerance, &toi[i]);
            hit[i] = v == FRC_CCD_HIT, unsure[i] = v == FRC_CCD_UNSURE;
        }
        frc_hits_append(s, hit, pair, toi);
        frc_list_append(&s->lists[FRC_LIST_ROOTS], unsure, pair);
    }
}

FRC_STAGE(quick_roots) {
    FRC_UNROLL_NOT
    for (int k = 0; k < 2; k++) {
        const frc_pair_list* in = &s->lists[k ? FRC_LIST_TWO_ROOTS : FRC_LIST_FILTERED];
        if (s->kind == FRC_CCD_VF)
            decide_list(FRC_CCD_VF, s, in, k ? warps - 1 - warp : warp, warps);
        else
            decide_list(FRC_CCD_EE, s, in, k ? warps - 1 - warp : warp, warps);
    }
}
