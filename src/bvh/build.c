/// @file build.c  Top-down construction of a 4-wide tree from a function that splits a range in
/// two.
///
/// A node starts with one range and splits the child with the largest surface until it has four.
/// The two builders differ only in where they split. Everything is decided by positions and ids:
/// the same input gives the same tree on any machine.
#include "bvh/tree.h"
#include <string.h>

typedef uint32_t split_fn(frc_prim* prims, uint32_t count, uint32_t leaf_size);

typedef struct range {
    uint32_t first, count;
    float area;
} range;

// A node whose children are still to be made.
typedef struct task {
    uint32_t first, count, parent, lane;
} task;

static float range_area(const frc_prim* prims, range r) {
    float lo[3], hi[3];
    memcpy(lo, prims[r.first].lo, sizeof lo);
    memcpy(hi, prims[r.first].hi, sizeof hi);
    for (uint32_t i = 1; i < r.count; i++) {
        const frc_prim* prim = &prims[r.first + i];
        for (int k = 0; k < 3; k++) {
            lo[k] = prim->lo[k] < lo[k] ? prim->lo[k] : lo[k];
            hi[k] = prim->hi[k] > hi[k] ? prim->hi[k] : hi[k];
        }
    }
    float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x * y + y * z + z * x;
}

static range make_range(const frc_prim* prims, uint32_t first, uint32_t count) {
    range r = {first, count, 0};
    r.area = range_area(prims, r);
    return r;
}

// Which range to split next: the largest of those that are too big for a leaf; -1 when none is.
static int widest(const range* ranges, int count, uint32_t leaf_size) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (ranges[i].count > leaf_size && (best < 0 || ranges[i].area > ranges[best].area))
            best = i;
    return best;
}

// Split into at most four ranges, kept in the order of the primitives.
static int split_in_four(frc_prim* prims, const task* t, split_fn* split, uint32_t leaf_size,
                         range ranges[4]) {
    int count = 1;
    ranges[0] = (range){t->first, t->count, 0};
    while (count < 4) {
        int i = widest(ranges, count, leaf_size);
        if (i < 0) break;
        range whole = ranges[i];
        uint32_t left = split(prims + whole.first, whole.count, leaf_size);
        memmove(&ranges[i + 2], &ranges[i + 1], (size_t)(count - i - 1) * sizeof *ranges);
        ranges[i] = make_range(prims, whole.first, left);
        ranges[i + 1] = make_range(prims, whole.first + left, whole.count - left);
        count++;
    }
    return count;
}

static bool allocate_shape(fracas_context* context, uint32_t count, frc_shape* shape) {
    // Every leaf holds a primitive at least, every node but the first has two children at least.
    shape->leaf_capacity = count;
    shape->node_capacity = count;
    shape->nodes = frc_allocate(context, shape->node_capacity * sizeof *shape->nodes);
    shape->leaves = frc_allocate(context, shape->leaf_capacity * sizeof *shape->leaves);
    if (shape->nodes && shape->leaves) return true;
    frc_shape_release(context, shape);
    return false;
}

// Make the node of `t` and push its inner children, the last first, so that they are made in order.
static uint32_t make_node(frc_shape* shape, frc_prim* prims, const task* t, split_fn* split,
                          uint32_t leaf_size, task* stack) {
    range ranges[4];
    int count = split_in_four(prims, t, split, leaf_size, ranges);
    uint32_t number = shape->node_count++;
    frc_node* node = &shape->nodes[number];
    memset(node, 0, sizeof *node);
    node->parent = t->parent;
    node->lane = t->lane;
    if (t->parent != FRC_REF_NONE) shape->nodes[t->parent].child[t->lane] = number;
    uint32_t pushed = 0;
    for (int i = 3; i >= 0; i--) {
        node->child[i] = FRC_REF_NONE;
        if (i < count && ranges[i].count > leaf_size)
            stack[pushed++] = (task){ranges[i].first, ranges[i].count, number, (uint32_t)i};
    }
    for (int i = 0; i < count; i++)
        if (ranges[i].count <= leaf_size) {
            uint32_t leaf = shape->leaf_count++;
            shape->leaves[leaf] =
                (frc_leaf_range){ranges[i].first, ranges[i].count, number, (uint32_t)i};
            node->child[i] = leaf | FRC_REF_LEAF;
        }
    return pushed;
}

bool frc_tree_build(fracas_context* context, fracas_builder builder, frc_prim* prims,
                    uint32_t count, uint32_t leaf_size, frc_shape* out) {
    static split_fn* const splits[] = {
        [FRACAS_BUILD_SAH] = frc_split_sah, [FRACAS_BUILD_MEDIAN] = frc_split_median};
    memset(out, 0, sizeof *out);
    if (!allocate_shape(context, count, out)) return false;
    // Pending nodes hold disjoint ranges of more than leaf_size primitives each.
    size_t stack_size = ((size_t)count / (leaf_size + 1) + 4) * sizeof(task);
    task* stack = frc_allocate(context, stack_size);
    if (!stack) {
        frc_shape_release(context, out);
        return false;
    }
    uint32_t top = 0;
    stack[top++] = (task){0, count, FRC_REF_NONE, 0};
    while (top > 0 && !frc_cancelled(context)) {
        task t = stack[--top];
        top += make_node(out, prims, &t, splits[builder], leaf_size, &stack[top]);
    }
    frc_release(context, stack, stack_size);
    if (top > 0) frc_shape_release(context, out);
    return top == 0;
}

void frc_shape_release(fracas_context* context, frc_shape* shape) {
    frc_release(context, shape->nodes, shape->node_capacity * sizeof *shape->nodes);
    frc_release(context, shape->leaves, shape->leaf_capacity * sizeof *shape->leaves);
    memset(shape, 0, sizeof *shape);
}
