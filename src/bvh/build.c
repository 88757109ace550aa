/// @file build.c  Top-down construction of a 4-wide tree from a function that splits a range in
/// two.
///
/// A node starts with one range and splits the heaviest child until it has four. The builders
/// differ only in where they split, and in what they call heavy. Everything is decided by positions
/// and the order of the input: the same input gives the same tree on any machine.
///
/// Of a large tree the upper part, the trunk, is made first. What is below it are branches, which
/// all workers make, each in a place of its own; then they are put together in the order, and with
/// the numbers, that one worker would have given them.
#include "bvh/build.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/simd.h"
#include <string.h>

// A node whose children are still to be made.
typedef struct task {
    frc_range range;
    uint32_t parent, lane;
} task;

typedef struct build {
    frc_splitter splitter;  // branches share what it points to: each has ranges of its own
    frc_split_fn* split;
    frc_shape* shape;
    struct forest* forest;  // where branches are set aside; NULL: nowhere
    task* stack;
    uint32_t top;
} build;

// Notes all that comes, in the order of the tree. Is it a branch, which is made later?
static bool set_aside(struct forest* f, const task* t);

// Which range to split next: the heaviest of those that are too big for a leaf; -1 when none is.
// Where four leaves have room for any of them, the smallest: what is left then fills its own node.
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

// Split into at most four ranges, kept in the order of the primitives.
static int split_in_four(build* b, const frc_range* whole, frc_range ranges[4]) {
    int count = 1;
    ranges[0] = *whole;
    while (count < 4) {
        int i = next_to_split(ranges, count, b->splitter.options.leaf_size);
        if (i < 0) break;
        frc_range split = ranges[i];
        memmove(&ranges[i + 2], &ranges[i + 1], (size_t)(count - i - 1) * sizeof *ranges);
        b->split(&b->splitter, &split, &ranges[i]);
        count++;
    }
    return count;
}

// Make the node of `t` and push its inner children, the last first, so that they are made in order.
static void make_node(build* b, const task* t) {
    frc_range ranges[4];
    uint32_t leaf_size = b->splitter.options.leaf_size;
    int count = split_in_four(b, &t->range, ranges);
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

// ---- memory

// Every leaf holds a primitive at least, every node but the first has two children at least; and
// room for so many nodes more.
static bool allocate_shape(fracas_context* context, uint32_t count, uint32_t more,
                           frc_shape* shape) {
    shape->leaf_capacity = count + 4 * more;
    shape->node_capacity = count + more;
    shape->nodes = frc_allocate(context, shape->node_capacity * sizeof *shape->nodes);
    shape->leaves = frc_allocate(context, shape->leaf_capacity * sizeof *shape->leaves);
    return shape->nodes && shape->leaves;
}

static bool allocate_splitter(fracas_context* context, frc_splitter* s) {
    size_t n = s->count;
    if (s->options.cuts) return frc_order_prepare(context, s);
    if (s->options.builder == FRC_BUILD_SAH) return true;
    s->centers = frc_allocate(context, n * sizeof *s->centers);
    if (s->options.builder == FRC_BUILD_MEDIAN) return s->centers != NULL;
    s->spare = frc_allocate(context, n * sizeof *s->spare);
    s->codes = frc_allocate(context, n * sizeof *s->codes);
    s->spare_codes = frc_allocate(context, n * sizeof *s->spare_codes);
    return s->centers && s->spare && s->codes && s->spare_codes;
}

static void release_splitter(fracas_context* context, frc_splitter* s) {
    size_t n = s->count;
    frc_release(context, s->centers, n * sizeof *s->centers);
    frc_release(context, s->spare, n * sizeof *s->spare);
    frc_release(context, s->codes, n * sizeof *s->codes);
    frc_release(context, s->spare_codes, n * sizeof *s->spare_codes);
    frc_order_release(context, s);
}

// ---- the nodes of a range

// False: no memory, or cancelled.
static bool make_nodes(fracas_context* context, build* b, const frc_range* range) {
    // Pending nodes hold disjoint ranges of more than leaf_size primitives each.
    const size_t most = (size_t)range->count / (b->splitter.options.leaf_size + 1) + 4;
    b->stack = frc_allocate(context, most * sizeof *b->stack);
    if (!b->stack) return false;
    b->stack[b->top++] = (task){*range, FRC_REF_NONE, 0};
    while (b->top > 0 && !frc_cancelled(context)) {
        const task t = b->stack[--b->top];
        if (!b->forest || !set_aside(b->forest, &t)) make_node(b, &t);
    }
    frc_release(context, b->stack, most * sizeof *b->stack);
    return b->top == 0;
}

// ---- trunk and branches

// Primitives of a tree that has branches; nodes of a trunk at most; branches for each worker, and
// primitives of one, at least.
enum { MANY = 16384, TRUNK = 1024, BRANCHES_EACH = 4, FEWEST = 1024 };

/// A node of the trunk, or a branch.
typedef struct limb {
    task begins;  // its parent is a node of the trunk
    bool branch;
    uint32_t nodes, leaves;  // that a branch has
} limb;

typedef struct forest {
    fracas_context* context;
    const build* whole;
    frc_shape trunk;
    uint32_t most;  // primitives of a branch
    limb* limbs;    // in the order of their numbers
    uint32_t count;
    uint32_t* number;  // of the nodes of the trunk in the end
    atomic_bool failed;
} forest;

static bool has_branches(const fracas_context* context, const frc_build_options* options,
                         uint32_t count) {
    // What is cut along an order takes no time; what is drawn depends on what was drawn before.
    return count >= MANY && frc_worker_count(context) > 1 && !options->cuts && !options->seed;
}

static bool set_aside(forest* f, const task* t) {
    const bool branch = t->range.count <= f->most || f->trunk.node_count == TRUNK;
    f->limbs[f->count++] = (limb){.begins = *t, .branch = branch};
    return branch;
}

static bool make_trunk(forest* f, const frc_range* range) {
    const uint32_t share = range->count / (BRANCHES_EACH * frc_worker_count(f->context));
    f->most = share > FEWEST ? share : FEWEST;
    build b = *f->whole;
    b.shape = &f->trunk;
    b.forest = f;
    return make_nodes(f->context, &b, range);
}

// Where a branch is made: as far behind its place as the trunk has room.
static frc_shape place_of_branch(const forest* f, const limb* l) {
    const frc_shape* shape = f->whole->shape;
    const uint32_t first = l->begins.range.first;
    return (frc_shape){.nodes = shape->nodes + TRUNK + first,
                       .leaves = shape->leaves + 4 * TRUNK + first};
}

static void make_branches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    forest* f = data;
    for (uint32_t i = begin; i < end; i++) {
        limb* l = &f->limbs[i];
        if (!l->branch) continue;
        frc_shape shape = place_of_branch(f, l);
        build b = *f->whole;
        b.shape = &shape;
        if (!make_nodes(f->context, &b, &l->begins.range))
            atomic_store_explicit(&f->failed, true, memory_order_relaxed);
        l->nodes = shape.node_count, l->leaves = shape.leaf_count;
    }
}

// The next node, below its parent.
static frc_node* take_node(const forest* f, const task* t, uint32_t* number) {
    frc_shape* out = f->whole->shape;
    *number = out->node_count++;
    if (t->parent != FRC_REF_NONE) out->nodes[f->number[t->parent]].child[t->lane] = *number;
    return &out->nodes[*number];
}

// Its leaves are numbered with it, before all that is below.
static void put_trunk_node(const forest* f, const limb* l, uint32_t i) {
    frc_shape* out = f->whole->shape;
    frc_node* node = take_node(f, &l->begins, &f->number[i]);
    *node = f->trunk.nodes[i];
    if (node->parent != FRC_REF_NONE) node->parent = f->number[node->parent];
    for (int k = 0; k < 4; k++) {
        // Inner ones get their numbers when they have one.
        if (node->child[k] == FRC_REF_NONE || !(node->child[k] & FRC_REF_LEAF)) continue;
        const uint32_t leaf = out->leaf_count++;
        out->leaves[leaf] = f->trunk.leaves[node->child[k] & ~FRC_REF_LEAF];
        out->leaves[leaf].parent = f->number[i];
        node->child[k] = leaf | FRC_REF_LEAF;
    }
}

static void put_branch(const forest* f, const limb* l) {
    frc_shape* out = f->whole->shape;
    const frc_shape from = place_of_branch(f, l);
    const uint32_t leaf = out->leaf_count;
    uint32_t first;
    frc_node* nodes = take_node(f, &l->begins, &first);
    memmove(nodes, from.nodes, l->nodes * sizeof *nodes);
    memmove(&out->leaves[leaf], from.leaves, l->leaves * sizeof *out->leaves);
    for (uint32_t n = 0; n < l->nodes; n++) {
        nodes[n].parent += first;
        for (int k = 0; k < 4; k++)
            if (nodes[n].child[k] != FRC_REF_NONE)
                nodes[n].child[k] += nodes[n].child[k] & FRC_REF_LEAF ? leaf : first;
    }
    nodes[0].parent = f->number[l->begins.parent];
    nodes[0].lane = l->begins.lane;
    for (uint32_t n = 0; n < l->leaves; n++) out->leaves[leaf + n].parent += first;
    out->node_count += l->nodes - 1;
    out->leaf_count += l->leaves;
}

static void put_together(const forest* f) {
    for (uint32_t i = 0, node = 0; i < f->count; i++)
        if (f->limbs[i].branch)
            put_branch(f, &f->limbs[i]);
        else
            put_trunk_node(f, &f->limbs[i], node++);
}

static bool make_branched(fracas_context* context, build* b, const frc_range* range) {
    bool ok = true;
    forest f = {.context = context, .whole = b};
    atomic_init(&f.failed, false);
    f.trunk.nodes = frc_allocate_array(context, TRUNK, sizeof *f.trunk.nodes, &ok);
    f.trunk.leaves = frc_allocate_array(context, 4 * TRUNK, sizeof *f.trunk.leaves, &ok);
    f.limbs = frc_allocate_array(context, 4 * TRUNK + 1, sizeof *f.limbs, &ok);
    f.number = frc_allocate_array(context, TRUNK, sizeof *f.number, &ok);
    ok = ok && make_trunk(&f, range);
    if (ok) frc_parallel_for(context, f.count, 1, make_branches, &f);
    ok = ok && !atomic_load(&f.failed);
    if (ok) put_together(&f);
    frc_release(context, f.number, frc_array_size(TRUNK, sizeof *f.number));
    frc_release(context, f.limbs, frc_array_size(4 * TRUNK + 1, sizeof *f.limbs));
    frc_release(context, f.trunk.leaves, frc_array_size(4 * TRUNK, sizeof *f.trunk.leaves));
    frc_release(context, f.trunk.nodes, frc_array_size(TRUNK, sizeof *f.trunk.nodes));
    return ok;
}

// ---- all

// The centre of a box, without overflow.
static void make_centers(frc_splitter* s) {
    const f32x4 half = f32x4_splat(0.5f);
    for (uint32_t i = 0; i < s->count; i++) {
        const frc_prim* p = &s->prims[i];
        const f32x4 lo = f32x4_axes(f32x4_load(p->lo)), hi = f32x4_axes(f32x4_load(p->hi));
        f32x4_store(s->centers[i].at, f32x4_add(f32x4_mul(lo, half), f32x4_mul(hi, half)));
        s->centers[i].id = p->id;
    }
}

static bool run(fracas_context* context, build* b, bool branches) {
    frc_splitter* s = &b->splitter;
    if (s->centers) make_centers(s);
    const frc_range all = {0, s->count, 0, s->seams ? s->seams[0].right : 0};
    if (!(branches ? make_branched : make_nodes)(context, b, &all)) return false;
    for (uint32_t i = 0; s->centers && i < s->count; i++) s->prims[i].id = s->centers[i].id;
    return true;
}

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
    frc_build_options* o = &b.splitter.options;
    if (o->grid_levels == 0) o->grid_levels = FRC_GRID_LEVELS;
    if (o->grid_stop == 0) o->grid_stop = FRC_GRID_STOP;
    const bool branches = has_branches(context, options, count);
    bool ok = allocate_shape(context, count, branches ? TRUNK : 0, out) &&
              allocate_splitter(context, &b.splitter) && run(context, &b, branches);
    release_splitter(context, &b.splitter);
    if (!ok) frc_shape_release(context, out);
    return ok;
}

void frc_shape_release(fracas_context* context, frc_shape* shape) {
    frc_release(context, shape->nodes, shape->node_capacity * sizeof *shape->nodes);
    frc_release(context, shape->leaves, shape->leaf_capacity * sizeof *shape->leaves);
    memset(shape, 0, sizeof *shape);
}
