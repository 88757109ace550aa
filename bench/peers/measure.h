/// @file measure.h  Measures one case: checks all sets of pairs first, then runs interleaved
/// rounds.
#pragma once
#include "peers/cases.h"
#include "peers/registry.h"

typedef struct peer_result {
    bool measured;
    const char* reason;  ///< when not measured; NULL: not part of the case
    peer_times best;     ///< of the round with the smallest total
    double total;        ///< time used for the ratio
    double batched;      ///< total with batched triangle tests; 0: the peer needs no such tests
    size_t candidates, found;
} peer_result;

typedef struct case_result {
    ours_times ours;  ///< of the round with the smallest total
    double median;    ///< of ours
    fracas_statistics statistics;
    uint64_t hash;
    peer_result peers[PEER_ENTRIES];
    const char* fastest;  ///< NULL when no peer was measured
    double ratio;         ///< time of the fastest peer / time of Fracas
    double batched;       ///< the same ratio with batched triangle tests
} case_result;

/// False and a message on stderr if the pairs of a peer differ from those of Fracas, or the
/// contacts of Fracas from the truth.
bool measure_case(const bench_case* c, uint32_t rounds, case_result* out);
