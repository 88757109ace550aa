/// @file tri_plane_filter.h  Triangle pairs that are certainly separated by the plane of one of
/// them: one triangle against four, in floats.
///
/// Rule. Let the corners of B that are not also vertices of A (by index) lie strictly on one side
/// of the plane of A, and let there be at least one such corner. The other corners lie in the
/// plane, so B intersects the plane in the hull of the common vertices only, which is S of
/// tri_tri.h: the pair does not count. This holds also when B has no area; an A without area has no
/// plane, and no side is ever certain. The same with the roles exchanged.
///
/// Error bound. u = 2^-24; |p| is the largest component of a vector, |n|_1 the sum of their
/// magnitudes; q the first corner of A, p a corner of B; Ma >= |corners of A|, Mb likewise; L the
/// largest component of the edges of A from q. The side of p is the sign of F = N.(p - q), with N
/// the exact normal. Computed are n, the normal in doubles, rounded to floats; d, n.q in doubles,
/// rounded; and p', p rounded. The filter compares t = n.p' with d + E. As
///     F = n.p - n.q + (N - n).(p - q),
/// the difference between t - d and F is at most
///     rounding p, and t (three times per term)    4u |n|_1 Mb
///     rounding d, and d + E                        2u |n|_1 Ma + uE
///     rounding n                                   u |n|_1 (Ma + Mb)
///     n in doubles: each component is off by       2^-50 L^2, so 3 * 2^-50 L^2 (Ma + Mb)
/// up to factors 1 + O(u). With slack = 8u |n|_1 + 4 * 2^-50 L^2 the bound E = slack (Ma + Mb)
/// covers them, its own roundings included.
///
/// Range. Components that underflow have an error of at most 2^-126 even where subnormals are
/// flushed to zero; as slack is at least 2^-80 and M at least 2^-40, E >= 2^-119 covers that.
/// Triangles with a coordinate beyond 2^40 are excluded by M = inf: E is infinite and no comparison
/// with it holds. For others |n| <= 2^83 and |t|, |d| <= 3 * 2^123: nothing overflows.
#pragma once
#include "base/simd_int.h"
#include "geom/point.h"
#include <math.h>
#include <stdbool.h>

#ifndef FRC_TRI_PLANE_SLACK
#define FRC_TRI_PLANE_SLACK 1.0  // a mutation test sets it to 0
#endif

/// Four triangles, one per lane.
typedef struct frc_tri4 {
    float corner[3][3][4];  ///< corner, axis, lane: rounded end positions
    float normal[3][4], offset[4], slack[4], size[4];
    uint32_t id[3][4];  ///< of the vertices
} frc_tri4;

static inline double frc_larger(double a, double b) { return a > b ? a : b; }

/// Four triangles by the ids of their vertices; an empty lane repeats another one. A triangle with
/// a coordinate beyond the range, or with a repeated id (which would be counted twice as common),
/// gets an infinite size, so that it never separates. Loops over lanes are innermost, for
/// vectorisation.
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
        out->slack[i] = (float)(FRC_TRI_PLANE_SLACK *
                                (0x1p-21 * sum + 0x1p-48 * (edge[i] * edge[i]) + 0x1p-80));
        out->size[i] = (float)(size[i] + 0x1p-40);
    }
}

/// `needed` less the number of corners above the plane, and less the number below. The pair is
/// separated where exactly one of both is zero; with needed = 0 both are, and the result is false.
typedef struct frc_sides {
    u32x4 above, below;
} frc_sides;

static inline frc_sides frc_add_side(frc_sides s, f32x4 t, f32x4 top, f32x4 bottom) {
    return (frc_sides){u32x4_less(s.above, f32x4_lt(top, t)),
                       u32x4_less(s.below, f32x4_lt(t, bottom))};
}

static inline m32x4 frc_one_side(frc_sides s) {
    const u32x4 zero = u32x4_splat(0);
    return m32x4_xor(u32x4_same(s.above, zero), u32x4_same(s.below, zero));
}

static inline f32x4 frc_tri_dot(f32x4 ax, f32x4 ay, f32x4 az, f32x4 bx, f32x4 by, f32x4 bz) {
    return f32x4_add(f32x4_add(f32x4_mul(ax, bx), f32x4_mul(ay, by)), f32x4_mul(az, bz));
}

/// Which of the four triangles b lie on one side of the plane of triangle `lane` of a.
static inline m32x4 frc_corners_separated(const frc_tri4* a, uint32_t lane, const frc_tri4* b,
                                          f32x4 size, u32x4 needed) {
    const f32x4 d = f32x4_splat_at(&a->offset[lane]);
    const f32x4 e = f32x4_mul(f32x4_splat_at(&a->slack[lane]), size);
    const f32x4 top = f32x4_add(d, e), bottom = f32x4_sub(d, e);
    const f32x4 x = f32x4_splat_at(&a->normal[0][lane]), y = f32x4_splat_at(&a->normal[1][lane]),
                z = f32x4_splat_at(&a->normal[2][lane]);
    frc_sides s = {needed, needed};
    for (int v = 0; v < 3; v++)
        s = frc_add_side(s,
                         frc_tri_dot(x, y, z, f32x4_load(b->corner[v][0]),
                                     f32x4_load(b->corner[v][1]), f32x4_load(b->corner[v][2])),
                         top, bottom);
    return frc_one_side(s);
}

/// Of which of the four triangles b the plane has triangle `lane` of a on one side.
static inline m32x4 frc_planes_separated(const frc_tri4* a, uint32_t lane, const frc_tri4* b,
                                         f32x4 size, u32x4 needed) {
    const f32x4 d = f32x4_load(b->offset), e = f32x4_mul(f32x4_load(b->slack), size);
    const f32x4 top = f32x4_add(d, e), bottom = f32x4_sub(d, e);
    const f32x4 x = f32x4_load(b->normal[0]), y = f32x4_load(b->normal[1]),
                z = f32x4_load(b->normal[2]);
    frc_sides s = {needed, needed};
    for (int v = 0; v < 3; v++)
        s = frc_add_side(s,
                         frc_tri_dot(x, y, z, f32x4_splat_at(&a->corner[v][0][lane]),
                                     f32x4_splat_at(&a->corner[v][1][lane]),
                                     f32x4_splat_at(&a->corner[v][2][lane])),
                         top, bottom);
    return frc_one_side(s);
}

// ---- without common vertices, or ignoring them: all three corners are needed

/// True where all three values are certainly above d, or all below.
static inline m32x4 frc_beyond(const f32x4 t[3], f32x4 d, f32x4 e) {
    return m32x4_or(f32x4_lt(f32x4_add(d, e), f32x4_min(f32x4_min(t[0], t[1]), t[2])),
                    f32x4_lt(f32x4_max(f32x4_max(t[0], t[1]), t[2]), f32x4_sub(d, e)));
}

/// Which of the four triangles b lie on one side of the plane of triangle `lane` of a, or have it
/// on one side of their plane: equal to frc_tri4_separated_adjacent with needed = 3.
static inline m32x4 frc_tri4_separated(const frc_tri4* a, uint32_t lane, const frc_tri4* b) {
    const f32x4 size = f32x4_add(f32x4_splat_at(&a->size[lane]), f32x4_load(b->size));
    f32x4 n[3], m[3], over_a[3], over_b[3];
    for (int k = 0; k < 3; k++) {
        n[k] = f32x4_splat_at(&a->normal[k][lane]);
        m[k] = f32x4_load(b->normal[k]);
    }
    for (int v = 0; v < 3; v++) {
        over_a[v] = frc_tri_dot(n[0], n[1], n[2], f32x4_load(b->corner[v][0]),
                                f32x4_load(b->corner[v][1]), f32x4_load(b->corner[v][2]));
        over_b[v] = frc_tri_dot(m[0], m[1], m[2], f32x4_splat_at(&a->corner[v][0][lane]),
                                f32x4_splat_at(&a->corner[v][1][lane]),
                                f32x4_splat_at(&a->corner[v][2][lane]));
    }
    return m32x4_or(
        frc_beyond(over_a, f32x4_splat_at(&a->offset[lane]),
                   f32x4_mul(f32x4_splat_at(&a->slack[lane]), size)),
        frc_beyond(over_b, f32x4_load(b->offset), f32x4_mul(f32x4_load(b->slack), size)));
}

// ---- with common vertices

/// The number of corners of b that must lie on one side: those that it does not share with triangle
/// `lane` of a. 3 is always conservative, and equal where none is shared.
static inline u32x4 frc_tri4_unshared(const frc_tri4* a, uint32_t lane, const frc_tri4* b) {
    u32x4 needed = u32x4_splat(3);
    for (int i = 0; i < 3; i++) {
        const u32x4 id = u32x4_splat_at(&a->id[i][lane]);
        for (int j = 0; j < 3; j++)
            needed = u32x4_less(needed, u32x4_same(id, u32x4_load(b->id[j])));
    }
    return needed;
}

/// Which of the four triangles b certainly do not count with triangle `lane` of a. A common vertex
/// lies in the plane and so is never certainly above or below: the rule holds when the number of
/// corners above, or below, is the number of those that are not common. False for duplicate faces,
/// which count.
static inline m32x4 frc_tri4_separated_adjacent(const frc_tri4* a, uint32_t lane, const frc_tri4* b,
                                                u32x4 needed) {
    const f32x4 size = f32x4_add(f32x4_splat_at(&a->size[lane]), f32x4_load(b->size));
    return m32x4_or(frc_corners_separated(a, lane, b, size, needed),
                    frc_planes_separated(a, lane, b, size, needed));
}
