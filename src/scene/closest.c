/// @file closest.c  The closest points of a body to given points.
///
/// Depth first through the trees of the body, nearest child first. A subtree is skipped only when
/// no triangle in it can have a computed distance that is as small as the best one: box distances
/// are rounded down, and the bound on the error of a triangle's distance is subtracted. So the
/// result is that of a loop over all triangles, whatever the trees are.
#include "base/parallel.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "scene/box_distance.h"
#include "scene/containment.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct search {
    const fracas_scene* scene;
    const frc_block* block;
    const frc_tree* tree;
    bool has_face_boxes;
    const double* p;
    frc_point_lanes lanes;
    frc_reach reach;
    frc_triangle_closest best;
    uint32_t triangle;  // its number
} search;

static void try_face(search* s, uint32_t id) {
    double at[3][3];
    frc_triangle_closest found;
    const frc_triangle* t = frc_get_corners(s->scene, id, at);
    const double* const corners[3] = {at[0], at[1], at[2]};
    frc_point_triangle_closest(s->p, corners, &found);
    if (s->triangle != FRACAS_NONE &&
        (found.distance > s->best.distance ||
         (found.distance == s->best.distance && t->number > s->triangle)))
        return;
    s->best = found;
    s->triangle = t->number;
    frc_reach_set(&s->reach, found.distance);
}

static void visit_leaf(search* s, const frc_leaf* leaf) {
    float square[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < leaf->face_count; i++) {
        const uint32_t slot = leaf->face + i;
        if (i % 4 == 0 && s->has_face_boxes)
            frc_point_box_distances(&s->lanes, &s->tree->face_box[slot / 4], square);
        if (s->block->faces[slot].id != FRACAS_NONE &&
            !frc_reach_excludes(&s->reach, square[i % 4]))
            try_face(s, s->block->faces[slot].id);
    }
}

// The recursion depth is the height of the tree.
static void visit(search* s, uint32_t ref) {
    if (ref & FRC_REF_LEAF) {
        visit_leaf(s, &s->block->leaves[ref & ~FRC_REF_LEAF]);
        return;
    }
    const frc_node* node = &s->tree->nodes[ref];
    float square[4];
    uint32_t order[4];
    frc_point_box_distances(&s->lanes, &node->box, square);
    const uint32_t count = frc_sort_children(node, square, order);
    for (uint32_t i = 0; i < count; i++)
        if (!frc_reach_excludes(&s->reach, square[order[i]])) visit(s, node->child[order[i]]);
}

static void find_closest(const fracas_scene* scene, const frc_body* body, const double p[3],
                         fracas_closest_point* out) {
    search s = {.scene = scene, .p = p, .triangle = FRACAS_NONE};
    s.lanes = frc_make_point_lanes(p);
    double size = 0;
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        if (!block->free_elements) size = fmax(size, frc_far_distance(block, p, p));
    }
    s.reach = frc_make_reach(size);
    for (size_t i = 0; i < body->blocks.count; i++) {
        s.block = scene->blocks.data[body->blocks.data[i]];
        s.tree = frc_block_end_tree(s.block, &s.has_face_boxes);
        if (!s.block->free_elements) visit(&s, 0);
    }
    *out = (fracas_closest_point){
        .distance = s.best.distance, .u = s.best.u[0], .v = s.best.v[0], .triangle = s.triangle};
    memcpy(out->point, s.best.at[0], sizeof out->point);
}

// ---- public functions

typedef struct job {
    const fracas_scene* scene;
    const frc_body* body;
    const fracas_points* points;
    bool has_sign;
    fracas_closest_point* out;
} job;

enum { GRAIN = 32 };

static void find_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const job* j = data;
    if (frc_cancelled(j->scene->context)) return;
    for (uint32_t i = begin; i < end; i++) {
        double p[3];
        fracas_closest_point* out = &j->out[i];
        frc_view_point(j->points, i, p);
        find_closest(j->scene, j->body, p, out);
        if (!j->has_sign) continue;
        out->side = frc_scene_find_side(j->scene, j->body, p);
        if (out->side == FRACAS_SIDE_SURFACE) {
            out->distance = 0;
            memcpy(out->point, p, sizeof p);
        } else if (out->distance == 0) {
            out->distance = DBL_TRUE_MIN;
        }
        if (out->side == FRACAS_SIDE_INSIDE) out->distance = -out->distance;
    }
}

static fracas_status find(const fracas_scene* scene, fracas_body handle,
                          const fracas_points* points, bool has_sign, fracas_closest_point* out,
                          const char* call) {
    fracas_context* context = scene->context;
    fracas_status status = frc_scene_check_points(scene, points, out, call);
    if (status != FRACAS_OK) return status;
    frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    status =
        has_sign ? frc_scene_check_closed(scene, body) : frc_scene_check_triangles(scene, body);
    if (status != FRACAS_OK) return status;
    job j = {scene, body, points, has_sign, out};
    frc_parallel_for(context, points->count, GRAIN, find_some, &j);
    return frc_cancelled(context)
               ? frc_fail(context, FRACAS_ERROR_CANCELLED, "%s was cancelled", call)
               : FRACAS_OK;
}

fracas_status fracas_scene_find_closest_points(const fracas_scene* scene, fracas_body body,
                                               const fracas_points* points,
                                               fracas_closest_point* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    return find(scene, body, points, false, out, "fracas_scene_find_closest_points");
}

fracas_status fracas_scene_find_signed_distances(const fracas_scene* scene, fracas_body body,
                                                 const fracas_points* points,
                                                 fracas_closest_point* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    return find(scene, body, points, true, out, "fracas_scene_find_signed_distances");
}
