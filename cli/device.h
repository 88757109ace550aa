/// @file device.h  --device: scenes on the CPU, on a GPU, or on the emulated device of tests.
#pragma once
#include "fracas/cuda.h"
#include "options.h"

typedef struct cli_device {
    fracas_cuda_context* cuda;  ///< NULL: the CPU
    const char* name;           ///< "cpu", or what the device says
} cli_device;

/// @return CLI_GO_ON, or CLI_BAD_USAGE if there is no such kind of device
int cli_device_check(const char* device);

/// Open the device that --device names. @return CLI_DONE, or an exit code after a message
int cli_device_open(cli_device* out, fracas_context* context, const char* device);

/// Destroy its scenes first.
void cli_device_close(cli_device* device);

void cli_device_add(fracas_cuda_statistics* sum, const fracas_cuda_statistics* more);

/// The statistics as a sentence, without its line break; at most `capacity` bytes.
void cli_device_say(const fracas_cuda_statistics* statistics, char* text, size_t capacity);
