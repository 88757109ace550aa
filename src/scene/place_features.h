/// @file place_features.h  New features get a place in a tree.
#pragma once
#include "scene/scene.h"

/// The step of an update: the waiting features of all stale bodies come into blocks, and bodies in
/// state FRC_BODY_REBUILD get a new tree. False: no memory, or cancelled; what has no place still
/// waits.
bool frc_place_features(fracas_scene* scene);

/// Bounds of the points with these ids, on all workers: no id may be listed twice.
void frc_fit_points(fracas_scene* scene, const frc_ids* ids);
/// The same on the calling thread; ids may repeat.
void frc_fit_waiting(fracas_scene* scene, const frc_ids* ids);

/// A block on its way into the scene.
typedef struct frc_coming_block {
    frc_block_input input;
    uint32_t start;  // the node of the top tree at which its insertion begins
    frc_block* block;
} frc_coming_block;

/// Take a block number and room in all lists. `start` may be FRACAS_NONE: near the block that the
/// body came from. False: no memory, nothing has changed.
bool frc_scene_announce_block(fracas_scene* scene, frc_coming_block* b, uint32_t start);
/// False: the block was not built, and its number is free again.
bool frc_scene_enter_block(fracas_scene* scene, const frc_coming_block* b);
/// Drop a block, given by its position in the body's list.
void frc_body_drop_block(fracas_scene* scene, frc_body* body, size_t at);

/// No feature waits any more.
void frc_forget_fresh(fracas_scene* scene, frc_body* body);
/// How many features wait.
size_t frc_fresh_count(const frc_body* body);
