/// @file bottom_up.h  Process the nodes of many trees bottom-up, on all workers.
#pragma once
#include "base/array.h"
#include "block/block.h"

/// Process nodes [begin, end) of a block from the last to the first, so that descendants come
/// before their ancestors. Other workers may process nodes that are neither at the same time.
typedef void frc_nodes_fn(frc_block* block, uint32_t begin, uint32_t end, void* data);

/// A block to process, and its number of nodes.
typedef struct frc_sized_block {
    uint32_t block, nodes;
} frc_sized_block;

/// Nodes [begin, end) of a block: a subtree, in depth-first order.
typedef struct frc_subtree {
    uint32_t block, begin, end;
} frc_subtree;
typedef FRC_ARRAY(frc_subtree) frc_subtree_list;

/// Trees, cut into disjoint subtrees for the workers.
typedef struct frc_forest {
    fracas_context* context;
    frc_block* const* blocks;
    frc_subtree_list parts;  // disjoint subtrees
    frc_subtree_list above;  // their first nodes are the ancestors of the parts, parents first
} frc_forest;

/// The subtrees of the inner children of a subtree's first node; returns how many.
uint32_t frc_forest_children(const frc_forest* forest, const frc_subtree* whole,
                             frc_subtree out[4]);

/// Cut the listed trees into parts. False: no memory.
typedef bool frc_forest_cut_fn(frc_forest* forest, const frc_sized_block* list, uint32_t count);
/// The default: the largest subtrees that stay below a limit, so that each worker gets a few.
bool frc_forest_cut_by_size(frc_forest* forest, const frc_sized_block* list, uint32_t count);

/// Call `fit` for all nodes of the listed blocks, descendants first: the call that has node 0 is
/// the last of its block. False: no memory, nothing was done.
bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks,
                          const frc_sized_block* list, uint32_t count, frc_forest_cut_fn* cut,
                          frc_nodes_fn* fit, void* data);

/// Like frc_block_refit for the listed blocks, on all workers. An entry with `nodes` 0 is a block
/// of which only some leaves are stale. False: no memory, nothing was done.
bool frc_blocks_refit(fracas_context* context, frc_block* const* blocks,
                      const frc_sized_block* list, uint32_t count, frc_forest_cut_fn* cut,
                      const frc_lows* lows);
