/// @file medial_point.c  The distance of a point from a sphere, a cone or a slab.
///
/// The distance is the minimum of |p - c| - r over all interpolated spheres (c, r), a convex
/// function. Where it is smallest the gradient of r along the segment or in the triangle equals
/// that of |p - c|: at the foot of the perpendicular from p, moved along the gradient g of r by
/// h * g / sqrt(1 - |g|^2), where h is the distance of p from the line or plane. If |g| >= 1 there
/// is no such point and the minimum is at an end or on an edge.
#include "geom/medial_point.h"
#include "geom/vec3.h"
#include <stdbool.h>

static frc_medial_nearest at_weights(const double* const s[3], int count, const double weight[3],
                                     const double p[3]) {
    frc_medial_nearest out = {0};
    double c[3] = {0}, r = 0;
    for (int i = 0; i < count; i++) {
        out.weight[i] = weight[i];
        for (int k = 0; k < 3; k++) c[k] += weight[i] * s[i][k];
        r += weight[i] * s[i][3];
    }
    frc_vec3_subtract(p, c, out.direction);
    const double length = sqrt(frc_vec3_dot(out.direction, out.direction));
    for (int k = 0; k < 3 && length > 0; k++) out.direction[k] /= length;
    out.distance = length - r;
    return out;
}

// The weight of b, from 0 to 1.
static double cone_weight(const double* a, const double* b, const double p[3]) {
    double e[3], d[3];
    frc_vec3_subtract(b, a, e);
    frc_vec3_subtract(p, a, d);
    const double square = frc_vec3_dot(e, e), growth = b[3] - a[3];
    const double left = square - growth * growth;
    if (!(left > 0)) return growth > 0 ? 1 : 0;  // one sphere contains the other
    const double along = frc_vec3_dot(d, e) / square;
    double off[3];
    for (int k = 0; k < 3; k++) off[k] = d[k] - along * e[k];
    // h * g / sqrt(1 - g^2) with g = growth / |e|, in units of |e|.
    const double height = sqrt(frc_vec3_dot(off, off));
    const double t = along + height * growth / sqrt(square * left);
    return t > 0 ? t < 1 ? t : 1 : 0;
}

// False: the minimum is on an edge. `*safe` false: near to a line, so that rounding may decide.
static bool slab_weights(const double* const s[3], const double p[3], double out[3], bool* safe) {
    double e[2][3], d[3], n[3];
    frc_vec3_subtract(s[1], s[0], e[0]);
    frc_vec3_subtract(s[2], s[0], e[1]);
    frc_vec3_subtract(p, s[0], d);
    frc_vec3_cross(e[0], e[1], n);
    const double area = frc_vec3_dot(n, n);
    const double aa = frc_vec3_dot(e[0], e[0]), ab = frc_vec3_dot(e[0], e[1]),
                 bb = frc_vec3_dot(e[1], e[1]), ra = s[1][3] - s[0][3], rb = s[2][3] - s[0][3];
    // The gradient of r is (u e0 + v e1) / area; its square is (u ra + v rb) / area.
    const double u = bb * ra - ab * rb, v = aa * rb - ab * ra;
    const double left = area - (u * ra + v * rb);
    *safe = area > 1e-12 * (aa * bb);
    if (!(area > 0 && left > 0)) return false;
    const double da = frc_vec3_dot(d, e[0]), db = frc_vec3_dot(d, e[1]);
    const double height = fabs(frc_vec3_dot(d, n)) / sqrt(area);
    const double step = height / sqrt(area * left);
    out[1] = (bb * da - ab * db) / area + step * u;
    out[2] = (aa * db - ab * da) / area + step * v;
    out[0] = 1 - out[1] - out[2];
    return out[0] >= 0 && out[1] >= 0 && out[2] >= 0;
}

frc_medial_nearest frc_medial_point(const double* const s[3], int count, const double p[3]) {
    double weight[3] = {1, 0, 0};
    if (count == 1) return at_weights(s, 1, weight, p);
    if (count == 2) {
        weight[1] = cone_weight(s[0], s[1], p);
        weight[0] = 1 - weight[1];
        return at_weights(s, 2, weight, p);
    }
    frc_medial_nearest best = {.distance = INFINITY};
    bool safe;
    if (slab_weights(s, p, weight, &safe)) {
        best = at_weights(s, 3, weight, p);
        if (safe) return best;
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        double at[3] = {0};
        at[b] = cone_weight(s[a], s[b], p), at[a] = 1 - at[b];
        const frc_medial_nearest found = at_weights(s, 3, at, p);
        if (found.distance < best.distance) best = found;
    }
    return best;
}
