/// @file notebook.h  What culling remembers about a block from update to update.
#pragma once
#include "cull/cull.h"
#include <stdatomic.h>

/// Leaves below a node: [begin, end).
typedef struct frc_cull_range {
    uint32_t begin, end;
} frc_cull_range;

/// One allocation, kept in frc_block.cull. Numbers of nodes come first, then those of leaves.
typedef struct frc_notebook {
    bool all;  // every box may have changed since the last run
    uint32_t touched_count;
    frc_cull_range* below;               // by node
    uint32_t* touched;                   // what has a stale leaf below; listed once each
    uint8_t* dirty;                      // 1: in that list
    uint8_t* noted;                      // a byte for the criterion, 0 after a rebuild
    uint8_t* wait[FRC_BOXES_COUNT];      // visits until it is tried again
    uint8_t* failures[FRC_BOXES_COUNT];  // in a row; the wait grows with them
    // See loops.h. `loop`: by node, one more than where its loop begins; 0: none.
    uint32_t *loop, *loops;
    uint32_t loops_room;          // words
    _Atomic uint32_t loops_used;  // more than there are: full
    uint32_t twin_version;        // of the block, when the loops were found
} frc_notebook;

/// Make twins, marks and notebook, all empty. False: no memory.
bool frc_notebook_open(fracas_context* context, const frc_topology* topology, frc_block* block);

/// Take down the stale leaves of a block.
void frc_notebook_take_down(frc_block* block);
void frc_notebook_clear_touched(frc_notebook* notebook);

/// Is a block culled at all?
static inline bool frc_cull_includes(const frc_block* block) {
    return !block->dead && !block->free_elements && block->face_slots > 0;
}

/// Where a reference stands in the arrays.
static inline uint32_t frc_cull_place(const frc_block* block, uint32_t ref) {
    return ref & FRC_REF_LEAF ? block->node_count + (ref & ~FRC_REF_LEAF) : ref;
}

/// The leaves below a reference, and the face slots of those.
static inline frc_cull_range frc_cull_leaves(const frc_block* block, uint32_t ref) {
    const frc_notebook* notebook = block->cull;
    uint32_t leaf = ref & ~FRC_REF_LEAF;
    if (ref & FRC_REF_LEAF) return (frc_cull_range){leaf, leaf + 1};
    return notebook->below[ref];
}
static inline frc_cull_range frc_cull_faces(const frc_block* block, frc_cull_range leaves) {
    const frc_leaf *first = &block->leaves[leaves.begin], *last = &block->leaves[leaves.end - 1];
    return (frc_cull_range){first->face, last->face + last->face_count};
}
static inline const frc_node* frc_cull_nodes(const frc_block* block) {
    return frc_block_links(block);
}
