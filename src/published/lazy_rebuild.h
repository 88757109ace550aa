/// @file lazy_rebuild.h  Subtrees rebuilt in the middle of a query, when it comes to them.
///
/// Based on: larsson2006 (lazy reconstruction), kim2009. A node is looked at once after each
/// update, by the query that comes to it first, before anything below it is read. When the boxes of
/// its children have drifted over each other, its leaves are put into a new tree, in the same
/// place.
///
/// A worker that has come to a node has looked at all nodes above it. So no worker is below a node
/// that was not looked at, and a rebuild there moves nothing that another worker reads. Only the
/// subtree is written: disjoint subtrees can be rebuilt at the same time.
#pragma once
#include "block/block.h"

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

/// Scratch memory of one worker. Zero bytes are none.
typedef struct frc_lazy_scratch {
    void* memory;
    size_t size;
    uint64_t did_not_fit;
} frc_lazy_scratch;

/// Of a scene.
typedef struct frc_lazy {
    frc_topology* topology;     // whose features get new slots
    frc_lazy_scratch* scratch;  // by worker
    uint32_t workers;
} frc_lazy;

/// NULL: no memory.
frc_lazy* frc_lazy_create(fracas_context* context, frc_topology* topology);
void frc_lazy_destroy(fracas_context* context, frc_lazy* lazy);  // NULL is allowed

/// The boxes of a block are new: all its nodes are to be looked at. A new tree is what later states
/// are compared with. Without memory for that a block keeps its tree.
void frc_lazy_prepare(fracas_context* context, frc_block* block);

/// Look at a node, and rebuild its subtree if it is degraded. True: it was rebuilt. No other worker
/// may be below the node, or come there.
bool frc_lazy_look(fracas_context* context, const frc_lazy* lazy, uint32_t worker, frc_block* block,
                   uint32_t node);
