/// @file vertical_ray.h  Does a vertical ray cross a triangle? Exact, for winding numbers.
///
/// Based on: edelsbrunner1990 (simulation of simplicity). A point is taken to be moved by
/// (e, e^2, d) for infinitely small d and e, where e is much smaller than d. A determinant that is
/// zero has the sign of its first derivative that is not. So no ray meets an edge or a vertex, and
/// no point is on the surface.
#pragma once
#include "exact/predicates.h"
#include <stdbool.h>

static inline int frc_ray_sign(double a, double b) { return (a > b) - (a < b); }

/// Sign of the area of a, b, p in the plane of x and y.
static inline int frc_ray_side(const double a[3], const double b[3], const double p[3]) {
    const int exact = frc_orient2d(a, b, p);
    if (exact) return exact;
    const int along_x = frc_ray_sign(a[1], b[1]);  // derivatives: a.y - b.y and b.x - a.x
    return along_x ? along_x : frc_ray_sign(b[0], a[0]);
}

/// Does the vertical line through p cross the triangle? 1 if it faces up there, -1 if down, 0: no.
static inline int frc_ray_facing(const double* const v[3], const double p[3]) {
    const int facing = frc_ray_side(v[0], v[1], p);
    if (!facing || frc_ray_side(v[1], v[2], p) != facing || frc_ray_side(v[2], v[0], p) != facing)
        return 0;
    return facing;
}

/// Is p below the triangle, which faces up (1) or down (-1)? A point on it is above it.
static inline bool frc_ray_below(const double* const v[3], int facing, const double p[3]) {
    return frc_orient3d(v[0], v[1], v[2], p) * facing < 0;
}
