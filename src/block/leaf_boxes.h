/// @file leaf_boxes.h  Boxes of the triangles, edges and points of one leaf.
///
/// Discrete queries need those of triangles alone, which are kept with the tree. Continuous ones
/// need all three kinds at both ends of the step: 144 bytes for each triangle. Most leaves lie
/// below a certificate or meet nobody, so these are made when a query comes to a leaf, by who asks.
#pragma once
#include "block/block.h"

/// What a leaf has at most: eight triangles that have no edge and no point in common.
enum { FRC_LEAF_EDGES = 3 * FRC_LEAF_SIZE, FRC_LEAF_POINTS = 3 * FRC_LEAF_SIZE };

/// For each four slots a packet at the start of the step and one at its end, side by side.
typedef struct frc_leaf_boxes {
    frc_box4 face[FRC_LEAF_SIZE / 4 * 2];
    frc_box4 edge[FRC_LEAF_EDGES / 4 * 2];
    frc_box4 vertex[FRC_LEAF_POINTS / 4 * 2];
} frc_leaf_boxes;

void frc_leaf_boxes_fit(const frc_block* block, const frc_leaf* leaf, const frc_lows* lows,
                        frc_leaf_boxes* out);
