/// @file build.c  Top-down construction of a 4-wide tree from a function that splits a range in
/// two.
///
/// A node starts with one range and splits the heaviest child until it has four. The builders
/// differ only in where they split, and in what they call heavy. Everything is decided by positions
/// and the order of the input: the same input gives the same tree on any machine.
#include "bvh/build.h"
#include "base/simd.h"
#include <string.h>

// A node whose children are still to be made.
typedef struct task {
    frc_range range;
    uint32_t parent, lane;
} task;

typedef struct build {
    frc_splitter splitter;
    frc_split_fn* split;
    frc_shape* shape;
    task* stack;
    uint32_t top;
} build;

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

static bool allocate_shape(fracas_context* context, uint32_t count, frc_shape* shape) {
    // Every leaf holds a primitive at least, every node but the first has two children at least.
    shape->leaf_capacity = count;
    shape->node_capacity = count;
    shape->nodes = frc_allocate(context, shape->node_capacity * sizeof *shape->nodes);
    shape->leaves = frc_allocate(context, shape->leaf_capacity * sizeof *shape->leaves);
    return shape->nodes && shape->leaves;
}

static bool allocate_splitter(fracas_context* context, frc_splitter* s) {
    size_t n = s->count;
    if (s->options.cuts) return frc_order_prepare(context, s);
    if (s->options.builder == FRACAS_BUILD_SAH) return true;
    s->centers = frc_allocate(context, n * sizeof *s->centers);
    if (s->options.builder == FRACAS_BUILD_MEDIAN) return s->centers != NULL;
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

static bool run(fracas_context* context, build* b) {
    frc_splitter* s = &b->splitter;
    if (s->centers) make_centers(s);
    b->stack[b->top++] = (task){
        {0, s->count, 0, s->seams ? s->seams[0].right : 0},
        FRC_REF_NONE, 0
    };
    while (b->top > 0) {
        if (frc_cancelled(context)) return false;
        task t = b->stack[--b->top];
        make_node(b, &t);
    }
    for (uint32_t i = 0; s->centers && i < s->count; i++) s->prims[i].id = s->centers[i].id;
    return true;
}

bool frc_tree_build(fracas_context* context, const frc_build_options* options, frc_prim* prims,
                    uint32_t count, frc_shape* out) {
    static frc_split_fn* const splits[] = {[FRACAS_BUILD_SAH] = frc_split_sah,
                                           [FRACAS_BUILD_MEDIAN] = frc_split_median,
                                           [FRACAS_BUILD_GRID] = frc_split_grid};
    memset(out, 0, sizeof *out);
    build b = {
        .splitter = {.options = *options, .prims = prims, .count = count, .random = options->seed},
        .split = options->cuts ? frc_split_order : splits[options->builder],
        .shape = out
    };
    frc_build_options* o = &b.splitter.options;
    if (o->grid_levels == 0) o->grid_levels = FRC_GRID_LEVELS;
    if (o->grid_stop == 0) o->grid_stop = FRC_GRID_STOP;
    // Pending nodes hold disjoint ranges of more than leaf_size primitives each.
    size_t stack_size = ((size_t)count / (options->leaf_size + 1) + 4) * sizeof(task);
    b.stack = frc_allocate(context, stack_size);
    bool ok = b.stack && allocate_shape(context, count, out) &&
              allocate_splitter(context, &b.splitter) && run(context, &b);
    release_splitter(context, &b.splitter);
    frc_release(context, b.stack, stack_size);
    if (!ok) frc_shape_release(context, out);
    return ok;
}

void frc_shape_release(fracas_context* context, frc_shape* shape) {
    frc_release(context, shape->nodes, shape->node_capacity * sizeof *shape->nodes);
    frc_release(context, shape->leaves, shape->leaf_capacity * sizeof *shape->leaves);
    memset(shape, 0, sizeof *shape);
}
