/// @file measure.h  Runs a setup under several configurations, interleaved step by step.
#pragma once
#include "fracas/fracas.h"
#include "teschner/bodies.h"
#include "teschner/methods.h"

/// One configuration and its results. The time of a step is that of update and detection, the
/// minimum over the rounds; mean, minimum and so on are over the steps.
typedef struct teschner_config {
    char name[32];
    teschner_method method;
    fracas_tets_options options;
    fracas_published_tets_options published;
    bool one_pass;
    uint32_t threads;
    // Results:
    double mean, min, max, deviation;
    double update, detect;  ///< mean
    fracas_tets_statistics last;
    double cell_size;
    uint64_t hash;  ///< of all penetrations of all steps, in order, with their coordinates
    uint64_t penetrations;
    bool wrong;  ///< another hash than the first configuration
} teschner_config;

teschner_config teschner_make_config(const char* name, teschner_method method, uint32_t threads);

/// Run all steps under all configurations. False when their results differ; those of the published
/// tests, which are rounded, may. Exits with a message
/// when a call fails.
bool teschner_measure(const teschner_setup* setup, teschner_config* configs, uint32_t count,
                      uint32_t steps, uint32_t rounds);
