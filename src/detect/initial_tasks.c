/// @file initial_tasks.c  Divide the trees into a few tasks of similar size.
///
/// The sizes are estimates: most of the work may be in few tasks, of which workers then publish
/// parts. Several initial tasks also make progress reports and cancellation smoother than one.
#include "detect/initial_tasks.h"
#include "detect/traverse.h"

// Only the calling thread divides while the other workers are idle, so tasks are few.
enum { TASKS = 16 };

// An estimate of the number of nodes below a reference. Nodes are numbered depth first, so most of
// them have numbers up to that of the last inner child.
static uint64_t count_below(frc_side s, uint32_t ref) {
    uint32_t last = ref;
    if (ref & FRC_REF_LEAF) return 0;
    const uint32_t* child = s.tree->nodes[ref].child;
    for (int i = 0; i < 4; i++)
        if (!(child[i] & FRC_REF_LEAF) && child[i] > last) last = child[i];
    return last - ref;
}

// An estimate of the work, in nodes; 0 in the tree over blocks.
static uint64_t weight_of(const frc_detect_worker* worker, const frc_work* work) {
    if (work->block_a == FRC_TOP) return 0;
    const frc_side a = frc_block_side(worker, work->block_a),
                   b = frc_block_side(worker, work->block_b);
    const bool same = work->block_a == work->block_b;
    if (frc_is_certified(worker, a, b, work->ref_a, work->ref_b)) return 0;
    if (same && work->ref_a == work->ref_b) return count_below(a, work->ref_a);
    // Adjacent subtrees of a block touch along their border only; two blocks may overlap entirely.
    const uint64_t both = count_below(a, work->ref_a) + count_below(b, work->ref_b);
    return same ? both / 8 : both / 2;
}

// Nodes that another core wrote last have a high latency.
static void prefetch(const frc_detect_worker* worker, uint32_t block, uint32_t ref) {
    const frc_node* nodes = block == FRC_TOP ? worker->world->top->nodes[worker->boxes]
                                             : frc_block_side(worker, block).tree->nodes;
    if (!(ref & FRC_REF_LEAF)) frc_node_prefetch(&nodes[ref]);
}

// Divide the tree over blocks, then the blocks, until all tasks are small or cannot be split.
void frc_divide_trees(frc_search_run* run) {
    fracas_context* context = run->world->context;
    frc_detect_worker* worker = run->workers[0];
    frc_work_list* list = &run->tasks;
    const frc_work whole = {FRC_TOP, FRC_TOP, 0, 0};
    if (!run->world->top->nodes[worker->boxes]) return;
    if (!FRC_ARRAY_PUSH(context, list, whole)) worker->out_of_memory = true;
    for (bool split = true; split && !worker->out_of_memory;) {
        uint64_t total = 0;
        for (size_t i = 0; i < list->count; i++) {
            prefetch(worker, list->data[i].block_a, list->data[i].ref_a);
            prefetch(worker, list->data[i].block_b, list->data[i].ref_b);
        }
        for (size_t i = 0; i < list->count; i++) total += weight_of(worker, &list->data[i]);
        // Split each large task once. In the tree over blocks all tasks are large while they are
        // few; in blocks those above 1 / TASKS of the total weight.
        frc_work_list parts = {0};
        split = false;
        for (size_t i = 0; i < list->count; i++) {
            const frc_work* task = &list->data[i];
            const bool large = task->block_a == FRC_TOP ? list->count < (size_t)2 * TASKS
                                                        : weight_of(worker, task) * TASKS > total;
            if (large && frc_split_work(worker, task, &parts))
                split = true;
            else if (!FRC_ARRAY_PUSH(context, &parts, *task))
                worker->out_of_memory = true;
        }
        FRC_ARRAY_RELEASE(context, list);
        *list = parts;
    }
}
