/// @file traverse.c  Pairs of nodes, down to pairs of leaves.
///
/// Iterative, one box against four at a time; trees are only read, except by `visit_node`. The
/// pairs within a node are the pairs between its children and the pairs within each child. A leaf
/// against an inner node is tested with the children of the node. Every feature is in one leaf, so
/// every pair of features is found once.
#include "detect/traverse.h"
#include "detect/box_test.h"
#include <assert.h>

static bool reserve_stack(frc_detect_worker* worker) {
    if (FRC_ARRAY_RESERVE(worker->world->context, &worker->stack, worker->stack.count + 16))
        return true;
    worker->out_of_memory = true;
    return false;
}

// Pairs of leaves are collected in a separate list. A branch would mispredict: the pair is written
// to both lists, and one of the two counts is incremented.
static inline void push(frc_detect_worker* worker, uint32_t ref_a, uint32_t ref_b) {
    frc_leaf_pairs* pairs = &worker->leaf_pairs;
    const uint64_t pair = (uint64_t)ref_a << 32 | ref_b;
    const uint32_t leaves = (ref_a & ref_b) >> 31 & pairs->collect;
    assert(worker->stack.count < worker->stack.capacity && pairs->count < FRC_LEAF_PAIRS_CAPACITY);
    worker->stack.data[worker->stack.count] = pairs->pair[pairs->count] = pair;
    pairs->count += leaves;
    worker->stack.count += 1 - leaves;
}

// ---- one pair of references: push the pairs of children whose boxes overlap

// Two nodes. Within one node (a = b): each child with itself and with the children after it.
static inline void expand_nodes(frc_detect_worker* worker, const frc_node* a, const frc_node* b,
                                uint32_t overlap) {
    EACH_BIT(overlap & (a == b ? 0x8cef : 0xffff), bit)
    push(worker, a->child[bit / 4], b->child[bit % 4]);
    worker->statistics.box_pairs += 4;
}

// A leaf and a node.
static inline void expand_leaf(frc_detect_worker* worker, uint32_t leaf_ref, const frc_node* node,
                               uint32_t overlap, bool leaf_first) {
    EACH_BIT(overlap, j)
    if (leaf_first)
        push(worker, leaf_ref, node->child[j]);
    else
        push(worker, node->child[j], leaf_ref);
    worker->statistics.box_pairs++;
}

// A pair of the tree over blocks; not two leaves.
static void expand_top(frc_detect_worker* worker, uint32_t ref_a, uint32_t ref_b) {
    const frc_top_tree* top = worker->world->top;
    const frc_node* nodes = top->nodes[worker->boxes];
    const bool leaf_a = ref_a & FRC_REF_LEAF, leaf_b = ref_b & FRC_REF_LEAF;
    if (leaf_a || leaf_b) {
        const uint32_t leaf = leaf_a ? ref_a : ref_b, node = leaf_a ? ref_b : ref_a;
        const frc_block* block = worker->world->blocks[top->leaf_block[leaf & ~FRC_REF_LEAF]];
        const frc_splat_box box =
            frc_make_splat_box(worker, block->lo[worker->boxes], block->hi[worker->boxes]);
        const uint32_t overlap = m32x4_bits(frc_overlap_mask(&box, &nodes[node].box));
        expand_leaf(worker, leaf, &nodes[node], overlap, true);
    } else {
        const frc_node *a = &nodes[ref_a], *b = &nodes[ref_b];
        expand_nodes(worker, a, b, frc_overlap_children(worker, a, b));
    }
}

// A pair of references in two blocks, or in one. Two leaves are not expanded: their features are
// paired.
static void expand(frc_detect_worker* worker, frc_side a, frc_side b, uint32_t ref_a,
                   uint32_t ref_b) {
    const uint32_t number_a = ref_a & ~FRC_REF_LEAF, number_b = ref_b & ~FRC_REF_LEAF;
    const bool leaf_a = ref_a & FRC_REF_LEAF, leaf_b = ref_b & FRC_REF_LEAF;
    if (frc_is_certified(worker, a, b, ref_a, ref_b)) return;
    if (leaf_a && leaf_b) {
        worker->leaf_pairs.pair[0] = (uint64_t)ref_a << 32 | ref_b;
        worker->leaf_pairs.count = 1;
        frc_pair_leaves(worker, a, b);
    } else if (leaf_a || leaf_b) {
        const frc_side s = leaf_a ? a : b;
        const frc_leaf* leaf = &s.block->leaves[leaf_a ? number_a : number_b];
        const frc_node* node = leaf_a ? &b.tree->nodes[number_b] : &a.tree->nodes[number_a];
        // The box of a leaf is stored in its parent.
        const frc_splat_box box =
            frc_lane_box(worker, &s.tree->nodes[leaf->parent].box, leaf->lane);
        const uint32_t overlap = m32x4_bits(frc_overlap_mask(&box, &node->box));
        expand_leaf(worker, leaf_a ? ref_a : ref_b, node, overlap, leaf_a);
    } else {
        const frc_node *na = &a.tree->nodes[number_a], *nb = &b.tree->nodes[number_b];
        expand_nodes(worker, na, nb, frc_overlap_children(worker, na, nb));
    }
}

// The work for two blocks whose boxes overlap: the pair of their roots. False: the filters of their
// bodies exclude contacts.
static bool block_pair(const frc_detect_worker* worker, uint32_t leaf_a, uint32_t leaf_b,
                       frc_work* out) {
    const frc_world* world = worker->world;
    const uint32_t a = world->top->leaf_block[leaf_a & ~FRC_REF_LEAF];
    const uint32_t b = world->top->leaf_block[leaf_b & ~FRC_REF_LEAF];
    *out = (frc_work){a < b ? a : b, a < b ? b : a, 0, 0};
    return frc_bodies_can_collide(world, world->blocks[a]->body, world->blocks[b]->body);
}

// ---- a task

// Publish the oldest pending pair, which is the largest, for an idle worker; keep at least one
// pair. Stack entries from `floor` on belong to the blocks of `work`, lower entries to the tree
// over blocks.
static void publish(frc_detect_worker* worker, const frc_work* work, size_t floor, frc_side a,
                    frc_side b) {
    const size_t oldest = worker->stack_bottom;
    if (oldest + 2 > worker->stack.count) return;
    const uint64_t pair = worker->stack.data[oldest];
    frc_work part = {work->block_a, work->block_b, (uint32_t)(pair >> 32), (uint32_t)pair};
    if (oldest < floor) {
        part.block_a = part.block_b = FRC_TOP;
    } else if (frc_is_certified(worker, a, b, part.ref_a, part.ref_b)) {
        worker->stack_bottom++;  // drop it: the certificate excludes contacts
        return;
    }
    frc_task task;
    memcpy(&task, &part, sizeof task);
    if (frc_task_publish(worker->task_worker, &task)) worker->stack_bottom++;
}

// Process the collected pairs of leaves, without certified leaves paired with themselves.
static void pair_collected_leaves(frc_detect_worker* worker, frc_side a, frc_side b) {
    frc_leaf_pairs* p = &worker->leaf_pairs;
    if (a.block == b.block && worker->cull) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < p->count; i++) {
            const uint32_t ref_a = (uint32_t)(p->pair[i] >> 32), ref_b = (uint32_t)p->pair[i];
            p->pair[kept] = p->pair[i];
            kept += !(ref_a == ref_b && frc_block_skips(a.block, worker->boxes, ref_a));
        }
        p->count = kept;
    }
    frc_pair_leaves(worker, a, b);
}

static void visit(frc_detect_worker* worker, uint32_t block, uint32_t ref) {
    if (!(ref & FRC_REF_LEAF)) worker->visit_node(worker, block, ref);
}

// The next pair of blocks that may have contacts: expands pairs of the tree over blocks, in which
// the stack begins. Entries below `stack_bottom` are published and not popped. False: none is left.
static bool next_blocks(frc_detect_worker* worker, frc_work* out) {
    while (worker->stack.count > worker->stack_bottom && !worker->out_of_memory &&
           !worker->cancelled) {
        const uint64_t pair = worker->stack.data[--worker->stack.count];
        const uint32_t ref_a = (uint32_t)(pair >> 32), ref_b = (uint32_t)pair;
        if (!(ref_a & ref_b & FRC_REF_LEAF)) {
            if (worker->visit_node) visit(worker, FRC_TOP, ref_a), visit(worker, FRC_TOP, ref_b);
            expand_top(worker, ref_a, ref_b);
            if (!reserve_stack(worker)) return false;
        } else if (block_pair(worker, ref_a, ref_b, out)) {
            return true;
        }
    }
    return false;
}

// The reach of two bodies: at most that of the tree over blocks. The same for thin bodies.
static void set_reach(frc_detect_worker* worker, const frc_work* work) {
    const frc_world* world = worker->world;
    if (world->thickest > 0 && worker->search != FRC_SEARCH_DISCRETE)
        worker->reach = frc_bodies_reach(worker, world->blocks[work->block_a]->body,
                                         world->blocks[work->block_b]->body);
}

// Everything below a pair of references in two blocks. Pending pairs of the tree over blocks stay
// on the stack below `floor`.
static void traverse_blocks(frc_detect_worker* worker, const frc_work* work) {
    const frc_side a = frc_block_side(worker, work->block_a),
                   b = frc_block_side(worker, work->block_b);
    const size_t floor = worker->stack.count;
    if (!reserve_stack(worker)) return;
    worker->leaf_pairs.collect = true;
    push(worker, work->ref_a, work->ref_b);
    for (uint32_t steps = 0; worker->stack.count > floor; steps++) {
        if (steps % 256 == 0) frc_detect_cancelled(worker);
        if (worker->cancelled || worker->out_of_memory || !reserve_stack(worker)) break;
        if (frc_task_wanted(worker->task_worker)) publish(worker, work, floor, a, b);
        if (worker->stack.count <= worker->stack_bottom) break;
        const uint64_t pair = worker->stack.data[--worker->stack.count];
        expand(worker, a, b, (uint32_t)(pair >> 32), (uint32_t)pair);
        if (worker->leaf_pairs.count >= worker->leaf_pairs.limit)
            pair_collected_leaves(worker, a, b);
    }
    worker->leaf_pairs.collect = false;
    if (!worker->cancelled && !worker->out_of_memory) pair_collected_leaves(worker, a, b);
    worker->leaf_pairs.count = 0;
}

// The same for methods that visit nodes before their children are read. A visit may rebuild the
// subtree of a node, so no pairs of leaves are collected. Nothing is published: such methods have
// schedulers of their own. A separate loop keeps the test out of the one above.
static void traverse_visiting(frc_detect_worker* worker, const frc_work* work) {
    const frc_side a = frc_block_side(worker, work->block_a),
                   b = frc_block_side(worker, work->block_b);
    const size_t floor = worker->stack.count;
    if (!reserve_stack(worker)) return;
    push(worker, work->ref_a, work->ref_b);
    for (uint32_t steps = 0; worker->stack.count > floor; steps++) {
        if (steps % 256 == 0) frc_detect_cancelled(worker);
        if (worker->cancelled || worker->out_of_memory || !reserve_stack(worker)) return;
        const uint64_t pair = worker->stack.data[--worker->stack.count];
        visit(worker, work->block_a, (uint32_t)(pair >> 32));
        visit(worker, work->block_b, (uint32_t)pair);
        expand(worker, a, b, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
}

void frc_traverse(frc_detect_worker* worker, const frc_work* work, void* unused) {
    (void)unused;
    void (*const traverse)(frc_detect_worker*, const frc_work*) =
        worker->visit_node ? traverse_visiting : traverse_blocks;
    worker->stack.count = worker->stack_bottom = worker->leaf_pairs.count = 0;
    if (work->block_a != FRC_TOP) {
        set_reach(worker, work);
        traverse(worker, work);
        frc_detect_worker_reach_all(worker);
        return;
    }
    if (!reserve_stack(worker)) return;
    push(worker, work->ref_a, work->ref_b);
    for (frc_work blocks; next_blocks(worker, &blocks); frc_detect_worker_reach_all(worker)) {
        set_reach(worker, &blocks);
        traverse(worker, &blocks);
    }
}

bool frc_split_work(frc_detect_worker* worker, const frc_work* work, frc_work_list* out) {
    fracas_context* context = worker->world->context;
    const bool top = work->block_a == FRC_TOP;
    worker->stack.count = 0;
    if (!reserve_stack(worker)) return false;
    if (work->ref_a & work->ref_b & FRC_REF_LEAF) {
        frc_work blocks;
        if (top && block_pair(worker, work->ref_a, work->ref_b, &blocks) &&
            !FRC_ARRAY_PUSH(context, out, blocks))
            worker->out_of_memory = true;
        return top;
    }
    if (worker->visit_node) {
        visit(worker, work->block_a, work->ref_a);
        visit(worker, work->block_b, work->ref_b);
    }
    if (top)
        expand_top(worker, work->ref_a, work->ref_b);
    else
        expand(worker, frc_block_side(worker, work->block_a), frc_block_side(worker, work->block_b),
               work->ref_a, work->ref_b);
    for (size_t i = 0; i < worker->stack.count; i++) {
        const uint64_t pair = worker->stack.data[i];
        const frc_work part = {work->block_a, work->block_b, (uint32_t)(pair >> 32),
                               (uint32_t)pair};
        if (!FRC_ARRAY_PUSH(context, out, part)) worker->out_of_memory = true;
    }
    return true;
}
