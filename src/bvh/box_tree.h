/// @file box_tree.h  A 4-wide tree (src/bvh) over items with one box each: built once, refitted
/// often. A function of the caller computes the boxes.
#pragma once
#include "base/simd.h"
#include "bvh/tree.h"

enum { FRC_BOX_LEAF = 4 };  // items

typedef struct frc_float_box {
    f32x4 lo, hi;  // lanes 3 are undefined
} frc_float_box;

typedef struct frc_box_leaf {
    frc_box4 box;
    uint32_t item[FRC_BOX_LEAF];
} frc_box_leaf;

typedef struct frc_box_tree {
    frc_shape shape;
    frc_box_leaf* leaves;
    uint32_t leaf_count;
} frc_box_tree;

/// The box of an item. Called from several threads at once.
typedef frc_float_box frc_box_fn(const void* data, uint32_t item);

/// Build over `count` items. Refit before the first query. False: no memory or cancelled, the tree
/// is unchanged.
bool frc_box_tree_build(fracas_context* context, frc_box_tree* tree, uint32_t count,
                        frc_box_fn* box, const void* data);
void frc_box_tree_refit(fracas_context* context, frc_box_tree* tree, frc_box_fn* box,
                        const void* data);
void frc_box_tree_release(fracas_context* context, frc_box_tree* tree);
