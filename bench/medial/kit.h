/// @file kit.h  What the parts of fracas-bench-medial share.
#pragma once
#include "fracas/fracas.h"
#include "timing.h"
#include <stdio.h>

typedef struct bench_settings {
    fracas_context* context;  ///< of one thread
    bool full;                ///< boxes and spheres in every step of a scene
    const char* scene;        ///< only this one; NULL: all
    FILE* csv;                ///< a line per scene and step; may be NULL
    bool json;                ///< one object on stdout instead of tables
    uint32_t copies;          ///< of a scene, side by side, on a device
} bench_settings;

/// The parts. They return false when a check failed.
typedef bool bench_part_fn(const bench_settings* settings);
bench_part_fn bench_models, bench_scenes, bench_device;

/// End the program with the message of the context unless the status is FRACAS_OK.
void bench_need(const bench_settings* settings, fracas_status status, const char* what);
/// End the program if there is no memory.
void* bench_memory(void* memory);
