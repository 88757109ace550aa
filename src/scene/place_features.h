/// @file place_features.h  Pending features are assigned to blocks.
#pragma once
#include "scene/scene.h"

/// The step of an update: the pending features of all stale bodies are built into blocks, and
/// bodies in state FRC_BODY_REBUILD get a new tree. False: no memory, or cancelled; features
/// without a place are still pending.
bool frc_place_features(fracas_scene* scene);
/// The same step for a search without trees: fit the pending points and empty the lists.
void frc_drop_pending(fracas_scene* scene);

/// Bounds of the points with these ids, on all workers: no id may be listed twice.
void frc_fit_points(fracas_scene* scene, const frc_ids* ids);
/// The same on the calling thread; ids may repeat.
void frc_fit_pending(fracas_scene* scene, const frc_ids* ids);

/// A block that is being built.
typedef struct frc_block_job {
    frc_block_input input;
    uint32_t start;    // the node of the top tree at which its insertion begins
    frc_block* block;  // the result; NULL: not built
} frc_block_job;

/// Reserve a block number and an entry in all lists of blocks; completes `job->input`. `start` may
/// be FRACAS_NONE: near the block that the body came from. False: no memory, nothing has changed.
bool frc_scene_reserve_block(fracas_scene* scene, frc_block_job* job, uint32_t start);
/// Add the block to its body and to the list of new blocks. False: it was not built, and its number
/// is free again.
bool frc_scene_add_block(fracas_scene* scene, const frc_block_job* job);
/// Drop a block, given by its position in the body's list.
void frc_body_drop_block(fracas_scene* scene, frc_body* body, size_t at);

/// Empty the pending lists of a body.
void frc_body_clear_pending(fracas_scene* scene, frc_body* body);
