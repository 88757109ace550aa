/// @file bottom_up.h  From the leaves of many trees to their roots, on all workers.
#pragma once
#include "base/array.h"
#include "bvh/block.h"

/// Do something to nodes [begin, end) of a block, from the last to the first: what is below a node
/// comes before it. Other nodes may be under way at the same time, of which none is above or below.
typedef void frc_nodes_fn(frc_block* block, uint32_t begin, uint32_t end, void* data);

/// A block to be worked on, and how many nodes it has.
typedef struct frc_tall {
    uint32_t block, nodes;
} frc_tall;

/// Call `fit` for all nodes of the blocks listed, those below before those above: the call that has
/// node 0 is a block's last. False: no memory, nothing was done.
bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                          uint32_t count, frc_nodes_fn* fit, void* data);

/// frc_block_refit for the blocks listed, on all workers; those with 0 nodes are not stale all
/// over. False: no memory, nothing was done.
bool frc_blocks_refit(fracas_context* context, frc_block* const* blocks, const frc_tall* list,
                      uint32_t count, const frc_lows* lows);
