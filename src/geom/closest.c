// Closest points by the projections onto the inside first, then onto the borders.
#include "geom/closest.h"
#include <stdbool.h>

double frc_closest_segment(const double a[3], const double b[3]) {
    const double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double length = frc_dot(e, e);
    return length > 0 ? frc_unit_clamp(-frc_dot(a, e) / length) : 0;
}

// Try the border from x[i] to x[j]; keep it if it is closer than the best so far.
static void try_border(const double x[3][3], int i, int j, double* best, double* u, double* v) {
    const double t = frc_closest_segment(x[i], x[j]);
    double weight[3] = {0, 0, 0}, p[3];
    weight[i] = 1 - t;
    weight[j] = t;
    for (int k = 0; k < 3; k++) p[k] = weight[i] * x[i][k] + weight[j] * x[j][k];
    const double distance = frc_dot(p, p);
    if (*best >= 0 && !(distance < *best)) return;
    *best = distance;
    *u = weight[1];
    *v = weight[2];
}

void frc_closest_triangle(const double x[3][3], double* u, double* v) {
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = x[1][k] - x[0][k];
        f[k] = x[2][k] - x[0][k];
    }
    // Normal equations of |x0 + u e + v f|, solved where the origin projects inside.
    const double ee = frc_dot(e, e), ef = frc_dot(e, f), ff = frc_dot(f, f);
    const double ea = -frc_dot(e, x[0]), fa = -frc_dot(f, x[0]);
    const double det = ee * ff - ef * ef, nu = ea * ff - fa * ef, nv = fa * ee - ea * ef;
    if (det > 0 && nu >= 0 && nv >= 0 && nu + nv <= det) {
        *u = nu / det;
        *v = nv / det;
        return;
    }
    double best = -1;
    for (int i = 0; i < 3; i++) try_border(x, i, (i + 1) % 3, &best, u, v);
}

void frc_closest_segments(const double w[3], const double a[3], const double b[3], double* u,
                          double* v) {
    const double aa = frc_dot(a, a), bb = frc_dot(b, b), ab = frc_dot(a, b);
    const double aw = frc_dot(a, w), bw = frc_dot(b, w);
    const double det = aa * bb - ab * ab;
    // Inner solution, then each parameter clamped and the other one projected again.
    double s = det > 0 ? frc_unit_clamp((aw * bb - ab * bw) / det) : 0;
    double t = bb > 0 ? frc_unit_clamp((s * ab - bw) / bb) : 0;
    s = aa > 0 ? frc_unit_clamp((t * ab + aw) / aa) : 0;
    *u = s;
    *v = bb > 0 ? frc_unit_clamp((s * ab - bw) / bb) : 0;
}
