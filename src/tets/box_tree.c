/// @file box_tree.c  Build by the surface area heuristic, refit from the leaves up.
#include "tets/box_tree.h"
#include "base/parallel.h"
#include <math.h>
#include <string.h>

enum { PART = 512 };  // leaves at a time

typedef struct fit_job {
    frc_box_tree* tree;
    frc_box_fn* box;
    const void* data;
} fit_job;

// ---- boxes

static frc_float_box join(frc_float_box a, frc_float_box b) {
    return (frc_float_box){f32x4_min(a.lo, b.lo), f32x4_max(a.hi, b.hi)};
}

static void put_lane(frc_box4* out, uint32_t lane, frc_float_box box) {
    float lo[4], hi[4];
    f32x4_store(lo, box.lo), f32x4_store(hi, box.hi);
    for (int k = 0; k < 3; k++) out->lo[k][lane] = lo[k], out->hi[k][lane] = hi[k];
}

static frc_float_box box_of_node(const frc_node* n) {
    float lo[4] = {0}, hi[4] = {0};
    for (int k = 0; k < 3; k++) {
        lo[k] = n->box.lo[k][0], hi[k] = n->box.hi[k][0];
        for (int i = 1; i < 4 && n->child[i] != FRC_REF_NONE; i++) {
            lo[k] = n->box.lo[k][i] < lo[k] ? n->box.lo[k][i] : lo[k];
            hi[k] = n->box.hi[k][i] > hi[k] ? n->box.hi[k][i] : hi[k];
        }
    }
    return (frc_float_box){f32x4_load(lo), f32x4_load(hi)};
}

static void fit_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const fit_job* job = data;
    const frc_shape* shape = &job->tree->shape;
    for (size_t i = (size_t)begin * PART; i < shape->leaf_count && i < (size_t)end * PART; i++) {
        const frc_leaf_range* range = &shape->leaves[i];
        frc_box_leaf* leaf = &job->tree->leaves[i];
        frc_float_box all = job->box(job->data, leaf->thing[0]);
        put_lane(&leaf->box, 0, all);
        for (uint32_t k = 1; k < range->count; k++) {
            const frc_float_box one = job->box(job->data, leaf->thing[k]);
            put_lane(&leaf->box, k, one);
            all = join(all, one);
        }
        put_lane(&shape->nodes[range->parent].box, range->lane, all);
    }
}

void frc_box_tree_refit(fracas_context* context, frc_box_tree* tree, frc_box_fn* box,
                        const void* data) {
    frc_shape* shape = &tree->shape;
    fit_job job = {tree, box, data};
    frc_parallel_for(context, (shape->leaf_count + PART - 1) / PART, 1, fit_leaves, &job);
    for (uint32_t i = shape->node_count; i-- > 1;) {
        const frc_node* n = &shape->nodes[i];
        put_lane(&shape->nodes[n->parent].box, n->lane, box_of_node(n));
    }
}

// ---- the tree

void frc_box_tree_release(fracas_context* context, frc_box_tree* tree) {
    frc_release(context, tree->leaves, tree->leaf_count * sizeof *tree->leaves);
    frc_shape_release(context, &tree->shape);
    *tree = (frc_box_tree){0};
}

static void make_prims(frc_prim* prims, uint32_t count, frc_box_fn* box, const void* data) {
    for (uint32_t i = 0; i < count; i++) {
        const frc_float_box b = box(data, i);
        float lo[4], hi[4];
        f32x4_store(lo, b.lo), f32x4_store(hi, b.hi);
        for (int k = 0; k < 3; k++) {
            prims[i].lo[k] = frc_prim_bound(lo[k]);
            prims[i].hi[k] = frc_prim_bound(hi[k]);
        }
        prims[i].id = i, prims[i].pad = 0;
    }
}

// Lanes of nothing are NaN: they meet nothing.
static bool take_shape(fracas_context* context, frc_box_tree* tree, frc_shape* shape,
                       const frc_prim* prims) {
    frc_box_leaf* leaves = frc_allocate(context, shape->leaf_count * sizeof *leaves);
    if (!leaves) return false;
    memset(leaves, 0xff, shape->leaf_count * sizeof *leaves);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        for (uint32_t k = 0; k < shape->leaves[i].count; k++)
            leaves[i].thing[k] = prims[shape->leaves[i].first + k].id;
    for (uint32_t i = 0; i < shape->node_count; i++)
        memset(&shape->nodes[i].box, 0xff, sizeof shape->nodes[i].box);
    frc_box_tree_release(context, tree);
    *tree = (frc_box_tree){*shape, leaves, shape->leaf_count};
    return true;
}

bool frc_box_tree_build(fracas_context* context, frc_box_tree* tree, uint32_t count,
                        frc_box_fn* box, const void* data) {
    const frc_build_options options = {.builder = FRC_BUILD_SAH, .leaf_size = FRC_BOX_LEAF};
    frc_shape shape = {0};
    if (count == 0) {
        frc_box_tree_release(context, tree);
        return true;
    }
    frc_prim* prims = frc_allocate(context, count * sizeof *prims);
    if (!prims) return false;
    make_prims(prims, count, box, data);
    bool ok = frc_tree_build(context, &options, prims, count, &shape);
    if (ok && !take_shape(context, tree, &shape, prims)) {
        frc_shape_release(context, &shape);
        ok = false;
    }
    frc_release(context, prims, count * sizeof *prims);
    return ok;
}
