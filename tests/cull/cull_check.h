/// @file cull_check.h  The oracle of culling: exact tests of all pairs of features below a node.
#pragma once
#include "cull/cull_state.h"
#include "cull_shapes.h"
#include "fracas/published.h"
#include "scene/scene.h"

typedef struct cull_world {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
} cull_world;

typedef struct cull_tally {
    uint64_t nodes[FRC_BOXES_COUNT], certified[FRC_BOXES_COUNT], marked[FRC_BOXES_COUNT];
    uint64_t
        colliding[FRC_BOXES_COUNT];  // nodes with a colliding pair; only where the oracle was run
    uint64_t misses;
} cull_tally;

/// A scene with one body, moved. False: a call failed, which is a bug.
bool cull_world_open(cull_world* world, const cull_shape* shape, fracas_published_cull mode,
                     uint32_t workers);
void cull_world_close(cull_world* world);

/// Whether a pair below `ref` collides. Boxes END: triangle pairs; STEP: vertex–face and edge–edge
/// pairs.
bool cull_collides(const fracas_scene* scene, const frc_cull_state* state, frc_boxes boxes,
                   uint32_t ref);

/// The cull state of a block; NULL: it has none.
frc_cull_state* cull_state_of(const cull_world* world, uint32_t block);

/// Try to certify every node and leaf of every block; check all certificates and marks by the
/// oracle. `always`: also run the oracle where there is no certificate, for statistics.
void cull_check_scene(const cull_world* world, bool always, cull_tally* tally);
