/// @file lazy_plan.h  The new tree over the leaves of a subtree, which is written in place of the
/// old one by regroup.c and lazy_top.c.
#pragma once
#include "bvh/tree.h"

/// Nodes and leaves are numbered from 0. A node has a smaller number than its children.
typedef struct frc_lazy_plan {
    frc_node* nodes;  // node_capacity; without boxes
    uint32_t node_count, node_capacity, leaf_count;
    uint32_t* from;  // leaf_count; by new leaf number: the primitive's id
    bool fits;       // the nodes fit in node_capacity
} frc_lazy_plan;

/// PCCD's builder.
extern const frc_build_options frc_lazy_median;

/// Plan the tree over leaf_count primitives, in `nodes` and `from`. All bounds are finite. The leaf
/// size of `how` is ignored. False: no memory, or cancelled.
bool frc_lazy_plan_tree(fracas_context* context, const frc_build_options* how, frc_prim* prims,
                        frc_lazy_plan* plan);

/// The next array of an allocation, aligned to a cache line. NULL when `memory` is NULL: `at` then
/// adds up the sizes.
static inline void* frc_lazy_piece(char* memory, size_t* at, size_t size) {
    void* here = memory ? memory + *at : NULL;
    *at += (size + 63) / 64 * 64;
    return here;
}
