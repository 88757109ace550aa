/// @file measure.h  Setups under several ways to detect, side by side, step by step.
#pragma once
#include "fracas/fracas.h"
#include "teschner/bodies.h"
#include "teschner/methods.h"

/// One way to detect, and what it took. Times are of update and detection of a step, the smallest
/// of the rounds; a mean, a minimum and so on are over steps.
typedef struct teschner_lane {
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
} teschner_lane;

teschner_lane teschner_make_lane(const char* name, teschner_method method, uint32_t threads);

/// Run all lanes through the steps. False: they do not agree. Whatever fails otherwise ends the
/// program with a message.
bool teschner_measure(const teschner_setup* setup, teschner_lane* lanes, uint32_t count,
                      uint32_t steps, uint32_t rounds);
