/// @file lazy_plan.h  The new tree over the leaves of a subtree that a query rebuilds: built by the
/// median, and written in place of the old one by lazy_rebuild.c and lazy_top.c.
#pragma once
#include "bvh/tree.h"

/// Nodes and leaves are numbered from 0. A node has a smaller number than its children.
typedef struct frc_lazy_plan {
    frc_node* nodes;  // node_capacity; without boxes
    uint32_t node_count, node_capacity, leaf_count;
    uint32_t* from;  // leaf_count; by new leaf number: the primitive's id
    bool fits;       // the nodes fit in node_capacity
} frc_lazy_plan;

/// Plan the tree over leaf_count primitives, in `nodes` and `from`. All bounds are finite. False:
/// no memory, or cancelled.
bool frc_lazy_plan_tree(fracas_context* context, frc_prim* prims, frc_lazy_plan* plan);
