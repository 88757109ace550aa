/// @file loops.h  Contours that are one loop, kept from update to update.
///
/// Which half-edges are the contour of a node depends on the mesh alone, so for a node of the front
/// it is found once, and not again until an edit. Kept are the points it runs through.
#pragma once
#include "cull/notebook.h"
#include "cull/patch.h"

/// The loop of a node into scratch->loop; false when there is none.
bool frc_loop_recall(const frc_block* block, uint32_t node, frc_cull_scratch* scratch);
/// Keep scratch->loop, when there is one and room.
void frc_loop_keep(const frc_block* block, uint32_t node, const frc_cull_scratch* scratch);
/// Forget all loops of a block if they may be out of date, or too many are of nodes that have left
/// the front.
void frc_loops_review(frc_block* block);
