/// @file box_tree.h  The tree of src/bvh over things of which each has a box: built once, refitted
/// often.
///
/// Four boxes to a node, four things to a leaf. Boxes are floats, made by whoever owns the things.
#pragma once
#include "base/simd.h"
#include "bvh/tree.h"

enum { FRC_BOX_LEAF = 4 };

typedef struct frc_float_box {
    f32x4 lo, hi;  // the fourth lanes mean nothing
} frc_float_box;

typedef struct frc_box_leaf {
    frc_box4 box;
    uint32_t thing[FRC_BOX_LEAF];
} frc_box_leaf;

typedef struct frc_box_tree {
    frc_shape shape;
    frc_box_leaf* leaves;
    uint32_t leaf_count;
} frc_box_tree;

/// The box of a thing. Called from several threads.
typedef frc_float_box frc_box_fn(const void* data, uint32_t thing);

/// Build over `count` things. False: no memory or cancelled, the tree is as it was. Boxes are to be
/// refitted before they are used.
bool frc_box_tree_build(fracas_context* context, frc_box_tree* tree, uint32_t count,
                        frc_box_fn* box, const void* data);
void frc_box_tree_refit(fracas_context* context, frc_box_tree* tree, frc_box_fn* box,
                        const void* data);
void frc_box_tree_release(fracas_context* context, frc_box_tree* tree);
