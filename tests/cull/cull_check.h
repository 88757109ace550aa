/// @file cull_check.h  The oracle of culling: every pair of features below a node, tested exactly.
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
    uint64_t colliding[FRC_BOXES_COUNT];  // nodes that do have a pair; only where it was looked for
    uint64_t misses;
} cull_tally;

/// A scene with one body, moved. False: something failed, which is a bug.
bool cull_world_open(cull_world* world, const cull_shape* shape, fracas_published_cull mode,
                     uint32_t workers);
void cull_world_close(cull_world* world);

/// Does a pair below `ref` count? Boxes END: triangle pairs; STEP: vertex–face and edge–edge pairs.
bool cull_collides(const fracas_scene* scene, const frc_cull_state* state, frc_boxes boxes,
                   uint32_t ref);

/// The cull state of a block; NULL: it has none.
frc_cull_state* cull_state_of(const cull_world* world, uint32_t block);

/// Look for a certificate of every node and leaf of every block, and check those that are given and
/// all marks. `always`: also ask the oracle where there is no certificate, to count.
void cull_check_scene(const cull_world* world, bool always, cull_tally* tally);
