/// @file medial_device_emulated.c  As device_emulated.c: a loop over warps, the last one first.
#include "cuda/medial_device.h"
#include <string.h>

enum { WARPS = 3 };

typedef void stage_fn(const frc_medial_device_step* step, uint32_t warp, uint32_t warps);

static bool run(frc_device* device, const void* given, size_t given_size) {
#define STAGE_FUNCTION(name) frc_medial_stage_##name,
    static stage_fn* const stages[FRC_MEDIAL_STAGE_COUNT] = {FRC_MEDIAL_STAGES(STAGE_FUNCTION)};
#undef STAGE_FUNCTION
    const frc_medial_device_work* work = given;
    const frc_medial_device_step* step = &work->step;
    const size_t size = FRC_MEDIAL_LISTS * sizeof *work->host_counts;
    (void)device, (void)given_size;
    memcpy(work->input, work->host_input, work->input_size);
    memset(step->items[0].count, 0, size);
    for (int k = 0; k < FRC_MEDIAL_STAGE_COUNT; k++)
        for (uint32_t warp = WARPS; warp-- > 0;) stages[k](step, warp, WARPS);
    memcpy(work->host_counts, step->items[0].count, size);
    if (work->host_hit_count > 0)
        memcpy(work->host_hits, step->hits[FRC_MEDIAL_HITS].data,
               work->host_hit_count * sizeof *work->host_hits);
    return true;
}

bool frc_medial_device_run(frc_device* device, const frc_medial_device_work* work) {
    return frc_device_run_graph(device, run, work, sizeof *work);
}
