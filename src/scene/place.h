/// @file place.h  Features into blocks, boxes onto points: the parts of an update.
#pragma once
#include "scene/scene.h"

/// Boxes of the points with these ids, at the ends that the scene keeps.
void frc_fit_points(fracas_scene* scene, const frc_ids* ids);

/// Build what waits in a body into blocks. False: no memory, or cancelled; it still waits then.
bool frc_place_fresh(fracas_scene* scene, uint32_t body);

/// One new block for all triangles of a body, whichever blocks they stand in or wait for; blocks of
/// free elements stay. `inherit`: where they stand, or stood, in one tree and the options allow it,
/// the new one has its order. False: no memory, or cancelled; nothing has changed.
bool frc_rebuild_body(fracas_scene* scene, uint32_t body, bool inherit);

/// How many features wait.
size_t frc_fresh_count(const frc_body* body);
