/// @file judge.h  Run a peer on a case, complete its answer with Fracas' triangle test where it
/// gives candidates only, and compare sets.
///
/// A program with a broad phase of its own has the test of fracas/elementary.h, a pair at a time.
/// The batches of four that Fracas' own query uses cannot be had from outside; peers are measured
/// with them too, to tell what is owed to the test and what to the search.
#pragma once
#include "geom/tri_tri.h"
#include "peers/peer.h"
#include <stdbool.h>

/// What peers and Fracas are compared on: one mesh against itself, or two against each other.
typedef struct peer_task {
    peer_mesh meshes[2];
    const double* elsewhere[2];  ///< where each mesh comes from before each measured refit
    uint32_t mesh_count;
    bool cpu_clock;  ///< measure computing time instead of wall time
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

/// How many are in one of the sorted lists only.
size_t pair_list_difference(const pair_list* a, const pair_list* b);

/// Which triangle test completes candidates.
typedef enum judge_test {
    JUDGE_ELEMENTARY,  ///< that of fracas/elementary.h
    JUDGE_BATCH        ///< that of Fracas' own query
} judge_test;

typedef struct judge {
    const double* coordinates[2];
    const uint32_t* triangles[2];
    // Points as batches want them, for all meshes of a task together. Made once and given to the
    // peers for nothing: an application would keep its points as its test needs them.
    frc_point* points;
    uint32_t offset;  ///< of the second mesh's points; 0: there is one mesh
    judge_test test;
    peer_report report;
    size_t candidates;
    pair_list found;
    peer_sink sink;
} judge;

judge* judge_create(const peer_task* task);
void judge_destroy(judge* j);

typedef struct peer_times {
    double refit, query;
} peer_times;

/// Refit to the frame, then query and (candidates) test; the pairs found are in `j->found`.
peer_times judge_run(judge* j, judge_test test, const peer_task* task, const peer* p,
                     void* const trees[2]);
