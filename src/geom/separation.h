/// @file separation.h  Pairs that come within a distance: minimum separation in time, and nearby
/// pairs (docs/separation.md).
#pragma once
#include "geom/ccd.h"

/// Does the pair come within `distance` (> 0) at some time in [0, 1]? Says yes whenever the true
/// smallest distance is <= distance, no whenever it is > distance * (1 + 2^-20), and the same on
/// every build in between. A hit's toi is never later than the first time of distance <=
/// `distance`, and at most `tolerance` earlier than the first time of distance <= distance * (1 +
/// 2^-20); u, v and normal belong to the closest points there.
bool frc_separation_ccd(frc_ccd_kind kind, const frc_point points[4], double distance,
                        double tolerance, frc_ccd_hit* hit);

typedef struct frc_separation_options {
    double distance;   ///< > 0
    double tolerance;  ///< how early a time may be, > 0
    frc_ccd_counts*
        counts;  ///< may be NULL; added to: axis, directions, separated, hit, exact, exact_hit
} frc_separation_options;

/// Decide `count` candidates. Appends the hits, ascending by candidate, to `hits`, which has room
/// for `count`; returns how many. The result for a candidate depends on nothing but its four
/// points.
size_t frc_separation_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, const frc_separation_options* options, frc_ccd_hit* hits);

/// Closest points of a vertex and a triangle, or of two edges, at t = 1.
typedef struct frc_closest {
    double distance, u, v;
    double normal[3];  ///< unit, from b (face, edge cd) to a (vertex, edge ab); zero at distance 0
} frc_closest;

/// Are they within `distance` (>= 0) at t = 1? Same guarantee as above; at distance 0: do they
/// touch, exactly. `out` may be NULL.
bool frc_separation_static(frc_ccd_kind kind, const frc_point points[4], double distance,
                           frc_closest* out);
