/// @file peer_run.h  Runs a peer on a task, applies Fracas' triangle test to candidates, and
/// compares sets of pairs.
///
/// An application with another broad phase can only use the test of fracas/elementary.h, one pair
/// at a time. Peers are also measured with the batched test of Fracas' own query, which is
/// internal, to separate the effect of the test from that of the search.
#pragma once
#include "geom/tri_tri.h"
#include "peers/peer.h"
#include <stdbool.h>

/// The task of Fracas and the peers: one mesh against itself, or two against each other.
typedef struct peer_task {
    peer_mesh meshes[2];
    const double* elsewhere[2];  ///< positions of each mesh before each measured refit
    uint32_t mesh_count;
    bool cpu_clock;  ///< measure CPU time instead of wall time
} peer_task;

/// A growing list of pairs.
typedef struct pair_list {
    peer_pair* pairs;
    size_t count, capacity;
} pair_list;

void pair_list_add(pair_list* list, uint32_t a, uint32_t b);
void pair_list_free(pair_list* list);

/// Sort; with `unordered` also put the smaller number of each pair first.
void pair_list_sort(pair_list* list, bool unordered);

/// Number of pairs that are in only one of two sorted lists.
size_t pair_list_difference(const pair_list* a, const pair_list* b);

/// The triangle test for candidates.
typedef enum peer_test {
    PEER_TEST_ELEMENTARY,  ///< fracas/elementary.h, one pair at a time
    PEER_TEST_BATCH        ///< the batched test of Fracas' own query
} peer_test;

typedef struct peer_run {
    const double* coordinates[2];
    const uint32_t* triangles[2];
    // Points of all meshes in the layout of the batched test. The conversion is not measured: an
    // application would store its points in that layout.
    frc_point* points;
    uint32_t offset;  ///< number of the second mesh's first point; 0: there is one mesh
    peer_test test;
    peer_report report;
    size_t candidates;
    pair_list found;
    peer_sink sink;
} peer_run;

peer_run* peer_run_create(const peer_task* task);
void peer_run_destroy(peer_run* run);

typedef struct peer_times {
    double refit, query;
} peer_times;

/// Refit to the frame, query, and test candidates; the pairs found are in run->found.
peer_times peer_run_measure(peer_run* run, peer_test test, const peer_task* task, const peer* p,
                            void* const trees[2]);
