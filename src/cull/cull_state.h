/// @file cull_state.h  The state of culling of one block; it persists between updates.
#pragma once
#include "cull/cull.h"
#include <stdatomic.h>

/// Leaves below a node: [begin, end).
typedef struct frc_cull_range {
    uint32_t begin, end;
} frc_cull_range;

/// One allocation. Arrays by place have an entry for each node, then one for each leaf.
typedef struct frc_cull_state {
    frc_block* block;
    size_t size;       // of this allocation
    bool all_changed;  // any box may have changed since the last update
    uint32_t edited_count;
    frc_cull_range* below;               // by node
    uint32_t* edited;                    // places with a stale leaf below; each once
    uint8_t* is_edited;                  // by place, 1: in that list
    uint8_t* criterion_byte;             // by place, owned by the criterion; 0 at first
    uint8_t* back_off[FRC_BOXES_COUNT];  // by place: visits until it is tested again
    uint8_t* failures[FRC_BOXES_COUNT];  // by place: consecutive rejections
    // See contour_cache.h. `contour_at`: by node, the start of its contour in `contours` plus 1; 0:
    // none.
    uint32_t *contour_at, *contours;
    uint32_t contour_capacity;       // words
    _Atomic uint32_t contours_used;  // words; above the capacity: full
    uint32_t opposite_version;       // frc_block.opposite_version when the contours were found
} frc_cull_state;

/// Release a state, if there is one.
void frc_cull_state_release(fracas_context* context, frc_cull_state** state);
/// Build the half-edges of a block, if it has none, its marks, all zero, and its initial state.
/// False: no memory.
bool frc_cull_state_create(fracas_context* context, const frc_topology* topology, frc_block* block,
                           frc_cull_state** out);

/// Read the stale leaves of the block into `edited` and `all_changed`.
void frc_cull_state_read_stale(frc_cull_state* state);
/// Clear the list of edited places.
void frc_cull_state_clear_edited(frc_cull_state* state);

/// Is the block culled at all?
static inline bool frc_cull_includes(const frc_block* block) {
    return !block->free_elements && block->face_slots > 0;
}

/// The index of a reference in arrays by place.
static inline uint32_t frc_cull_place(const frc_block* block, uint32_t ref) {
    return ref & FRC_REF_LEAF ? block->node_count + (ref & ~FRC_REF_LEAF) : ref;
}

/// The leaves below a reference, and their face slots.
static inline frc_cull_range frc_cull_leaves(const frc_cull_state* state, uint32_t ref) {
    uint32_t leaf = ref & ~FRC_REF_LEAF;
    if (ref & FRC_REF_LEAF) return (frc_cull_range){leaf, leaf + 1};
    return state->below[ref];
}
static inline frc_cull_range frc_cull_faces(const frc_cull_state* state, uint32_t ref) {
    const frc_cull_range leaves = frc_cull_leaves(state, ref);
    const frc_leaf* first = &state->block->leaves[leaves.begin];
    const frc_leaf* last = &state->block->leaves[leaves.end - 1];
    return (frc_cull_range){first->face, last->face + last->face_count};
}

/// Does a triangle of the leaf have both points? Without branches: nearly always one does.
static inline bool frc_cull_leaf_owns(const frc_block* block, const frc_leaf* leaf, uint32_t a,
                                      uint32_t b) {
    bool found = false;
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++) {
        const uint32_t* p = block->faces[s].point;
        bool has_a = p[0] == a || p[1] == a || p[2] == a;
        bool has_b = p[0] == b || p[1] == b || p[2] == b;
        found |= has_a && has_b && block->faces[s].id != FRACAS_NONE;
    }
    return found;
}

static inline frc_cull_state* frc_cull_job_state(const frc_cull_job* job, uint32_t block) {
    return job->states->of.data[job->numbers[block]];
}
