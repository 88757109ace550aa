/// @file bottom_up.c  Process the nodes of many trees bottom-up, on all workers.
///
/// Nodes are in depth-first order, so a subtree is a range of numbers. Every tree is cut into the
/// largest subtrees below a limit, which the workers process in parallel; the few nodes above them
/// follow, serially. Cutting is serial too, so it goes level by level and prefetches the nodes of
/// the next level, which other cores have written last.
#include "block/bottom_up.h"
#include "base/parallel.h"

// A part of MIN_NODES takes some ten microseconds; larger trees give each worker a few parts.
enum { MIN_NODES = 64, PARTS_PER_WORKER = 8 };
enum { AHEAD = 8 };  // nodes, for prefetches

typedef struct job {
    const frc_forest* forest;
    frc_nodes_fn* fit;
    void* data;
} job;

// The numbers of inner children increase: the range of each ends where that of the next begins.
// Unused nodes at the end belong to the last.
uint32_t frc_forest_children(const frc_forest* forest, const frc_subtree* whole,
                             frc_subtree out[4]) {
    uint32_t count = 0;
    const frc_node* n = &frc_block_links(forest->blocks[whole->block])[whole->begin];
    for (int i = 0; i < 4; i++)
        if (!(n->child[i] & FRC_REF_LEAF))
            out[count++] = (frc_subtree){whole->block, n->child[i], whole->end};
    for (uint32_t i = 0; i + 1 < count; i++) out[i].end = out[i + 1].begin;
    return count;
}

// List a subtree as a part, or in `above` to be cut further when it has more than `part_nodes`.
static bool add_subtree(frc_forest* forest, const frc_subtree* what, uint32_t part_nodes) {
    if (what->end - what->begin <= part_nodes)
        return FRC_ARRAY_PUSH(forest->context, &forest->parts, *what);
    __builtin_prefetch(frc_block_links(forest->blocks[what->block])[what->begin].child);
    return FRC_ARRAY_PUSH(forest->context, &forest->above, *what);
}

bool frc_forest_cut_by_size(frc_forest* forest, const frc_sized_block* list, uint32_t count) {
    // Most parts are much smaller than the limit: there are four or five times as many as `least`.
    const uint64_t least = (uint64_t)PARTS_PER_WORKER * frc_worker_count(forest->context);
    if (!FRC_ARRAY_RESERVE(forest->context, &forest->parts, count + 6 * least) ||
        !FRC_ARRAY_RESERVE(forest->context, &forest->above, 2 * least))
        return false;
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < count; i++) nodes += list[i].nodes;
    const uint32_t part_nodes = nodes / least > MIN_NODES ? (uint32_t)(nodes / least) : MIN_NODES;
    for (uint32_t i = 0; i < count; i++) {
        const frc_subtree whole = {list[i].block, 0, list[i].nodes};
        if (!add_subtree(forest, &whole, part_nodes)) return false;
    }
    for (size_t i = 0; i < forest->above.count; i++) {
        const frc_subtree whole = forest->above.data[i];
        frc_subtree below[4];
        const uint32_t n = frc_forest_children(forest, &whole, below);
        for (uint32_t k = 0; k < n; k++)
            if (!add_subtree(forest, &below[k], part_nodes)) return false;
    }
    return true;
}

static void fit_parts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const job* j = data;
    for (uint32_t i = begin; i < end; i++) {
        const frc_subtree* what = &j->forest->parts.data[i];
        j->fit(j->forest->blocks[what->block], what->begin, what->end, j->data);
    }
}

bool frc_blocks_bottom_up(fracas_context* context, frc_block* const* blocks,
                          const frc_sized_block* list, uint32_t count, frc_forest_cut_fn* cut,
                          frc_nodes_fn* fit, void* data) {
    if (frc_worker_count(context) == 1) {
        for (uint32_t i = 0; i < count; i++) fit(blocks[list[i].block], 0, list[i].nodes, data);
        return true;
    }
    frc_forest forest = {.context = context, .blocks = blocks};
    const bool ok = cut(&forest, list, count);
    if (ok) {
        job j = {.forest = &forest, .fit = fit, .data = data};
        frc_parallel_for(context, (uint32_t)forest.parts.count, 1, fit_parts, &j);
        // The nodes above the parts, parents last. Workers have written into them: prefetch.
        for (size_t i = forest.above.count; i-- > 0;) {
            const frc_subtree* what = &forest.above.data[i];
            const frc_subtree* later = &forest.above.data[i < AHEAD ? 0 : i - AHEAD];
            for (int m = 0; m < FRC_BOXES_COUNT; m++) {
                const frc_node* nodes = blocks[later->block]->tree[m].nodes;
                if (nodes) frc_node_prefetch(&nodes[later->begin]);
            }
            fit(blocks[what->block], what->begin, what->begin + 1, data);
        }
    }
    FRC_ARRAY_RELEASE(context, &forest.parts);
    FRC_ARRAY_RELEASE(context, &forest.above);
    return ok;
}
