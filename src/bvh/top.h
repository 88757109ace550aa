/// @file top.h  The upper level: a tree over the blocks of all bodies.
#pragma once
#include "bvh/block.h"

typedef struct frc_top {
    frc_shape shape;       // leaves of one block each
    uint32_t* leaf_block;  // block number by leaf
    uint32_t leaf_capacity;
    uint32_t node_capacity;
    frc_node* nodes[FRC_BOXES_COUNT];  // boxes for each kind of query; NULL: not prepared
} frc_top;

/// Build over the blocks that are not NULL and not dead. False: no memory, `top` is empty then.
bool frc_top_build(fracas_context* context, frc_block* const* blocks, uint32_t block_count,
                   uint32_t modes, frc_top* top);
/// New boxes, same blocks.
void frc_top_refit(frc_block* const* blocks, frc_top* top);
void frc_top_release(fracas_context* context, frc_top* top);
