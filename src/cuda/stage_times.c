/// @file stage_times.c  Measures the stages of the last query, each by itself.
#include "cuda/stage_times.h"
#include "cuda/search.h"
#include "scene/scene.h"

#define STAGE_NAME(name) #name,
static const char* const NAMES[FRC_STAGE_COUNT] = {FRC_STAGES(STAGE_NAME)};
#undef STAGE_NAME
_Static_assert(FRC_STAGE_COUNT* FRC_COMPARISON_COUNT <= FRC_MOST_STAGE_TIMES, "room for all");

static fracas_status time_locked(frc_cuda_search* search, frc_stage_time* out, uint32_t* count) {
    double us[FRC_STAGE_COUNT];
    for (int k = 0; k < FRC_COMPARISON_COUNT; k++) {
        const frc_step* step = &search->last[k].step;
        if (search->last[k].update != search->scene->update_count) continue;
        if (!frc_device_time(search->device, step, us)) return frc_device_fail(&search->mirror);
        for (int stage = 0; stage < FRC_STAGE_COUNT; stage++)
            if (step->stages >> stage & 1)
                out[(*count)++] =
                    (frc_stage_time){frc_kind_of((frc_comparison)k), NAMES[stage], us[stage]};
    }
    return FRACAS_OK;
}

fracas_status frc_cuda_time_stages(const fracas_scene* scene, frc_stage_time* out,
                                   uint32_t* count) {
    frc_cuda_search* search = frc_cuda_search_of(scene);
    *count = 0;
    if (!search) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status = frc_scene_check_state(scene, 0, "its stages are measured");
    if (status != FRACAS_OK) return status;
    pthread_mutex_lock(&search->lock);
    status = time_locked(search, out, count);
    pthread_mutex_unlock(&search->lock);
    return status;
}
