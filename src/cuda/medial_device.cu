/// @file medial_device.cu  The stages of medial_step.h as kernels of one graph.
#include "cuda/device_stream.cuh"
#include "cuda/lanes.h"
#include "cuda/medial_device.h"

namespace {

const unsigned THREADS = FRC_BLOCK_WARPS * FRC_WARP;  // of a block
const unsigned BLOCKS_PER_CORE = 4;

typedef void kernel_fn(const __grid_constant__ frc_medial_device_step step);
#define STAGE_NAME(name) frc_run_medial_stage_##name,
kernel_fn* const KERNELS[FRC_MEDIAL_STAGE_COUNT] = {FRC_MEDIAL_STAGES(STAGE_NAME)};
#undef STAGE_NAME

bool copy(frc_device* device, void* to, const void* from, size_t size, cudaMemcpyKind kind) {
    return size == 0 || frc_device_check(device, cudaMemcpyAsync(to, from, size, kind,
                                                                 frc_device_stream(device)));
}

bool launch(frc_device* device, const void* given, size_t given_size) {
    (void)given_size;
    const frc_medial_device_work* work = static_cast<const frc_medial_device_work*>(given);
    const frc_medial_device_step* step = &work->step;
    const size_t size = FRC_MEDIAL_LISTS * sizeof *work->host_counts;
    const cudaStream_t stream = frc_device_stream(device);
    bool ok = copy(device, work->input, work->host_input, work->input_size,
                   cudaMemcpyHostToDevice) &&
              frc_device_check(device, cudaMemsetAsync(step->items[0].count, 0, size, stream));
    for (int k = 0; k < FRC_MEDIAL_STAGE_COUNT && ok; k++) {
        KERNELS[k]<<<frc_device_cores(device) * BLOCKS_PER_CORE, THREADS, 0, stream>>>(*step);
        ok = frc_device_check(device, cudaGetLastError());
    }
    return ok &&
           copy(device, work->host_counts, step->items[0].count, size, cudaMemcpyDeviceToHost) &&
           copy(device, work->host_hits, step->hits[FRC_MEDIAL_HITS].data,
                work->host_hit_count * sizeof *work->host_hits, cudaMemcpyDeviceToHost);
}

}  // namespace

bool frc_medial_device_run(frc_device* device, const frc_medial_device_work* work) {
    return frc_device_run_graph(device, launch, work, sizeof *work);
}
