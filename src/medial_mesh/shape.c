/// @file shape.c  Signed distances from the union of medial primitives.
#include "medial_mesh/shape.h"
#include "base/sort.h"
#include "fracas/contact.h"
#include "geom/box.h"
#include <math.h>
#include <string.h>

static uint64_t edge_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

bool frc_edge_set_create(fracas_context* context, const uint32_t* indices, size_t count,
                         uint32_t corners, frc_edge_set* out) {
    bool ok = true;
    const size_t keys = corners == 2 ? count : 3 * count;
    out->capacity = keys;
    out->keys = frc_allocate_array(context, keys, sizeof *out->keys, &ok);
    uint64_t* spare = frc_allocate_array(context, keys, sizeof *spare, &ok);
    for (size_t i = 0; ok && i < keys; i++) {
        const uint32_t* v = indices + (corners == 2 ? 2 * i : i / 3 * 3);
        out->keys[i] = corners == 2 ? edge_key(v[0], v[1]) : edge_key(v[i % 3], v[(i + 1) % 3]);
    }
    const uint64_t* sorted = ok ? frc_sort_keys(out->keys, spare, keys, 0) : NULL;
    for (size_t i = 0; ok && i < keys; i++)
        if (i == 0 || sorted[i] != out->keys[out->count - 1]) out->keys[out->count++] = sorted[i];
    frc_release(context, spare, frc_array_size(keys, sizeof *spare));
    return ok;
}

bool frc_edge_set_has(const frc_edge_set* set, uint32_t a, uint32_t b) {
    const uint64_t key = edge_key(a, b);
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (set->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->keys[low] == key;
}

void frc_edge_set_release(fracas_context* context, frc_edge_set* set) {
    frc_release(context, set->keys, frc_array_size(set->capacity, sizeof *set->keys));
}

// The slabs, then the cones that are not sides of slabs, then single spheres.
static bool push_prims(fracas_context* context, const fracas_medial_view* view,
                       const frc_edge_set* sides, uint8_t* used, frc_medial_shape* out) {
    bool ok = true;
    for (uint32_t t = 0; ok && t < view->triangle_count; t++) {
        frc_medial_prim prim = {.count = 3};
        memcpy(prim.vertex, view->triangles + 3 * (size_t)t, sizeof prim.vertex);
        for (int k = 0; k < 3; k++) used[prim.vertex[k]] = 1;
        ok = FRC_ARRAY_PUSH(context, &out->prims, prim);
    }
    for (uint32_t e = 0; ok && e < view->edge_count; e++) {
        const uint32_t a = view->edges[2 * (size_t)e], b = view->edges[2 * (size_t)e + 1];
        used[a] = used[b] = 1;
        if (frc_edge_set_has(sides, a, b)) continue;
        const frc_medial_prim prim = {
            .count = 2, .vertex = {a, b, b}
        };
        ok = FRC_ARRAY_PUSH(context, &out->prims, prim);
    }
    for (uint32_t v = 0; ok && v < view->sphere_count; v++) {
        const frc_medial_prim prim = {
            .count = 1, .vertex = {v, v, v}
        };
        if (!used[v]) ok = FRC_ARRAY_PUSH(context, &out->prims, prim);
    }
    return ok;
}

static frc_float_box box_of_prim(const void* data, uint32_t number) {
    const frc_medial_shape* shape = data;
    const frc_medial_prim* prim = &shape->prims.data[number];
    float lo[4] = {0}, hi[4] = {0};
    for (int v = 0; v < prim->count; v++) {
        const double* s = frc_medial_shape_sphere(shape, prim->vertex[v]);
        for (int k = 0; k < 3; k++) {
            const float low = frc_round_down(s[k] - s[3]), high = frc_round_up(s[k] + s[3]);
            lo[k] = v == 0 || low < lo[k] ? low : lo[k];
            hi[k] = v == 0 || high > hi[k] ? high : hi[k];
        }
    }
    return (frc_float_box){f32x4_load(lo), f32x4_load(hi)};
}

bool frc_medial_shape_create(fracas_context* context, const fracas_medial_view* view,
                             frc_medial_shape* out) {
    frc_edge_set sides = {0};
    bool ok = frc_edge_set_create(context, view->triangles, view->triangle_count, 3, &sides);
    uint8_t* used = frc_allocate_array(context, view->sphere_count, 1, &ok);
    out->spheres = (const double*)(const void*)view->spheres;
    if (ok) {
        memset(used, 0, view->sphere_count);
        ok = push_prims(context, view, &sides, used, out) &&
             frc_box_tree_build(context, &out->tree, (uint32_t)out->prims.count, box_of_prim, out);
    }
    if (ok) frc_medial_shape_refit(context, out);
    frc_release(context, used, frc_array_size(view->sphere_count, 1));
    frc_edge_set_release(context, &sides);
    return ok;
}

void frc_medial_shape_refit(fracas_context* context, frc_medial_shape* shape) {
    frc_box_tree_refit(context, &shape->tree, box_of_prim, shape);
}

void frc_medial_shape_release(fracas_context* context, frc_medial_shape* shape) {
    frc_box_tree_release(context, &shape->tree);
    FRC_ARRAY_RELEASE(context, &shape->prims);
}

// ---- the nearest primitive

// The `most` primitives with the smallest signed distances below `limit`, sorted.
typedef struct query {
    const frc_medial_shape* shape;
    const double* p;
    double limit;
    int count, most;
    frc_medial_nearest* found;
    uint32_t* prims;
} query;

static void try_prim(query* q, uint32_t number) {
    const frc_medial_prim* prim = &q->shape->prims.data[number];
    const double* spheres[3];
    for (int k = 0; k < 3; k++) spheres[k] = frc_medial_shape_sphere(q->shape, prim->vertex[k]);
    const frc_medial_nearest found = frc_medial_point(spheres, prim->count, q->p);
    if (!(found.distance < q->limit)) return;
    for (int i = 0; i < q->count; i++)
        if (q->prims[i] == number) return;
    if (q->count < q->most) q->count++;
    int at = q->count - 1;
    for (; at > 0 && q->found[at - 1].distance > found.distance; at--)
        q->found[at] = q->found[at - 1], q->prims[at] = q->prims[at - 1];
    q->found[at] = found, q->prims[at] = number;
    if (q->count == q->most) q->limit = q->found[q->most - 1].distance;
}

// A lower bound of the signed distance from what is in a box: a sphere around a point of depth d in
// a primitive is in its box.
static double box_distance(const frc_box4* box, uint32_t lane, const double p[3]) {
    double sum = 0, largest = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const double below = (double)box->lo[k][lane] - p[k],
                     above = p[k] - (double)box->hi[k][lane];
        const double gap = below > above ? below : above;
        largest = gap > largest ? gap : largest;
        if (gap > 0) sum += gap * gap;
    }
    return largest > 0 ? sqrt(sum) : largest;
}

// The recursion depth is the height of the tree. Rounding errors of a skipped distance are far
// below those that matter here.
static void search(query* q, uint32_t ref) {
    const frc_box_tree* tree = &q->shape->tree;
    if (ref & FRC_REF_LEAF) {
        const uint32_t leaf = ref & ~FRC_REF_LEAF;
        for (uint32_t k = 0; k < tree->shape.leaves[leaf].count; k++) {
            if (box_distance(&tree->leaves[leaf].box, k, q->p) < q->limit)
                try_prim(q, tree->leaves[leaf].item[k]);
        }
        return;
    }
    const frc_node* node = &tree->shape.nodes[ref];
    uint32_t order[4], count = 0;
    double distance[4];
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        const double d = box_distance(&node->box, i, q->p);
        uint32_t at = count++;
        for (; at > 0 && distance[at - 1] > d; at--)
            distance[at] = distance[at - 1], order[at] = order[at - 1];
        distance[at] = d, order[at] = node->child[i];
    }
    for (uint32_t i = 0; i < count; i++)
        if (distance[i] < q->limit) search(q, order[i]);
}

frc_medial_nearest frc_medial_shape_nearest(const frc_medial_shape* shape, const double p[3],
                                            uint32_t* prim) {
    frc_medial_nearest best = {.distance = INFINITY};
    const uint32_t first = *prim;
    query q = {shape, p, INFINITY, 0, 1, &best, prim};
    *prim = FRACAS_NONE;
    if (first != FRACAS_NONE) try_prim(&q, first);
    if (shape->tree.shape.node_count > 0) search(&q, 0);
    return best;
}

int frc_medial_shape_around(const frc_medial_shape* shape, const double p[3], int most,
                            frc_medial_nearest* out, uint32_t* prims) {
    query q = {shape, p, 0, 0, most, out, prims};
    if (shape->tree.shape.node_count > 0) search(&q, 0);
    return q.count;
}
