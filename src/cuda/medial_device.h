/// @file medial_device.h  Running the stages of medial_step.h on a device.
/// medial_device.cu has it for CUDA, medial_device_emulated.c for any machine.
#pragma once
#include "cuda/device.h"
#include "cuda/medial_step.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// One search: its input is copied to the device, all stages run, counts and the first hits are
/// copied back. Memory of the host is that of frc_device_allocate_host. Compared as bytes, as
/// steps.
typedef struct frc_medial_device_work {
    frc_medial_device_step step;
    void* input;
    const void* host_input;
    uint64_t input_size;
    uint64_t* host_counts;  // FRC_MEDIAL_LISTS
    frc_medial_device_hit* host_hits;
    uint64_t host_hit_count;  // as many entries are copied, whether they are used or not
} frc_medial_device_work;

/// Run it, and wait. False: frc_device_error says why.
bool frc_medial_device_run(frc_device* device, const frc_medial_device_work* work);

#if defined(__cplusplus)
}
#endif
