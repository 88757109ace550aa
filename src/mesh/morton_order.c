/// @file morton_order.c  Morton order: the interleaved bits of coordinates.
#include "mesh/morton_order.h"
#include "base/sort.h"
#include "fracas/contact.h"
#include "mesh/view.h"

enum { AXIS_BITS = 10 };

// abc -> a00b00c
static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

// The box of points, and what scales it to the grid of the curve.
typedef struct curve {
    double lo[3], scale;
} curve;

// Quarters: the width of a box of huge numbers must not overflow.
static curve curve_over(const fracas_points* points) {
    curve c = {
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

// 30 bits.
static uint32_t place_on(const curve* c, const double point[3]) {
    uint32_t place = 0;
    for (int k = 0; k < 3; k++)
        place |= spread((uint32_t)((0.25 * point[k] - c->lo[k]) * c->scale)) << k;
    return place;
}

uint64_t* frc_morton_order(const fracas_points* points, const uint32_t* left_out, uint64_t* keys,
                           uint64_t* spare, size_t* count) {
    const curve c = curve_over(points);
    *count = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        double p[3];
        if (left_out && left_out[i] == FRACAS_NONE) continue;
        frc_view_point(points, i, p);
        keys[(*count)++] = (uint64_t)place_on(&c, p) << 32 | i;
    }
    return frc_sort_keys(keys, spare, *count, 32);
}
