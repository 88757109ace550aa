/// @file contour_cache.h  Cache of the contours of nodes, which persists between updates.
///
/// The contour of a node depends on the mesh, not on positions: it is computed once and reused
/// until an edit. Only contours that are one loop are stored, as the list of its points.
#pragma once
#include "cull/cull_state.h"
#include "cull/patch.h"

/// Load the contour of a node into scratch->loop; false when it is not in the cache.
bool frc_contour_cache_load(const frc_cull_state* state, uint32_t node, frc_cull_scratch* scratch);
/// Store scratch->loop, if there is one and the cache has space for it.
void frc_contour_cache_store(frc_cull_state* state, uint32_t node, const frc_cull_scratch* scratch);
/// Clear the cache of a block after an edit, or when it is full and half of it belongs to nodes
/// that have lost their marks.
void frc_contour_cache_validate(frc_cull_state* state);
