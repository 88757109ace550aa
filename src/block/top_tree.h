/// @file top_tree.h  The top tree: a tree over the blocks of all bodies.
///
/// When a block is added, removed or moved, a local update changes the tree at the cost of a path.
/// Leaf b of the tree is block b. The root is node 0; other nodes are in no order.
#pragma once
#include "block/block.h"
#include "bvh/metric.h"

/// The data of a node besides boxes and links.
typedef struct frc_top_tree_node {
    frc_cost cost;
    uint32_t leaves;  // below it; 0: the node is unused
    uint32_t next;    // of an unused node: the next unused one
    uint32_t was;     // of an unused node: its parent when it was removed
} frc_top_tree_node;

/// The position of a block in the tree.
typedef struct frc_top_tree_leaf {
    uint32_t parent, lane;  // parent FRC_REF_NONE: it is not in the tree
    uint32_t was;           // not in the tree: its parent when it was removed
} frc_top_tree_leaf;

typedef struct frc_top_tree {
    frc_node* nodes[FRC_BOXES_COUNT];  // boxes for each kind of query; NULL: mode not in use
    uint32_t* leaf_block;              // block number by leaf: the identity, for the traversal
    frc_top_tree_node* info;           // by node
    frc_top_tree_leaf* leaves;         // by block
    uint32_t* order;                   // nodes in use, parents first: for full refits
    uint32_t capacity;                 // in blocks; there is one node more
    uint32_t node_count;               // node numbers used so far
    uint32_t unused;                   // the first unused node below node_count
    uint32_t order_count;              // 0: `order` is out of date
    uint32_t leaf_count;               // blocks in the tree
    uint32_t modes;
    bool in_pairs;     // build by merging neighbours in pairs, in the order of the blocks' numbers
    bool broken;       // it must be rebuilt: it is too deep, or memory was short
    float built_cost;  // per leaf, when it was built
    double debt;       // cost above built_cost, summed over updates
} frc_top_tree;

/// Build over the blocks that are not NULL. False: no memory; the tree is broken then.
bool frc_top_tree_build(fracas_context* context, frc_block* const* blocks, uint32_t block_count,
                        uint32_t modes, frc_top_tree* top);
void frc_top_tree_release(fracas_context* context, frc_top_tree* top);

/// Allocate for blocks below this number, so that the functions below cannot fail. False: no
/// memory, nothing has changed.
bool frc_top_tree_reserve(fracas_context* context, uint32_t block_count, frc_top_tree* top);

/// Remove a block; its sibling replaces a node with one child left. Reads no boxes of blocks and
/// allocates nothing. No effect when the block is not in the tree.
void frc_top_tree_remove(frc_top_tree* top, uint32_t block);

/// The parent of a block, or the closest former ancestor of a removed block; else the root.
uint32_t frc_top_tree_last_node(const frc_top_tree* top, uint32_t block);
/// The lowest common ancestor of two nodes.
uint32_t frc_top_tree_common_ancestor(const frc_top_tree* top, uint32_t a, uint32_t b);

/// Insert a block below node `start`: descend into the child that makes the cost lowest, to a free
/// lane or a leaf.
void frc_top_tree_insert(frc_top_tree* top, frc_block* const* blocks, uint32_t block,
                         uint32_t start);
/// Insert several blocks as one subtree: when block `near` is in the tree, in its place and with it
/// as one of the leaves; else below node `start`.
void frc_top_tree_insert_all(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                             const uint32_t* list, uint32_t count, uint32_t near, uint32_t start);

/// Refit for the listed blocks, ignoring those not in the tree: the paths above them, or all nodes.
void frc_top_tree_refit(fracas_context* context, frc_top_tree* top, frc_block* const* blocks,
                        const uint32_t* list, uint32_t count);

/// Should it be rebuilt? Call once per update: adds the cost above that of a new tree to the debt,
/// and recommends a rebuild when the debt exceeds the cost of building.
bool frc_top_tree_has_decayed(frc_top_tree* top);

/// Give `count` nodes, a node and all below it, new children, in place: node i of `links` (its
/// boxes are not read) is written to node numbers[i], and leaf j of it is block leaf_blocks[j].
/// links[0] stays where it is; in `links` parents come first. Nodes from `link_count` on become
/// unused. Reads and writes nothing outside of the subtree: disjoint subtrees can be rearranged at
/// the same time. Afterwards, on one thread, `frc_top_tree_settle` brings the rest up to date.
void frc_top_tree_rearrange(frc_top_tree* top, frc_block* const* blocks, const uint32_t* numbers,
                            uint32_t count, const frc_node* links, uint32_t link_count,
                            const uint32_t* leaf_blocks);
void frc_top_tree_settle(frc_top_tree* top);

/// Slow check of every invariant: NULL when all is well, else what is wrong.
const char* frc_top_tree_validate(const frc_top_tree* top, frc_block* const* blocks,
                                  uint32_t block_count);
