/// @file tri_planes.h  Triangle pairs that are certainly parted by the plane of one of them: one
/// triangle against four, in floats.
///
/// The rule. Let the corners of B that are not also vertices of A (by index) lie strictly on one
/// side of the plane of A, and let there be one. The others lie in the plane, so B meets the plane
/// in the hull of the common vertices only, which is S of tri_tri.h: the pair does not count. It
/// holds for a B without area too; an A without area has no plane, and no side is ever certain. The
/// same with the roles exchanged.
///
/// The error bound. u = 2^-24; |p| is the largest component of a vector, |n|_1 the sum of their
/// magnitudes; q the first corner of A, p a corner of B; Ma >= |corners of A|, Mb likewise; L the
/// largest component of the edges of A from q. The side of p is the sign of F = N.(p - q), with N
/// the exact normal. We have n, the normal computed in doubles and rounded; d, n.q in doubles and
/// rounded; p' the rounded p; and compare t = n.p' with d + E. As
///     F = n.p - n.q + (N - n).(p - q),
/// what stands between t - d and F is at most
///     rounding p, and t (three times per term)    4u |n|_1 Mb
///     rounding d, and d + E                        2u |n|_1 Ma + uE
///     rounding n                                   u |n|_1 (Ma + Mb)
///     n in doubles: each component is off by       2^-50 L^2, so 3 * 2^-50 L^2 (Ma + Mb)
/// up to factors 1 + O(u). With slack = 8u |n|_1 + 4 * 2^-50 L^2 the bound E = slack (Ma + Mb)
/// covers them, its own roundings included.
///
/// The range. Below, components that underflow are off by at most 2^-126 even where subnormals are
/// flushed to zero; as slack is at least 2^-80 and M at least 2^-40 that is lost in E >= 2^-119.
/// Above, triangles with a coordinate beyond 2^40 are taken out by M = inf: E is infinite and no
/// comparison with it holds. For others |n| <= 2^83 and |t|, |d| <= 3 * 2^123: nothing overflows.
#pragma once
#include "base/simd.h"
#include "geom/point.h"
#include <math.h>

#ifndef FRC_PLANES_SLACK
#define FRC_PLANES_SLACK 1.0  // a test sets it to 0, to see that it is needed
#endif

/// Four triangles, one per lane.
typedef struct frc_tri4 {
    float corner[3][3][4];  ///< corner, axis, lane: rounded end positions
    float normal[3][4], offset[4], slack[4], size[4];
    uint32_t id[3][4];  ///< of the corners
} frc_tri4;

/// A triangle that no pair is told from.
static inline void frc_tri4_clear(frc_tri4* out, uint32_t lane) {
    for (int k = 0; k < 3; k++) {
        for (int v = 0; v < 3; v++) out->corner[v][k][lane] = 0;
        out->normal[k][lane] = 0;
        out->id[k][lane] = UINT32_MAX;
    }
    out->offset[lane] = 0;
    out->slack[lane] = 1;
    out->size[lane] = INFINITY;
}

static inline double frc_largest(const double v[3]) {
    double a = fabs(v[0]), b = fabs(v[1]), c = fabs(v[2]);
    a = a > b ? a : b;
    return a > c ? a : c;
}

static inline void frc_tri4_set(frc_tri4* out, uint32_t lane, const frc_point* points,
                                const uint32_t id[3]) {
    double p[3][3], e[2][3], largest = 0;
    for (int v = 0; v < 3; v++) {
        const frc_point* point = &points[id[v]];
        p[v][0] = point->x[1], p[v][1] = point->y[1], p[v][2] = point->z[1];
        const double size = frc_largest(p[v]);
        largest = size > largest ? size : largest;
    }
    frc_tri4_clear(out, lane);
    for (int v = 0; v < 3; v++) out->id[v][lane] = id[v];
    if (!(largest <= 0x1p40)) return;
    for (int k = 0; k < 3; k++) {
        for (int v = 0; v < 3; v++) out->corner[v][k][lane] = (float)p[v][k];
        e[0][k] = p[1][k] - p[0][k];
        e[1][k] = p[2][k] - p[0][k];
    }
    const float n[3] = {(float)(e[0][1] * e[1][2] - e[0][2] * e[1][1]),
                        (float)(e[0][2] * e[1][0] - e[0][0] * e[1][2]),
                        (float)(e[0][0] * e[1][1] - e[0][1] * e[1][0])};
    for (int k = 0; k < 3; k++) out->normal[k][lane] = n[k];
    out->offset[lane] = (float)(n[0] * p[0][0] + n[1] * p[0][1] + n[2] * p[0][2]);
    const double e0 = frc_largest(e[0]), e1 = frc_largest(e[1]), edge = e0 > e1 ? e0 : e1;
    const double sum = fabs((double)n[0]) + fabs((double)n[1]) + fabs((double)n[2]);
    out->slack[lane] =
        (float)(FRC_PLANES_SLACK * (0x1p-21 * sum + 0x1p-48 * (edge * edge) + 0x1p-80));
    out->size[lane] = (float)(largest + 0x1p-40);
}

/// One triangle in all lanes.
typedef struct frc_tri_probe {
    f32x4 corner[3][3], normal[3], offset, slack, size;
    u32x4 id[3];
} frc_tri_probe;

static inline frc_tri_probe frc_tri_probe_make(const frc_tri4* packet, uint32_t lane) {
    frc_tri_probe a;
    for (int k = 0; k < 3; k++) {
        for (int v = 0; v < 3; v++) a.corner[v][k] = f32x4_splat(packet->corner[v][k][lane]);
        a.normal[k] = f32x4_splat(packet->normal[k][lane]);
        a.id[k] = u32x4_splat(packet->id[k][lane]);
    }
    a.offset = f32x4_splat(packet->offset[lane]);
    a.slack = f32x4_splat(packet->slack[lane]);
    a.size = f32x4_splat(packet->size[lane]);
    return a;
}

/// Are the corners p all above the plane (n, d), or all below, leaving out the `common` ones?
static inline m32x4 frc_one_side(const f32x4 p[3][3], const f32x4 n[3], f32x4 d, f32x4 e,
                                 const m32x4 common[3]) {
    const f32x4 top = f32x4_add(d, e), bottom = f32x4_sub(d, e);
    m32x4 above[3], below[3];
    for (int v = 0; v < 3; v++) {
        const f32x4 t = f32x4_add(f32x4_add(f32x4_mul(n[0], p[v][0]), f32x4_mul(n[1], p[v][1])),
                                  f32x4_mul(n[2], p[v][2]));
        above[v] = m32x4_or(f32x4_lt(top, t), common[v]);
        below[v] = m32x4_or(f32x4_lt(t, bottom), common[v]);
    }
    return m32x4_or(m32x4_and(m32x4_and(above[0], above[1]), above[2]),
                    m32x4_and(m32x4_and(below[0], below[1]), below[2]));
}

/// Which of the four triangles b certainly do not count with a.
static inline m32x4 frc_tri_parted(const frc_tri_probe* a, const frc_tri4* b) {
    m32x4 equal[3][3], common[3];
    f32x4 corner[3][3], normal[3];
    for (int j = 0; j < 3; j++) {
        const u32x4 id = u32x4_load(b->id[j]);
        for (int i = 0; i < 3; i++) equal[i][j] = u32x4_same(a->id[i], id);
        for (int k = 0; k < 3; k++) corner[j][k] = f32x4_load(b->corner[j][k]);
        normal[j] = f32x4_load(b->normal[j]);
        common[j] = m32x4_or(m32x4_or(equal[0][j], equal[1][j]), equal[2][j]);
    }
    // With nothing of b left to lie on a side: duplicates, which count.
    const m32x4 all = m32x4_and(m32x4_and(common[0], common[1]), common[2]);
    const f32x4 size = f32x4_add(a->size, f32x4_load(b->size));
    m32x4 parted = frc_one_side(corner, a->normal, a->offset, f32x4_mul(a->slack, size), common);
    for (int i = 0; i < 3; i++)
        common[i] = m32x4_or(m32x4_or(equal[i][0], equal[i][1]), equal[i][2]);
    parted = m32x4_or(parted, frc_one_side(a->corner, normal, f32x4_load(b->offset),
                                           f32x4_mul(f32x4_load(b->slack), size), common));
    return m32x4_but(parted, all);
}
