/// @file device.h  What the library needs of a device: memory, copies, and running a stage.
/// device.cu has it for CUDA, device_emulated.c for any machine. Each scene has one of its own; one
/// thread at a time uses it.
#pragma once
#include "cuda/motion.h"
#include "fracas/cuda.h"
#if !defined(__cplusplus)
#include "base/context.h"
#endif

#if defined(__cplusplus)
extern "C" {
// Of base/context.h, which has C11 atomics.
void* frc_allocate_zero(fracas_context* context, size_t size);
void frc_release(fracas_context* context, void* memory, size_t size);
fracas_status frc_fail_memory(fracas_context* context, size_t size);
fracas_status frc_fail(fracas_context* context, fracas_status status, const char* format, ...);
#endif

typedef struct frc_device frc_device;

/// Fails with a message.
fracas_status frc_device_open(fracas_context* context, const fracas_cuda_options* options,
                              frc_device** out);
void frc_device_close(frc_device* device);  // NULL is allowed
const char* frc_device_name(const frc_device* device);
/// Threads that have memory for exact arithmetic; a multiple of FRC_WARP.
uint32_t frc_device_exact_threads(const frc_device* device);

/// Warps that run the stages of bins.
uint32_t frc_device_warps(const frc_device* device);

/// NULL: no memory. frc_device_release takes NULL.
void* frc_device_allocate(frc_device* device, size_t size);
void frc_device_release(frc_device* device, void* memory, size_t size);

/// Memory of the host that copies reach without a detour; else the same.
void* frc_device_allocate_host(frc_device* device, size_t size);
void frc_device_release_host(frc_device* device, void* memory, size_t size);

// In order, on the stream of the device, without waiting. False: frc_device_error says why.
bool frc_device_upload(frc_device* device, void* to, const void* from, size_t size);
bool frc_device_download(frc_device* device, void* to, const void* from, size_t size);
/// Wait until all is done.
bool frc_device_wait(frc_device* device);
bool frc_device_patch(frc_device* device, const frc_patches* patches);
/// Run what `launch` puts into the stream of the device, and wait. It is a graph, which is captured
/// when the bytes of `work` are others than those of the last few: all pointers, sizes and
/// parameters of stages must be in there.
typedef bool frc_launch_fn(frc_device* device, const void* work, size_t size);
enum { FRC_MOST_WORK = 1 << 14 };
bool frc_device_run_graph(frc_device* device, frc_launch_fn* launch, const void* work, size_t size);
/// How often graphs have been captured.
uint64_t frc_device_captures(const frc_device* device);

/// Run the stages of all steps, those of different branches at the same time, and wait: counters
/// are on the host then.
bool frc_device_run(frc_device* device, const frc_step* steps, uint32_t count);
/// Run the stages of a step one after the other, which has run before, and wait. `us` gets the
/// microseconds of each; 0: it is no stage of the step.
bool frc_device_time(frc_device* device, const frc_step* step, double us[FRC_STAGE_COUNT]);
/// Run one stage of a move, without waiting.
bool frc_device_run_motion(frc_device* device, frc_motion_stage stage, const frc_motion* motion);
/// What comes next waits for all work of this stream of the caller, a cudaStream_t.
bool frc_device_follow(frc_device* device, void* stream);
/// The device can read this memory.
bool frc_device_can_read(frc_device* device, const void* memory, size_t size);
const char* frc_device_error(const frc_device* device);

#if defined(__cplusplus)
}
#endif
