/// @file medial_device.h  Running the stages of medial_step.h on a device.
/// medial_device.cu has it for CUDA, medial_device_emulated.c for any machine.
#pragma once
#include "cuda/device.h"
#include "cuda/medial_step.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Clear the counts of all lists, run all stages, copy the counts to `counts`, which is memory of
/// frc_device_allocate_host, and wait. False: frc_device_error says why.
bool frc_medial_device_run(frc_device* device, const frc_medial_device_step* step,
                           uint64_t* counts);

#if defined(__cplusplus)
}
#endif
