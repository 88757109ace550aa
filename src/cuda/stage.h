/// @file stage.h  What a stage is: a function of one warp among `warps`, on a GPU a kernel.
///
/// FRC_DEFINE_STAGE(group, data, name, s) { ... } is a function of (const data* s, uint32_t warp,
/// uint32_t warps). As CUDA it is a kernel in the same file, so that the compiler reads `s` from
/// constant memory and keeps arrays in registers.
#pragma once
#include "cuda/lanes.h"

#if defined(__CUDACC__)
#define FRC_DECLARE_STAGE(group, data, name)                                                       \
    __global__ void frc_run_##group##_##name(const __grid_constant__ data given);
#define FRC_DEFINE_STAGE(group, data, name, s)                                                     \
    __device__ static __forceinline__ void frc_##group##_##name(const data* s, uint32_t warp,      \
                                                                uint32_t warps);                   \
    __global__ void __launch_bounds__(FRC_BLOCK_WARPS* FRC_WARP)                                   \
        frc_run_##group##_##name(const __grid_constant__ data given) {                             \
        frc_##group##_##name(&given, (blockIdx.x * blockDim.x + threadIdx.x) / FRC_WARP,           \
                             gridDim.x * blockDim.x / FRC_WARP);                                   \
    }                                                                                              \
    __device__ static __forceinline__ void frc_##group##_##name(const data* s, uint32_t warp,      \
                                                                uint32_t warps)
#else
#define FRC_DECLARE_STAGE(group, data, name)                                                       \
    void frc_##group##_##name(const data* s, uint32_t warp, uint32_t warps);
#define FRC_DEFINE_STAGE(group, data, name, s)                                                     \
    void frc_##group##_##name(const data* s, uint32_t warp, uint32_t warps)
#endif
