/// @file ours.h  Fracas on the task of the peers, through its public interface.
#pragma once
#include "fracas/fracas.h"
#include "peers/judge.h"

typedef struct ours {
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;
    fracas_body bodies[2];
    uint32_t mode;  ///< FRACAS_MODE_DISCRETE or FRACAS_MODE_CONTINUOUS
} ours;

typedef struct ours_times {
    double move;  ///< handing over the points (continuous: and advancing to the step before)
    double update, traverse, narrow;
    double rest;  ///< of the query: sorting and handing out
    double total;
} ours_times;

/// One worker. Self-collision is on for one mesh and off for two. Ends the program with a message
/// when Fracas refuses.
ours* ours_create(const peer_task* task, uint32_t mode);
void ours_destroy(ours* o);

/// One frame. Discrete: from elsewhere to the frame. Continuous: the step from elsewhere to the
/// frame. The way to elsewhere is not measured.
ours_times ours_run(ours* o, const peer_task* task);

uint64_t ours_hash(const ours* o);
const fracas_statistics* ours_statistics(const ours* o);
void ours_pairs(const ours* o, pair_list* out);  ///< of triangles, sorted
