/// @file lazy_rebuild.h  Subtrees that a query rebuilds when its traversal reaches them.
///
/// Based on: larsson2006 (lazy reconstruction), kim2009. Once after each update the first query
/// that reaches a node checks it, before anything below it is read. When the boxes of its children
/// overlap much more than after the last build, the query builds a new tree over the leaves of the
/// subtree, in the same place.
///
/// Nodes of the tree over blocks are checked in the same way: lazy_top.c.
///
/// A worker that reaches a node has found all nodes above it checked. So no worker is below a node
/// that is not checked yet, and a rebuild of its subtree moves nothing that another worker reads.
/// A rebuild writes only the subtree: disjoint subtrees can be rebuilt at the same time.
#pragma once
#include "block/top_tree.h"

/// State of a node since the last update.
enum { FRC_NOT_VISITED, FRC_LOCKED, FRC_VISITED };

/// frc_block.search_data
typedef struct frc_lazy_nodes {
    float* base;             // by node: LM metric after the last build
    _Atomic uint8_t* state;  // by node
} frc_lazy_nodes;

/// NULL: the block is not rebuilt by queries.
static inline _Atomic uint8_t* frc_lazy_state(const frc_block* block, uint32_t node) {
    const frc_lazy_nodes* nodes = block->search_data;
    return nodes ? &nodes->state[node] : NULL;
}

/// Scratch memory of one worker. Zero-initialised: empty.
typedef struct frc_lazy_scratch {
    void* memory;
    size_t size;
    uint64_t did_not_fit;  // rebuilds given up because the new tree needs more nodes
} frc_lazy_scratch;

/// A node of the tree over blocks.
typedef struct frc_lazy_top_node {
    uint32_t child[4];  // when `base` was recorded: with other children it is not valid
    float base;         // LM metric after the last rebuild; 0: there was none
    _Atomic uint8_t state;
} frc_lazy_top_node;

/// Data of the method for one scene.
typedef struct frc_lazy {
    frc_topology* topology;        // places of features are updated in it
    frc_top_tree* top;             // the tree over blocks
    frc_lazy_top_node* top_nodes;  // by its nodes
    uint32_t top_capacity;         // nodes from this number on are not rebuilt
    frc_lazy_scratch* scratch;     // by worker
    uint32_t workers;
} frc_lazy;

/// NULL: no memory.
frc_lazy* frc_lazy_create(fracas_context* context, frc_topology* topology, frc_top_tree* top);
void frc_lazy_destroy(fracas_context* context, frc_lazy* lazy);  // NULL is allowed

/// Mark all nodes of a block as not visited, after its boxes were refitted. The first call for a
/// tree also records its baseline, with which later states are compared. If memory for it runs out,
/// queries do not rebuild the block.
void frc_lazy_prepare(fracas_context* context, frc_block* block);

/// Check a node, and rebuild its subtree if it is degraded. True: it was rebuilt. No other worker
/// may be below the node or descend to it.
bool frc_lazy_check(fracas_context* context, const frc_lazy* lazy, uint32_t worker,
                    frc_block* block, uint32_t node);

/// The same for the tree over blocks. `frc_lazy_prepare_top` is called after its boxes were
/// refitted. A query that has rebuilt a part of it calls `frc_top_tree_settle` at its end.
void frc_lazy_prepare_top(fracas_context* context, frc_lazy* lazy);
bool frc_lazy_check_top(fracas_context* context, const frc_lazy* lazy, uint32_t worker,
                        frc_block* const* blocks, uint32_t node);

/// NULL: the node is not rebuilt by queries.
static inline _Atomic uint8_t* frc_lazy_top_state(const frc_lazy* lazy, uint32_t node) {
    return node < lazy->top_capacity ? &lazy->top_nodes[node].state : NULL;
}

// ---- shared by lazy_rebuild.c and lazy_top.c

/// The scratch memory of a worker, of at least this size. NULL: no memory.
char* frc_lazy_reserve(fracas_context* context, const frc_lazy* lazy, uint32_t worker, size_t size);
