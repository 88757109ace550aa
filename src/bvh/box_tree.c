/// @file box_tree.c  A tree of boxes: build with the surface area heuristic, refit bottom-up.
#include "bvh/box_tree.h"
#include "base/parallel.h"
#include <string.h>

// ---- refit

enum { LEAVES_PER_PART = 512 };

typedef struct refit_job {
    frc_box_tree* tree;
    frc_box_fn* box;
    const void* data;
} refit_job;

static void set_lane(frc_box4* out, uint32_t lane, frc_float_box box) {
    float lo[4], hi[4];
    f32x4_store(lo, box.lo), f32x4_store(hi, box.hi);
    for (int k = 0; k < 3; k++) out->lo[k][lane] = lo[k], out->hi[k][lane] = hi[k];
}

static void refit_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const refit_job* job = data;
    const frc_shape* shape = &job->tree->shape;
    const size_t last = (size_t)end * LEAVES_PER_PART;
    for (size_t i = (size_t)begin * LEAVES_PER_PART; i < shape->leaf_count && i < last; i++) {
        const frc_leaf_range* range = &shape->leaves[i];
        frc_box_leaf* leaf = &job->tree->leaves[i];
        frc_float_box all = job->box(job->data, leaf->item[0]);
        set_lane(&leaf->box, 0, all);
        for (uint32_t k = 1; k < range->count; k++) {
            const frc_float_box one = job->box(job->data, leaf->item[k]);
            set_lane(&leaf->box, k, one);
            all = (frc_float_box){f32x4_min(all.lo, one.lo), f32x4_max(all.hi, one.hi)};
        }
        set_lane(&shape->nodes[range->parent].box, range->lane, all);
    }
}

void frc_box_tree_refit(fracas_context* context, frc_box_tree* tree, frc_box_fn* box,
                        const void* data) {
    frc_shape* shape = &tree->shape;
    refit_job job = {tree, box, data};
    frc_parallel_for(context, (shape->leaf_count + LEAVES_PER_PART - 1) / LEAVES_PER_PART, 1,
                     refit_leaves, &job);
    // Children have higher numbers than their parents.
    for (uint32_t i = shape->node_count; i-- > 1;) {
        const frc_node* n = &shape->nodes[i];
        frc_box4* parent = &shape->nodes[n->parent].box;
        for (int k = 0; k < 3; k++) {
            float lo = n->box.lo[k][0], hi = n->box.hi[k][0];
            for (int c = 1; c < 4 && n->child[c] != FRC_REF_NONE; c++) {
                lo = n->box.lo[k][c] < lo ? n->box.lo[k][c] : lo;
                hi = n->box.hi[k][c] > hi ? n->box.hi[k][c] : hi;
            }
            parent->lo[k][n->lane] = lo, parent->hi[k][n->lane] = hi;
        }
    }
}

// ---- build

void frc_box_tree_release(fracas_context* context, frc_box_tree* tree) {
    frc_release(context, tree->leaves, tree->leaf_count * sizeof *tree->leaves);
    frc_shape_release(context, &tree->shape);
    *tree = (frc_box_tree){0};
}

// Make `shape` the tree. Empty lanes are NaN: they overlap nothing. False: no memory.
static bool adopt_shape(fracas_context* context, frc_box_tree* tree, frc_shape* shape,
                        const frc_prim* prims) {
    frc_box_leaf* leaves = frc_allocate(context, shape->leaf_count * sizeof *leaves);
    if (!leaves) return false;
    memset(leaves, 0xff, shape->leaf_count * sizeof *leaves);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        for (uint32_t k = 0; k < shape->leaves[i].count; k++)
            leaves[i].item[k] = prims[shape->leaves[i].first + k].id;
    for (uint32_t i = 0; i < shape->node_count; i++)
        memset(&shape->nodes[i].box, 0xff, sizeof shape->nodes[i].box);
    frc_box_tree_release(context, tree);
    *tree = (frc_box_tree){*shape, leaves, shape->leaf_count};
    return true;
}

bool frc_box_tree_build(fracas_context* context, frc_box_tree* tree, uint32_t count,
                        frc_box_fn* box, const void* data) {
    const frc_build_options options = {.builder = FRC_BUILD_SAH, .leaf_size = FRC_BOX_LEAF};
    if (count == 0) {
        frc_box_tree_release(context, tree);
        return true;
    }
    frc_prim* prims = frc_allocate(context, count * sizeof *prims);
    if (!prims) return false;
    for (uint32_t i = 0; i < count; i++) {
        const frc_float_box b = box(data, i);
        float lo[4], hi[4];
        f32x4_store(lo, b.lo), f32x4_store(hi, b.hi);
        for (int k = 0; k < 3; k++) {
            prims[i].lo[k] = frc_clamp_to_finite(lo[k]);
            prims[i].hi[k] = frc_clamp_to_finite(hi[k]);
        }
        prims[i].id = i, prims[i].pad = 0;
    }
    frc_shape shape = {0};
    bool ok = frc_tree_build(context, &options, prims, count, &shape);
    if (ok && !adopt_shape(context, tree, &shape, prims)) {
        frc_shape_release(context, &shape);
        ok = false;
    }
    frc_release(context, prims, count * sizeof *prims);
    return ok;
}
