/// @file device_stream.cuh  What kernels of other files need of a device, by CUDA only.
#pragma once
#include "cuda/device.h"
#include <cuda_runtime.h>

/// Make the device that of the calling thread. False: frc_device_error says why.
bool frc_device_select(frc_device* device);
/// False for an error, which is kept.
bool frc_device_check(frc_device* device, cudaError_t error);
/// The stream of copies.
cudaStream_t frc_device_stream(const frc_device* device);
unsigned frc_device_cores(const frc_device* device);
