/// @file place.h  Features into blocks, boxes onto points: the parts of an update.
#pragma once
#include "scene/scene.h"

/// Boxes of the points with these ids, at the ends that the scene keeps. On all workers: no id may
/// stand there twice.
void frc_fit_points(fracas_scene* scene, const frc_ids* ids);
/// The same of points that wait, which may: on the calling thread alone.
void frc_fit_waiting(fracas_scene* scene, const frc_ids* ids);

/// Build what waits in a body into blocks. False: no memory, or cancelled; it still waits then.
bool frc_place_fresh(fracas_scene* scene, uint32_t body);

/// A block on its way into the scene.
typedef struct frc_coming_block {
    frc_block_input input;
    uint32_t start;  // where it goes in the tree over blocks
    frc_block* block;
} frc_coming_block;

/// Room in the lists, for what is built must be kept, and a number. `start` may be FRACAS_NONE:
/// where the body came from. False: no memory, nothing has changed.
bool frc_scene_announce_block(fracas_scene* scene, frc_coming_block* b, uint32_t start);
/// False: it was not built, and its number is given back.
bool frc_scene_enter_block(fracas_scene* scene, const frc_coming_block* b);
/// Drop a block, given by its place in the body's list.
void frc_body_drop_block(fracas_scene* scene, frc_body* body, size_t at);

/// Is there anything to do for frc_place_fresh?
bool frc_has_to_be_placed(const fracas_scene* scene, uint32_t body);

/// Will what waits be built together with all that is there?
bool frc_waits_as_a_whole(const fracas_scene* scene, uint32_t body);

/// Nothing waits any more.
void frc_forget_fresh(fracas_scene* scene, frc_body* body);

/// How many features wait.
size_t frc_fresh_count(const frc_body* body);
