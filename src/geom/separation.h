/// @file separation.h  Pairs that come within a distance: minimum separation in time, and nearby
/// pairs.
#pragma once
#include "geom/ccd.h"

/// Does the pair come within `distance` at some time in [0, 1]? Says yes whenever the true smallest
/// distance is <= distance, no whenever it is > distance * (1 + 2^-20), and the same on every build
/// in between. A hit's toi is never later than the first time of distance <= `distance`, and at
/// most `tolerance` earlier than the first time of distance <= distance * (1 + 2^-20); u, v and
/// normal belong to the closest points there.
bool frc_separation_ccd(frc_ccd_kind kind, const frc_point points[4], double distance,
                        double tolerance, frc_ccd_hit* hit);

/// Closest points of a vertex and a triangle, or of two edges, at t = 1.
typedef struct frc_closest {
    double distance, u, v;
    double normal[3];  ///< unit, from b (face, edge cd) to a (vertex, edge ab); zero at distance 0
} frc_closest;

/// Are they within `distance` at t = 1? Same guarantee as above. `out` may be NULL.
bool frc_separation_static(frc_ccd_kind kind, const frc_point points[4], double distance,
                           frc_closest* out);
