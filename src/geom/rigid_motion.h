/// @file rigid_motion.h  Motion of a rigid body during one step: its centre moves linearly, its
/// orientation follows the normalised linear interpolation of two unit quaternions.
///
/// This turns the body about one fixed axis, by the shorter way, symmetrically about the middle of
/// the step. The fastest and the slowest angular velocity differ by 4 % for a turn of 45 degrees
/// and by 17 % for 90 degrees. Only square roots are needed: the same bits on every machine.
#pragma once
#include "base/host_device.h"
#include "fracas/pose.h"

/// Made by frc_rigid_motion_make.
typedef struct frc_rigid_motion {
    double position[2][3];    ///< of the centre, at the start and the end
    double quaternion[2][4];  ///< w, x, y, z; length 1 up to rounding, scalar product >= 0
    double bend;  ///< a point at distance d of the centre deviates from its chord over a time w by
                  ///< at most bend w^2 d, w <= 1
} frc_rigid_motion;

/// Quaternions are finite, not zero, of any length and sign.
FRC_DEVICE frc_rigid_motion frc_rigid_motion_make(const double position0[3],
                                                  const double quaternion0[4],
                                                  const double position1[3],
                                                  const double quaternion1[4]);

/// The pose at 0 <= t <= 1. The rotation's entries have errors below 2^-46.
FRC_DEVICE void frc_rigid_motion_at(const frc_rigid_motion* motion, double t, fracas_pose* out);
