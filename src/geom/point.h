/// @file point.h  A point that moves in a straight line from t = 0 to t = 1.
#pragma once
#include "base/host_device.h"
#include <stdint.h>

/// One cache line. Each coordinate holds its values at t = 0 and at t = 1, so that one load fills a
/// vector register with both ends of the step. `tag` is free for the owner of the points; the
/// geometric tests do not read it, except frc_point_order.
typedef struct frc_point {
    double x[2], y[2], z[2];
    uint32_t tag[4];
} frc_point;

_Static_assert(sizeof(frc_point) == 64, "a point fills one cache line");

/// Coordinate k, at both ends.
FRC_DEVICE static inline const double* frc_point_axis(const frc_point* p, int k) {
    return k == 0 ? p->x : k == 1 ? p->y : p->z;
}
