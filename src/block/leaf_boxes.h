/// @file leaf_boxes.h  Boxes of the triangles, edges and points of one leaf.
///
/// Discrete queries use boxes of triangles only, which the tree stores. Continuous queries use all
/// three kinds at both ends of the step: 144 bytes for each triangle. The tree does not store these
/// because most leaves lie below a certificate or overlap nothing: a worker computes the boxes of a
/// leaf when its query reaches the leaf.
#pragma once
#include "block/block.h"

/// Upper bounds: the triangles of a leaf have no edge and no point in common.
enum { FRC_LEAF_EDGES = 3 * FRC_LEAF_SIZE, FRC_LEAF_POINTS = 3 * FRC_LEAF_SIZE };

/// For each four slots a packet at the start of the step, followed by one at its end.
typedef struct frc_leaf_boxes {
    frc_box4 face[FRC_LEAF_SIZE / 4 * 2];
    frc_box4 edge[FRC_LEAF_EDGES / 4 * 2];
    frc_box4 vertex[FRC_LEAF_POINTS / 4 * 2];
} frc_leaf_boxes;

void frc_leaf_boxes_fit(const frc_block* block, const frc_leaf* leaf, const frc_lows* lows,
                        frc_leaf_boxes* out);
