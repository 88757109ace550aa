/// @file curve.c  Morton order: the interleaved bits of coordinates.
#include "mesh/curve.h"
#include "mesh/view.h"

enum { AXIS_BITS = 10 };

// abc -> a00b00c
static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

// Quarters: the width of a box of huge numbers must not overflow.
frc_curve frc_curve_over(const fracas_points* points) {
    frc_curve c = {
        {0, 0, 0},
        0
    };
    double hi[3] = {0, 0, 0}, width = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        double p[3];
        frc_view_point(points, i, p);
        for (int k = 0; k < 3; k++) {
            const double x = 0.25 * p[k];
            c.lo[k] = i == 0 || x < c.lo[k] ? x : c.lo[k];
            hi[k] = i == 0 || x > hi[k] ? x : hi[k];
        }
    }
    for (int k = 0; k < 3; k++) width = hi[k] - c.lo[k] > width ? hi[k] - c.lo[k] : width;
    // Narrower than this the quotient would overflow; the order is then that of the caller.
    if (width > 1e-300) c.scale = ((1 << AXIS_BITS) - 1) / width;
    return c;
}

uint32_t frc_curve_place(const frc_curve* curve, const double point[3]) {
    uint32_t place = 0;
    for (int k = 0; k < 3; k++)
        place |= spread((uint32_t)((0.25 * point[k] - curve->lo[k]) * curve->scale)) << k;
    return place;
}
