/// @file medial_device_emulated.c  As device_emulated.c: a loop over warps, the last one first.
#include "cuda/medial_device.h"
#include <string.h>

enum { WARPS = 3 };

typedef void stage_fn(const frc_medial_device_step* step, uint32_t warp, uint32_t warps);

bool frc_medial_device_run(frc_device* device, const frc_medial_device_step* step,
                           uint64_t* counts) {
#define STAGE_FUNCTION(name) frc_medial_stage_##name,
    static stage_fn* const stages[FRC_MEDIAL_STAGE_COUNT] = {FRC_MEDIAL_STAGES(STAGE_FUNCTION)};
#undef STAGE_FUNCTION
    const size_t size = FRC_MEDIAL_LISTS * sizeof *counts;
    (void)device;
    memset(step->items[0].count, 0, size);
    for (int k = 0; k < FRC_MEDIAL_STAGE_COUNT; k++)
        for (uint32_t warp = WARPS; warp-- > 0;) stages[k](step, warp, WARPS);
    memcpy(counts, step->items[0].count, size);
    return true;
}
