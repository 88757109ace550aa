/// @file bottom_up.h  From the leaves of many trees to their roots, on all workers.
#pragma once
#include "base/array.h"
#include "bvh/block.h"

/// Do something to nodes [begin, end) of a block, from the last to the first: what is below a node
/// comes before it. Other nodes may be under way at the same time, of which none is above or below.
typedef void frc_nodes_fn(frc_block* block, uint32_t begin, uint32_t end, void* data);

/// Call `fit` for all nodes of the blocks listed, those below before those above. False: no memory,
/// nothing was done.
bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks, const uint32_t* list,
                          uint32_t count, frc_nodes_fn* fit, void* data);
