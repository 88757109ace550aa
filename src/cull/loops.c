/// @file loops.c  Contours that are one loop, kept from update to update.
///
/// All of a block stand in one array, behind each other; nothing is taken out. When it is full no
/// more are kept, until half of it is of no use any more and everything is forgotten. What is kept
/// may depend on which worker came first, answers do not: a loop that is found again is the same.
#include "cull/loops.h"
#include <string.h>

bool frc_loop_recall(const frc_block* block, uint32_t node, frc_cull_scratch* scratch) {
    const frc_notebook* notebook = block->cull;
    scratch->loop = NULL;
    if (node & FRC_REF_LEAF || !scratch->keeps_loops || !notebook->loop[node]) return false;
    const uint32_t* kept = &notebook->loops[notebook->loop[node] - 1];
    scratch->loop_count = kept[0];
    scratch->loop = kept + 1;
    return true;
}

void frc_loop_keep(const frc_block* block, uint32_t node, const frc_cull_scratch* scratch) {
    frc_notebook* notebook = block->cull;
    uint32_t words = scratch->loop_count + 2;
    if (node & FRC_REF_LEAF || !scratch->keeps_loops || !scratch->loop) return;
    if (atomic_load_explicit(&notebook->loops_used, memory_order_relaxed) > notebook->loops_room)
        return;
    uint32_t at = atomic_fetch_add_explicit(&notebook->loops_used, words, memory_order_relaxed);
    if (at > notebook->loops_room || words > notebook->loops_room - at) return;
    notebook->loops[at] = scratch->loop_count;
    memcpy(&notebook->loops[at + 1], scratch->loop, (words - 1) * sizeof *scratch->loop);
    notebook->loop[node] = at + 1;
}

// Words of loops that a node still has.
static uint32_t words_in_use(const frc_block* block) {
    const frc_notebook* notebook = block->cull;
    uint32_t sum = 0;
    for (uint32_t n = 0; n < block->node_count; n++)
        if (notebook->loop[n] && block->skip[n]) sum += 2 + notebook->loops[notebook->loop[n] - 1];
    return sum;
}

void frc_loops_review(frc_block* block) {
    frc_notebook* notebook = block->cull;
    bool full = atomic_load(&notebook->loops_used) > notebook->loops_room;
    if (notebook->twin_version == block->twin_version &&
        !(full && words_in_use(block) < notebook->loops_room / 2))
        return;
    notebook->twin_version = block->twin_version;
    if (atomic_load(&notebook->loops_used) == 0) return;
    memset(notebook->loop, 0, block->node_count * sizeof *notebook->loop);
    atomic_store(&notebook->loops_used, 0);
}
