/// @file device.h  --device of benchmarks: cuda, cuda:N, or emulated in programs built for tests.
#pragma once
#include "fracas/cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Is it the name of a device? Sets its number.
static inline bool bench_device_parse(const char* device, uint32_t* number) {
    char* end = NULL;
    *number = 0;
    if (!strcmp(device, "cuda") || !strcmp(device, "emulated")) return true;
    if (strncmp(device, "cuda:", 5) != 0 || device[5] < '0' || device[5] > '9') return false;
    const unsigned long value = strtoul(device + 5, &end, 10);
    *number = (uint32_t)value;
    return !*end && value < 65536;
}

/// Open it. @return 0, or an exit code after a message
static inline int bench_device_open(const char* benchmark, fracas_context* context,
                                    const char* device, fracas_cuda_context** out) {
    char message[1024];
    fracas_cuda_options options = fracas_cuda_default_options();
    bench_device_parse(device, &options.device);
    const fracas_status status = fracas_cuda_context_create(context, &options, out);
    if (status == FRACAS_OK) {
        const bool emulated = !strcmp(fracas_cuda_context_get_name(*out), "emulated");
        if (emulated == !strcmp(device, "emulated")) return 0;
        fracas_cuda_context_destroy(*out);
        *out = NULL;
        fprintf(stderr, "fracas bench %s: --device %s: this program has %s device only\n",
                benchmark, device, emulated ? "the emulated" : "no emulated");
        return 2;
    }
    fracas_context_get_message(context, message, sizeof message);
    fprintf(stderr, "fracas bench %s: --device %s: %s\n", benchmark, device, message);
    return status == FRACAS_ERROR_OUT_OF_MEMORY ? 4 : 2;
}
