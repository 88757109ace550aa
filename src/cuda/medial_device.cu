/// @file medial_device.cu  The stages of medial_step.h as kernels.
#include "cuda/device_stream.cuh"
#include "cuda/lanes.h"
#include "cuda/medial_device.h"

namespace {

const unsigned THREADS = FRC_BLOCK_WARPS * FRC_WARP;  // of a block
const unsigned BLOCKS_PER_CORE = 4;

#define STAGE_KERNEL(name)                                                                         \
    __global__ void __launch_bounds__(THREADS)                                                     \
        run_##name(const __grid_constant__ frc_medial_device_step step) {                          \
        frc_medial_stage_##name(&step, (blockIdx.x * blockDim.x + threadIdx.x) / FRC_WARP,         \
                                gridDim.x * blockDim.x / FRC_WARP);                                \
    }
FRC_MEDIAL_STAGES(STAGE_KERNEL)

typedef void kernel_fn(const __grid_constant__ frc_medial_device_step step);

}  // namespace

bool frc_medial_device_run(frc_device* device, const frc_medial_device_step* step,
                           uint64_t* counts) {
#define STAGE_NAME(name) run_##name,
    static kernel_fn* const kernels[FRC_MEDIAL_STAGE_COUNT] = {FRC_MEDIAL_STAGES(STAGE_NAME)};
#undef STAGE_NAME
    const size_t size = FRC_MEDIAL_LISTS * sizeof *counts;
    const cudaStream_t stream = frc_device_stream(device);
    bool ok = frc_device_select(device) &&
              frc_device_check(device, cudaMemsetAsync(step->items[0].count, 0, size, stream));
    for (int k = 0; k < FRC_MEDIAL_STAGE_COUNT && ok; k++) {
        kernels[k]<<<frc_device_cores(device) * BLOCKS_PER_CORE, THREADS, 0, stream>>>(*step);
        ok = frc_device_check(device, cudaGetLastError());
    }
    return ok &&
           frc_device_check(device, cudaMemcpyAsync(counts, step->items[0].count, size,
                                                    cudaMemcpyDeviceToHost, stream)) &&
           frc_device_check(device, cudaStreamSynchronize(stream));
}
