/// @file separation_exact.h  Two features at one time, in integers: their nearest parts and their
/// distance.
#pragma once
#include "exact/bigint.h"
#include "exact/double_parts.h"
#include "geom/ccd_hull_edges.h"
#include "geom/separation_stages.h"

/// D_i(t) = start + t speed, in units of 2^exponent, rounded towards 0 to that grid where the
/// coordinates are finer.
typedef struct frc_motion {
    frc_ccd_kind kind;
    int count, exponent;
    uint32_t bits;  ///< of the longest component of any D_i
    frc_big start[4][3], speed[4][3];
} frc_motion;

frc_double_span frc_motion_span(const frc_point* const points[4]);  ///< of all coordinates

/// Room for frc_motion_set: 96 numbers of a coordinate's length.
void frc_motion_set(frc_big_arena* arena, frc_ccd_kind kind, const frc_point* const points[4],
                    int exponent, frc_motion* out);

/// The D_i at m / 2^k, in units of 2^(exponent - k).
typedef struct frc_hull {
    frc_ccd_kind kind;
    int count;
    frc_big d[4][3];
} frc_hull;

void frc_hull_at(frc_big_arena* arena, const frc_motion* motion, frc_big m, uint32_t k,
                 frc_hull* out);

/// What holds the point nearest to the origin: the inside of the face (or of both edges), the
/// inside of a side of the hull, or a corner.
typedef enum frc_hull_feature_kind {
    FRC_HULL_FACE,
    FRC_HULL_EDGE,
    FRC_HULL_VERTEX
} frc_hull_feature_kind;
typedef struct frc_hull_feature {
    frc_hull_feature_kind kind;
    int x, y;  ///< side: between D_x and D_y; corner: D_x
} frc_hull_feature;

/// N of the face or of both edges.
void frc_hull_normal(frc_big_arena* arena, const frc_hull* pose, frc_big out[3]);

frc_hull_feature frc_hull_nearest(frc_big_arena arena, const frc_hull* pose);

/// The square of the distance to the carrier of the part is num / den, den > 0.
void frc_hull_distance2(frc_big_arena* arena, const frc_hull* pose, frc_hull_feature part,
                        frc_big* num, frc_big* den);

/// A vector from the origin to the nearest point, of any length; zero at distance 0.
void frc_hull_direction(frc_big_arena* arena, const frc_hull* pose, frc_hull_feature part,
                        frc_big out[3]);

/// Everything to be told about the part, in doubles; `exponent` is that of the pose's unit.
void frc_hull_closest(frc_big_arena arena, const frc_hull* pose, frc_hull_feature part,
                      int exponent, frc_closest* out);

/// Certainly further apart than R, r2 = R^2, at all times between two poses; `part` is the nearest
/// one at a time between them. May say no when in doubt.
bool frc_hull_separated(frc_big_arena arena, const frc_hull ends[2], const frc_hull* middle,
                        frc_hull_feature part, frc_big r2);
