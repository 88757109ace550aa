/// @file regroup.h  New nodes over the leaves below a node of a block, in place of the old ones.
///
/// Leaves keep their features. They and their slots are permuted into the new order, within the
/// ranges that they occupy. The node keeps its number, its parent and its box: nothing above it
/// changes, and nothing outside of the subtree is read or written.
#pragma once
#include "block/block.h"
#include "published/lazy_plan.h"

enum { FRC_REGROUP_FACES, FRC_REGROUP_EDGES, FRC_REGROUP_VERTICES, FRC_REGROUP_KINDS };

/// A subtree.
typedef struct frc_regroup_part {
    uint32_t node, node_end, leaf, leaf_count;
    uint32_t begin[FRC_REGROUP_KINDS], end[FRC_REGROUP_KINDS];  // slots
} frc_regroup_part;

typedef struct frc_regroup_slots {
    char* data;
    size_t size;  // of one
} frc_regroup_slots;

/// A copy of the subtree as it was, and the plan of the new one, whose leaves are numbered from the
/// first of the part. The caller fills `prims` and makes the plan.
typedef struct frc_regroup {
    frc_leaf* leaves;
    frc_box* leaf_boxes;
    frc_regroup_slots kind[FRC_REGROUP_KINDS];
    frc_prim* prims;  // by leaf
    frc_lazy_plan plan;
} frc_regroup;

/// The last child of a node that is no leaf; FRC_REF_NONE: there is none.
uint32_t frc_regroup_last_inner(const frc_node* node);

/// Find the ranges of nodes, leaves and slots. False: the leaves are not contiguous, or, packed,
/// would need more slots than their ranges have.
bool frc_regroup_find(const frc_block* block, uint32_t node, frc_regroup_part* out);

/// Assign the arrays of the copy. Returns the size of them all. `memory` NULL: the size only.
size_t frc_regroup_lay_out(const frc_block* block, char* memory, const frc_regroup_part* part,
                           frc_regroup* out);

/// Replace the subtree by the plan, which must fit. The boxes of its nodes are empty afterwards;
/// those of leaves, where the block has them, move with the leaves.
void frc_regroup_write(frc_block* block, frc_topology* topology, const frc_regroup_part* part,
                       frc_regroup* copy);
