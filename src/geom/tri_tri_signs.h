/// @file tri_tri_signs.h  The corner of a triangle that is alone on its side of the plane of the
/// other triangle; private to tri_tri*.c. tri_tri_signs.c has the derivation.
#pragma once
#include "base/host_device.h"
#include <stdint.h>

enum { FRC_ALONE_FLAT = 8, FRC_ALONE_MISS = 16 };

/// By the set of corners above (bit i: corner i), all others being below: the alone corner, plus 4
/// when it is below.
FRC_DEVICE static const uint8_t frc_alone_corner[8] = {FRC_ALONE_MISS, 0, 1, 4 + 2, 2, 4 + 1, 4 + 0,
                                                       FRC_ALONE_MISS};

/// The same from the sets of corners strictly above and strictly below; FRC_ALONE_MISS when all are
/// strictly on one side, FRC_ALONE_FLAT when all are in the plane. Corners in the plane are taken
/// as below, or as above when no other corner is above.
FRC_DEVICE static inline int frc_alone(unsigned above, unsigned below) {
    if (above == 7 || below == 7) return FRC_ALONE_MISS;
    if (!(above | below)) return FRC_ALONE_FLAT;
    return frc_alone_corner[above ? above : 7 & ~below];
}

/// The corners of a triangle, the alone corner first. [1]: the last two are exchanged, which
/// reverses the normal, because the alone corner of the other triangle is below this triangle.
FRC_DEVICE static const uint8_t frc_corner_order[3][2][3] = {
    {{0, 1, 2}, {0, 2, 1}},
    {{1, 2, 0}, {1, 0, 2}},
    {{2, 0, 1}, {2, 1, 0}},
};

/// The corners of both triangles in some order.
typedef struct frc_tri_order {
    uint8_t a[3], b[3];
} frc_tri_order;
