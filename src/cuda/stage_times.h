/// @file stage_times.h  How long each stage of a query takes, for benchmarks.
#pragma once
#include "fracas/cuda.h"

typedef struct frc_stage_time {
    fracas_contact_kind kind;  // of the contacts that are searched for
    const char* stage;
    double us;
} frc_stage_time;

enum { FRC_MOST_STAGE_TIMES = 256 };

/// Run the stages of the last query of a scene on a device again, one after the other, and measure
/// each by itself; in a query they run at the same time where they can. The scene has to be up to
/// date and unchanged since. `out` has FRC_MOST_STAGE_TIMES entries, by kind and then in order.
fracas_status frc_cuda_time_stages(const fracas_scene* scene, frc_stage_time* out, uint32_t* count);
