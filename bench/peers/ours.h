/// @file ours.h  Runs Fracas on the same task as the peers, through its public interface.
#pragma once
#include "fracas/fracas.h"
#include "peers/peer_run.h"

typedef struct ours {
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;
    fracas_body bodies[2];
    uint32_t mode;  ///< FRACAS_MODE_DISCRETE or FRACAS_MODE_CONTINUOUS
} ours;

typedef struct ours_times {
    double move;  ///< fracas_scene_move (continuous: also fracas_scene_advance)
    double update, traverse, narrow;
    double rest;  ///< rest of the query: sorting and copying contacts
    double total;
} ours_times;

/// One worker. Self-collision is on for one mesh and off for two. Exits with a message on failure.
ours* ours_create(const peer_task* task, uint32_t mode);
void ours_destroy(ours* o);

/// Run one frame: move the meshes to `elsewhere`, which is not measured, then to the frame, update
/// and detect. In continuous mode the step is the motion from `elsewhere` to the frame.
ours_times ours_run(ours* o, const peer_task* task);

uint64_t ours_hash(const ours* o);
const fracas_statistics* ours_statistics(const ours* o);
void ours_pairs(const ours* o, pair_list* out);  ///< sorted pairs of triangles
