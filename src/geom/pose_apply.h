/// @file pose_apply.h  Points of rigid bodies at a pose. Operations must be evaluated in the order
/// written here: results depend on their rounding.
#pragma once
#include "base/host_device.h"
#include "fracas/pose.h"

FRC_DEVICE static inline void frc_pose_rotate(const double m[9], const double x[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = m[3 * k] * x[0] + m[3 * k + 1] * x[1] + m[3 * k + 2] * x[2];
}

/// out = rotation * x + translation.
FRC_DEVICE static inline void frc_pose_apply(const fracas_pose* pose, const double x[3],
                                             double out[3]) {
    frc_pose_rotate(pose->rotation, x, out);
    for (int k = 0; k < 3; k++) out[k] += pose->translation[k];
}
