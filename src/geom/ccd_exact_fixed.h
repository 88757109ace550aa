/// @file ccd_exact_fixed.h  The motion of two features in integers of fixed width, and the
/// polynomials on whose signs contact depends (docs/exactness.md).
///
/// For coordinates of B <= FRC_FIXED_BITS bits D and its slope are below 2^(B + 2), components of N
/// and P below 2^(2B + 5), the cubic below 2^(3B + 10).
#pragma once
#include "exact/double_parts.h"
#include "exact/fixed_roots.h"
#include "geom/ccd_hull_edges.h"
#include "geom/ccd_stages.h"

typedef struct frc_fixed_line {
    int64_t c[3][2];  ///< c[k][0] + c[k][1] t on axis k
} frc_fixed_line;

typedef struct frc_fixed_motion {
    frc_fixed_line d[4];
    frc_fixed_line n[2];  ///< N = n[0] x n[1]
} frc_fixed_motion;

/// x in units of 2^exponent, in which it is an integer.
FRC_FIXED int64_t frc_fixed_from_double(double x, int exponent) {
    const frc_double_parts p = frc_double_split(x);
    const int shift = p.sign ? p.exponent - exponent : 0;
    const uint64_t magnitude = shift >= 0 ? p.mantissa << shift : p.mantissa >> -shift;
    return p.sign < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

/// Component k of X x Y, a quadratic.
FRC_FIXED frc_fixed_quadratic frc_fixed_cross(const frc_fixed_line* x, const frc_fixed_line* y,
                                              int k) {
    const int i = k < 2 ? k + 1 : 0, j = k > 0 ? k - 1 : 2;
    const int64_t *xu = x->c[i], *xv = x->c[j], *yu = y->c[i], *yv = y->c[j];
    const frc_fixed_quadratic q = {
        {(frc_i128)xu[0] * yv[0] - (frc_i128)xv[0] * yu[0],
         (frc_i128)xu[0] * yv[1] - (frc_i128)xv[0] * yu[1] + (frc_i128)xu[1] * yv[0] -
             (frc_i128)xv[1] * yu[0],
         (frc_i128)xu[1] * yv[1] - (frc_i128)xv[1] * yu[1]}
    };
    return q;
}

FRC_FIXED frc_fixed_quadratic frc_fixed_linear(const frc_fixed_line* d, int k) {
    const frc_fixed_quadratic q = {
        {d->c[k][0], d->c[k][1], 0}
    };
    return q;
}

/// The polynomials: N_k, then P_i,k, then D_i,k. Polynomial `index` of these has the axis index
/// % 3.
FRC_FIXED int frc_fixed_polynomials(frc_ccd_kind kind) {
    return 3 * (1 + 2 * FRC_HULL_EDGE_COUNT[kind]);
}
FRC_FIXED frc_fixed_quadratic frc_fixed_polynomial(frc_ccd_kind kind, const frc_fixed_motion* m,
                                                   int index) {
    const int sides = FRC_HULL_EDGE_COUNT[kind], k = index % 3, i = index / 3 - 1;
    if (i >= sides) return frc_fixed_linear(&m->d[i - sides], k);
    const frc_hull_edge* const e = &FRC_HULL_EDGES[kind][i < 0 ? 0 : i];
    return i < 0 ? frc_fixed_cross(&m->n[0], &m->n[1], k)
                 : frc_fixed_cross(&m->d[e->x], &m->d[e->y], k);
}
