/// @file traverse.c  Pairs of nodes, down to pairs of leaves.
///
/// Read-only, iterative, one box against four at a time. Self pairs of a node are the pairs of its
/// children and the self pairs of each child; a leaf meets an inner node by descending the node.
/// Every feature stands in one leaf, so every pair of features is met once.
#include "detect/leaves.h"

static side block_side(const frc_walk* walk, uint32_t number) {
    const frc_block* block = walk->world->blocks[number];
    return (side){block, walk->trees ? &walk->trees[number] : &block->tree[walk->boxes]};
}

// ---- nodes

// Two leaves may go elsewhere, which could not be foreseen: written to both places, and kept in
// one.
static inline void push(frc_walk* walk, uint32_t ref_a, uint32_t ref_b) {
    const uint64_t pair = (uint64_t)ref_a << 32 | ref_b;
    const uint32_t leaves = (ref_a & ref_b) >> 31 & walk->leaves.wanted;
    assert(walk->stack.count < walk->stack.capacity &&
           walk->leaves.count < FRC_LEAF_PAIRS + FRC_LEAF_PAIRS_ROOM);
    walk->stack.data[walk->stack.count] = walk->leaves.pair[walk->leaves.count] = pair;
    walk->leaves.count += leaves;
    walk->stack.count += 1 - leaves;
}

// Which children of a meet which of b: bit 4 i + j. All in one word, as each loop over bits ends
// with a branch that cannot be foreseen. A lane without a child meets nothing.
static inline uint32_t meet_children(const frc_walk* walk, const frc_node* a, const frc_node* b) {
    const box_lanes lanes = load_lanes(&b->box);
    lane_bits bits = lane_bits_none();
    for (uint32_t i = 0; i < 4; i++) {
        if (walk->reach > 0) {
            probe p = lane_probe(walk, &a->box, i);
            bits = lane_bits_add(bits, overlap_mask(&p, &b->box), i);
        } else {
            bits = lane_bits_add(bits, lane_meets(&a->box, i, &lanes), i);
        }
    }
    return lane_bits_get(bits);
}

static void step_self(frc_walk* walk, const frc_node* node) {
    // Each child with itself and with those after it.
    EACH_BIT(meet_children(walk, node, node) & 0x8cef, bit)
    push(walk, node->child[bit / 4], node->child[bit % 4]);
    walk->statistics.box_pairs += 4;
}

static void step_pair(frc_walk* walk, const frc_node* a, const frc_node* b) {
    EACH_BIT(meet_children(walk, a, b), bit) push(walk, a->child[bit / 4], b->child[bit % 4]);
    walk->statistics.box_pairs += 4;
}

// A leaf against the children of a node.
static void step_leaf(frc_walk* walk, const probe* leaf, uint32_t leaf_ref, const frc_node* node,
                      bool leaf_first) {
    EACH_BIT(overlaps(leaf, &node->box), j)
    if (leaf_first)
        push(walk, leaf_ref, node->child[j]);
    else
        push(walk, node->child[j], leaf_ref);
    walk->statistics.box_pairs++;
}

// The box of a leaf over the whole step stands with its parent.
static probe leaf_probe(const frc_walk* walk, side s, uint32_t number) {
    const frc_leaf* leaf = &s.block->leaves[number];
    return lane_probe(walk, &s.tree->nodes[leaf->parent].box, leaf->lane);
}

// Nothing within a part that has a certificate touches anything else within it. `same`: a and b are
// one block.
static bool is_certified(const frc_walk* walk, side a, bool same, uint32_t ref_a, uint32_t ref_b) {
    return same && ref_a == ref_b && walk->cull && frc_block_skips(a.block, walk->boxes, ref_a);
}

// One pair of references: push what it consists of, or pair the leaves.
static void step(frc_walk* walk, side a, side b, bool same, uint32_t ref_a, uint32_t ref_b) {
    uint32_t number_a = ref_a & ~FRC_REF_LEAF, number_b = ref_b & ~FRC_REF_LEAF;
    bool leaf_a = ref_a & FRC_REF_LEAF, leaf_b = ref_b & FRC_REF_LEAF;
    if (is_certified(walk, a, same, ref_a, ref_b)) return;
    if (leaf_a && leaf_b) {
        frc_pair_leaves(walk, a, ref_a, b, ref_b);
    } else if (leaf_a || leaf_b) {
        probe p = leaf_a ? leaf_probe(walk, a, number_a) : leaf_probe(walk, b, number_b);
        const frc_node* node = leaf_a ? &b.tree->nodes[number_b] : &a.tree->nodes[number_a];
        step_leaf(walk, &p, leaf_a ? ref_a : ref_b, node, leaf_a);
    } else if (same && ref_a == ref_b) {
        step_self(walk, &a.tree->nodes[number_a]);
    } else {
        step_pair(walk, &a.tree->nodes[number_a], &b.tree->nodes[number_b]);
    }
}

static bool reserve_stack(frc_walk* walk) {
    if (FRC_ARRAY_RESERVE(walk->world->context, &walk->stack, walk->stack.count + 16)) return true;
    walk->out_of_memory = true;
    return false;
}

// ---- the tree over blocks

static frc_work top_work(uint64_t pair) {
    return (frc_work){FRC_TOP, FRC_TOP, (uint32_t)(pair >> 32), (uint32_t)pair};
}

// Two blocks whose boxes meet, as work on their roots; false when their bodies do not meet.
static bool block_pair(const frc_walk* walk, uint32_t leaf_a, uint32_t leaf_b, frc_work* out) {
    const frc_world* world = walk->world;
    uint32_t a = world->top->leaf_block[leaf_a & ~FRC_REF_LEAF];
    uint32_t b = world->top->leaf_block[leaf_b & ~FRC_REF_LEAF];
    *out = (frc_work){a < b ? a : b, a < b ? b : a, 0, 0};
    return frc_bodies_meet(world, world->blocks[a]->body, world->blocks[b]->body);
}

// One pair of references of which one is a node at least: push what it consists of.
static void step_top(frc_walk* walk, uint32_t ref_a, uint32_t ref_b) {
    const frc_top* top = walk->world->top;
    const frc_node* nodes = top->nodes[walk->boxes];
    bool leaf_a = ref_a & FRC_REF_LEAF, leaf_b = ref_b & FRC_REF_LEAF;
    if (ref_a == ref_b) {
        step_self(walk, &nodes[ref_a]);
    } else if (leaf_a || leaf_b) {
        uint32_t leaf = leaf_a ? ref_a : ref_b, node = leaf_a ? ref_b : ref_a;
        const frc_block* block = walk->world->blocks[top->leaf_block[leaf & ~FRC_REF_LEAF]];
        probe p = make_probe(walk, block->lo[walk->boxes], block->hi[walk->boxes]);
        step_leaf(walk, &p, leaf, &nodes[node], true);
    } else {
        step_pair(walk, &nodes[ref_a], &nodes[ref_b]);
    }
}

// ---- running

// A walk through blocks that began in the tree over blocks puts its pairs on top of those which
// wait there: `floor` is the first of its own.
typedef struct run {
    const frc_work* work;
    size_t floor;
} run;

// Somebody has nothing to do: the oldest pair that waits is the largest. One is kept. A pair that
// is no work is nothing to give: it is dropped.
static void share(frc_walk* walk, const run* r, side a, bool same) {
    size_t oldest = walk->bottom;
    if (oldest + 2 > walk->stack.count) return;
    uint64_t pair = walk->stack.data[oldest];
    frc_work part = {r->work->block_a, r->work->block_b, (uint32_t)(pair >> 32), (uint32_t)pair};
    if (oldest < r->floor) {
        part = top_work(pair);
    } else if (is_certified(walk, a, same, part.ref_a, part.ref_b)) {
        walk->bottom++;
        return;
    }
    frc_task task;
    memcpy(&task, &part, sizeof task);
    if (frc_task_publish(walk->task_worker, &task)) walk->bottom++;
}

// Leaves that have a certificate need not be paired with themselves.
static void drop_certified(frc_walk* walk, side a) {
    frc_leaf_pairs* p = &walk->leaves;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t ref_a = (uint32_t)(p->pair[i] >> 32), ref_b = (uint32_t)p->pair[i];
        p->pair[kept] = p->pair[i];
        kept += !(ref_a == ref_b && frc_block_skips(a.block, walk->boxes, ref_a));
    }
    p->count = kept;
}

static void pair_waiting(frc_walk* walk, side a, side b, bool same) {
    if (same && walk->cull) drop_certified(walk, a);
    frc_pair_waiting(walk, a, b);
}

static void walk_blocks(frc_walk* walk, const frc_work* work) {
    side a = block_side(walk, work->block_a), b = block_side(walk, work->block_b);
    bool same = work->block_a == work->block_b;
    run r = {work, walk->stack.count};
    if (!reserve_stack(walk)) return;
    push(walk, work->ref_a, work->ref_b);
    for (uint32_t steps = 0; walk->stack.count > r.floor && !walk->out_of_memory; steps++) {
        if (walk->cancelled || !reserve_stack(walk)) return;
        if (steps % 256 == 0 && frc_walk_must_stop(walk)) return;
        if (frc_task_wanted(walk->task_worker)) share(walk, &r, a, same);
        if (walk->stack.count <= walk->bottom) break;
        uint64_t pair = walk->stack.data[--walk->stack.count];
        step(walk, a, b, same, (uint32_t)(pair >> 32), (uint32_t)pair);
        if (walk->leaves.count >= walk->leaves.enough) pair_waiting(walk, a, b, same);
    }
    pair_waiting(walk, a, b, same);
}

static void run_blocks(frc_walk* walk, const frc_work* work) {
    walk->leaves.count = 0;
    walk->leaves.wanted = true;
    walk_blocks(walk, work);
    walk->leaves.wanted = false;
}

static void touch(frc_walk* walk, uint32_t block, uint32_t ref) {
    if (!(ref & FRC_REF_LEAF)) walk->touch(walk, block, ref);
}

// The same, but nodes are touched and nothing is given away. It stands apart so that the loop above
// need not ask.
static void run_touching(frc_walk* walk, const frc_work* work) {
    side a = block_side(walk, work->block_a), b = block_side(walk, work->block_b);
    bool same = work->block_a == work->block_b;
    size_t floor = walk->stack.count;
    if (!reserve_stack(walk)) return;
    push(walk, work->ref_a, work->ref_b);
    for (uint32_t steps = 0; walk->stack.count > floor && !walk->out_of_memory; steps++) {
        if (walk->cancelled || !reserve_stack(walk)) return;
        if (steps % 256 == 0 && frc_walk_must_stop(walk)) return;
        uint64_t pair = walk->stack.data[--walk->stack.count];
        touch(walk, work->block_a, (uint32_t)(pair >> 32));
        touch(walk, work->block_b, (uint32_t)pair);
        step(walk, a, b, same, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
}

static void run_pair(frc_walk* walk, const frc_work* work) {
    if (walk->touch)
        run_touching(walk, work);
    else
        run_blocks(walk, work);
}

static void run_top(frc_walk* walk, const frc_work* work) {
    if (!reserve_stack(walk)) return;
    push(walk, work->ref_a, work->ref_b);
    while (walk->stack.count > walk->bottom && !walk->out_of_memory && !walk->cancelled) {
        uint64_t pair = walk->stack.data[--walk->stack.count];
        uint32_t ref_a = (uint32_t)(pair >> 32), ref_b = (uint32_t)pair;
        frc_work both;
        if (!(ref_a & ref_b & FRC_REF_LEAF)) {
            step_top(walk, ref_a, ref_b);
            if (!reserve_stack(walk)) return;
        } else if (block_pair(walk, ref_a, ref_b, &both)) {
            run_pair(walk, &both);
        }
    }
}

void frc_walk_run(frc_walk* walk, const frc_work* work) {
    walk->stack.count = walk->bottom = walk->leaves.count = 0;
    if (work->block_a == FRC_TOP)
        run_top(walk, work);
    else
        run_pair(walk, work);
}

static void add_part(frc_walk* walk, const frc_work* part, frc_work_list* out) {
    if (!FRC_ARRAY_PUSH(walk->world->context, out, *part)) walk->out_of_memory = true;
}

bool frc_walk_divide(frc_walk* walk, const frc_work* work, frc_work_list* out) {
    const bool top = work->block_a == FRC_TOP;
    walk->stack.count = 0;
    if (!reserve_stack(walk)) return false;
    if (work->ref_a & work->ref_b & FRC_REF_LEAF) {
        frc_work both;
        if (top && block_pair(walk, work->ref_a, work->ref_b, &both)) add_part(walk, &both, out);
        return top;
    }
    if (!top && walk->touch) {
        touch(walk, work->block_a, work->ref_a);
        touch(walk, work->block_b, work->ref_b);
    }
    if (top)
        step_top(walk, work->ref_a, work->ref_b);
    else
        step(walk, block_side(walk, work->block_a), block_side(walk, work->block_b),
             work->block_a == work->block_b, work->ref_a, work->ref_b);
    for (size_t i = 0; i < walk->stack.count; i++) {
        uint64_t pair = walk->stack.data[i];
        frc_work part = {work->block_a, work->block_b, (uint32_t)(pair >> 32), (uint32_t)pair};
        add_part(walk, &part, out);
    }
    return true;
}

// How far the inner nodes right below a node reach: nodes are numbered depth first, and most of
// what is below has numbers between.
static uint64_t extent(side s, uint32_t ref) {
    uint32_t last = ref;
    if (ref & FRC_REF_LEAF) return 0;
    const uint32_t* child = s.tree->nodes[ref].child;
    for (int i = 0; i < 4; i++)
        if (!(child[i] & FRC_REF_LEAF) && child[i] > last) last = child[i];
    return last - ref;
}

uint64_t frc_walk_weight(const frc_walk* walk, const frc_work* work) {
    if (work->block_a == FRC_TOP) return 0;
    const side a = block_side(walk, work->block_a), b = block_side(walk, work->block_b);
    const bool same = work->block_a == work->block_b;
    if (is_certified(walk, a, same, work->ref_a, work->ref_b)) return 0;
    if (same && work->ref_a == work->ref_b) return extent(a, work->ref_a);
    // Neighbours within a block meet along their border; two blocks may lie on one another.
    const uint64_t both = extent(a, work->ref_a) + extent(b, work->ref_b);
    return same ? both / 8 : both / 2;
}

static void fetch(const frc_node* nodes, uint32_t ref) {
    if (!(ref & FRC_REF_LEAF)) frc_node_fetch(&nodes[ref]);
}

void frc_walk_look_ahead(const frc_walk* walk, const frc_work* work) {
    const bool top = work->block_a == FRC_TOP;
    const frc_node* nodes = walk->world->top->nodes[walk->boxes];
    fetch(top ? nodes : block_side(walk, work->block_a).tree->nodes, work->ref_a);
    fetch(top ? nodes : block_side(walk, work->block_b).tree->nodes, work->ref_b);
}
