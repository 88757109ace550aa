/// @file measure.h  Measure one case: check every set first, then the interleaved rounds.
#pragma once
#include "peers/cases.h"
#include "peers/registry.h"

typedef struct peer_result {
    bool measured;
    const char* why_not;  ///< when not measured; NULL: not part of the case
    peer_times best;      ///< of the round with the smallest total
    double total;         ///< what the ratio is taken with
    double batched;       ///< the same with our own batches of triangle tests; 0: it needs none
    size_t candidates, found;
} peer_result;

typedef struct case_result {
    ours_times ours;  ///< of the round with the smallest total
    double median;    ///< of ours
    fracas_statistics statistics;
    uint64_t hash;
    peer_result peers[PEER_ENTRIES];
    const char* fastest;  ///< NULL when no peer was measured
    double ratio;         ///< fastest peer / ours
    double batched;       ///< that of the fastest when candidates are tested in batches
} case_result;

/// False, with a line on stderr that says which, when a set differs from ours or from the truth.
bool measure_case(const bench_case* c, uint32_t rounds, case_result* out);
