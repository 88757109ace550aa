/// @file expand_polytope.h  The direction in which a convex body has its boundary nearest to the
/// origin: the expanding polytope algorithm.
#pragma once
#include <stdint.h>

enum { FRC_POLYTOPE_POINTS = 1024, FRC_POLYTOPE_FACES = 2 * FRC_POLYTOPE_POINTS };

typedef struct frc_polytope_face {
    uint16_t point[3];
    double normal[3], distance;  // unit, outward; of the plane from the origin
} frc_polytope_face;

/// A convex polytope inside of the body: the workspace.
typedef struct frc_polytope {
    double points[FRC_POLYTOPE_POINTS][3];
    frc_polytope_face faces[FRC_POLYTOPE_FACES];
    uint32_t point_count, face_count;
} frc_polytope;

/// The point of the body that is furthest in a direction (unit length), in coordinates of about 1.
/// Returns its coordinate in that direction.
typedef double frc_support_fn(void* data, const double direction[3], double out[3]);

/// Returns the smallest coordinate that `support` has returned, and its direction: an upper bound
/// of the distance from an inner origin to the boundary, whatever the rounding errors. `least`: a
/// lower bound, up to rounding; negative if there is none. Ends when they differ by `tolerance`, or
/// when the upper bound is below 0: the origin is outside.
double frc_polytope_expand(frc_polytope* polytope, frc_support_fn* support, void* data,
                           double tolerance, double direction[3], double* least);
