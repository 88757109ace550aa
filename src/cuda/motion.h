/// @file motion.h  Moving points on the device: the data of a move, and its stages.
#pragma once
#include "cuda/step.h"

/// The new positions of a body, by the numbers of its points. `data` NULL: it does not move.
typedef struct frc_motion_view {
    const unsigned char* data;
    uint64_t stride, axis_stride;  // bytes from point to point, from x to y
    uint64_t is_float;
} frc_motion_view;

typedef struct frc_motion {
    frc_moving_point* points;
    const frc_point_name* names;
    double (*staged)[3];           // new positions by id, until all are known to be finite
    const frc_motion_view* views;  // by body
    uint64_t* bad;                 // least FRC_MOTION_KEY of a position that is not finite
    uint64_t point_count, view_count;
} frc_motion;
#define FRC_MOTION_KEY(body, number) ((uint64_t)(body) << 32 | (number))

/// X(name) for each stage: read new positions, move points there, let the next step begin.
#define FRC_MOTION_STAGES(X)                                                                       \
    X(read_positions)                                                                              \
    X(write_positions)                                                                             \
    X(advance)

typedef enum frc_motion_stage {
#define FRC_MOTION_NAME(name) FRC_MOTION_##name,
    FRC_MOTION_STAGES(FRC_MOTION_NAME)
#undef FRC_MOTION_NAME
        FRC_MOTION_STAGE_COUNT
} frc_motion_stage;

// As FRC_STAGE (step.h): FRC_MOTION(name) { ... } is a function of (const frc_motion* m, uint32_t
// warp, uint32_t warps), on a GPU a kernel.
#if defined(__CUDACC__)
#define FRC_MOTION_DECLARE(name)                                                                   \
    __global__ void frc_move_##name(const __grid_constant__ frc_motion motion);
#define FRC_MOTION(name)                                                                           \
    __device__ static __forceinline__ void frc_motion_##name(const frc_motion* m, uint32_t warp,   \
                                                             uint32_t warps);                      \
    __global__ void __launch_bounds__(FRC_BLOCK_WARPS* FRC_WARP)                                   \
        frc_move_##name(const __grid_constant__ frc_motion motion) {                               \
        frc_motion_##name(&motion, (blockIdx.x * blockDim.x + threadIdx.x) / FRC_WARP,             \
                          gridDim.x * blockDim.x / FRC_WARP);                                      \
    }                                                                                              \
    __device__ static __forceinline__ void frc_motion_##name(const frc_motion* m, uint32_t warp,   \
                                                             uint32_t warps)
#else
#define FRC_MOTION_DECLARE(name)                                                                   \
    void frc_motion_##name(const frc_motion* m, uint32_t warp, uint32_t warps);
#define FRC_MOTION(name) void frc_motion_##name(const frc_motion* m, uint32_t warp, uint32_t warps)
#endif
FRC_MOTION_STAGES(FRC_MOTION_DECLARE)
#undef FRC_MOTION_DECLARE
