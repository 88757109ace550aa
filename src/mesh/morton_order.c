/// @file morton_order.c  Sort points by Morton code: the interleaved bits of their coordinates.
#include "mesh/morton_order.h"
#include "base/sort.h"
#include "fracas/contact.h"
#include "mesh/view.h"

enum { AXIS_BITS = 10 };

// Insert two zero bits before each bit: abc -> a00b00c.
static uint32_t spread_bits(uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

uint64_t* frc_morton_order(const fracas_points* points, const uint32_t* left_out, uint64_t* keys,
                           uint64_t* spare, size_t* count) {
    // The bounding cube has 2^10 cells along each axis. Coordinates are multiplied by 0.25, so that
    // the width does not overflow.
    double lo[3], hi[3], width = 0, scale = 0;
    frc_view_box(points, lo, hi);
    for (int k = 0; k < 3; k++) {
        lo[k] *= 0.25;
        width = 0.25 * hi[k] - lo[k] > width ? 0.25 * hi[k] - lo[k] : width;
    }
    // The quotient of a smaller width would overflow; the order is then that of the caller.
    if (width > 1e-300) scale = ((1 << AXIS_BITS) - 1) / width;
    *count = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        double p[3];
        if (left_out && left_out[i] == FRACAS_NONE) continue;
        frc_view_point(points, i, p);
        uint32_t code = 0;
        for (int k = 0; k < 3; k++)
            code |= spread_bits((uint32_t)((0.25 * p[k] - lo[k]) * scale)) << k;
        keys[(*count)++] = (uint64_t)code << 32 | i;
    }
    return frc_sort_keys(keys, spare, *count, 32);
}
