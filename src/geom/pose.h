/// @file pose.h  Poses of rigid bodies.
#pragma once
#include "base/context.h"
#include "geom/pose_apply.h"

/// FRACAS_ERROR_BAD_DATA unless the translation is at most 1e36 and the matrix a rotation up to
/// 1e-6. The message names the body: `what` and its index.
fracas_status frc_pose_check(fracas_context* context, const fracas_pose* pose, const char* what,
                             uint32_t index);

/// The pose of `a` as seen from `b`: x of a's frame in b's. The rotation of b is orthogonal.
static inline fracas_pose frc_pose_relative(const fracas_pose* a, const fracas_pose* b) {
    fracas_pose out;
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = a->translation[k] - b->translation[k];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += b->rotation[3 * k + i] * a->rotation[3 * k + j];
            out.rotation[3 * i + j] = sum;
        }
        out.translation[i] =
            b->rotation[i] * way[0] + b->rotation[3 + i] * way[1] + b->rotation[6 + i] * way[2];
    }
    return out;
}
