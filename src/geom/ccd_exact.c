/// @file ccd_exact.c  The exact stage: contact of four linearly moving points, decided on integers.
///
/// Each axis is scaled by its own power of two so that all eight coordinates become integers of at
/// most B bits. That multiplies every polynomial below by a positive constant and changes no sign.
/// Sizes in bits: D coefficients B+2, components of N and P 2B+8, the cubic 3B+13.
///
/// Arena. Every step below lists the numbers alive at once, in bits, n = 3B + 13:
///   coordinates, velocities, differences, normal        72 (B + 3)
///   three cross products on the way to the cubic        39 (2B + 8)
///   products and sums of the cubic                      36 (3B + 13)
///   dividing out roots at 0 and 1                       40 (n + 3)
///   ends of three intervals                              6 (2n + 256)
///   slots of the bisection                               5 (7n + 256)
/// and on top of these the largest of
///   the discriminant                                    12 (2n + 8) + 12 (4n + 5)
///   one halving, with a copy of a half                  18 (7n + 31)
///   one cross product and its sign at a root: values at an end 6 (14B + 78), at nu 14 (9B + 50),
///   the remainder 16 (7B + 31), its signs and sigma 10 (16B + 72), denominators 2 (6B + 35), and
///   the product itself 13 (2B + 8), or 8 (20B + 100) at a rational root: below 530 B + 3,700.
/// The sum is below 1,150 B + 16,000. Each of the up to 320 numbers is rounded up to limbs:
/// FRC_CCD_EXACT_LIMBS(B) = (1150 B + 16000) / 64 + 320.
#include "exact/algebraic.h"
#include "exact/double_parts.h"
#include "geom/ccd_hull_edges.h"
#include "geom/ccd_stages.h"

typedef frc_big big;
typedef frc_big_arena arena;

typedef struct line {
    big c[3][2];  // c[k][0] + c[k][1] t on axis k
} line;

typedef struct motion {
    frc_ccd_kind kind;
    line d[4];
    line n[2];  // N = n[0] x n[1]
} motion;

FRC_DEVICE static line subtract(arena* s, const line* a, const line* b) {
    line r;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++) r.c[k][j] = frc_big_subtract(s, a->c[k][j], b->c[k][j]);
    return r;
}

// Component k of X x Y, a quadratic.
FRC_DEVICE static frc_poly cross(arena* s, const line* x, const line* y, int k) {
    const big *xu = x->c[(k + 1) % 3], *xv = x->c[(k + 2) % 3];
    const big *yu = y->c[(k + 1) % 3], *yv = y->c[(k + 2) % 3];
    const big middle = frc_big_add(s, frc_big_cross(s, xu[0], yv[1], xv[0], yu[1]),
                                   frc_big_cross(s, xu[1], yv[0], xv[1], yu[0]));
    return frc_poly_make(frc_big_cross(s, xu[0], yv[0], xv[0], yu[0]), middle,
                         frc_big_cross(s, xu[1], yv[1], xv[1], yu[1]), FRC_BIG_ZERO);
}

FRC_DEVICE static frc_poly linear(const line* d, int k) {
    return frc_poly_make(d->c[k][0], d->c[k][1], FRC_BIG_ZERO, FRC_BIG_ZERO);
}

// c = det(D0, D1, D2) = sum over k of D2_k (D0 x D1)_k
FRC_DEVICE static frc_poly determinant(arena* s, const motion* m) {
    big sum[4] = {FRC_BIG_ZERO, FRC_BIG_ZERO, FRC_BIG_ZERO, FRC_BIG_ZERO};
    for (int k = 0; k < 3; k++) {
        const frc_poly p = cross(s, &m->d[0], &m->d[1], k);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++)
                sum[i + j] =
                    frc_big_add(s, sum[i + j], frc_big_multiply(s, p.c[i], m->d[2].c[k][j]));
    }
    return frc_poly_make(sum[0], sum[1], sum[2], sum[3]);
}

FRC_DEVICE static int cross_sign(arena s, const line* x, const line* y, int k,
                                 const frc_algebraic* at) {
    const frc_poly p = cross(&s, x, y, k);
    return frc_algebraic_sign(s, at, &p);
}

// "Point on a segment" of docs/exactness.md: 0 lies between D_x and D_y if they are parallel and no
// pair of components has the same non-zero sign.
FRC_DEVICE static bool between(arena s, const motion* m, const frc_hull_edge* e,
                               const frc_algebraic* at) {
    const line *x = &m->d[e->x], *y = &m->d[e->y];
    for (int k = 0; k < 3; k++)
        if (cross_sign(s, x, y, k, at)) return false;
    for (int k = 0; k < 3; k++) {
        const frc_poly px = linear(x, k), py = linear(y, k);
        const int sign = frc_algebraic_sign(s, at, &px);
        if (sign && sign * frc_algebraic_sign(s, at, &py) > 0) return false;
    }
    FRC_COVER(SEGMENT_TRUE);
    return true;
}

// "Contact" of docs/exactness.md, given that the cubic vanishes at `at`.
FRC_DEVICE static bool contact(arena s, const motion* m, const frc_algebraic* at) {
    const frc_hull_edge* const sides = FRC_HULL_EDGES[m->kind];
    const int count = FRC_HULL_EDGE_COUNT[m->kind];
    for (int k = 0; k < 3; k++) {
        const int normal = cross_sign(s, &m->n[0], &m->n[1], k, at);
        if (normal == 0) continue;
        for (int i = 0; i < count; i++) {
            const line *x = &m->d[sides[i].x], *y = &m->d[sides[i].y];
            if (normal * sides[i].sign * cross_sign(s, x, y, k, at) < 0) return false;
        }
        return true;
    }
    for (int i = 0; i < count; i++)
        if (between(s, m, &sides[i], at)) return true;
    return false;
}

typedef struct search {
    const motion* m;
    uint32_t width_bits;
    bool after_start, hit;
    double toi;
} search;

// Test the roots of one polynomial in [0, 1], and keep the earliest with contact. The minimum of
// the lower ends is never later than the first contact and at most one interval width earlier.
FRC_DEVICE static void try_roots(arena s, search* f, const frc_poly* p) {
    if (p->degree <= 0) return;
    frc_algebraic root[3];
    const int count = frc_algebraic_isolate(&s, p, f->width_bits, root);
    for (int i = 0; i < count; i++) {
        if (f->after_start && root[i].kind == FRC_RATIONAL && root[i].x.sign == 0) continue;
        const double lower = frc_algebraic_lower(s, &root[i]);
        if (f->hit && lower >= f->toi) continue;
        if (!contact(s, f->m, &root[i])) continue;
        f->hit = true;
        f->toi = lower;
    }
}

// The cubic is identically 0: contact can only begin at 0 or at a root of a polynomial on whose
// sign it depends.
FRC_DEVICE static void try_events(arena s, search* f) {
    FRC_COVER(IDENTICALLY_ZERO);
    const motion* const m = f->m;
    frc_algebraic start = frc_algebraic_rational(FRC_BIG_ZERO, frc_big_make(&s, 1, 1, 0));
    if (f->after_start) start.kind = FRC_RIGHT_OF_ZERO;
    if (contact(s, m, &start)) {
        f->hit = true;
        f->toi = 0;
        return;
    }
    for (int k = 0; k < 3; k++) {
        arena t = s;
        frc_poly p = cross(&t, &m->n[0], &m->n[1], k);
        try_roots(t, f, &p);
        for (int i = 0; i < FRC_HULL_EDGE_COUNT[m->kind]; i++) {
            const frc_hull_edge* const e = &FRC_HULL_EDGES[m->kind][i];
            t = s;
            p = cross(&t, &m->d[e->x], &m->d[e->y], k);
            try_roots(t, f, &p);
        }
        for (int i = 0; i < FRC_HULL_EDGE_COUNT[m->kind]; i++) {
            p = linear(&m->d[i], k);
            try_roots(s, f, &p);
        }
    }
}

// The difference vectors in integers; axis k is in units of 2^exponent[k].
FRC_DEVICE static void set_motion(arena* s, motion* m, const frc_point* const points[4],
                                  const int exponent[3]) {
    line p[4];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            const double* x = frc_point_axis(points[i], k);
            big* const c = p[i].c[k];
            c[0] = frc_big_from_double(s, x[0], exponent[k]);
            c[1] = frc_big_subtract(s, frc_big_from_double(s, x[1], exponent[k]), c[0]);
        }
    }
    if (m->kind == FRC_CCD_VF) {
        for (int i = 0; i < 3; i++) m->d[i] = subtract(s, &p[i + 1], &p[0]);
        m->n[0] = subtract(s, &p[2], &p[1]);
        m->n[1] = subtract(s, &p[3], &p[1]);
        return;
    }
    for (int i = 0; i < 4; i++) m->d[i] = subtract(s, &p[2 + i % 2], &p[i / 2]);
    m->n[0] = subtract(s, &p[1], &p[0]);
    m->n[1] = subtract(s, &p[3], &p[2]);
}

FRC_DEVICE int frc_ccd_exact_units(const frc_point* const points[4], int exponent[3]) {
    int bits = 0;
    for (int k = 0; k < 3; k++) {
        frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
        for (int i = 0; i < 8; i++)
            frc_double_span_add(&span, frc_double_split(frc_point_axis(points[i / 2], k)[i % 2]));
        exponent[k] = span.low;
        if (span.high - span.low > bits) bits = span.high - span.low;
    }
    return bits;
}

FRC_DEVICE bool frc_ccd_exact_decide(frc_big_arena s, frc_ccd_kind kind,
                                     const frc_point* const points[4], const int exponent[3],
                                     bool after_start, double tolerance, double* toi) {
    motion m = {.kind = kind};
    search whole = {
        .m = &m, .width_bits = frc_ccd_exact_width_bits(tolerance), .after_start = after_start};
    search* const f = &whole;
    set_motion(&s, &m, points, exponent);
    const frc_poly c = determinant(&s, &m);
    if (c.degree < 0)
        try_events(s, f);
    else
        try_roots(s, f, &c);
    if (f->hit) *toi = f->toi;
    return f->hit;
}
