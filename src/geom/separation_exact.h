/// @file separation_exact.h  Two features at one time, in integers: their nearest parts and their
/// distance.
#pragma once
#include "exact/bigint.h"
#include "exact/double_parts.h"
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
typedef struct frc_pose {
    frc_ccd_kind kind;
    int count;
    frc_big d[4][3];
} frc_pose;

void frc_pose_set(frc_big_arena* arena, const frc_motion* motion, frc_big m, uint32_t k,
                  frc_pose* out);

/// What holds the point nearest to the origin: the inside of the face (or of both edges), the
/// inside of a side of the hull, or a corner.
typedef enum frc_part_kind { FRC_PART_INSIDE, FRC_PART_SIDE, FRC_PART_CORNER } frc_part_kind;
typedef struct frc_part {
    frc_part_kind kind;
    int x, y;  ///< side: between D_x and D_y; corner: D_x
} frc_part;

/// The sides of the hull; P_i = D_x x D_y, and s_i P_i is along N on contact (ccd_exact.c).
typedef struct frc_side {
    int x, y, sign;
} frc_side;
extern const frc_side FRC_SIDES[2][4];

/// N of the face or of both edges.
void frc_pose_normal(frc_big_arena* arena, const frc_pose* pose, frc_big out[3]);

frc_part frc_pose_nearest(frc_big_arena arena, const frc_pose* pose);

/// The square of the distance to the carrier of the part is num / den, den > 0.
void frc_part_square(frc_big_arena* arena, const frc_pose* pose, frc_part part, frc_big* num,
                     frc_big* den);

/// A vector from the origin to the nearest point, of any length; zero at distance 0.
void frc_part_direction(frc_big_arena* arena, const frc_pose* pose, frc_part part, frc_big out[3]);

/// Everything to be told about the part, in doubles; `exponent` is that of the pose's unit.
void frc_part_describe(frc_big_arena arena, const frc_pose* pose, frc_part part, int exponent,
                       frc_closest* out);

/// Certainly further apart than R, r2 = R^2, at all times between two poses; `part` is the nearest
/// one at a time between them. May say no when in doubt.
bool frc_pose_apart(frc_big_arena arena, const frc_pose ends[2], const frc_pose* middle,
                    frc_part part, frc_big r2);
