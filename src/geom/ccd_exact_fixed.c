/// @file ccd_exact_fixed.c  ccd_exact.c in integers of fixed width, for coordinates that span at
/// most FRC_FIXED_BITS bits, and for the common cases: no arena, and a tenth of the time. What it
/// does not decide ccd_exact.c does; the answers are the same bit for bit. On a GPU the lanes of a
/// warp do it together (cuda/stage_exact.c).
#include "geom/ccd_exact_fixed.h"

typedef frc_fixed_quadratic quadratic;
typedef frc_fixed_number number;
typedef frc_fixed_line line;
typedef frc_fixed_motion motion;

static void subtract(const line* a, const line* b, line* out) {
    FRC_FIXED_UNROLL
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++) out->c[k][j] = a->c[k][j] - b->c[k][j];
}

// c = det(D0, D1, D2) = sum over k of D2_k (D0 x D1)_k
static void determinant(const motion* m, frc_fixed_poly* out) {
    uint64_t sum[4][3] = {{0}};
    FRC_FIXED_UNROLL
    for (int k = 0; k < 3; k++) {
        const quadratic p = frc_fixed_cross(&m->d[0], &m->d[1], k);
        FRC_FIXED_UNROLL
        for (int i = 0; i < 3; i++) {
            uint64_t term[3];
            frc_fixed_product(p.c[i], m->d[2].c[k][0], term);
            frc_fixed_add(sum[i], 3, term, 3, 0, false);
            frc_fixed_product(p.c[i], m->d[2].c[k][1], term);
            frc_fixed_add(sum[i + 1], 3, term, 3, 0, false);
        }
    }
    frc_fixed_poly_make((const uint64_t(*)[3])sum, out);
}

static __attribute__((noinline)) int cross_sign(const line* x, const line* y, int k,
                                                const number* at) {
    const quadratic q = frc_fixed_cross(x, y, k);
    return frc_fixed_sign_at(at, &q);
}

// 0 lies between D_x and D_y.
static bool between(const motion* m, const frc_hull_edge* e, const number* at) {
    const line *x = &m->d[e->x], *y = &m->d[e->y];
    for (int k = 0; k < 3; k++)
        if (cross_sign(x, y, k, at)) return false;
    for (int k = 0; k < 3; k++) {
        const quadratic px = frc_fixed_linear(x, k), py = frc_fixed_linear(y, k);
        if (frc_fixed_sign_at(at, &px) * frc_fixed_sign_at(at, &py) > 0) return false;
    }
    return true;
}

// "Contact" of docs/exactness.md, given that the cubic vanishes at `at`.
static bool contact(frc_ccd_kind kind, const motion* m, const number* at) {
    const frc_hull_edge* const sides = FRC_HULL_EDGES[kind];
    const int count = FRC_HULL_EDGE_COUNT[kind];
    for (int k = 0; k < 3; k++) {
        const int normal = cross_sign(&m->n[0], &m->n[1], k, at);
        if (normal == 0) continue;
        for (int i = 0; i < count; i++) {
            const int sign = cross_sign(&m->d[sides[i].x], &m->d[sides[i].y], k, at);
            if (normal * sides[i].sign * sign < 0) return false;
        }
        return true;
    }
    for (int i = 0; i < count; i++)
        if (between(m, &sides[i], at)) return true;
    return false;
}

typedef struct search {
    frc_ccd_kind kind;
    const motion* m;
    int bits;
    uint32_t width_bits;
    bool after_start, hit;
    double toi;
} search;

// Test the roots of one polynomial in [0, 1], and keep the earliest with contact. False: unsure.
static bool try_roots(search* f, const frc_fixed_poly* p) {
    if (p->degree <= 0) return true;
    frc_fixed_roots r;
    if (!frc_fixed_isolate(p, f->bits, f->width_bits, &r)) return false;
    for (int i = 0; i < r.count; i++) {
        const number* at = &r.root[i];
        if (f->after_start && at->kind == FRC_RATIONAL && (at->x[0] | at->x[1] | at->x[2]) == 0)
            continue;
        const double lower = frc_fixed_lower(at);
        if (f->hit && lower >= f->toi) continue;
        if (!contact(f->kind, f->m, at)) continue;
        f->hit = true;
        f->toi = lower;
    }
    return true;
}

static bool try_events(search* f) {
    number start = {.kind = f->after_start ? FRC_RIGHT_OF_ZERO : FRC_RATIONAL};
    start.y[0] = 1;
    if (contact(f->kind, f->m, &start)) {
        f->hit = true;
        f->toi = 0;
        return true;
    }
    for (int i = 0; i < frc_fixed_polynomials(f->kind); i++) {
        const quadratic q = frc_fixed_polynomial(f->kind, f->m, i);
        frc_fixed_poly p;
        frc_fixed_poly_quadratic(&q, &p);
        if (!try_roots(f, &p)) return false;
    }
    return true;
}

// The difference vectors in integers; axis k is in units of 2^exponent[k].
static void set_motion(frc_ccd_kind kind, motion* m, const frc_point* const points[4],
                       const int exponent[3]) {
    line p[4];
    FRC_FIXED_UNROLL
    for (int i = 0; i < 4; i++) {
        FRC_FIXED_UNROLL
        for (int k = 0; k < 3; k++) {
            const double* x = frc_point_axis(points[i], k);
            p[i].c[k][0] = frc_fixed_from_double(x[0], exponent[k]);
            p[i].c[k][1] = frc_fixed_from_double(x[1], exponent[k]) - p[i].c[k][0];
        }
    }
    if (kind == FRC_CCD_VF) {
        for (int i = 0; i < 3; i++) subtract(&p[i + 1], &p[0], &m->d[i]);
        subtract(&p[2], &p[1], &m->n[0]);
        subtract(&p[3], &p[1], &m->n[1]);
        return;
    }
    for (int i = 0; i < 4; i++) subtract(&p[2 + i % 2], &p[i / 2], &m->d[i]);
    subtract(&p[1], &p[0], &m->n[0]);
    subtract(&p[3], &p[2], &m->n[1]);
}

frc_ccd_verdict frc_ccd_exact_fixed(frc_ccd_kind kind, const frc_point* const points[4],
                                    const int exponent[3], int bits, bool after_start,
                                    double tolerance, double* toi) {
    if (bits > FRC_FIXED_BITS) return FRC_CCD_UNSURE;
    motion m;
    search f = {.kind = kind,
                .m = &m,
                .bits = bits,
                .width_bits = frc_ccd_exact_width_bits(tolerance),
                .after_start = after_start};
    set_motion(kind, &m, points, exponent);
    frc_fixed_poly c;
    determinant(&m, &c);
    if (!(c.degree < 0 ? try_events(&f) : try_roots(&f, &c))) return FRC_CCD_UNSURE;
    if (f.hit) *toi = f.toi;
    return f.hit ? FRC_CCD_HIT : FRC_CCD_OUTSIDE;
}
