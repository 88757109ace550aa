/// @file bottom_up.h  From the leaves of many trees to their roots, on all workers.
#pragma once
#include "base/array.h"
#include "block/block.h"

/// Do something to nodes [begin, end) of a block, from the last to the first: what is below a node
/// comes before it. Other nodes may be under way at the same time, of which none is above or below.
typedef void frc_nodes_fn(frc_block* block, uint32_t begin, uint32_t end, void* data);

/// A block to be worked on, and how many nodes it has.
typedef struct frc_tall {
    uint32_t block, nodes;
} frc_tall;

/// Nodes [begin, end) of a block: a subtree, in depth-first order.
typedef struct frc_subtree {
    uint32_t block, begin, end;
} frc_subtree;
typedef FRC_ARRAY(frc_subtree) frc_subtree_list;

/// Trees that are cut into disjoint subtrees for the workers.
typedef struct frc_forest {
    fracas_context* context;
    frc_block* const* blocks;
    frc_subtree_list parts;  // subtrees without a node in common
    frc_subtree_list above;  // whose first nodes are above the parts; each before those below it
} frc_forest;

/// The subtrees of the children of a subtree's first node; returns how many.
uint32_t frc_forest_children(const frc_forest* forest, const frc_subtree* whole,
                             frc_subtree out[4]);

/// Cut the trees listed into parts. False: no memory.
typedef bool frc_forest_cut_fn(frc_forest* forest, const frc_tall* list, uint32_t count);
/// The default: into the largest subtrees that are not too large.
bool frc_forest_cut_by_size(frc_forest* forest, const frc_tall* list, uint32_t count);

/// Call `fit` for all nodes of the blocks listed, those below before those above: the call that has
/// node 0 is a block's last. False: no memory, nothing was done.
bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                          uint32_t count, frc_forest_cut_fn* cut, frc_nodes_fn* fit, void* data);

/// frc_block_refit for the blocks listed, on all workers; those with 0 nodes are not stale all
/// over. False: no memory, nothing was done.
bool frc_blocks_refit(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                      uint32_t count, frc_forest_cut_fn* cut, const frc_lows* lows);
