/// @file measure.h  Measure one case: check every set first, then the interleaved rounds.
#pragma once
#include "peers/cases.h"
#include "peers/registry.h"

/// Whose triangle test a peer gets that has none of its own.
typedef enum peer_test_of {
    TEST_PUBLIC,  ///< what it can have without Fracas: CGAL's
    TEST_LENT,    ///< Fracas' own, in batches
    TEST_COUNT
} peer_test_of;

/// A peer with one of the tests.
typedef struct peer_lane {
    bool measured;
    peer_times best;  ///< of the round with the smallest total
    double total;     ///< what the ratio is taken with
    size_t candidates, found;
} peer_lane;

typedef struct peer_result {
    const char* why_not;  ///< when not measured; NULL: not part of the case
    /// Peers that have a test of their own are in the first only, and, when there is no public
    /// test, those that have none in the second only.
    peer_lane lanes[TEST_COUNT];
} peer_result;

typedef struct case_result {
    ours_times ours;  ///< of the round with the smallest total
    double median;    ///< of ours
    fracas_statistics statistics;
    uint64_t hash;
    peer_result peers[PEER_ENTRIES];
    const char* fastest[TEST_COUNT];  ///< NULL when no peer was measured
    double ratio[TEST_COUNT];         ///< fastest peer / ours; with TEST_LENT, also of all peers
} case_result;

/// False, with a line on stderr that says which, when a set differs from ours or from the truth.
bool measure_case(const bench_case* c, uint32_t rounds, case_result* out);
