/// @file quick_query.h  Device code: the difference vectors of a candidate, and filters that only
/// reject. geom/ccd_filter.c has the bounds.
///
/// Inlined for each kind, with all loops over vectors unrolled: arrays are then in registers.
#pragma once
#include "cuda/step.h"
#include "geom/ccd_stages.h"
#include <math.h>

#define FRC_QUICK FRC_DEVICE static inline __attribute__((always_inline))

FRC_QUICK uint64_t frc_quick_order(const frc_step* s, uint32_t point) {
    const uint32_t* tag = s->names[point].tag;
    return (uint64_t)tag[0] << 32 | tag[1];
}

/// frc_step_candidate for a kind that is a constant.
FRC_QUICK frc_ccd_pair frc_quick_candidate(frc_ccd_kind kind, const frc_step* s,
                                           frc_slot_pair pair) {
    const frc_feature a = s->a.features[pair.a], b = s->b.features[pair.b];
    if (kind == FRC_CCD_VF) {
        const frc_ccd_pair vf = {
            {a.point[0], b.point[0], b.point[1], b.point[2]}
        };
        return vf;
    }
    // As frc_ccd_order_edges, without an index that is computed.
    const uint64_t a0 = frc_quick_order(s, a.point[0]), a1 = frc_quick_order(s, a.point[1]),
                   b0 = frc_quick_order(s, b.point[0]), b1 = frc_quick_order(s, b.point[1]);
    const bool flip_a = a1 < a0, flip_b = b1 < b0;
    const bool swap = (flip_b ? b1 : b0) < (flip_a ? a1 : a0);
    const uint32_t p0 = flip_a ? a.point[1] : a.point[0], p1 = flip_a ? a.point[0] : a.point[1],
                   p2 = flip_b ? b.point[1] : b.point[0], p3 = flip_b ? b.point[0] : b.point[1];
    const frc_ccd_pair ee = {
        {swap ? p2 : p0, swap ? p3 : p1, swap ? p0 : p2, swap ? p1 : p3}
    };
    return ee;
}

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

// ---- filters that only reject, in floats: those of geom/ccd_filter.c with their bounds, which
// hold with fused operations, too, as these round less.

#define FRC_QUICK_UNIT ((float)(FRC_CCD_UNIT * 0x1p29))

#if defined(__CUDACC__)
#define frc_quick_fma(a, b, c) __fmaf_rn(a, b, c)
#define frc_quick_min(a, b) fminf(a, b)
#define frc_quick_max(a, b) fmaxf(a, b)
#else
#define frc_quick_fma(a, b, c) ((a) * (b) + (c))
#define frc_quick_min(a, b) ((b) < (a) ? (b) : (a))
#define frc_quick_max(a, b) ((b) > (a) ? (b) : (a))
#endif

/// The difference vectors, rounded to float.
typedef struct frc_quick_floats {
    float d[4][2][3];
} frc_quick_floats;

FRC_QUICK void frc_quick_floats_make(frc_ccd_kind kind, const frc_moving_point* points,
                                     const uint32_t p[4], frc_quick_floats* q) {
    const bool vf = kind == FRC_CCD_VF;
    frc_moving_point x[4];
    FRC_UNROLL
    for (int i = 0; i < 4; i++) x[i] = points[p[i]];
    FRC_UNROLL
    for (int i = 0; i < (vf ? 3 : 4); i++) {
        FRC_UNROLL
        for (int k = 0; k < 3; k++) {
            FRC_UNROLL
            for (int e = 0; e < 2; e++)
                q->d[i][e][k] =
                    (float)(x[vf ? 1 + i : 2 + i % 2].x[k][e] - x[vf ? 0 : i / 2].x[k][e]);
        }
    }
}

FRC_QUICK float frc_quick_dot3(const float a[3], const float b[3], float c) {
    return frc_quick_fma(a[2], b[2], frc_quick_fma(a[1], b[1], frc_quick_fma(a[0], b[0], c)));
}

// a x b + c
FRC_QUICK void frc_quick_cross3(const float a[3], const float b[3], const float c[3],
                                float out[3]) {
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = frc_quick_fma(a[i], b[j], frc_quick_fma(-a[j], b[i], c[k]));
    }
}

// The largest magnitude of component k of the first `count` vectors.
FRC_QUICK float frc_quick_extent(const frc_quick_floats* q, int count, int k) {
    float most = 0;
    FRC_UNROLL
    for (int i = 0; i < count; i++) {
        FRC_UNROLL
        for (int e = 0; e < 2; e++) most = frc_quick_max(most, fabsf(q->d[i][e][k]));
    }
    return most;
}

// Lambda of D0, D1, D2; 0: outside of the range where the bounds hold.
FRC_QUICK float frc_quick_volume(const frc_quick_floats* q) {
    float lambda = 1;
    bool safe = true;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        const float l = frc_quick_extent(q, 3, k);
        safe = safe && l >= 0x1p-20f && l <= 0x1p20f;
        lambda *= l;
    }
    return safe ? lambda : 0;
}

// 1a: on one side of 0 at both ends along an axis. Rounding to float keeps the sign, or gives 0.
FRC_QUICK bool frc_quick_axis_rejects(const frc_quick_floats* q, int count) {
    bool reject = false;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        float low = q->d[0][0][k], high = low;
        FRC_UNROLL
        for (int i = 0; i < count; i++) {
            FRC_UNROLL
            for (int e = 0; e < 2; e++) {
                low = frc_quick_min(low, q->d[i][e][k]);
                high = frc_quick_max(high, q->d[i][e][k]);
            }
        }
        reject = reject || low > 0 || high < 0;
    }
    return reject;
}

// 1b: E = 96 u Lambda. `one_root`: the signs at the ends differ, as far as floats tell.
FRC_QUICK bool frc_quick_cubic_rejects(const frc_quick_floats* q, float lambda, bool* one_root) {
    const float zero[3] = {0, 0, 0}, e = 96 * FRC_QUICK_UNIT * lambda;
    float n[2][3], k[3], c[4];
    frc_quick_cross3(q->d[1][0], q->d[2][0], zero, n[0]);
    frc_quick_cross3(q->d[1][1], q->d[2][1], zero, n[1]);
    frc_quick_cross3(q->d[1][0], q->d[2][1], zero, k);
    frc_quick_cross3(q->d[1][1], q->d[2][0], k, k);
    FRC_UNROLL
    for (int i = 0; i < 2; i++) {
        const float* x = q->d[0][i];
        c[3 * i] = frc_quick_dot3(x, n[i], 0);
        c[1 + i] =
            frc_quick_dot3(q->d[0][1 - i], n[i], frc_quick_dot3(x, k, 0)) * (float)(1.0 / 3.0);
    }
    *one_root = (c[0] > 0) != (c[3] > 0);
    const float low = frc_quick_min(frc_quick_min(c[0], c[1]), frc_quick_min(c[2], c[3]));
    const float high = frc_quick_max(frc_quick_max(c[0], c[1]), frc_quick_max(c[2], c[3]));
    return lambda > 0 && (low > e || high < -e);
}

#if !defined(FRC_CCD_SWEEP_BOUND)
#define FRC_CCD_SWEEP_BOUND 1700
#endif

// 1c: perpendicular to the relative motion and to one edge; E = 1700 u Lambda.
FRC_QUICK bool frc_quick_sweep_rejects(frc_ccd_kind kind, const frc_quick_floats* q, float lambda) {
    const float zero[3] = {0, 0, 0}, bound = FRC_CCD_SWEEP_BOUND * FRC_QUICK_UNIT * lambda;
    float v[3], side[3], n[3], low = INFINITY, high = -INFINITY;
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        v[k] = (q->d[1][1][k] + q->d[2][1][k]) - (q->d[1][0][k] + q->d[2][0][k]);
        side[k] = (q->d[2][0][k] - q->d[0][0][k]) + (q->d[2][1][k] - q->d[0][1][k]);
    }
    frc_quick_cross3(v, side, zero, n);
    FRC_UNROLL
    for (int e = 0; e < 2; e++) {
        float w[4];
        FRC_UNROLL
        for (int i = 0; i < 3; i++) w[i] = frc_quick_dot3(n, q->d[i][e], 0);
        w[3] = kind == FRC_CCD_EE ? (w[1] + w[2]) - w[0] : w[2];
        low =
            frc_quick_min(low, frc_quick_min(frc_quick_min(w[0], w[1]), frc_quick_min(w[2], w[3])));
        high = frc_quick_max(high,
                             frc_quick_max(frc_quick_max(w[0], w[1]), frc_quick_max(w[2], w[3])));
    }
    return lambda > 0 && (low > bound || high < -bound);
}

// By how much all D_i are on one side of 0 along x * D[a] + y * D[b] + z * D[c].
FRC_QUICK float frc_quick_margin(const frc_quick_floats* q, int count, int x, int y, int z) {
    float low = INFINITY, high = -INFINITY;
    FRC_UNROLL
    for (int i = 0; i < count; i++) {
        FRC_UNROLL
        for (int e = 0; e < 2; e++) {
            const float* d = q->d[i][e];
            const float first = x ? d[0] : d[1], second = x && y ? y * d[1] : z * d[2];
            const float sum = x && y && z ? (first + second) + z * d[2] : first + second;
            low = frc_quick_min(low, sum), high = frc_quick_max(high, sum);
        }
    }
    return frc_quick_max(low, -high);
}

// 1d: ten directions, E = 4 u (Lx + Ly + Lz), for sums in [2^-80, 2^80].
FRC_QUICK bool frc_quick_directions_reject(const frc_quick_floats* q, int count) {
    const float sum = frc_quick_extent(q, count, 0) + frc_quick_extent(q, count, 1) +
                      frc_quick_extent(q, count, 2);
    const float e = 4 * FRC_QUICK_UNIT * sum;
    float best = 0;
    FRC_UNROLL
    for (int sign = -1; sign <= 1; sign += 2) {
        best = frc_quick_max(best, frc_quick_margin(q, count, 1, sign, 0));
        best = frc_quick_max(best, frc_quick_margin(q, count, 1, 0, sign));
        best = frc_quick_max(best, frc_quick_margin(q, count, 0, 1, sign));
        best = frc_quick_max(best, frc_quick_margin(q, count, 1, sign, 1));
        best = frc_quick_max(best, frc_quick_margin(q, count, 1, sign, -1));
    }
    return sum >= 0x1p-80f && sum <= 0x1p80f && best > e;
}

/// True: filters in floats reject the candidate. Else `one_root` tells whether the cubic seems to
/// have different signs at the ends.
FRC_QUICK bool frc_quick_rejects(frc_ccd_kind kind, const frc_moving_point* points,
                                 const uint32_t p[4], bool* one_root) {
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    frc_quick_floats q;
    frc_quick_floats_make(kind, points, p, &q);
    const float lambda = frc_quick_volume(&q);
    return frc_quick_cubic_rejects(&q, lambda, one_root) || frc_quick_axis_rejects(&q, count) ||
           frc_quick_sweep_rejects(kind, &q, lambda) || frc_quick_directions_reject(&q, count);
}
