/// @file lazy.h  Parts of trees built anew in the middle of a query, when it comes to them.
///
/// Based on: larsson2006 (lazy reconstruction), kim2009. A node is looked at once after each
/// update, by the query that first comes to it, before anything below it is read. When its children
/// have drifted over each other, its leaves are put into a new tree, in the same place.
///
/// Whoever has come to a node has looked at all nodes above it. So nobody is below a node that was
/// not looked at, and what is built there moves nothing under anybody's feet. Nothing is written
/// but what belongs to the part: two parts of which none is above the other can be built at the
/// same time.
#pragma once
#include "bvh/block.h"

/// frc_block.touched: of one node, since the last update.
enum { FRC_UNTOUCHED, FRC_TOUCHING, FRC_TOUCHED };

/// Memory of one worker. Zero bytes are none.
typedef struct frc_lazy_room {
    void* memory;
    size_t size;
    uint64_t did_not_fit;
} frc_lazy_room;

/// What a scene keeps for it.
typedef struct frc_lazy {
    frc_topology* topology;  // whose features learn their new slots
    frc_lazy_room* rooms;    // by worker
    uint32_t workers;
} frc_lazy;

/// NULL: no memory.
frc_lazy* frc_lazy_create(fracas_context* context, frc_topology* topology);
void frc_lazy_destroy(fracas_context* context, frc_lazy* lazy);  // NULL is allowed

/// The boxes of a block are new: all its nodes are to be looked at. A tree that is new is what it
/// is compared with later. Without memory for it a block keeps its tree.
void frc_lazy_prepare(fracas_context* context, frc_block* block);

/// Look at a node, and build what is below it anew if it has become bad. True: it was built.
/// Nobody else may be below the node, or come there.
bool frc_lazy_look(fracas_context* context, const frc_lazy* lazy, uint32_t worker, frc_block* block,
                   uint32_t node);
