/// @file pose.h  Where a body is.
#pragma once
#include "fracas/base.h"

/// x -> rotation * x + translation, computed in this order: ((r0 x + r1 y) + r2 z) + t, each
/// operation rounded to double. Any matrix is accepted as rotation.
typedef struct fracas_pose {
    /// Row by row.
    double rotation[9];
    double translation[3];
} fracas_pose;

FRACAS_API fracas_pose fracas_pose_make_identity(void);
