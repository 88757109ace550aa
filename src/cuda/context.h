/// @file context.h  A device that has been opened.
#pragma once
#include "cuda/device.h"

struct fracas_cuda_context {
    fracas_context* context;
    frc_device* device;
    fracas_cuda_options options;
};
