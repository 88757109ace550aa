/// @file quick_query.h  Device code: the difference vectors of a candidate, and filters that only
/// reject. geom/ccd_filter.c has the bounds.
///
/// Inlined for each kind, with all loops over vectors unrolled: arrays are then in registers.
#pragma once
#include "cuda/step.h"
#include "geom/ccd_stages.h"
#include <math.h>

#define FRC_QUICK FRC_DEVICE static inline __attribute__((always_inline))

FRC_QUICK double frc_quick_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// a x b, a at one end and b at another.
FRC_QUICK void frc_quick_cross(const double a[3][2], int end_a, const double b[3][2], int end_b,
                               double out[3]) {
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i][end_a] * b[j][end_b] - a[j][end_a] * b[i][end_b];
    }
}

// As cubic_of in geom/ccd_filter.c: the order of additions is part of the result.
FRC_QUICK void frc_quick_cubic(frc_ccd_query* q) {
    double n[2][3], m[2][3], x[2][3], k[3];
    FRC_UNROLL
    for (int e = 0; e < 2; e++) {
        frc_quick_cross(q->d[1], e, q->d[2], e, n[e]);
        frc_quick_cross(q->d[1], e, q->d[2], 1 - e, m[e]);
        FRC_UNROLL
        for (int i = 0; i < 3; i++) x[e][i] = q->d[0][i][e];
    }
    FRC_UNROLL
    for (int i = 0; i < 3; i++) k[i] = m[0][i] + m[1][i];
    FRC_UNROLL
    for (int e = 0; e < 2; e++) {
        double inner = frc_quick_dot(x[e], k);
        FRC_UNROLL
        for (int i = 0; i < 3; i++) inner = inner + x[1 - e][i] * n[e][i];
        q->cubic[e ? 3 : 0] = frc_quick_dot(x[e], n[e]);
        q->cubic[e ? 2 : 1] = inner * (1.0 / 3.0);
    }
}

FRC_QUICK void frc_quick_make(frc_ccd_kind kind, const frc_moving_point* points,
                              const uint32_t p[4], frc_ccd_query* q) {
    const bool vf = kind == FRC_CCD_VF;
    const int count = vf ? 3 : 4;
    q->kind = kind;
    q->count = count;
    q->safe = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        double most = 0;
        FRC_UNROLL
        for (int i = 0; i < count; i++) {
            const double* to = points[p[vf ? 1 + i : 2 + i % 2]].x[k];
            const double* from = points[p[vf ? 0 : i / 2]].x[k];
            FRC_UNROLL
            for (int e = 0; e < 2; e++) {
                const double d = q->d[i][k][e] = to[e] - from[e];
                most = fabs(d) > most ? fabs(d) : most;
            }
        }
        q->extent[k] = most;
        q->safe = q->safe && most >= 0x1p-300 && most <= 0x1p300;
    }
    frc_quick_cubic(q);
}

// 1a: on one side of 0 at both ends along an axis.
FRC_QUICK bool frc_quick_axis_rejects(const frc_ccd_query* q, int count) {
    bool reject = false;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        bool above = true, below = true;
        FRC_UNROLL
        for (int i = 0; i < count; i++) {
            above = above && q->d[i][k][0] > 0 && q->d[i][k][1] > 0;
            below = below && q->d[i][k][0] < 0 && q->d[i][k][1] < 0;
        }
        reject = reject || above || below;
    }
    return reject;
}

// 1b in doubles: E = 96 u Lambda.
FRC_QUICK bool frc_quick_cubic_rejects(const frc_ccd_query* q) {
    if (!q->safe) return false;
    const double e = 96 * FRC_CCD_UNIT * ((q->extent[0] * q->extent[1]) * q->extent[2]);
    bool above = true, below = true;
    FRC_UNROLL
    for (int i = 0; i < 4; i++) {
        above = above && q->cubic[i] > e;
        below = below && q->cubic[i] < -e;
    }
    return above || below;
}

// 1d in doubles: ten directions, E = 4 u (Lx + Ly + Lz). Sums of differences do not underflow.
FRC_QUICK bool frc_quick_directions_reject(const frc_ccd_query* q, int count) {
    const double sum = q->extent[0] + q->extent[1] + q->extent[2];
    if (!(sum <= 0x1p1000)) return false;
    const double e = 4 * FRC_CCD_UNIT * sum;
    bool reject = false;
    // n: 0 or +-1 along each axis, in the order of additions x, y, z.
    for (int way = 0; way < 27 && !reject; way++) {
        const int nx = way % 3 - 1, ny = way / 3 % 3 - 1, nz = way / 9 - 1;
        if ((nx != 0) + (ny != 0) + (nz != 0) < 2) continue;
        bool above = true;
        FRC_UNROLL
        for (int i = 0; i < count; i++) {
            FRC_UNROLL
            for (int k = 0; k < 2; k++) {
                const double v = nx * q->d[i][0][k] + ny * q->d[i][1][k] + nz * q->d[i][2][k];
                above = above && v > e;
            }
        }
        reject = above;
    }
    return reject;
}

/// True: the filters of geom/ccd_filter.c, in doubles, reject the candidate.
FRC_QUICK bool frc_quick_rejects(frc_ccd_kind kind, const frc_ccd_query* q) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    return frc_quick_axis_rejects(q, count) || frc_quick_cubic_rejects(q) ||
           frc_quick_directions_reject(q, count);
}
