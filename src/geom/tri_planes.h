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
#include <stdbool.h>

#ifndef FRC_PLANES_SLACK
#define FRC_PLANES_SLACK 1.0  // a test sets it to 0, to see that it is needed
#endif

/// Four triangles, one per lane.
typedef struct frc_tri4 {
    float corner[3][3][4];  ///< corner, axis, lane: rounded end positions
    float normal[3][4], offset[4], slack[4], size[4];
    uint32_t id[3][4];  ///< of the corners
} frc_tri4;

static inline double frc_larger(double a, double b) { return a > b ? a : b; }

/// Four triangles by the ids of their corners; an empty lane repeats another one. A triangle with a
/// coordinate beyond the range, or with an id twice (which would be counted twice as common), gets
/// an infinite size: no pair is told from it. Loops over lanes stand inside, for vectors.
static inline void frc_tri4_set(frc_tri4* out, const frc_point* points,
                                const uint32_t* const id[4]) {
    double p[3][3][4], e[2][3][4], n[3][4], size[4] = {0}, edge[4] = {0};
    for (int v = 0; v < 3; v++)
        for (int i = 0; i < 4; i++) {
            const frc_point* point = &points[id[i][v]];
            p[v][0][i] = point->x[1], p[v][1][i] = point->y[1], p[v][2][i] = point->z[1];
            out->id[v][i] = id[i][v];
        }
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++) size[i] = frc_larger(size[i], fabs(p[v][k][i]));
    for (int i = 0; i < 4; i++) {
        const bool usable = size[i] <= 0x1p40 && id[i][0] != id[i][1] && id[i][0] != id[i][2] &&
                            id[i][1] != id[i][2];
        if (usable) continue;
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++) p[v][k][i] = 0;
        size[i] = INFINITY;
    }
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++) out->corner[v][k][i] = (float)p[v][k][i];
    for (int v = 0; v < 2; v++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++) {
                e[v][k][i] = p[v + 1][k][i] - p[0][k][i];
                edge[i] = frc_larger(edge[i], fabs(e[v][k][i]));
            }
    for (int k = 0; k < 3; k++) {
        const int x = (k + 1) % 3, y = (k + 2) % 3;
        for (int i = 0; i < 4; i++) {
            out->normal[k][i] = (float)(e[0][x][i] * e[1][y][i] - e[0][y][i] * e[1][x][i]);
            n[k][i] = out->normal[k][i];
        }
    }
    for (int i = 0; i < 4; i++) {
        const double sum = fabs(n[0][i]) + fabs(n[1][i]) + fabs(n[2][i]);
        out->offset[i] =
            (float)(n[0][i] * p[0][0][i] + n[1][i] * p[0][1][i] + n[2][i] * p[0][2][i]);
        out->slack[i] =
            (float)(FRC_PLANES_SLACK * (0x1p-21 * sum + 0x1p-48 * (edge[i] * edge[i]) + 0x1p-80));
        out->size[i] = (float)(size[i] + 0x1p-40);
    }
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

/// Are `needed` of the corners p above the plane (n, d) by more than e, or as many below? Not both:
/// where none is needed that says no.
static inline m32x4 frc_one_side(const f32x4 p[3][3], const f32x4 n[3], f32x4 d, f32x4 e,
                                 u32x4 needed) {
    const f32x4 top = f32x4_add(d, e), bottom = f32x4_sub(d, e);
    u32x4 above = needed, below = needed;
    for (int v = 0; v < 3; v++) {
        const f32x4 t = f32x4_add(f32x4_add(f32x4_mul(n[0], p[v][0]), f32x4_mul(n[1], p[v][1])),
                                  f32x4_mul(n[2], p[v][2]));
        above = u32x4_less(above, f32x4_lt(top, t));
        below = u32x4_less(below, f32x4_lt(t, bottom));
    }
    const u32x4 zero = u32x4_splat(0);
    return m32x4_xor(u32x4_same(above, zero), u32x4_same(below, zero));
}

/// Which of the four triangles b certainly do not count with a. A common corner lies in the plane
/// and so is never above or below: the rule holds when as many corners as are not common lie above,
/// or below. For duplicates, which count, that is none.
static inline m32x4 frc_tri_parted(const frc_tri_probe* a, const frc_tri4* b) {
    f32x4 corner[3][3], normal[3];
    u32x4 needed = u32x4_splat(3);
    for (int j = 0; j < 3; j++) {
        const u32x4 id = u32x4_load(b->id[j]);
        for (int i = 0; i < 3; i++) needed = u32x4_less(needed, u32x4_same(a->id[i], id));
        for (int k = 0; k < 3; k++) corner[j][k] = f32x4_load(b->corner[j][k]);
        normal[j] = f32x4_load(b->normal[j]);
    }
    const f32x4 size = f32x4_add(a->size, f32x4_load(b->size));
    const f32x4 ea = f32x4_mul(a->slack, size), eb = f32x4_mul(f32x4_load(b->slack), size);
    return m32x4_or(frc_one_side(corner, a->normal, a->offset, ea, needed),
                    frc_one_side(a->corner, normal, f32x4_load(b->offset), eb, needed));
}
