/// @file find_bvh.c  A tree of boxes over tetrahedra; each vertex goes down to those around it.
///
/// To be compared with: the tree of src/bvh, four boxes to a node, four tetrahedra to a leaf. It is
/// built by the surface area heuristic when bodies come or go, and refitted in every update. There
/// are fewer vertices than tetrahedra, so they are who asks.
///
/// Coordinates are rounded to the nearest float, those of vertices and of boxes alike. Rounding is
/// monotone: what is between two doubles is between their floats.
#include "base/parallel.h"
#include "tets/catch.h"

enum { PART = 1024 };

static frc_float_box box_of_tet(const void* data, uint32_t tet) {
    const fracas_tets* tets = data;
    const uint32_t* corner = tets->tets.data[tet].corner;
    const frc_float_point* points = tets->bvh_points.data;
    const f32x4 p = f32x4_load(points[corner[0]].at), q = f32x4_load(points[corner[1]].at);
    const f32x4 r = f32x4_load(points[corner[2]].at), s = f32x4_load(points[corner[3]].at);
    return (frc_float_box){f32x4_min(f32x4_min(p, q), f32x4_min(r, s)),
                           f32x4_max(f32x4_max(p, q), f32x4_max(r, s))};
}

static void round_points(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_tets* tets = data;
    for (size_t v = (size_t)begin * PART; v < tets->vertices.count && v < (size_t)end * PART; v++) {
        const double* at = tets->vertices.data[v].at;
        float* p = tets->bvh_points.data[v].at;
        for (int k = 0; k < 3; k++) p[k] = (float)at[k];
        p[3] = 0;
    }
}

static bool prepare(fracas_tets* tets) {
    fracas_context* context = tets->context;
    const size_t count = tets->vertices.count;
    if (!FRC_ARRAY_RESERVE(context, &tets->bvh_points, count)) return false;
    frc_parallel_for(context, (uint32_t)((count + PART - 1) / PART), 1, round_points, tets);
    if (tets->changed &&
        !frc_box_tree_build(context, &tets->bvh, (uint32_t)tets->tets.count, box_of_tet, tets))
        return false;
    frc_box_tree_refit(context, &tets->bvh, box_of_tet, tets);
    return true;
}

static void release(fracas_tets* tets) {
    frc_box_tree_release(tets->context, &tets->bvh);
    FRC_ARRAY_RELEASE(tets->context, &tets->bvh_points);
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
    const frc_box_tree* b = &tets->bvh;
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
            const frc_box_leaf* leaf = &b->leaves[child & ~FRC_REF_LEAF];
            leaves++;
            for (unsigned in = boxes_with(&leaf->box, p); in; in &= in - 1)
                frc_catch_add(out, v, leaf->thing[__builtin_ctz(in)]);
        }
    }
    out->cells += nodes;
    out->candidates += (uint64_t)leaves * FRC_BOX_LEAF;
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end, frc_catch* out) {
    for (uint32_t v = begin; v < end && tets->bvh.shape.node_count > 0; v++) {
        const float* at = tets->bvh_points.data[v].at;
        const point4 p = {f32x4_splat_at(&at[0]), f32x4_splat_at(&at[1]), f32x4_splat_at(&at[2])};
        walk(tets, 0, &p, v, out);
    }
}

const frc_tets_finder frc_tets_tree = {
    .prepare = prepare, .items = items, .find = find, .release = release};
