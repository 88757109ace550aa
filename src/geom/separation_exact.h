/// @file separation_exact.h  Two features at one time, in integers: nearest part, distance and
/// certificates of separation.
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

/// Uses arena space for 96 numbers of the length of a coordinate.
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

/// The part of the hull of the D_i that contains the point nearest to the origin: the interior of
/// the face (or of both edges), the interior of a side of the hull, or a corner.
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

/// The square of the distance to the plane, line or point that carries the part is num / den,
/// den > 0.
void frc_hull_distance2(frc_big_arena* arena, const frc_hull* pose, frc_hull_feature part,
                        frc_big* num, frc_big* den);

/// A vector from the origin to the nearest point, of any length; zero at distance 0.
void frc_hull_direction(frc_big_arena* arena, const frc_hull* pose, frc_hull_feature part,
                        frc_big out[3]);

/// Distance, parameters and normal of the point nearest to the origin, in doubles; the unit of the
/// pose is 2^exponent.
void frc_hull_closest(frc_big_arena arena, const frc_hull* pose, frc_hull_feature part,
                      int exponent, frc_closest* out);

/// True if certainly further apart than R at all times between the poses `ends`, with r2 = R^2;
/// `part` is the nearest part of the pose at the middle. May be false although they are.
bool frc_hull_separated(frc_big_arena arena, const frc_hull ends[2], const frc_hull* middle,
                        frc_hull_feature part, frc_big r2);
