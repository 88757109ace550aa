/// @file tets_bvh.c  A tree of boxes over tetrahedra, queried by every vertex.
///
/// For comparison: the tree of src/bvh with four children per node and four tetrahedra per leaf,
/// built by the surface area heuristic when bodies are added or removed, and refitted in every
/// update. There are fewer vertices than tetrahedra, so vertices are the queries.
///
/// Coordinates of vertices and boxes are rounded to the nearest float. Rounding is monotone: a
/// double between two doubles has its float between their floats.
#include "base/parallel.h"
#include "published/tets_methods.h"
#include "tets/narrow_phase.h"

typedef struct float_point {
    float at[4];
} float_point;

typedef struct bvh_state {
    frc_box_tree tree;              // over tetrahedra
    FRC_ARRAY(float_point) points;  // vertices
} bvh_state;

static bvh_state* state_of(const fracas_tets* tets) { return tets->method_state; }

// ---- update

enum { VERTICES_PER_PART = 1024 };

static frc_float_box box_of_tet(const void* data, uint32_t tet) {
    const fracas_tets* tets = data;
    const uint32_t* corner = tets->tets.data[tet].corner;
    const float_point* points = state_of(tets)->points.data;
    const f32x4 p = f32x4_load(points[corner[0]].at), q = f32x4_load(points[corner[1]].at);
    const f32x4 r = f32x4_load(points[corner[2]].at), s = f32x4_load(points[corner[3]].at);
    return (frc_float_box){f32x4_min(f32x4_min(p, q), f32x4_min(r, s)),
                           f32x4_max(f32x4_max(p, q), f32x4_max(r, s))};
}

static void round_points(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_tets* tets = data;
    const size_t all = tets->vertices.count, last = (size_t)end * VERTICES_PER_PART;
    for (size_t v = (size_t)begin * VERTICES_PER_PART; v < all && v < last; v++) {
        const double* at = tets->vertices.data[v].at;
        state_of(tets)->points.data[v] = (float_point){
            {(float)at[0], (float)at[1], (float)at[2], 0}
        };
    }
}

static bool update(fracas_tets* tets) {
    fracas_context* context = tets->context;
    bvh_state* s = state_of(tets);
    const size_t count = tets->vertices.count;
    const uint32_t parts = (uint32_t)((count + VERTICES_PER_PART - 1) / VERTICES_PER_PART);
    if (!FRC_ARRAY_RESERVE(context, &s->points, count)) return false;
    frc_parallel_for(context, parts, 1, round_points, tets);
    if (tets->bodies_changed &&
        !frc_box_tree_build(context, &s->tree, (uint32_t)tets->tets.count, box_of_tet, tets))
        return false;
    frc_box_tree_refit(context, &s->tree, box_of_tet, tets);
    return true;
}

static void release(fracas_tets* tets) {
    frc_box_tree_release(tets->context, &state_of(tets)->tree);
    FRC_ARRAY_RELEASE(tets->context, &state_of(tets)->points);
}

// ---- traversal

static uint32_t item_count(const fracas_tets* tets) { return (uint32_t)tets->vertices.count; }

typedef struct point4 {
    f32x4 x, y, z;
} point4;

// Bits of the boxes that contain the point.
static inline unsigned boxes_with(const frc_box4* box, const point4* p) {
    const m32x4 x =
        m32x4_and(f32x4_le(f32x4_load(box->lo[0]), p->x), f32x4_le(p->x, f32x4_load(box->hi[0])));
    const m32x4 y =
        m32x4_and(f32x4_le(f32x4_load(box->lo[1]), p->y), f32x4_le(p->y, f32x4_load(box->hi[1])));
    const m32x4 z =
        m32x4_and(f32x4_le(f32x4_load(box->lo[2]), p->z), f32x4_le(p->z, f32x4_load(box->hi[2])));
    return m32x4_bits(m32x4_and(m32x4_and(x, y), z));
}

// Trees built by the surface area heuristic need far less. A full stack makes the traversal
// recurse.
enum { STACK = 256 };

static void traverse(const frc_box_tree* tree, uint32_t root, const point4* p, uint32_t v,
                     frc_tets_narrow_phase* out) {
    uint32_t stack[STACK], top = 0, nodes = 0, leaves = 0;
    stack[top++] = root;
    while (top > 0) {
        const frc_node* n = &tree->shape.nodes[stack[--top]];
        nodes++;
        for (unsigned bits = boxes_with(&n->box, p); bits; bits &= bits - 1) {
            const uint32_t child = n->child[__builtin_ctz(bits)];
            if (!(child & FRC_REF_LEAF)) {
                if (top == STACK)
                    traverse(tree, child, p, v, out);
                else
                    stack[top++] = child;
                continue;
            }
            const frc_box_leaf* leaf = &tree->leaves[child & ~FRC_REF_LEAF];
            leaves++;
            for (unsigned in = boxes_with(&leaf->box, p); in; in &= in - 1)
                frc_tets_add_candidate(out, v, leaf->item[__builtin_ctz(in)]);
        }
    }
    out->cells += nodes;
    out->candidates += (uint64_t)leaves * FRC_BOX_LEAF;
}

static void find(const fracas_tets* tets, uint32_t begin, uint32_t end,
                 frc_tets_narrow_phase* out) {
    const bvh_state* s = state_of(tets);
    for (uint32_t v = begin; v < end && s->tree.shape.node_count > 0; v++) {
        const float* at = s->points.data[v].at;
        const point4 p = {f32x4_splat_at(&at[0]), f32x4_splat_at(&at[1]), f32x4_splat_at(&at[2])};
        traverse(&s->tree, 0, &p, v, out);
    }
}

const frc_tets_method frc_tets_bvh = {.state_size = sizeof(bvh_state),
                                      .cell_factor = 1,
                                      .update = update,
                                      .item_count = item_count,
                                      .find = find,
                                      .release = release,
                                      .nearest = frc_surface_nearest};
