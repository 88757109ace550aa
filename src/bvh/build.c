/// @file build.c  Top-down construction of a 4-wide tree from a function that splits a range in
/// two.
///
/// A node starts with one range and splits the heaviest child until it has four. The builders
/// differ only in where they split and in the weights. Positions and the order of the input
/// determine the tree: the same input gives the same tree on any machine.
///
/// A large tree is built in parallel: first the upper nodes, then the subtrees below them on all
/// workers, each in memory of its own. At the end nodes are copied into the order, and get the
/// numbers, of the serial build.
#include "bvh/build.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/simd.h"
#include <string.h>

// A node to build.
typedef struct task {
    frc_range range;
    uint32_t parent, lane;
} task;

typedef struct build {
    frc_splitter splitter;  // subtrees share its arrays, in disjoint ranges
    frc_split_fn* split;
    frc_shape* shape;
    struct parallel_build* upper;  // this is the build of its upper nodes; NULL: any other build
    task* stack;
    uint32_t top;
} build;

// An upper node, or a subtree below the upper nodes.
typedef struct part {
    task begin;  // its parent is an upper node
    bool subtree;
    uint32_t nodes, leaves;  // of a subtree
} part;

typedef struct parallel_build {
    fracas_context* context;
    const build* whole;
    frc_shape upper;
    uint32_t subtree_prims;  // at most
    part* parts;             // in the order of the node numbers of the serial build
    uint32_t count;
    uint32_t* number;  // final number by upper node
    atomic_bool failed;
} parallel_build;

// Trees of PARALLEL_PRIMS are built in parallel: at most UPPER_NODES, at least
// SUBTREES_PER_WORKER subtrees for each worker, with at least SUBTREE_PRIMS each.
enum { PARALLEL_PRIMS = 16384, UPPER_NODES = 1024, SUBTREES_PER_WORKER = 4, SUBTREE_PRIMS = 1024 };

// The range to split next: the heaviest that is too large for a leaf; -1 when none is. When four
// leaves can hold each range, the smallest: the larger ones then fill nodes of their own.
static int next_to_split(const frc_range* ranges, int count, uint32_t leaf_size) {
    int heavy = -1, small = -1;
    bool last = true;
    for (int i = 0; i < count; i++) {
        if (ranges[i].count > 4 * leaf_size) last = false;
        if (ranges[i].count <= leaf_size) continue;
        if (heavy < 0 || ranges[i].weight > ranges[heavy].weight) heavy = i;
        if (small < 0 || ranges[i].count < ranges[small].count) small = i;
    }
    return last ? small : heavy;
}

// Make the node of `t` and push its inner children, the last first, so that they are made in order.
static void make_node(build* b, const task* t) {
    const uint32_t leaf_size = b->splitter.options.leaf_size;
    // At most four ranges, in the order of the primitives.
    frc_range ranges[4];
    int count = 1;
    ranges[0] = t->range;
    while (count < 4) {
        const int i = next_to_split(ranges, count, leaf_size);
        if (i < 0) break;
        const frc_range split = ranges[i];
        memmove(&ranges[i + 2], &ranges[i + 1], (size_t)(count - i - 1) * sizeof *ranges);
        b->split(&b->splitter, &split, &ranges[i]);
        count++;
    }
    frc_shape* shape = b->shape;
    uint32_t number = shape->node_count++;
    frc_node* node = &shape->nodes[number];
    memset(node, 0, sizeof *node);
    node->parent = t->parent;
    node->lane = t->lane;
    if (t->parent != FRC_REF_NONE) shape->nodes[t->parent].child[t->lane] = number;
    for (int i = 3; i >= 0; i--) {
        node->child[i] = FRC_REF_NONE;
        if (i < count && ranges[i].count > leaf_size)
            b->stack[b->top++] = (task){ranges[i], number, (uint32_t)i};
    }
    for (int i = 0; i < count; i++)
        if (ranges[i].count <= leaf_size) {
            uint32_t leaf = shape->leaf_count++;
            shape->leaves[leaf] =
                (frc_leaf_range){ranges[i].first, ranges[i].count, number, (uint32_t)i};
            node->child[i] = leaf | FRC_REF_LEAF;
        }
}

// The arrays that the builder needs, and centres, which are computed without overflow.
static bool prepare_splitter(fracas_context* context, frc_splitter* s) {
    const size_t n = s->count;
    if (s->options.cuts) return frc_order_prepare(context, s);
    if (s->options.builder == FRC_BUILD_SAH) return true;
    s->centers = frc_allocate(context, n * sizeof *s->centers);
    if (!s->centers) return false;
    if (s->options.builder == FRC_BUILD_GRID) {
        s->spare = frc_allocate(context, n * sizeof *s->spare);
        s->codes = frc_allocate(context, n * sizeof *s->codes);
        s->spare_codes = frc_allocate(context, n * sizeof *s->spare_codes);
        if (!s->spare || !s->codes || !s->spare_codes) return false;
    }
    const f32x4 half = f32x4_splat(0.5f);
    for (uint32_t i = 0; i < s->count; i++) {
        const frc_prim* p = &s->prims[i];
        const f32x4 lo = f32x4_axes(f32x4_load(p->lo)), hi = f32x4_axes(f32x4_load(p->hi));
        f32x4_store(s->centers[i].at, f32x4_add(f32x4_mul(lo, half), f32x4_mul(hi, half)));
        s->centers[i].id = p->id;
    }
    return true;
}

// The tree of a range. False: no memory, or cancelled.
static bool make_nodes(fracas_context* context, build* b, const frc_range* range) {
    // Pending nodes hold disjoint ranges of more than leaf_size primitives each.
    const size_t most = (size_t)range->count / (b->splitter.options.leaf_size + 1) + 4;
    b->stack = frc_allocate(context, most * sizeof *b->stack);
    if (!b->stack) return false;
    b->stack[b->top++] = (task){*range, FRC_REF_NONE, 0};
    while (b->top > 0 && !frc_cancelled(context)) {
        const task t = b->stack[--b->top];
        if (b->upper) {
            // List every upper node and subtree; leave subtrees to the workers.
            parallel_build* p = b->upper;
            const bool subtree =
                t.range.count <= p->subtree_prims || p->upper.node_count == UPPER_NODES;
            p->parts[p->count++] = (part){.begin = t, .subtree = subtree};
            if (subtree) continue;
        }
        make_node(b, &t);
    }
    frc_release(context, b->stack, most * sizeof *b->stack);
    return b->top == 0;
}

// ---- parallel builds

// The memory in which a subtree is built: its final position plus the number of upper nodes, so
// that copying never overwrites a subtree that was not yet copied.
static frc_shape subtree_memory(const parallel_build* p, const part* q) {
    const frc_shape* shape = p->whole->shape;
    const uint32_t first = q->begin.range.first;
    return (frc_shape){.nodes = shape->nodes + UPPER_NODES + first,
                       .leaves = shape->leaves + 4 * UPPER_NODES + first};
}

static void make_subtrees(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    parallel_build* p = data;
    for (uint32_t i = begin; i < end; i++) {
        part* q = &p->parts[i];
        if (!q->subtree) continue;
        frc_shape shape = subtree_memory(p, q);
        build b = *p->whole;
        b.shape = &shape;
        if (!make_nodes(p->context, &b, &q->begin.range))
            atomic_store_explicit(&p->failed, true, memory_order_relaxed);
        q->nodes = shape.node_count, q->leaves = shape.leaf_count;
    }
}

// The number of the next node, linked from its parent.
static uint32_t append_node(const parallel_build* p, const task* t) {
    frc_shape* out = p->whole->shape;
    const uint32_t number = out->node_count++;
    if (t->parent != FRC_REF_NONE) out->nodes[p->number[t->parent]].child[t->lane] = number;
    return number;
}

// Append upper node `i` and its leaves, which get numbers before those of its descendants.
static void append_upper_node(const parallel_build* p, const part* q, uint32_t i) {
    frc_shape* out = p->whole->shape;
    const uint32_t number = append_node(p, &q->begin);
    frc_node* node = &out->nodes[number];
    p->number[i] = number;
    *node = p->upper.nodes[i];
    if (node->parent != FRC_REF_NONE) node->parent = p->number[node->parent];
    for (int k = 0; k < 4; k++) {
        // append_node of the child writes the number of an inner child.
        if (node->child[k] == FRC_REF_NONE || !(node->child[k] & FRC_REF_LEAF)) continue;
        const uint32_t leaf = out->leaf_count++;
        out->leaves[leaf] = p->upper.leaves[node->child[k] & ~FRC_REF_LEAF];
        out->leaves[leaf].parent = number;
        node->child[k] = leaf | FRC_REF_LEAF;
    }
}

static void append_subtree(const parallel_build* p, const part* q) {
    frc_shape* out = p->whole->shape;
    const frc_shape from = subtree_memory(p, q);
    const uint32_t leaf = out->leaf_count, first = append_node(p, &q->begin);
    frc_node* nodes = &out->nodes[first];
    memmove(nodes, from.nodes, q->nodes * sizeof *nodes);
    memmove(&out->leaves[leaf], from.leaves, q->leaves * sizeof *out->leaves);
    for (uint32_t n = 0; n < q->nodes; n++) {
        nodes[n].parent += first;
        for (int k = 0; k < 4; k++)
            if (nodes[n].child[k] != FRC_REF_NONE)
                nodes[n].child[k] += nodes[n].child[k] & FRC_REF_LEAF ? leaf : first;
    }
    nodes[0].parent = p->number[q->begin.parent];
    nodes[0].lane = q->begin.lane;
    for (uint32_t n = 0; n < q->leaves; n++) out->leaves[leaf + n].parent += first;
    out->node_count += q->nodes - 1;
    out->leaf_count += q->leaves;
}

static bool make_nodes_parallel(fracas_context* context, build* b, const frc_range* range) {
    bool ok = true;
    parallel_build p = {.context = context, .whole = b};
    atomic_init(&p.failed, false);
    p.upper.nodes = frc_allocate_array(context, UPPER_NODES, sizeof *p.upper.nodes, &ok);
    p.upper.leaves = frc_allocate_array(context, 4 * UPPER_NODES, sizeof *p.upper.leaves, &ok);
    p.parts = frc_allocate_array(context, 4 * UPPER_NODES + 1, sizeof *p.parts, &ok);
    p.number = frc_allocate_array(context, UPPER_NODES, sizeof *p.number, &ok);
    // The upper nodes and the list of subtrees.
    const uint32_t share = range->count / (SUBTREES_PER_WORKER * frc_worker_count(context));
    p.subtree_prims = share > SUBTREE_PRIMS ? share : SUBTREE_PRIMS;
    build upper = *b;
    upper.shape = &p.upper;
    upper.upper = &p;
    ok = ok && make_nodes(context, &upper, range);
    if (ok) frc_parallel_for(context, p.count, 1, make_subtrees, &p);
    ok = ok && !atomic_load(&p.failed);
    // Everything in its final order.
    for (uint32_t i = 0, node = 0; ok && i < p.count; i++)
        if (p.parts[i].subtree)
            append_subtree(&p, &p.parts[i]);
        else
            append_upper_node(&p, &p.parts[i], node++);
    frc_release(context, p.number, frc_array_size(UPPER_NODES, sizeof *p.number));
    frc_release(context, p.parts, frc_array_size(4 * UPPER_NODES + 1, sizeof *p.parts));
    frc_release(context, p.upper.leaves, frc_array_size(4 * UPPER_NODES, sizeof *p.upper.leaves));
    frc_release(context, p.upper.nodes, frc_array_size(UPPER_NODES, sizeof *p.upper.nodes));
    return ok;
}

// ---- the whole build

bool frc_tree_build(fracas_context* context, const frc_build_options* options, frc_prim* prims,
                    uint32_t count, frc_shape* out) {
    static frc_split_fn* const splits[] = {[FRC_BUILD_SAH] = frc_split_sah,
                                           [FRC_BUILD_MEDIAN] = frc_split_median,
                                           [FRC_BUILD_GRID] = frc_split_grid};
    memset(out, 0, sizeof *out);
    build b = {
        .splitter = {.options = *options, .prims = prims, .count = count, .random = options->seed},
        .split = options->cuts ? frc_split_order : splits[options->builder],
        .shape = out
    };
    frc_splitter* s = &b.splitter;
    if (s->options.grid_levels == 0) s->options.grid_levels = FRC_GRID_LEVELS;
    if (s->options.grid_stop == 0) s->options.grid_stop = FRC_GRID_STOP;
    // Splitting an order takes almost no time; random numbers depend on the order of splits.
    const bool parallel = count >= PARALLEL_PRIMS && frc_worker_count(context) > 1 &&
                          !options->cuts && !options->seed;
    // Every leaf has a primitive, every node but the first has two children.
    out->node_capacity = count + (parallel ? UPPER_NODES : 0);
    out->leaf_capacity = count + (parallel ? 4 * UPPER_NODES : 0);
    out->nodes = frc_allocate(context, out->node_capacity * sizeof *out->nodes);
    out->leaves = frc_allocate(context, out->leaf_capacity * sizeof *out->leaves);
    bool ok = out->nodes && out->leaves && prepare_splitter(context, s);
    if (ok) {
        const frc_range all = {0, count, 0, s->seams ? s->seams[0].right : 0};
        ok = (parallel ? make_nodes_parallel : make_nodes)(context, &b, &all);
    }
    for (uint32_t i = 0; ok && s->centers && i < count; i++) prims[i].id = s->centers[i].id;
    frc_release(context, s->centers, count * sizeof *s->centers);
    frc_release(context, s->spare, count * sizeof *s->spare);
    frc_release(context, s->codes, count * sizeof *s->codes);
    frc_release(context, s->spare_codes, count * sizeof *s->spare_codes);
    frc_order_release(context, s);
    if (!ok) frc_shape_release(context, out);
    return ok;
}

void frc_shape_release(fracas_context* context, frc_shape* shape) {
    frc_release(context, shape->nodes, shape->node_capacity * sizeof *shape->nodes);
    frc_release(context, shape->leaves, shape->leaf_capacity * sizeof *shape->leaves);
    memset(shape, 0, sizeof *shape);
}
