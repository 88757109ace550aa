/// @file top_tree.h  The upper level: a tree over the blocks of all bodies.
///
/// Blocks come, go and move; the tree follows by local changes, each at the cost of a path. Leaf b
/// of the tree is block b. The root is node 0; nodes stand in no order.
#pragma once
#include "block/block.h"
#include "bvh/metric.h"

/// What a node has besides boxes and links.
typedef struct frc_top_tree_node {
    frc_cost cost;
    uint32_t leaves;  // below it; 0: the node is not in use
    uint32_t next;    // not in use: the next of those
    uint32_t was;     // not in use: the node above it when it was dissolved
} frc_top_tree_node;

/// Where a block stands, or stood before it was removed.
typedef struct frc_top_tree_leaf {
    uint32_t parent, lane;  // parent FRC_REF_NONE: it is not in the tree
    uint32_t was;
} frc_top_tree_leaf;

typedef struct frc_top_tree {
    frc_node* nodes[FRC_BOXES_COUNT];  // boxes for each kind of query; NULL: not prepared
    uint32_t* leaf_block;              // block number by leaf: the same number
    frc_top_tree_node* info;           // by node
    frc_top_tree_leaf* leaves;         // by block
    uint32_t* order;                   // nodes in use, parents first: for refits of everything
    uint32_t capacity;                 // blocks that there is room for; one more node than that
    uint32_t node_count;               // node numbers ever given out
    uint32_t unused;                   // the first of those not in use
    uint32_t order_count;              // 0: the order is to be found again
    uint32_t leaf_count;               // blocks in the tree
    uint32_t modes;
    bool broken;       // it must be built anew: it has become deep, or there was no memory
    float built_cost;  // for each leaf, when it was built
    double debt;       // cost above that, summed up over updates
} frc_top_tree;

/// Build over the blocks that are not NULL and not dead. False: no memory; the tree is broken then.
bool frc_top_tree_build(fracas_context* context, frc_block* const* blocks, uint32_t block_count,
                        uint32_t modes, frc_top_tree* top);
void frc_top_tree_release(fracas_context* context, frc_top_tree* top);

/// Room for blocks below this number. False: no memory, nothing has changed. The functions below
/// then cannot fail.
bool frc_top_tree_reserve(fracas_context* context, uint32_t block_count, frc_top_tree* top);

/// Take a block out; a node with one child left is dissolved. Needs no boxes and no memory; nothing
/// happens when the block is not in the tree.
void frc_top_tree_remove(frc_top_tree* top, uint32_t block);

/// The node where a block stands, or stood; the root when that is not known.
uint32_t frc_top_tree_spot(const frc_top_tree* top, uint32_t block);
/// The lowest node that is above both, or one of them.
uint32_t frc_top_tree_meeting(const frc_top_tree* top, uint32_t a, uint32_t b);

/// Put a block in: down from node `start`, always into the child that makes the cost lowest, to a
/// free lane or a leaf.
void frc_top_tree_insert(frc_top_tree* top, frc_block* const* blocks, uint32_t block,
                         uint32_t start);
/// Put several blocks in as a tree of their own: in the place of block `near`, which becomes one of
/// them, when it is in the tree; else down from node `start`.
void frc_top_tree_insert_all(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                             const uint32_t* list, uint32_t count, uint32_t near, uint32_t start);

/// New boxes of the blocks listed (those in the tree): the paths above them, or everything.
void frc_top_tree_refit(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                        const uint32_t* list, uint32_t count);

/// Should it be built anew? Asked once for each update: the cost above that of a fresh tree is
/// summed up, and when the sum has reached the cost of building, building is worth it.
bool frc_top_tree_has_decayed(frc_top_tree* top);

/// Slow check of every invariant: NULL when all is well, else what is wrong.
const char* frc_top_tree_validate(const frc_top_tree* top, frc_block* const* blocks,
                                  uint32_t block_count);
