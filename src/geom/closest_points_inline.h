/// @file closest_points_inline.h  closest_points.h for inner loops: projection onto the interior,
/// then onto the boundary.
#pragma once
#include "geom/closest_points.h"
#include "geom/vec3.h"
#include <stdbool.h>

#define FRC_CLOSEST FRC_DEVICE static inline __attribute__((always_inline))

FRC_CLOSEST double frc_closest_segment_inline(const double a[3], const double b[3]) {
    double e[3];
    frc_vec3_subtract(b, a, e);
    const double length = frc_vec3_dot(e, e);
    return length > 0 ? frc_unit_clamp(-frc_vec3_dot(a, e) / length) : 0;
}

FRC_CLOSEST void frc_closest_triangle_inline(const double x[3][3], double* u, double* v) {
    double e[3], f[3];
    frc_vec3_subtract(x[1], x[0], e);
    frc_vec3_subtract(x[2], x[0], f);
    // Normal equations of |x0 + u e + v f|, solved where the origin projects inside.
    const double ee = frc_vec3_dot(e, e), ef = frc_vec3_dot(e, f), ff = frc_vec3_dot(f, f);
    const double ea = -frc_vec3_dot(e, x[0]), fa = -frc_vec3_dot(f, x[0]);
    const double det = ee * ff - ef * ef, nu = ea * ff - fa * ef, nv = fa * ee - ea * ef;
    if (det > 0 && nu >= 0 && nv >= 0 && nu + nv <= det) {
        *u = nu / det;
        *v = nv / det;
        return;
    }
    // Otherwise the closest of the three points on the edges.
    double best = -1;
    *u = *v = 0;
    FRC_UNROLL
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const double t = frc_closest_segment_inline(x[i], x[j]);
        double weight[3] = {0, 0, 0}, p[3];
        weight[i] = 1 - t;
        weight[j] = t;
        for (int k = 0; k < 3; k++) p[k] = weight[i] * x[i][k] + weight[j] * x[j][k];
        const double distance = frc_vec3_dot(p, p);
        if (best >= 0 && !(distance < best)) continue;
        best = distance;
        *u = weight[1];
        *v = weight[2];
    }
}

FRC_CLOSEST void frc_closest_segments_inline(const double w[3], const double a[3],
                                             const double b[3], double* u, double* v) {
    const double aa = frc_vec3_dot(a, a), bb = frc_vec3_dot(b, b), ab = frc_vec3_dot(a, b);
    const double aw = frc_vec3_dot(a, w), bw = frc_vec3_dot(b, w);
    const double det = aa * bb - ab * ab;
    // Unconstrained solution, then alternately clamp one parameter and project the other.
    double s = det > 0 ? frc_unit_clamp((aw * bb - ab * bw) / det) : 0;
    double t = bb > 0 ? frc_unit_clamp((s * ab - bw) / bb) : 0;
    s = aa > 0 ? frc_unit_clamp((t * ab + aw) / aa) : 0;
    *u = s;
    *v = bb > 0 ? frc_unit_clamp((s * ab - bw) / bb) : 0;
}
