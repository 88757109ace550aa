/// @file find_bvh.c  A tree of boxes over tetrahedra; each vertex goes down to those around it.
///
/// To be compared with: the tree of src/bvh, four boxes to a node, four tetrahedra to a leaf. It is
/// built by the surface area heuristic when bodies come or go, and refitted in every update. There
/// are fewer vertices than tetrahedra, so they are who asks: a tree over vertices, asked by
/// tetrahedra, takes longer.
///
/// Coordinates are rounded to the nearest float, those of vertices and of boxes alike. Rounding is
/// monotone: what is between two doubles is between their floats.
#include "tets/find_bvh.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "tets/catch.h"
#include <math.h>
#include <string.h>

enum { LEAF = 4, PART = 1024 };

// ---- boxes

typedef struct float_box {
    f32x4 lo, hi;
} float_box;

static inline float_box box_of_tet(const frc_tets_bvh* b, const frc_tet_corners* t) {
    const f32x4 p = f32x4_load(b->points.data[t->corner[0]].at);
    const f32x4 q = f32x4_load(b->points.data[t->corner[1]].at);
    const f32x4 r = f32x4_load(b->points.data[t->corner[2]].at);
    const f32x4 s = f32x4_load(b->points.data[t->corner[3]].at);
    return (float_box){f32x4_min(f32x4_min(p, q), f32x4_min(r, s)),
                       f32x4_max(f32x4_max(p, q), f32x4_max(r, s))};
}

static void round_points(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_tets* tets = data;
    for (size_t v = (size_t)begin * PART; v < tets->vertices.count && v < (size_t)end * PART; v++) {
        const double* at = tets->vertices.data[v].at;
        frc_float_point* p = &tets->bvh.points.data[v];
        for (int k = 0; k < 3; k++) p->at[k] = (float)at[k];
        p->at[3] = 0;
    }
}

// Four boxes, one per lane; empty lanes are NaN and meet nothing.
static void store_packet(frc_box4* out, const float_box* boxes, uint32_t count) {
    for (uint32_t i = 0; i < 4; i++) {
        float lo[4] = {NAN, NAN, NAN, NAN}, hi[4] = {NAN, NAN, NAN, NAN};
        if (i < count) f32x4_store(lo, boxes[i].lo), f32x4_store(hi, boxes[i].hi);
        for (int k = 0; k < 3; k++) out->lo[k][i] = lo[k], out->hi[k][i] = hi[k];
    }
}

static float_box join(const float_box* boxes, uint32_t count) {
    float_box all = boxes[0];
    for (uint32_t i = 1; i < count; i++) {
        all.lo = f32x4_min(all.lo, boxes[i].lo);
        all.hi = f32x4_max(all.hi, boxes[i].hi);
    }
    return all;
}

static void put_lane(frc_box4* out, uint32_t lane, float_box box) {
    float lo[4], hi[4];
    f32x4_store(lo, box.lo), f32x4_store(hi, box.hi);
    for (int k = 0; k < 3; k++) out->lo[k][lane] = lo[k], out->hi[k][lane] = hi[k];
}

static float_box box_of_node(const frc_node* n) {
    float lo[4] = {0}, hi[4] = {0};
    for (int k = 0; k < 3; k++) {
        lo[k] = n->box.lo[k][0], hi[k] = n->box.hi[k][0];
        for (int i = 1; i < 4 && n->child[i] != FRC_REF_NONE; i++) {
            lo[k] = n->box.lo[k][i] < lo[k] ? n->box.lo[k][i] : lo[k];
            hi[k] = n->box.hi[k][i] > hi[k] ? n->box.hi[k][i] : hi[k];
        }
    }
    return (float_box){f32x4_load(lo), f32x4_load(hi)};
}

static void fit_leaves(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_tets* tets = data;
    frc_tets_bvh* b = &tets->bvh;
    for (size_t i = (size_t)begin * PART; i < b->shape.leaf_count && i < (size_t)end * PART; i++) {
        const frc_leaf_range* leaf = &b->shape.leaves[i];
        float_box boxes[LEAF];  // of one at least, which compilers cannot know
        boxes[0] = box_of_tet(b, &tets->tets.data[b->leaves[i].tet[0]]);
        for (uint32_t k = 1; k < leaf->count; k++)
            boxes[k] = box_of_tet(b, &tets->tets.data[b->leaves[i].tet[k]]);
        store_packet(&b->leaves[i].box, boxes, leaf->count);
        put_lane(&b->shape.nodes[leaf->parent].box, leaf->lane, join(boxes, leaf->count));
    }
}

static uint32_t parts(size_t count) { return (uint32_t)((count + PART - 1) / PART); }

static void refit(fracas_tets* tets) {
    frc_shape* shape = &tets->bvh.shape;
    frc_parallel_for(tets->context, parts(shape->leaf_count), 1, fit_leaves, tets);
    for (uint32_t i = shape->node_count; i-- > 1;) {
        const frc_node* n = &shape->nodes[i];
        put_lane(&shape->nodes[n->parent].box, n->lane, box_of_node(n));
    }
}

// ---- the tree

static void make_prims(const fracas_tets* tets, frc_prim* prims) {
    for (uint32_t t = 0; t < tets->tets.count; t++) {
        const float_box box = box_of_tet(&tets->bvh, &tets->tets.data[t]);
        float lo[4], hi[4];
        f32x4_store(lo, box.lo), f32x4_store(hi, box.hi);
        for (int k = 0; k < 3; k++) {
            prims[t].lo[k] = frc_prim_bound(lo[k]);
            prims[t].hi[k] = frc_prim_bound(hi[k]);
        }
        prims[t].id = t, prims[t].pad = 0;
    }
}

static void release_tree(fracas_context* context, frc_tets_bvh* b) {
    frc_release(context, b->leaves, b->leaf_count * sizeof *b->leaves);
    frc_shape_release(context, &b->shape);
    b->leaves = NULL, b->leaf_count = 0;
}

static bool take_shape(fracas_tets* tets, frc_shape* shape, const frc_prim* prims) {
    frc_tets_bvh* b = &tets->bvh;
    frc_tets_leaf* leaves = frc_allocate(tets->context, shape->leaf_count * sizeof *leaves);
    if (!leaves) return false;
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        for (uint32_t k = 0; k < LEAF; k++)
            leaves[i].tet[k] =
                k < shape->leaves[i].count ? prims[shape->leaves[i].first + k].id : 0;
    for (uint32_t i = 0; i < shape->node_count; i++)
        memset(&shape->nodes[i].box, 0xff, sizeof shape->nodes[i].box);  // NaN: lanes of nothing
    release_tree(tets->context, b);
    b->shape = *shape;
    b->leaves = leaves, b->leaf_count = shape->leaf_count;
    return true;
}

static bool build(fracas_tets* tets) {
    const uint32_t count = (uint32_t)tets->tets.count;
    const frc_build_options options = {.builder = FRACAS_BUILD_SAH, .leaf_size = LEAF};
    frc_shape shape = {0};
    if (count == 0) {
        release_tree(tets->context, &tets->bvh);
        return true;
    }
    frc_prim* prims = frc_allocate(tets->context, count * sizeof *prims);
    if (!prims) return false;
    make_prims(tets, prims);
    bool ok = frc_tree_build(tets->context, &options, prims, count, &shape);
    if (ok && !take_shape(tets, &shape, prims)) {
        frc_shape_release(tets->context, &shape);
        ok = false;
    }
    frc_release(tets->context, prims, count * sizeof *prims);
    return ok;
}

static bool prepare(fracas_tets* tets) {
    const size_t count = tets->vertices.count;
    if (!FRC_ARRAY_RESERVE(tets->context, &tets->bvh.points, count)) return false;
    frc_parallel_for(tets->context, parts(count), 1, round_points, tets);
    if (tets->changed && !build(tets)) return false;
    refit(tets);
    return true;
}

static void release(fracas_tets* tets) {
    release_tree(tets->context, &tets->bvh);
    FRC_ARRAY_RELEASE(tets->context, &tets->bvh.points);
}

// ---- down the tree

static uint32_t items(const fracas_tets* tets) { return (uint32_t)tets->vertices.count; }

typedef struct point4 {
    f32x4 x, y, z;
} point4;

static inline unsigned boxes_with(const frc_box4* box, const point4* p) {
    const m32x4 x =
        m32x4_and(f32x4_le(f32x4_load(box->lo[0]), p->x), f32x4_le(p->x, f32x4_load(box->hi[0])));
    const m32x4 y =
        m32x4_and(f32x4_le(f32x4_load(box->lo[1]), p->y), f32x4_le(p->y, f32x4_load(box->hi[1])));
    const m32x4 z =
        m32x4_and(f32x4_le(f32x4_load(box->lo[2]), p->z), f32x4_le(p->z, f32x4_load(box->hi[2])));
    return m32x4_bits(m32x4_and(m32x4_and(x, y), z));
}

// A tree of n leaves is at most n nodes deep, but one of the surface area heuristic of as many
// primitives as there can be is much less; where it is not, the rest is walked by recursion.
enum { STACK = 256 };

static void walk(const fracas_tets* tets, uint32_t root, const point4* p, uint32_t v,
                 frc_catch* out) {
    const frc_tets_bvh* b = &tets->bvh;
    uint32_t stack[STACK], top = 0, nodes = 0, leaves = 0;
    stack[top++] = root;
    while (top > 0) {
        const frc_node* n = &b->shape.nodes[stack[--top]];
        unsigned bits = boxes_with(&n->box, p);
        nodes++;
        for (; bits; bits &= bits - 1) {
            const uint32_t child = n->child[__builtin_ctz(bits)];
            if (!(child & FRC_REF_LEAF)) {
                if (top == STACK)
                    walk(tets, child, p, v, out);
                else
                    stack[top++] = child;
                continue;
            }
            const frc_tets_leaf* leaf = &b->leaves[child & ~FRC_REF_LEAF];
            leaves++;
            for (unsigned in = boxes_with(&leaf->box, p); in; in &= in - 1)
                frc_catch_add(out, v, leaf->tet[__builtin_ctz(in)]);
        }
    }
    out->cells += nodes;
    out->candidates += (uint64_t)leaves * LEAF;
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    for (uint32_t v = begin; v < end && tets->bvh.shape.node_count > 0; v++) {
        const float* at = tets->bvh.points.data[v].at;
        const point4 p = {f32x4_splat_at(&at[0]), f32x4_splat_at(&at[1]), f32x4_splat_at(&at[2])};
        walk(tets, 0, &p, v, out);
    }
}

const frc_tets_finder frc_tets_tree = {prepare, items, find, release};
