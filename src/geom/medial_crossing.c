/// @file medial_crossing.c  Centre surfaces that intersect: the triangle of one primitive and a
/// segment of the other.
///
/// There f = |p_xyz| - p_r (medial_pair.c) is not differentiable: its minimum over a face of three
/// dimensions is at p_xyz = 0 when the vector n with n . e_xyz = e_r for the three edge vectors e
/// of the face is not longer than 1. Then n . p_xyz - p_r is constant on the face, and a lower
/// bound of f everywhere, as |n| <= 1.
#include "geom/medial_core.h"
#include "geom/vec3.h"
#include <string.h>

// A triangle x and a segment y; `sign`: of the triangle in p = w - v, 1 if it belongs to b.
typedef struct crossing {
    double x[3], y[2];  // weights
    double n[3], value;
} crossing;

FRC_DEVICE static bool solve(const double (*x)[4], const double* y0, const double* y1, double sign,
                             crossing* out) {
    double e[3][4], c[3][3], p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = sign * (x[0][k] - y0[k]);
        e[0][k] = sign * (x[1][k] - x[0][k]);
        e[1][k] = sign * (x[2][k] - x[0][k]);
        e[2][k] = -sign * (y1[k] - y0[k]);
    }
    e[0][3] = x[1][3] - x[0][3];
    e[1][3] = x[2][3] - x[0][3];
    e[2][3] = y1[3] - y0[3];
    for (int i = 0; i < 3; i++) frc_vec3_cross(e[(i + 1) % 3], e[(i + 2) % 3], c[i]);
    const double det = frc_vec3_dot(e[0], c[0]);
    double t[3], rest[3], radius = x[0][3] + y0[3];
    for (int i = 0; i < 3; i++) {
        t[i] = -frc_vec3_dot(p, c[i]) / det;
        radius += t[i] * e[i][3];
    }
    // 0 but for rounding, which is large when det is nearly 0.
    for (int k = 0; k < 3; k++) rest[k] = p[k] + t[0] * e[0][k] + t[1] * e[1][k] + t[2] * e[2][k];
    out->value = sqrt(frc_vec3_dot(rest, rest)) - radius;
    for (int k = 0; k < 3; k++)
        out->n[k] = (e[0][3] * c[0][k] + e[1][3] * c[1][k] + e[2][3] * c[2][k]) / det;
    const double weights[5] = {1 - t[0] - t[1], t[0], t[1], 1 - t[2], t[2]};
    for (int i = 0; i < 5; i++)
        if (!(weights[i] >= 0)) return false;  // also for det = 0
    memcpy(out->x, weights, sizeof out->x);
    memcpy(out->y, weights + 3, sizeof out->y);
    return true;
}

FRC_DEVICE static double support_gap(const frc_medial_pair* pair, const double n[3]) {
    double a = -INFINITY, b = INFINITY;
    for (int i = 0; i < pair->na; i++) {
        const double x = frc_vec3_dot(n, pair->a[i]) + pair->a[i][3];
        a = x > a ? x : a;
    }
    for (int j = 0; j < pair->nb; j++) {
        const double x = frc_vec3_dot(n, pair->b[j]) - pair->b[j][3];
        b = x < b ? x : b;
    }
    return b - a;
}

FRC_DEVICE static void use(const frc_medial_pair* pair, const crossing* c, bool triangle_in_b,
                           int y0, int y1, frc_medial_bounds* out) {
    double* const wx = triangle_in_b ? out->weight_b : out->weight_a;
    double* const wy = triangle_in_b ? out->weight_a : out->weight_b;
    memcpy(wx, c->x, sizeof c->x);
    memset(wy, 0, 3 * sizeof *wy);
    wy[y0] = c->y[0];
    wy[y1] = c->y[1];
    if (!(frc_vec3_dot(c->n, c->n) <= 1)) return;
    const double lower = support_gap(pair, c->n) - pair->error;
    if (lower > out->lower) out->lower = lower;
}

FRC_DEVICE void frc_medial_cross(const frc_medial_pair* pair, frc_medial_bounds* out) {
    double best = out->upper - pair->error;
    for (int side = 0; side < 2; side++) {
        const double(*x)[4] = side ? pair->b : pair->a, (*y)[4] = side ? pair->a : pair->b;
        const int nx = side ? pair->nb : pair->na, ny = side ? pair->na : pair->nb;
        if (nx < 3) continue;
        for (int i = 0; i < ny; i++)
            for (int j = i + 1; j < ny; j++) {
                crossing c;
                if (!solve(x, y[i], y[j], side ? 1 : -1, &c) || !(c.value < best)) continue;
                best = c.value;
                use(pair, &c, side, i, j, out);
            }
    }
}
