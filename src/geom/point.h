/// @file point.h  A point that moves in a straight line from t = 0 to t = 1.
#pragma once
#include <stdint.h>

/// One cache line. Each coordinate holds its value at t = 0 and at t = 1 side by side, so that one
/// vector register takes both ends of the step. `tag` is not geometry; whoever owns the points may
/// use it.
typedef struct frc_point {
    double x[2], y[2], z[2];
    uint32_t tag[4];
} frc_point;

_Static_assert(sizeof(frc_point) == 64, "one point, one cache line");

/// Coordinate k, at both ends.
static inline const double* frc_point_axis(const frc_point* p, int k) {
    return k == 0 ? p->x : k == 1 ? p->y : p->z;
}
