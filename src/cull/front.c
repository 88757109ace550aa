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
/// Level by level: all nodes of a level are tested at once, by all workers.
#include "base/parallel.h"
#include "cull/certify.h"
#include "cull/cones.h"

/// Triangles that a node must have to be worth a look; measured (docs/cull.md).
static const uint32_t least_faces[FRC_BOXES_COUNT] = {48, 32};

/// The longest wait is between 2^5 and 2^6 visits.
enum { MOST_FAILURES = 5 };

/// Where nothing moved, larger nodes with an edit below are not looked at again: an edit costs what
/// it edits. Their marks are handed down to the children without edits, as what has no pair that
/// counts has no part with one. When the body moves next, all is looked at anyway.
enum { MOST_EDITED = 128 };

typedef struct item {
    uint32_t block, ref;  // block: in the list of this update
    uint8_t boxes;
    bool fresh;  // hidden below a certified node until now: nothing that is known about it counts
    bool heir;   // nothing moved, and before the edits no pair below it counted
    bool test, yes;
} item;

typedef FRC_ARRAY(item) item_list;

typedef struct front {
    fracas_context* context;
    const frc_topology* topology;
    frc_block* const* blocks;
    fracas_cull mode;
    frc_cones** cones;          // of each block, one for each kind of boxes; modes with cones only
    frc_cull_scratch* scratch;  // by worker
    item_list level, next;
    frc_cull_counts* counts;
} front;

static bool has_cones(fracas_cull mode) { return mode >= FRACAS_CULL_NORMAL_CONE; }

static uint32_t face_count(const frc_block* block, uint32_t ref) {
    frc_cull_range faces = frc_cull_faces(block, frc_cull_leaves(block, ref));
    return faces.end - faces.begin;
}

// Where cones decide alone there is nothing to save.
static bool large_enough(const front* f, const frc_block* block, uint32_t ref, frc_boxes boxes) {
    bool quick = f->mode == FRACAS_CULL_NORMAL_CONE || f->mode == FRACAS_CULL_DUAL_CONE;
    return face_count(block, ref) >= (quick ? 2 : least_faces[boxes]);
}

// ---- marks

// A node with a mark is never waiting: whenever something below it moves it is looked at.
static void set_mark(frc_block* block, const item* it) {
    frc_notebook* notebook = block->cull;
    uint32_t place = frc_cull_place(block, it->ref);
    block->skip[place] |= (uint8_t)(1u << it->boxes);
    notebook->failures[it->boxes][place] = notebook->wait[it->boxes][place] = 0;
}

static void clear_mark(frc_block* block, const item* it, bool failed) {
    frc_notebook* notebook = block->cull;
    uint32_t place = frc_cull_place(block, it->ref);
    block->skip[place] &= (uint8_t) ~(1u << it->boxes);
    if (!failed) return;
    uint8_t* failures = &notebook->failures[it->boxes][place];
    if (*failures < MOST_FAILURES) ++*failures;
    uint32_t base = 1u << *failures;
    notebook->wait[it->boxes][place] = (uint8_t)(base - 1 + place % base);
}

// ---- one level

static void decide_whether(const front* f, item* it) {
    const frc_block* block = f->blocks[it->block];
    frc_notebook* notebook = block->cull;
    uint32_t place = frc_cull_place(block, it->ref);
    uint8_t* wait = &notebook->wait[it->boxes][place];
    if (!notebook->all) {
        it->test = face_count(block, it->ref) <= MOST_EDITED;
        return;
    }
    if (it->fresh || has_cones(f->mode)) *wait = 0, notebook->failures[it->boxes][place] = 0;
    it->test = *wait == 0;
    if (*wait > 0) --*wait;
}

static bool try_node(const front* f, const item* it, frc_cull_scratch* scratch) {
    const frc_block* block = f->blocks[it->block];
    frc_boxes boxes = (frc_boxes)it->boxes;
    if (!f->cones) return frc_certify(f->topology, block, boxes, it->ref, scratch);
    const frc_cones* cones = f->cones[FRC_BOXES_COUNT * it->block + it->boxes];
    return frc_cones_cull(f->topology, block, boxes, f->mode, it->ref,
                          &cones[frc_cull_place(block, it->ref)], scratch);
}

static void test_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    front* f = data;
    for (uint32_t i = begin; i < end; i++) {
        item* it = &f->level.data[i];
        if (it->test) it->yes = try_node(f, it, &f->scratch[worker]);
    }
}

static void note(const front* f, const item* it) {
    frc_block* block = f->blocks[it->block];
    if (it->test) f->counts->tried++;
    if (it->test && it->yes) {
        f->counts->certified++;
        f->counts->faces += face_count(block, it->ref);
        set_mark(block, it);
    } else {
        clear_mark(block, it, it->test);
    }
}

// What comes after a node that has no mark. Where things moved all of its children are looked at.
// Where nothing moved those with edits below are, and the others may be heirs.
static bool push_children(front* f, const item* it, bool was) {
    frc_block* block = f->blocks[it->block];
    const frc_notebook* notebook = block->cull;
    if (it->ref & FRC_REF_LEAF) return true;
    const frc_node* node = &block->tree[it->boxes].nodes[it->ref];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        item child = {.block = it->block, .ref = node->child[i], .boxes = it->boxes};
        child.fresh = notebook->all && (it->fresh || was);
        child.heir = !notebook->all && (it->heir || was);
        if (!large_enough(f, block, child.ref, (frc_boxes)it->boxes)) continue;
        bool edited = notebook->dirty[frc_cull_place(block, child.ref)];
        if (!notebook->all && !edited && child.heir) set_mark(block, &child);
        if (!notebook->all && !edited) continue;
        if (!FRC_ARRAY_PUSH(f->context, &f->next, child)) return false;
    }
    return true;
}

static bool run_level(front* f) {
    for (size_t i = 0; i < f->level.count; i++) decide_whether(f, &f->level.data[i]);
    frc_parallel_for(f->context, (uint32_t)f->level.count, 4, test_range, f);
    for (uint32_t w = 0; w < frc_worker_count(f->context); w++)
        if (f->scratch[w].out_of_memory) return false;
    f->next.count = 0;
    for (size_t i = 0; i < f->level.count; i++) {
        const item* it = &f->level.data[i];
        const frc_block* block = f->blocks[it->block];
        bool was = frc_block_skips(block, (frc_boxes)it->boxes, it->ref);
        note(f, it);
        if (!(it->test && it->yes) && !push_children(f, it, was)) return false;
    }
    item_list done = f->level;
    f->level = f->next;
    f->next = done;
    return true;
}

// ---- one update

static bool is_culled(const frc_block* block) {
    return !block->dead && !block->free_elements && block->face_slots > 0;
}

static bool list_roots(front* f, uint32_t count) {
    for (uint32_t b = 0; b < count; b++) {
        const frc_block* block = f->blocks[b];
        if (!is_culled(block)) continue;
        for (int m = 0; m < FRC_BOXES_COUNT; m++) {
            item root = {.block = b, .ref = 0, .boxes = (uint8_t)m};
            if (block->tree[m].nodes && large_enough(f, block, 0, (frc_boxes)m) &&
                !FRC_ARRAY_PUSH(f->context, &f->level, root))
                return false;
        }
    }
    return true;
}

// ---- cones

static size_t cones_size(const frc_block* block) {
    return ((size_t)block->node_count + block->leaf_count) * sizeof(frc_cones);
}

static bool fit_cones(front* f, uint32_t count) {
    f->cones =
        frc_allocate_zero(f->context, FRC_BOXES_COUNT * (size_t)count * sizeof *f->cones + 1);
    bool ok = f->cones != NULL;
    for (uint32_t i = 0; ok && i < FRC_BOXES_COUNT * count; i++) {
        const frc_block* block = f->blocks[i / FRC_BOXES_COUNT];
        frc_boxes boxes = (frc_boxes)(i % FRC_BOXES_COUNT);
        if (!is_culled(block) || !block->tree[boxes].nodes) continue;
        f->cones[i] = frc_allocate(f->context, cones_size(block));
        ok = f->cones[i] != NULL;
        if (ok) frc_cones_fit(f->topology, block, boxes, f->mode, f->cones[i]);
        if (ok && f->mode == FRACAS_CULL_DUAL_CONE)
            ok = frc_cones_connect(f->context, block, f->cones[i]);
    }
    return ok;
}

static void release_cones(front* f, uint32_t count) {
    for (uint32_t i = 0; f->cones && i < FRC_BOXES_COUNT * count; i++)
        frc_release(f->context, f->cones[i], cones_size(f->blocks[i / FRC_BOXES_COUNT]));
    frc_release(f->context, f->cones, FRC_BOXES_COUNT * (size_t)count * sizeof *f->cones + 1);
}

static bool run_levels(front* f, uint32_t count) {
    if (has_cones(f->mode) && !fit_cones(f, count)) return false;
    if (!list_roots(f, count)) return false;
    while (f->level.count > 0)
        if (!run_level(f)) return false;
    return true;
}

static void forget_all(fracas_context* context, frc_block* const* blocks, uint32_t count) {
    for (uint32_t b = 0; b < count; b++) frc_block_forget_cull(context, blocks[b]);
}

bool frc_cull_begin(fracas_context* context, const frc_topology* topology, fracas_cull mode,
                    frc_block* const* blocks, uint32_t count) {
    for (uint32_t b = 0; b < count && mode != FRACAS_CULL_NONE; b++) {
        frc_block* block = blocks[b];
        if (!is_culled(block)) continue;
        if (!block->cull && !frc_notebook_open(context, topology, block)) return false;
        if (!frc_block_pair_waiting(context, topology, block)) return false;
        frc_notebook_take_down(block);
        // What a cone says is not handed down to children: everything is looked at.
        frc_notebook* notebook = block->cull;
        if (has_cones(mode)) notebook->all = true;
    }
    return true;
}

bool frc_cull_run(fracas_context* context, const frc_topology* topology, fracas_cull mode,
                  frc_block* const* blocks, uint32_t count, frc_cull_counts* counts) {
    if (mode == FRACAS_CULL_NONE) return true;
    uint32_t workers = frc_worker_count(context);
    front f = {
        .context = context, .topology = topology, .blocks = blocks, .counts = counts, .mode = mode};
    f.scratch = frc_allocate_zero(context, workers * sizeof *f.scratch);
    bool ok = f.scratch != NULL;
    for (uint32_t w = 0; ok && w < workers; w++) f.scratch[w].context = context;
    ok = ok && run_levels(&f, count);
    release_cones(&f, count);
    for (uint32_t w = 0; f.scratch && w < workers; w++) frc_cull_scratch_release(&f.scratch[w]);
    frc_release(context, f.scratch, workers * sizeof *f.scratch);
    FRC_ARRAY_RELEASE(context, &f.level);
    FRC_ARRAY_RELEASE(context, &f.next);
    if (!ok) {
        forget_all(context, blocks, count);
        return false;
    }
    for (uint32_t b = 0; b < count; b++)
        if (blocks[b]->cull) {
            frc_notebook* notebook = blocks[b]->cull;
            notebook->all = false;
            frc_notebook_clear_touched(notebook);
        }
    return true;
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
