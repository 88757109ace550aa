/// @file tri_tri_by_edge.c  Disjoint triangles almost in one plane.
#include "geom/tri_tri_by_edge.h"
#include "geom/tri_tri_bound.h"
#include "geom/vec3.h"

typedef struct range {
    double low, high;
} range;

FRC_DEVICE static range range_of(double a, double b, double c) {
    range r;
    r.low = a < b ? a : b, r.high = a < b ? b : a;
    r.low = c < r.low ? c : r.low, r.high = c > r.high ? c : r.high;
    return r;
}

/// True if one triangle is certainly further along d than the other. d may be any vector. A product
/// d.p carries one rounding of p, one of each product and two of the sum: 4u |d|_1 s, and at most
/// as much again in the other; 16u covers the second order. Where a product might overflow nothing
/// is certain; FRC_TRI_TINY covers underflow.
FRC_DEVICE static bool separated_along(const frc_tri_six* s, double size, const double d[3]) {
    double t[6];
    for (int i = 0; i < 6; i++) t[i] = frc_vec3_dot(d, s->p[i]);
    const double reach = (fabs(d[0]) + fabs(d[1]) + fabs(d[2])) * size;
    const double bound = 0x1p-49 * reach + FRC_TRI_TINY;
    const range a = range_of(t[0], t[1], t[2]), b = range_of(t[3], t[4], t[5]);
    return reach < 0x1p1000 && (b.low - a.high > bound || a.low - b.high > bound);
}

FRC_DEVICE bool frc_tri_separated_by_edge(const frc_tri_six* s) {
    double size = 0;
    for (int i = 0; i < 6; i++) {
        const double own = frc_vec3_largest(s->p[i]);
        size = own > size ? own : size;
    }
    for (int first = 0; first < 6; first += 3) {
        double e[3][3], n[3], d[3];
        for (int i = 0; i < 3; i++)
            frc_vec3_subtract(s->p[first + (i + 1) % 3], s->p[first + i], e[i]);
        frc_vec3_cross(e[0], e[1], n);
        for (int i = 0; i < 3; i++) {
            frc_vec3_cross(e[i], n, d);
            if (separated_along(s, size, d)) return true;
        }
    }
    return false;
}
