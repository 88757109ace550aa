/// @file cull_nodes.c  The culling update: which nodes the criterion tests. From the root down to
/// the first node that is accepted, and not all of them in every update.
///
/// The accepted nodes without an accepted ancestor are the front of the cull. A node of the front
/// is tested whenever something below it has moved; if it is rejected, its children are tested. A
/// node above the front, or in a region without one, has been rejected before: it is tested again
/// after an exponential back-off. Back-off counts visits and varies with the node number, which
/// spreads the tests over updates; it depends on neither time nor threads.
///
/// Subtrees are independent of each other: nodes are tasks of a task pool.
///
/// Based on: the fronts that collision trees keep between frames. Deviation: the front is not a
/// list; the marks define it.
#include "base/task_pool.h"
#include "cull/contour_cache.h"
#include "cull/cull_state.h"
#include <string.h>

/// The longest back-off is between 2^5 and 2^6 visits.
enum { MOST_FAILURES = 5 };

/// In a block that did not move, larger nodes with an edit below are not tested: this bounds the
/// cost of an edit. Their children without edits inherit the mark, because a part of a node without
/// a contact has none. When the body moves next, every node is tested anyway.
enum { MOST_EDITED_FACES = 128 };

enum { BLOCKS_PER_RANGE = 8 };  // a few microseconds

/// A node to test.
typedef struct cull_node {
    uint32_t block, ref;  // block: index in the job
    uint32_t uncovered;   // an ancestor has lost its mark: earlier rejections do not count
    uint32_t inherits;    // nothing moved, and an ancestor had a mark before the edits
} cull_node;
_Static_assert(sizeof(cull_node) == sizeof(frc_task), "a node is published as a task");

typedef struct frc_cull_worker {
    frc_cull_scratch scratch;
    FRC_ARRAY(cull_node) stack;
    size_t bottom;  // the first entry that has not been published
    frc_cull_counts counts;
} cull_worker;

typedef struct cull_run {
    const frc_cull_job* job;
    void* criterion_data;
    frc_boxes boxes;
} cull_run;

static uint32_t face_count(const frc_cull_state* state, uint32_t ref) {
    const frc_cull_range faces = frc_cull_faces(state, ref);
    return faces.end - faces.begin;
}

// ---- one node

// A node with a mark has no back-off: it is tested whenever something below it moves.
static void set_mark(const cull_run* run, frc_cull_state* state, uint32_t ref) {
    uint32_t place = frc_cull_place(state->block, ref);
    state->block->skip[place] |= (uint8_t)(1u << run->boxes);
    state->failures[run->boxes][place] = state->back_off[run->boxes][place] = 0;
}

// Set or clear the mark of a node. True: it is set.
static bool test_node(const cull_run* run, const cull_node* node, cull_worker* worker) {
    frc_cull_state* state = frc_cull_job_state(run->job, node->block);
    const uint32_t place = frc_cull_place(state->block, node->ref);
    uint8_t *back_off = &state->back_off[run->boxes][place],
            *failures = &state->failures[run->boxes][place];
    bool tested;
    if (!state->all_changed) {
        tested = face_count(state, node->ref) <= MOST_EDITED_FACES;
    } else {
        if (node->uncovered || !run->job->criterion->hereditary) *back_off = *failures = 0;
        tested = *back_off == 0;
        *back_off -= !tested;
    }
    worker->counts.tried += tested;
    if (tested && run->job->criterion->accepts(run->job, run->criterion_data, node->block,
                                               run->boxes, node->ref, &worker->scratch)) {
        worker->counts.certified++;
        worker->counts.faces += face_count(state, node->ref);
        set_mark(run, state, node->ref);
        return true;
    }
    state->block->skip[place] &= (uint8_t) ~(1u << run->boxes);
    if (tested) {
        if (*failures < MOST_FAILURES) ++*failures;
        const uint32_t base = 1u << *failures;
        *back_off = (uint8_t)(base - 1 + place % base);
    }
    return false;
}

// Test a node. If it is rejected, push its children: all of them in a block that moved; otherwise
// only those with edits, while the others may inherit the mark.
static void run_node(const cull_run* run, const cull_node* node, cull_worker* worker) {
    frc_cull_state* state = frc_cull_job_state(run->job, node->block);
    const frc_block* block = state->block;
    const bool had_mark = frc_block_skips(block, run->boxes, node->ref);
    if (test_node(run, node, worker) || node->ref & FRC_REF_LEAF) return;
    const frc_node* links = &block->tree[run->boxes].nodes[node->ref];
    for (uint32_t i = 0; i < 4 && links->child[i] != FRC_REF_NONE; i++) {
        cull_node child = {.block = node->block, .ref = links->child[i]};
        child.uncovered = state->all_changed && (node->uncovered || had_mark);
        child.inherits = !state->all_changed && (node->inherits || had_mark);
        if (face_count(state, child.ref) < run->job->criterion->least_faces[run->boxes]) continue;
        if (state->all_changed || state->is_edited[frc_cull_place(block, child.ref)]) {
            if (!FRC_ARRAY_PUSH(run->job->context, &worker->stack, child)) {
                worker->scratch.out_of_memory = true;
                return;
            }
        } else if (child.inherits) {
            set_mark(run, state, child.ref);
        }
    }
}

// ---- all nodes

static void run_task(frc_task_worker* task_worker, const frc_task* task, void* data) {
    const cull_run* run = data;
    cull_worker* worker = &run->job->states->workers[task_worker->index];
    cull_node node;
    memcpy(&node, task, sizeof node);
    worker->bottom = worker->stack.count = 0;
    run_node(run, &node, worker);
    while (worker->stack.count > worker->bottom && !worker->scratch.out_of_memory) {
        // Publish all but one: the next node may take longer than all others together.
        while (worker->bottom + 2 <= worker->stack.count && frc_task_wanted(task_worker)) {
            frc_task published;
            memcpy(&published, &worker->stack.data[worker->bottom], sizeof published);
            if (!frc_task_publish(task_worker, &published)) break;
            worker->bottom++;
        }
        node = worker->stack.data[--worker->stack.count];
        run_node(run, &node, worker);
    }
}

// Start at the roots of all blocks. One kind of boxes after the other, because their marks are bits
// of the same bytes. False: no memory.
static bool run_blocks(const frc_cull_job* job, void* criterion_data) {
    const size_t size = frc_array_size(job->count, sizeof(cull_node));
    cull_node* roots = frc_allocate(job->context, size);
    bool ok = roots != NULL;
    for (int m = 0; m < FRC_BOXES_COUNT && ok; m++) {
        cull_run run = {job, criterion_data, (frc_boxes)m};
        uint32_t count = 0;
        for (uint32_t b = 0; b < job->count; b++)
            if (frc_cull_includes(job->blocks[b]) && job->blocks[b]->tree[m].nodes &&
                face_count(frc_cull_job_state(job, b), 0) >= job->criterion->least_faces[m])
                roots[count++] = (cull_node){.block = b};
        const frc_task_pool_work work = {.tasks = (const frc_task*)(const void*)roots,
                                         .count = count,
                                         .run = run_task,
                                         .data = &run};
        if (count > 0) frc_task_pool_run(job->context, &work);
        for (uint32_t w = 0; w < frc_worker_count(job->context); w++)
            ok = ok && !job->states->workers[w].scratch.out_of_memory;
    }
    frc_release(job->context, roots, size);
    return ok;
}

// ---- one update

typedef struct state_update {
    const frc_cull_job* job;
    atomic_bool out_of_memory;
} state_update;

static void update_states(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    state_update* u = data;
    const frc_cull_job* job = u->job;
    for (uint32_t b = begin; b < end; b++) {
        frc_block* block = job->blocks[b];
        if (!frc_cull_includes(block)) continue;
        frc_cull_state** state = &job->states->of.data[job->numbers[b]];
        bool ok = true;
        if (!block->skip || !*state) {
            // The number may hold the state of a block that no longer exists. Half-edges that the
            // new block has from filling its leaves are kept.
            frc_cull_state_release(job->context, state);
            ok = frc_cull_state_create(job->context, job->topology, block, state);
        }
        if (!ok || !frc_half_edges_update(job->context, job->topology, block)) {
            atomic_store_explicit(&u->out_of_memory, true, memory_order_relaxed);
            continue;
        }
        frc_cull_state_read_stale(*state);
        frc_contour_cache_validate(*state);
        if (!job->criterion->hereditary) (*state)->all_changed = true;
    }
}

static void clear_changes(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const frc_cull_job* job = ((const state_update*)data)->job;
    for (uint32_t b = begin; b < end; b++) {
        if (!frc_cull_includes(job->blocks[b])) continue;
        frc_cull_state* state = frc_cull_job_state(job, b);
        state->all_changed = false;
        frc_cull_state_clear_edited(state);
    }
}

// Reserve the table of states and the workers. False: no memory.
static bool prepare_states(const frc_cull_job* job) {
    frc_cull_states* states = job->states;
    const uint32_t workers = frc_worker_count(job->context);
    size_t count = states->of.count;
    for (uint32_t b = 0; b < job->count; b++)
        if (job->numbers[b] >= count) count = (size_t)job->numbers[b] + 1;
    if (!FRC_ARRAY_RESERVE(job->context, &states->of, count)) return false;
    while (states->of.count < count) states->of.data[states->of.count++] = NULL;
    if (!states->workers)
        states->workers = frc_allocate_zero(job->context, workers * sizeof(cull_worker));
    for (uint32_t w = 0; states->workers && w < workers; w++) {
        cull_worker* worker = &states->workers[w];
        worker->scratch.context = job->context;
        worker->scratch.use_contour_cache = true;
        worker->scratch.lows = job->lows;
        worker->scratch.out_of_memory = false;
        worker->counts = (frc_cull_counts){0};
    }
    return states->workers != NULL;
}

static bool update_marks(const frc_cull_job* job) {
    if (!prepare_states(job)) return false;
    // After a fracture most blocks are new, and few, and each takes long: ranges must be short.
    uint32_t grain = job->count / (2 * frc_worker_count(job->context)) + 1;
    if (grain > BLOCKS_PER_RANGE) grain = BLOCKS_PER_RANGE;
    state_update u = {.job = job};
    atomic_init(&u.out_of_memory, false);
    frc_parallel_for(job->context, job->count, grain, update_states, &u);
    if (atomic_load(&u.out_of_memory)) return false;

    const frc_cull_criterion* criterion = job->criterion;
    void* data = NULL;
    bool ok = !criterion->prepare || criterion->prepare(job, &data);
    ok = ok && run_blocks(job, data);
    if (criterion->release) criterion->release(job, data);
    for (uint32_t w = 0; w < frc_worker_count(job->context); w++) {
        const frc_cull_counts* counts = &job->states->workers[w].counts;
        job->counts->tried += counts->tried;
        job->counts->certified += counts->certified;
        job->counts->faces += counts->faces;
    }
    if (!ok) return false;
    frc_parallel_for(job->context, job->count, BLOCKS_PER_RANGE, clear_changes, &u);
    return true;
}

bool frc_cull_update(const frc_cull_job* job) {
    if (!job->criterion || update_marks(job)) return true;
    for (uint32_t b = 0; b < job->count; b++)
        frc_cull_release_block(job->context, job->states, job->blocks[b], job->numbers[b]);
    return false;
}

void frc_cull_states_release(fracas_context* context, frc_cull_states* states) {
    const uint32_t workers = frc_worker_count(context);
    for (size_t i = 0; i < states->of.count; i++)
        if (states->of.data[i]) frc_release(context, states->of.data[i], states->of.data[i]->size);
    for (uint32_t w = 0; states->workers && w < workers; w++) {
        frc_cull_scratch_release(&states->workers[w].scratch);
        FRC_ARRAY_RELEASE(context, &states->workers[w].stack);
    }
    frc_release(context, states->workers, workers * sizeof(cull_worker));
    FRC_ARRAY_RELEASE(context, &states->of);
    states->workers = NULL;
}

// ---- how much is covered

static uint32_t covered_below(const frc_cull_state* state, frc_boxes boxes, uint32_t ref) {
    if (frc_block_skips(state->block, boxes, ref)) return face_count(state, ref);
    uint32_t sum = 0;
    const frc_node* node = ref & FRC_REF_LEAF ? NULL : &frc_block_links(state->block)[ref];
    for (int i = 0; i < 4 && node && node->child[i] != FRC_REF_NONE; i++)
        sum += covered_below(state, boxes, node->child[i]);
    return sum;
}

uint32_t frc_cull_covered(const frc_cull_states* states, const frc_block* block, uint32_t number,
                          frc_boxes boxes) {
    const frc_cull_state* state = frc_cull_state_find(states, block, number);
    return state ? covered_below(state, boxes, 0) : 0;
}
