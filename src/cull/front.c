/// @file front.c  Which nodes to look at: from the root down to the first that has a certificate,
/// and not all of them in every update.
///
/// The certified nodes with no certified node above them are the front. A node of the front is
/// looked at whenever something below it has moved; when it fails, its children are. A node above
/// the front, or in a region that is too crumpled to have a front, failed before: it is tried again
/// after a wait that doubles with each failure in a row. Waits are counted in visits and spread by
/// node numbers, so they do not depend on time or threads.
///
/// Based on: the idea of a front that is kept between frames is an old one of collision trees; here
/// it is not stored as a list but read off the marks.
///
/// What is below one node does not depend on what is below another: whoever has nothing to do is
/// given a node, and where there are none left helps with the triangles of a large one.
#include "base/task_pool.h"
#include "cull/certify.h"
#include "cull/loops.h"
#include <string.h>

/// The longest wait is between 2^5 and 2^6 visits.
enum { MOST_FAILURES = 5 };

/// Where nothing moved, larger nodes with an edit below are not looked at again: an edit costs what
/// it edits. Their marks are handed down to the children without edits, as what has no pair that
/// counts has no part with one. When the body moves next, all is looked at anyway.
enum { MOST_EDITED = 128 };

typedef struct item {
    uint32_t block, ref;  // block: in the list of this update
    uint32_t fresh;       // hidden below a certified node until now: nothing known about it counts
    uint32_t heir;        // nothing moved, and before the edits no pair below it counted
} item;
_Static_assert(sizeof(item) == sizeof(frc_task), "an item is handed over as a task");

typedef FRC_ARRAY(item) item_list;

/// A worker.
typedef struct frc_looker {
    frc_cull_scratch scratch;
    item_list stack;
    size_t bottom;  // the first that was not given away
    frc_cull_counts counts;
} looker;

typedef struct front {
    fracas_context* context;
    const frc_topology* topology;
    frc_block* const* blocks;
    const uint8_t* notes;  // by block
    const frc_cull_job* job;
    const frc_cull_criterion* criterion;
    void* data;  // of the criterion
    frc_boxes boxes;
    looker* lookers;  // by worker
    item_list roots;  // that are worth a look
} front;

static uint32_t face_count(const frc_block* block, uint32_t ref) {
    frc_cull_range faces = frc_cull_faces(block, frc_cull_leaves(block, ref));
    return faces.end - faces.begin;
}

static bool large_enough(const frc_cull_criterion* criterion, const frc_block* block, uint32_t ref,
                         frc_boxes boxes) {
    return face_count(block, ref) >= criterion->least_faces[boxes];
}

// ---- marks

// A node with a mark is never waiting: whenever something below it moves it is looked at.
static void set_mark(const front* f, frc_block* block, uint32_t ref) {
    frc_notebook* notebook = block->cull;
    uint32_t place = frc_cull_place(block, ref);
    block->skip[place] |= (uint8_t)(1u << f->boxes);
    notebook->failures[f->boxes][place] = notebook->wait[f->boxes][place] = 0;
}

static void clear_mark(const front* f, frc_block* block, uint32_t ref, bool failed) {
    frc_notebook* notebook = block->cull;
    uint32_t place = frc_cull_place(block, ref);
    block->skip[place] &= (uint8_t) ~(1u << f->boxes);
    if (!failed) return;
    uint8_t* failures = &notebook->failures[f->boxes][place];
    if (*failures < MOST_FAILURES) ++*failures;
    uint32_t base = 1u << *failures;
    notebook->wait[f->boxes][place] = (uint8_t)(base - 1 + place % base);
}

// ---- one node

static bool is_worth_a_test(const front* f, const item* it) {
    const frc_block* block = f->blocks[it->block];
    frc_notebook* notebook = block->cull;
    uint32_t place = frc_cull_place(block, it->ref);
    uint8_t* wait = &notebook->wait[f->boxes][place];
    if (!notebook->all) return face_count(block, it->ref) <= MOST_EDITED;
    if (it->fresh || !f->criterion->lasts) *wait = 0, notebook->failures[f->boxes][place] = 0;
    if (*wait == 0) return true;
    --*wait;
    return false;
}

// Whether it has a mark now.
static bool look_at(const front* f, const item* it, looker* l) {
    frc_block* block = f->blocks[it->block];
    bool test = is_worth_a_test(f, it);
    bool yes =
        test && f->criterion->accepts(f->job, f->data, it->block, f->boxes, it->ref, &l->scratch);
    if (test) l->counts.tried++;
    if (yes) {
        l->counts.certified++;
        l->counts.faces += face_count(block, it->ref);
        set_mark(f, block, it->ref);
    } else {
        clear_mark(f, block, it->ref, test);
    }
    return yes;
}

// What comes after a node that has no mark. Where things moved all of its children are looked at.
// Where nothing moved those with edits below are, and the others may be heirs.
static bool push_children(const front* f, const item* it, bool was, looker* l) {
    frc_block* block = f->blocks[it->block];
    const frc_notebook* notebook = block->cull;
    if (it->ref & FRC_REF_LEAF) return true;
    const frc_node* node = &block->tree[f->boxes].nodes[it->ref];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        item child = {.block = it->block, .ref = node->child[i]};
        child.fresh = notebook->all && (it->fresh || was);
        child.heir = !notebook->all && (it->heir || was);
        if (!large_enough(f->criterion, block, child.ref, f->boxes)) continue;
        bool edited = notebook->dirty[frc_cull_place(block, child.ref)];
        if (!notebook->all && !edited && child.heir) set_mark(f, block, child.ref);
        if (!notebook->all && !edited) continue;
        if (!FRC_ARRAY_PUSH(f->context, &l->stack, child)) return false;
    }
    return true;
}

static void run_item(const front* f, const item* it, looker* l) {
    bool was = frc_block_skips(f->blocks[it->block], f->boxes, it->ref);
    if (!look_at(f, it, l) && !push_children(f, it, was, l)) l->scratch.out_of_memory = true;
}

// ---- all nodes

// As many as are asked for, but one: the next node may take longer than all others together.
static void share(frc_task_worker* task_worker, looker* l) {
    frc_task task;
    while (frc_task_wanted(task_worker) && l->bottom + 2 <= l->stack.count) {
        memcpy(&task, &l->stack.data[l->bottom], sizeof task);
        if (!frc_task_publish(task_worker, &task)) return;
        l->bottom++;
    }
}

static void run_task(frc_task_worker* task_worker, const frc_task* task, void* data) {
    const front* f = data;
    looker* l = &f->lookers[task_worker->index];
    item first;
    memcpy(&first, task, sizeof first);
    l->bottom = l->stack.count = 0;
    run_item(f, &first, l);
    while (l->stack.count > l->bottom && !l->scratch.out_of_memory) {
        share(task_worker, l);
        item next = l->stack.data[--l->stack.count];
        run_item(f, &next, l);
    }
}

static bool run_boxes(front* f) {
    const item_list* roots = &f->roots;
    const frc_task_pool_work work = {.tasks = (const frc_task*)(const void*)roots->data,
                                     .count = (uint32_t)roots->count,
                                     .run = run_task,
                                     .data = f};
    if (roots->count == 0) return true;
    frc_task_pool_run(f->context, &work);
    bool ok = true;
    for (uint32_t w = 0; w < frc_worker_count(f->context); w++)
        ok = ok && !f->lookers[w].scratch.out_of_memory;
    return ok;
}

// ---- one update

static bool list_roots(front* f, uint32_t count) {
    f->roots.count = 0;
    for (uint32_t b = 0; b < count; b++) {
        item root = {.block = b, .ref = 0};
        if (f->notes[b] >> f->boxes & 1 && !FRC_ARRAY_PUSH(f->context, &f->roots, root))
            return false;
    }
    return true;
}

// One kind of boxes after the other: their marks stand in the same bytes.
static bool run_all(front* f, uint32_t count) {
    const frc_cull_criterion* criterion = f->criterion;
    if (criterion->prepare && !criterion->prepare(f->job, &f->data)) return false;
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        f->boxes = (frc_boxes)m;
        if (!list_roots(f, count) || !run_boxes(f)) return false;
    }
    return true;
}

static void forget_all(fracas_context* context, frc_block* const* blocks, uint32_t count) {
    for (uint32_t b = 0; b < count; b++) frc_block_forget_cull(context, blocks[b]);
}

typedef struct opening {
    const frc_cull_job* job;
    uint8_t* notes;  // by block, noted as it is opened: nobody goes through all once more
    atomic_bool out_of_memory;
} opening;

static bool open_block(const frc_cull_job* job, frc_block* block) {
    if (!block->cull && !frc_notebook_open(job->context, job->topology, block)) return false;
    if (!frc_block_pair_waiting(job->context, job->topology, block)) return false;
    frc_notebook_take_down(block);
    frc_loops_review(block);
    frc_notebook* notebook = block->cull;
    if (!job->criterion->lasts) notebook->all = true;
    return true;
}

// Bits: kinds of boxes for which its root is worth a look.
static uint8_t note_block(const frc_cull_criterion* criterion, const frc_block* block) {
    uint8_t roots = 0;
    for (uint32_t m = 0; m < FRC_BOXES_COUNT && frc_cull_includes(block); m++)
        if (block->tree[m].nodes && large_enough(criterion, block, 0, (frc_boxes)m))
            roots |= (uint8_t)(1u << m);
    return roots;
}

static void open_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    opening* o = data;
    const frc_cull_job* job = o->job;
    for (uint32_t b = begin; b < end; b++) {
        if (frc_cull_includes(job->blocks[b]) && !open_block(job, job->blocks[b]))
            atomic_store_explicit(&o->out_of_memory, true, memory_order_relaxed);
        else
            o->notes[b] = note_block(job->criterion, job->blocks[b]);
    }
}

enum { BLOCKS = 8 };  // that a worker takes at a time: a few microseconds

bool frc_cull_begin(const frc_cull_job* job) {
    if (!job->criterion) return true;
    if (!FRC_ARRAY_RESERVE(job->context, &job->room->notes, job->count)) return false;
    // Where something broke most are new, and few: each takes a while.
    uint32_t each = job->count / (2 * frc_worker_count(job->context)) + 1;
    if (each > BLOCKS) each = BLOCKS;
    opening o = {.job = job, .notes = job->room->notes.data};
    atomic_init(&o.out_of_memory, false);
    frc_parallel_for(job->context, job->count, each, open_blocks, &o);
    return !atomic_load(&o.out_of_memory);
}

static bool take_room(fracas_context* context, frc_cull_room* room, const frc_low* lows) {
    uint32_t workers = frc_worker_count(context);
    if (!room->lookers) room->lookers = frc_allocate_zero(context, workers * sizeof(looker));
    for (uint32_t w = 0; room->lookers && w < workers; w++) {
        looker* l = &room->lookers[w];
        l->scratch.context = context;
        l->scratch.keeps_loops = true;
        l->scratch.lows = lows;
        l->scratch.out_of_memory = false;
        l->counts = (frc_cull_counts){0};
    }
    return room->lookers != NULL;
}

void frc_cull_room_release(fracas_context* context, frc_cull_room* room) {
    uint32_t workers = frc_worker_count(context);
    for (uint32_t w = 0; room->lookers && w < workers; w++) {
        frc_cull_scratch_release(&room->lookers[w].scratch);
        FRC_ARRAY_RELEASE(context, &room->lookers[w].stack);
    }
    frc_release(context, room->lookers, workers * sizeof(looker));
    FRC_ARRAY_RELEASE(context, &room->notes);
    room->lookers = NULL;
}

static void close_blocks(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const front* f = data;
    for (uint32_t b = begin; b < end; b++) {
        frc_notebook* notebook = f->blocks[b]->cull;
        if (!notebook) continue;
        notebook->all = false;
        frc_notebook_clear_touched(notebook);
    }
}

static void add_counts(const front* f, frc_cull_counts* counts) {
    for (uint32_t w = 0; f->lookers && w < frc_worker_count(f->context); w++) {
        counts->tried += f->lookers[w].counts.tried;
        counts->certified += f->lookers[w].counts.certified;
        counts->faces += f->lookers[w].counts.faces;
    }
}

static bool cull_blocks(const frc_cull_job* job) {
    fracas_context* context = job->context;
    front f = {.context = context,
               .topology = job->topology,
               .blocks = job->blocks,
               .notes = job->room->notes.data,
               .job = job,
               .criterion = job->criterion,
               .lookers = job->room->lookers};
    const bool ok = run_all(&f, job->count);
    FRC_ARRAY_RELEASE(context, &f.roots);
    if (job->criterion->release) job->criterion->release(job, f.data);
    add_counts(&f, job->counts);
    if (!ok) return false;
    frc_parallel_for(context, job->count, BLOCKS, close_blocks, &f);
    return true;
}

bool frc_cull_run(const frc_cull_job* job) {
    if (!job->criterion) return true;
    const bool ok = take_room(job->context, job->room, job->lows) && cull_blocks(job);
    if (!ok) forget_all(job->context, job->blocks, job->count);
    return ok;
}

static uint32_t covered_below(const frc_block* block, frc_boxes boxes, uint32_t ref) {
    if (frc_block_skips(block, boxes, ref)) return face_count(block, ref);
    uint32_t sum = 0;
    const frc_node* node = ref & FRC_REF_LEAF ? NULL : &frc_cull_nodes(block)[ref];
    for (int i = 0; i < 4 && node && node->child[i] != FRC_REF_NONE; i++)
        sum += covered_below(block, boxes, node->child[i]);
    return sum;
}

uint32_t frc_cull_covered(const frc_block* block, frc_boxes boxes) {
    return block->skip && block->cull ? covered_below(block, boxes, 0) : 0;
}
