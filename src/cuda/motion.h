/// @file motion.h  Moving points on the device: the data of a move, and its stages.
#pragma once
#include "cuda/step.h"
#include "fracas/pose.h"

/// The new positions of a body, by the numbers of its points. `data` NULL: it does not move.
typedef struct frc_motion_view {
    const unsigned char* data;
    uint64_t stride, axis_stride;  // bytes from point to point, from x to y
    uint64_t is_float;
} frc_motion_view;

/// Of a rigid body, at both ends of the step.
typedef struct frc_pose_ends {
    fracas_pose at[2];
} frc_pose_ends;

typedef struct frc_motion {
    frc_moving_point* points;
    const frc_point_name* names;
    double (*staged)[3];           // new positions by id, until all are known to be finite
    const frc_motion_view* views;  // by body
    uint64_t* bad;                 // least FRC_MOTION_KEY of a position that is not finite
    uint64_t point_count, view_count;
    const double (*rest)[3];     // by id, of points of rigid bodies
    const frc_pose_ends* poses;  // new ones
    const uint32_t* pose_of;     // by body; FRACAS_NONE: it has no new one
    const double (*last)[3];     // by id, of points that the host has moved
    const uint32_t* copy_of;     // by body: one of FRC_RECEIVE_NOTHING and so on
    uint64_t body_count;
} frc_motion;
#define FRC_MOTION_KEY(body, number) ((uint64_t)(body) << 32 | (number))

/// What a body receives: as frc_copy_state, which device code does not see.
enum { FRC_RECEIVE_NOTHING, FRC_RECEIVE_LAST, FRC_RECEIVE_STEP };

/// X(name) for each stage: read new positions, move points there, let the next step begin; move the
/// points of rigid bodies to new poses; receive positions at the end of the step from the host.
#define FRC_MOTION_STAGES(X)                                                                       \
    X(read_positions)                                                                              \
    X(write_positions)                                                                             \
    X(advance)                                                                                     \
    X(pose)                                                                                        \
    X(receive)

typedef enum frc_motion_stage {
#define FRC_MOTION_NAME(name) FRC_MOTION_##name,
    FRC_MOTION_STAGES(FRC_MOTION_NAME)
#undef FRC_MOTION_NAME
        FRC_MOTION_STAGE_COUNT
} frc_motion_stage;

/// FRC_MOTION(name) { ... }: a stage of a motion `m`.
#define FRC_MOTION(name) FRC_DEFINE_STAGE(motion, frc_motion, name, m)
#define FRC_MOTION_DECLARE(name) FRC_DECLARE_STAGE(motion, frc_motion, name)
FRC_MOTION_STAGES(FRC_MOTION_DECLARE)
#undef FRC_MOTION_DECLARE
