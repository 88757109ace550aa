/// @file contour_cache.c  The contours of a block, contiguous in one array.
///
/// Entries are never removed one by one. When the array is full nothing more is stored until
/// frc_contour_cache_validate clears it. Which contours are stored may depend on thread timing;
/// results do not: a contour that is computed again is the same.
#include "cull/contour_cache.h"
#include <string.h>

bool frc_contour_cache_load(const frc_cull_state* state, uint32_t node, frc_cull_scratch* scratch) {
    scratch->loop = NULL;
    if (node & FRC_REF_LEAF || !scratch->use_contour_cache || !state->contour_at[node])
        return false;
    const uint32_t* entry = &state->contours[state->contour_at[node] - 1];
    scratch->loop_count = entry[0];
    scratch->loop = entry + 1;
    return true;
}

void frc_contour_cache_store(frc_cull_state* state, uint32_t node,
                             const frc_cull_scratch* scratch) {
    const uint32_t words = scratch->loop_count + 2, capacity = state->contour_capacity;
    if (node & FRC_REF_LEAF || !scratch->use_contour_cache || !scratch->loop) return;
    // Load before adding, so that the sum does not overflow.
    if (atomic_load_explicit(&state->contours_used, memory_order_relaxed) > capacity) return;
    uint32_t at = atomic_fetch_add_explicit(&state->contours_used, words, memory_order_relaxed);
    if (at > capacity || words > capacity - at) return;
    state->contours[at] = scratch->loop_count;
    memcpy(&state->contours[at + 1], scratch->loop, (words - 1) * sizeof *scratch->loop);
    state->contour_at[node] = at + 1;
}

void frc_contour_cache_validate(frc_cull_state* state) {
    const frc_block* block = state->block;
    const uint32_t used = atomic_load(&state->contours_used);
    if (state->opposite_version == block->opposite_version) {
        if (used <= state->contour_capacity) return;
        uint32_t needed = 0;  // words of nodes that still have a mark
        for (uint32_t n = 0; n < block->node_count; n++)
            if (state->contour_at[n] && block->skip[n])
                needed += 2 + state->contours[state->contour_at[n] - 1];
        if (needed >= state->contour_capacity / 2) return;
    }
    state->opposite_version = block->opposite_version;
    if (used == 0) return;
    memset(state->contour_at, 0, block->node_count * sizeof *state->contour_at);
    atomic_store(&state->contours_used, 0);
}
