/// @file medial_exact.c  Overlap of two medial primitives in integers.
///
/// With the vectors p = (w - v, s + r) for spheres (v, r) of the first and (w, s) of the second
/// primitive and the product <p, q> = p_xyz . q_xyz - p_r q_r, the primitives overlap when
/// g(p) = <p, p> <= 0 for one p of the polytope P spanned by the p of all pairs of spheres (p_r >=
/// 0 there). The minimum of g over P lies at a vertex of P or inside of a face on which g is
/// strictly convex, at its critical point: along any other direction g could be followed to the
/// boundary without increasing. Faces of P are among the products of a part of one primitive and a
/// part of the other. g is strictly convex on at most three dimensions, since the product has one
/// negative direction; and on three of them the critical point is orthogonal to a positive definite
/// space, hence g <= 0 there.
///
/// Arena. Let D = B + 2. Alive at once: 24 integers of B bits, 16 differences of D bits, ten
/// products with 7 intermediate numbers of 2D + 3 bits each, 18 minors of 4D + 8, and 40 terms of
/// Cramer's rule and the value of 6D + 14: below 500 B + 2,500 bits in less than 200 numbers. Each
/// is rounded up to limbs.
#include "geom/medial_exact.h"
#include "exact/double_parts.h"
#include "geom/medial.h"
#include <string.h>

typedef frc_big big;
typedef frc_big_arena arena;

#define LIMBS(bits) ((600 * (bits) + 4000) / 64 + 240)

enum {
    MAX_VECTORS = 6,
    SMALL_BITS = 128,
    LARGE_BITS = 2098,  // any finite doubles
    INPUT_LIMBS = 4 * MAX_VECTORS * 2,
    LARGE_INPUT_LIMBS = 4 * MAX_VECTORS * (LARGE_BITS / 64 + 3)
};

big frc_medial_product(arena* s, const big a[4], const big b[4]) {
    const big dot = frc_big_dot(s, a, b);
    return frc_big_subtract(s, dot, frc_big_multiply(s, a[3], b[3]));
}

void frc_medial_subtract(arena* s, const big a[4], const big b[4], big out[4]) {
    for (int k = 0; k < 4; k++) out[k] = frc_big_subtract(s, a[k], b[k]);
}

// ---- running with an arena

typedef struct input {
    const double (*x)[4];
    int count, exponent;
} input;

static int run_in(arena s, frc_medial_exact_fn* fn, const input* in, const void* task) {
    big x[MAX_VECTORS][4];
    memset(x, 0, sizeof x);
    for (int i = 0; i < in->count; i++)
        for (int k = 0; k < 4; k++) x[i][k] = frc_big_from_double(&s, in->x[i][k], in->exponent);
    return fn(s, (const big(*)[4])x, task);
}

// Not inlined: only coordinates with a large span need this stack frame.
__attribute__((noinline)) static int run_large(frc_medial_exact_fn* fn, const input* in,
                                               const void* task) {
    uint64_t limbs[LARGE_INPUT_LIMBS + LIMBS(LARGE_BITS)];
    return run_in((arena){limbs, limbs + sizeof limbs / sizeof *limbs}, fn, in, task);
}

__attribute__((noinline)) static int run_small(frc_medial_exact_fn* fn, const input* in,
                                               const void* task) {
    uint64_t limbs[INPUT_LIMBS + LIMBS(SMALL_BITS)];
    return run_in((arena){limbs, limbs + sizeof limbs / sizeof *limbs}, fn, in, task);
}

int frc_medial_run_exact(frc_medial_exact_fn* fn, const double (*x)[4], int count,
                         const void* task) {
    frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) frc_double_span_add(&span, frc_double_split(x[i][k]));
    const input in = {x, count, span.low};
    return span.high - span.low <= SMALL_BITS ? run_small(fn, &in, task) : run_large(fn, &in, task);
}

// ---- overlap

typedef struct sides {
    int na, nb;
} sides;

// p + sum x_k e[k] is the affine hull of a face; the first `count_a` edges belong to one primitive.
typedef struct face {
    big p[4], e[3][4];
    int count, count_a;
    big h[3][3], b[3], c;  // products of e and e, e and p, p and p
} face;

static int sign(big a) { return a.sign; }

// Whether x, over the positive `one`, lies in the face: in the simplices of both primitives.
static bool is_inside(arena s, const face* f, const big* x, big one) {
    big sum[2] = {FRC_BIG_ZERO, FRC_BIG_ZERO};
    for (int k = 0; k < f->count; k++) {
        if (sign(x[k]) < 0) return false;
        big* const side = &sum[k >= f->count_a];
        *side = frc_big_add(&s, *side, x[k]);
    }
    return frc_big_compare(sum[0], one) <= 0 && frc_big_compare(sum[1], one) <= 0;
}

static bool test_edge(arena s, const face* f) {
    const big h = f->h[0][0], x = frc_big_negate(f->b[0]);
    if (sign(h) <= 0 || !is_inside(s, f, &x, h)) return false;
    return sign(frc_big_cross(&s, f->c, h, x, x)) <= 0;
}

static bool test_two(arena s, const face* f) {
    if (sign(f->h[0][0]) <= 0) return false;
    const big det = frc_big_cross(&s, f->h[0][0], f->h[1][1], f->h[0][1], f->h[0][1]);
    if (sign(det) <= 0) return false;
    const big x[2] = {frc_big_cross(&s, f->h[0][1], f->b[1], f->h[1][1], f->b[0]),
                      frc_big_cross(&s, f->h[0][1], f->b[0], f->h[0][0], f->b[1])};
    if (!is_inside(s, f, x, det)) return false;
    big value = frc_big_multiply(&s, f->c, det);
    for (int k = 0; k < 2; k++) {
        const big term = frc_big_multiply(&s, x[k], f->b[k]);
        value = frc_big_add(&s, value, term);
    }
    return sign(value) <= 0;
}

static bool test_three(arena s, const face* f) {
    if (sign(f->h[0][0]) <= 0) return false;
    big minor[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            minor[i][j] = frc_big_cross(&s, f->h[i1][j1], f->h[i2][j2], f->h[i1][j2], f->h[i2][j1]);
            minor[j][i] = minor[i][j];
        }
    if (sign(minor[2][2]) <= 0) return false;
    const big det = frc_big_dot(&s, f->h[0], minor[0]);
    if (sign(det) <= 0) return false;
    big x[3];
    for (int k = 0; k < 3; k++) x[k] = frc_big_negate(frc_big_dot(&s, minor[k], f->b));
    return is_inside(s, f, x, det);  // g <= 0 there, see above
}

// `a` and `b` are bit sets of the spheres that span the face.
static bool test_face(arena s, const big (*x)[4], unsigned a, unsigned b, int na) {
    face f = {.count = 0};
    const int ia = __builtin_ctz(a), ib = na + __builtin_ctz(b);
    for (int k = 0; k < 3; k++) f.p[k] = frc_big_subtract(&s, x[ib][k], x[ia][k]);
    f.p[3] = frc_big_add(&s, x[ib][3], x[ia][3]);
    for (int i = ia + 1; i < 3; i++) {
        if (!(a >> i & 1)) continue;
        for (int k = 0; k < 4; k++)
            f.e[f.count][k] = k < 3 ? frc_big_subtract(&s, x[ia][k], x[i][k])
                                    : frc_big_subtract(&s, x[i][k], x[ia][k]);
        f.count++;
    }
    f.count_a = f.count;
    for (int i = ib + 1; i < na + 3; i++)
        if (b >> (i - na) & 1) frc_medial_subtract(&s, x[i], x[ib], f.e[f.count++]);
    for (int i = 0; i < f.count; i++) {
        for (int j = 0; j <= i; j++) f.h[i][j] = f.h[j][i] = frc_medial_product(&s, f.e[i], f.e[j]);
        f.b[i] = frc_medial_product(&s, f.e[i], f.p);
    }
    f.c = frc_medial_product(&s, f.p, f.p);
    switch (f.count) {
    case 0:
        return sign(f.c) <= 0;
    case 1:
        return test_edge(s, &f);
    case 2:
        return test_two(s, &f);
    default:
        return test_three(s, &f);
    }
}

static int overlap(arena s, const big (*x)[4], const void* task) {
    const sides* const n = task;
    for (unsigned a = 1; a < 1u << n->na; a++)
        for (unsigned b = 1; b < 1u << n->nb; b++)
            if (__builtin_popcount(a) + __builtin_popcount(b) <= 5 && test_face(s, x, a, b, n->na))
                return 1;
    return 0;
}

bool frc_medial_overlap_exact(const double (*a)[4], int na, const double (*b)[4], int nb) {
    double x[MAX_VECTORS][4];
    memcpy(x, a, (size_t)na * sizeof *a);
    memcpy(x + na, b, (size_t)nb * sizeof *b);
    const sides n = {na, nb};
    return frc_medial_run_exact(overlap, (const double(*)[4])x, na + nb, &n) != 0;
}
