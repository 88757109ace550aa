/// @file separation.h  Pairs that come within a distance: minimum separation in time, and nearby
/// pairs (docs/separation.md).
#pragma once
#include "geom/ccd.h"

/// True if the pair comes within `distance` (> 0) at some time in [0, 1]. True whenever the
/// smallest distance is <= distance, false whenever it is > distance * (1 + 2^-20), and in between
/// the same on every build. The toi of a hit is never later than the first time of distance <=
/// `distance`, and at most `tolerance` earlier than the first time of distance <= distance * (1 +
/// 2^-20); u, v and normal belong to the closest points at that time.
bool frc_separation_ccd(frc_ccd_kind kind, const frc_point points[4], double distance,
                        double tolerance, frc_ccd_hit* hit);

typedef struct frc_separation_options {
    double distance;   ///< > 0
    double tolerance;  ///< how early a time may be, > 0
    /// May be NULL; added to: axis, directions, separated, hit, exact, exact_hit.
    frc_ccd_counts* counts;
} frc_separation_options;

/// Decide `count` candidates. Writes the hits, ascending by candidate, to `hits`, which has
/// capacity `count`; returns their number. The result for a candidate depends only on its four
/// points.
size_t frc_separation_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, const frc_separation_options* options, frc_ccd_hit* hits);

/// Closest points of a vertex and a triangle, or of two edges, at t = 1.
typedef struct frc_closest {
    double distance, u, v;
    double normal[3];  ///< unit, from b (face, edge cd) to a (vertex, edge ab); zero at distance 0
} frc_closest;

/// True if they are within `distance` (>= 0) at t = 1, with the same guarantee as above; for
/// distance 0, if they touch, exactly. `out` may be NULL.
bool frc_separation_static(frc_ccd_kind kind, const frc_point points[4], double distance,
                           frc_closest* out);

/// The closest points at t = 1, at any distance. Where frc_separation_static is true for some
/// distance it may return other last bits.
void frc_separation_closest(frc_ccd_kind kind, const frc_point points[4], frc_closest* out);

/// The filters in front of frc_separation_static, for up to 256 candidates whose points are at rest
/// (both ends equal). `keep` (capacity `count`) gets the indices of the candidates that may be
/// within `distance`, ascending; returns their number.
size_t frc_separation_static_filter(frc_ccd_kind kind, const frc_point* points,
                                    const frc_ccd_pair* pairs, size_t count, double distance,
                                    uint16_t* keep);
