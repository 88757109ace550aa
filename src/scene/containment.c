/// @file containment.c  Points inside bodies: exact winding numbers along vertical rays.
///
/// The winding number of a point is the number of triangles above it that face up, minus those that
/// face down. A ray goes through the trees of the body that queries use; every decision is the sign
/// of a determinant of the given doubles (geom/vertical_ray.h).
#include "scene/containment.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "geom/box.h"
#include "geom/tri_tri.h"
#include "geom/vertical_ray.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include <math.h>
#include <string.h>

// ---- winding numbers

typedef struct ray {
    const fracas_scene* scene;
    const frc_ray_filter* filter;
    const double* p;
    f32x4 lo[3], hi[3];  // p, rounded down and up
    frc_winding result;
} ray;

// Which of four boxes does the upward ray meet? Empty lanes are NaN: none.
static uint32_t meets(const ray* r, const frc_box4* box) {
    const m32x4 x = m32x4_and(f32x4_le(f32x4_load(box->lo[0]), r->hi[0]),
                              f32x4_le(r->lo[0], f32x4_load(box->hi[0])));
    const m32x4 y = m32x4_and(f32x4_le(f32x4_load(box->lo[1]), r->hi[1]),
                              f32x4_le(r->lo[1], f32x4_load(box->hi[1])));
    return m32x4_bits(m32x4_and(m32x4_and(x, y), f32x4_le(r->lo[2], f32x4_load(box->hi[2]))));
}

// Is p, which is in the plane of the triangle, in its box?
static bool in_box(const double at[3][3], const double p[3]) {
    for (int k = 0; k < 3; k++) {
        if (p[k] < at[0][k] && p[k] < at[1][k] && p[k] < at[2][k]) return false;
        if (p[k] > at[0][k] && p[k] > at[1][k] && p[k] > at[2][k]) return false;
    }
    return true;
}

// False: p is on the triangle, and that ends the search.
static bool cross(ray* r, uint32_t id) {
    const frc_topology* topology = &r->scene->topology;
    const frc_triangle* t = &topology->triangles.data[id];
    double at[3][3];
    for (int i = 0; i < 3; i++) frc_get_point(&topology->points.data[t->point[i]], 1, at[i]);
    const double(*corners)[3] = (const double(*)[3])at;
    if (r->filter->counts && !r->filter->counts(r->filter->data, t)) return true;
    if (r->filter->stop_on_surface && in_box(corners, r->p) &&
        frc_orient3d(at[0], at[1], at[2], r->p) == 0) {
        double point[3][3];
        for (int i = 0; i < 3; i++) memcpy(point[i], r->p, sizeof point[i]);
        if (frc_tri_tri((const double(*)[3])point, corners)) {
            r->result.on_surface = true;
            return false;
        }
    }
    const double* const v[3] = {at[0], at[1], at[2]};
    const int facing = frc_ray_facing(v, r->p);
    if (facing && frc_ray_below(v, facing, r->p)) r->result.number += facing;
    return true;
}

static bool cross_leaf(ray* r, const frc_block* block, const frc_tree* tree, bool has_face_boxes,
                       const frc_leaf* leaf) {
    for (uint32_t first = 0; first < leaf->face_count; first += 4) {
        const uint32_t slot = leaf->face + first;
        uint32_t bits = has_face_boxes ? meets(r, &tree->face_box[slot / 4]) : 15;
        for (; bits; bits &= bits - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(bits);
            if (first + lane >= leaf->face_count) break;
            const uint32_t id = block->faces[slot + lane].id;
            if (id != FRACAS_NONE && !cross(r, id)) return false;
        }
    }
    return true;
}

// The recursion depth is the height of the tree.
static bool shoot(ray* r, const frc_block* block, const frc_tree* tree, bool has_face_boxes,
                  uint32_t number) {
    const frc_node* node = &tree->nodes[number];
    for (uint32_t bits = meets(r, &node->box); bits; bits &= bits - 1) {
        const uint32_t ref = node->child[__builtin_ctz(bits)];
        if (!(ref & FRC_REF_LEAF
                  ? cross_leaf(r, block, tree, has_face_boxes, &block->leaves[ref & ~FRC_REF_LEAF])
                  : shoot(r, block, tree, has_face_boxes, ref)))
            return false;
    }
    return true;
}

frc_winding frc_scene_find_winding(const fracas_scene* scene, const frc_body* body,
                                   const double p[3], const frc_ray_filter* filter) {
    ray r = {.scene = scene, .filter = filter, .p = p};
    for (int k = 0; k < 3; k++) {
        r.lo[k] = f32x4_splat(frc_round_down(p[k]));
        r.hi[k] = f32x4_splat(frc_round_up(p[k]));
    }
    // A published method may keep no trees.
    if (!scene->options.search->needs_trees) {
        for (size_t i = 0; i < body->triangles.count; i++)
            if (body->triangles.data[i] != FRACAS_NONE && !cross(&r, body->triangles.data[i]))
                break;
        return r.result;
    }
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        bool has_face_boxes;
        const frc_tree* tree = frc_block_end_tree(block, &has_face_boxes);
        if (!block->free_elements && !shoot(&r, block, tree, has_face_boxes, 0)) break;
    }
    return r.result;
}

fracas_side frc_scene_find_side(const fracas_scene* scene, const frc_body* body,
                                const double p[3]) {
    const frc_ray_filter filter = {.stop_on_surface = true};
    const frc_winding winding = frc_scene_find_winding(scene, body, p, &filter);
    if (winding.on_surface) return FRACAS_SIDE_SURFACE;
    return winding.number != 0 ? FRACAS_SIDE_INSIDE : FRACAS_SIDE_OUTSIDE;
}

// ---- closed bodies

// The half-edges of all triangles, as edge and direction.
static size_t list_half_edges(const fracas_scene* scene, const frc_body* body, uint64_t* out) {
    const frc_topology* topology = &scene->topology;
    size_t count = 0;
    for (size_t i = 0; i < body->triangles.count; i++) {
        if (body->triangles.data[i] == FRACAS_NONE) continue;
        const frc_triangle* t = &topology->triangles.data[body->triangles.data[i]];
        for (int k = 0; k < 3; k++) {
            if (t->edge[k] == FRACAS_NONE) continue;
            const bool forward = topology->edges.data[t->edge[k]].point[0] == t->point[k];
            out[count++] = (uint64_t)t->edge[k] << 1 | forward;
        }
    }
    return count;
}

// The open edge whose vertices have the smallest numbers; FRACAS_NONE: there is none.
static uint32_t find_open_edge(const fracas_scene* scene, const uint64_t* sorted, size_t count) {
    const frc_topology* topology = &scene->topology;
    uint32_t found = FRACAS_NONE;
    uint64_t best = 0;
    for (size_t i = 0, end; i < count; i = end) {
        int64_t balance = 0;
        for (end = i; end < count && sorted[end] >> 1 == sorted[i] >> 1; end++)
            balance += sorted[end] & 1 ? 1 : -1;
        if (balance == 0) continue;
        const frc_edge* e = &topology->edges.data[sorted[i] >> 1];
        const uint32_t a = topology->points.data[e->point[0]].tag[FRC_TAG_NUMBER],
                       b = topology->points.data[e->point[1]].tag[FRC_TAG_NUMBER];
        const uint64_t name = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        if (found != FRACAS_NONE && name > best) continue;
        best = name, found = (uint32_t)(sorted[i] >> 1);
    }
    return found;
}

fracas_status frc_scene_check_triangles(const fracas_scene* scene, const frc_body* body) {
    if (body->live_triangles > 0) return FRACAS_OK;
    return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                    "body %u has no triangles: it has no inside and no distances",
                    frc_body_number(scene, body) + 1);
}

fracas_status frc_scene_check_closed(const fracas_scene* scene, frc_body* body) {
    fracas_context* context = scene->context;
    const uint32_t handle = frc_body_number(scene, body) + 1;
    const fracas_status status = frc_scene_check_triangles(scene, body);
    if (status != FRACAS_OK) return status;
    // Threads that find this out at the same time find the same.
    uint32_t state = atomic_load_explicit(&body->closed, memory_order_relaxed);
    if (state == FRC_CLOSED_UNKNOWN) {
        const size_t most = 3 * (size_t)body->live_triangles;
        bool ok = true;
        uint64_t* keys = frc_allocate_array(context, most, sizeof *keys, &ok);
        uint64_t* spare = frc_allocate_array(context, most, sizeof *spare, &ok);
        if (ok) {
            const size_t count = list_half_edges(scene, body, keys);
            const uint32_t open =
                find_open_edge(scene, frc_sort_keys(keys, spare, count, 0), count);
            state = open == FRACAS_NONE ? FRC_CLOSED_YES : FRC_CLOSED_OPEN + open;
            atomic_store_explicit(&body->closed, state, memory_order_relaxed);
        }
        frc_release(context, spare, frc_array_size(most, sizeof *spare));
        frc_release(context, keys, frc_array_size(most, sizeof *keys));
        if (!ok) return frc_fail_memory(context, 2 * most * sizeof *keys);
    }
    if (state == FRC_CLOSED_YES) return FRACAS_OK;
    const frc_edge* e = &scene->topology.edges.data[state - FRC_CLOSED_OPEN];
    const uint32_t a = scene->topology.points.data[e->point[0]].tag[FRC_TAG_NUMBER],
                   b = scene->topology.points.data[e->point[1]].tag[FRC_TAG_NUMBER];
    return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                    "body %u is not closed: its triangles do not pass the edge of the vertices %u "
                    "and %u as often in both directions; close the hole there, or turn triangles "
                    "to one orientation",
                    handle, a < b ? a : b, a < b ? b : a);
}

// ---- public function

fracas_status frc_scene_check_trees(const fracas_scene* scene, const char* call) {
    if (!scene->updated)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the scene has changed: call fracas_scene_update before %s", call);
    if (!scene->options.search->needs_trees)
        return frc_fail(
            scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
            "%s needs trees, and this scene has none: it is on a device, or has a published "
            "method",
            call);
    return FRACAS_OK;
}

fracas_status frc_scene_check_points(const fracas_scene* scene, const fracas_points* points,
                                     const void* out, const char* call) {
    if (!points) return frc_fail_null(scene->context, call, "points");
    fracas_status status = frc_points_check(scene->context, points);
    if (status == FRACAS_OK && points->count > 0 && !out)
        return frc_fail_null(scene->context, call, "out");
    if (status == FRACAS_OK) status = frc_points_validate(scene->context, points);
    return status == FRACAS_OK ? frc_scene_check_trees(scene, call) : status;
}

typedef struct job {
    const fracas_scene* scene;
    const frc_body* body;
    const fracas_points* points;
    uint8_t* out;
} job;

enum { GRAIN = 128 };

static void find_sides(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const job* j = data;
    if (frc_cancelled(j->scene->context)) return;
    for (uint32_t i = begin; i < end; i++) {
        double p[3];
        frc_view_point(j->points, i, p);
        j->out[i] = (uint8_t)frc_scene_find_side(j->scene, j->body, p);
    }
}

fracas_status fracas_scene_find_containment(const fracas_scene* scene, fracas_body handle,
                                            const fracas_points* points, uint8_t* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    fracas_status status =
        frc_scene_check_points(scene, points, out, "fracas_scene_find_containment");
    if (status != FRACAS_OK) return status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (body) status = frc_scene_check_closed(scene, body);
    if (status != FRACAS_OK) return status;
    job j = {scene, body, points, out};
    frc_parallel_for(context, points->count, GRAIN, find_sides, &j);
    return frc_cancelled(context) ? frc_fail(context, FRACAS_ERROR_CANCELLED,
                                             "fracas_scene_find_containment was cancelled")
                                  : FRACAS_OK;
}
