/// @file distance.c  Distances of bodies.
///
/// Depth first through pairs of nodes of both bodies, the nearest pair first. As for points
/// (closest.c) the result is that of a loop over all pairs of triangles: the one with the smallest
/// computed distance, of several the first. Triangles that intersect, which exact tests decide,
/// have distance 0; the first such pair that the search finds ends it.
#include "base/parallel.h"
#include "geom/tri_tri.h"
#include "geom/tri_tri_shape.h"
#include "scene/box_distance.h"
#include "scene/containment.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct tree_side {
    const frc_block* block;
    const frc_tree* tree;
} tree_side;

typedef struct leaf_face {
    double at[3][3];
    double lo[3], hi[3];
    uint32_t number;
} leaf_face;

typedef struct search {
    const fracas_scene* scene;
    tree_side side[2];
    frc_reach reach;
    uint32_t triangle[2];  // FRACAS_NONE: no pair yet
    frc_triangle_closest best;
} search;

static const double* const* corners_of(const leaf_face* f, const double* out[3]) {
    for (int i = 0; i < 3; i++) out[i] = f->at[i];
    return out;
}

// A pair that intersects: the first point of the intersection.
static void meet(const leaf_face* a, const leaf_face* b, frc_triangle_closest* out) {
    const double *v[3], *w[3];
    frc_tri_shape shape;
    frc_tri_tri_shape(corners_of(a, v), 3, corners_of(b, w), 3, &shape);
    *out = (frc_triangle_closest){.distance = 0};
    for (int side = 0; side < 2; side++) memcpy(out->at[side], shape.points[0], sizeof out->at[0]);
}

// Is the pair before the best one in the order of numbers?
static bool is_earlier(const search* s, const leaf_face* a, const leaf_face* b) {
    if (s->triangle[0] == FRACAS_NONE) return true;
    if (a->number != s->triangle[0]) return a->number < s->triangle[0];
    return b->number < s->triangle[1];
}

static void try_pair(search* s, const leaf_face* a, const leaf_face* b) {
    double square = 0;
    bool overlap = true;
    for (int k = 0; k < 3; k++) {
        const double gap = fmax(0, fmax(a->lo[k] - b->hi[k], b->lo[k] - a->hi[k]));
        overlap &= a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k];
        square += gap * gap;
    }
    const bool earlier = is_earlier(s, a, b);
    if (square <= FLT_MAX && frc_reach_excludes(&s->reach, (float)square)) return;
    frc_triangle_closest found;
    if (overlap && frc_tri_tri((const double(*)[3])a->at, (const double(*)[3])b->at)) {
        meet(a, b, &found);
    } else {
        const double *v[3], *w[3];
        frc_triangle_triangle_closest(corners_of(a, v), corners_of(b, w), &found);
        if (!(found.distance > 0)) found.distance = DBL_TRUE_MIN;
    }
    if (s->triangle[0] != FRACAS_NONE &&
        (found.distance > s->best.distance || (found.distance == s->best.distance && !earlier)))
        return;
    s->best = found;
    s->triangle[0] = a->number, s->triangle[1] = b->number;
    frc_reach_set(&s->reach, found.distance);
}

static uint32_t read_leaf(const search* s, const tree_side* side, uint32_t ref,
                          leaf_face out[FRC_LEAF_SIZE]) {
    const frc_leaf* leaf = &side->block->leaves[ref & ~FRC_REF_LEAF];
    uint32_t count = 0;
    for (uint32_t i = 0; i < leaf->face_count; i++) {
        const uint32_t id = side->block->faces[leaf->face + i].id;
        if (id == FRACAS_NONE) continue;
        leaf_face* f = &out[count++];
        f->number = frc_get_corners(s->scene, id, f->at)->number;
        for (int k = 0; k < 3; k++) {
            f->lo[k] = fmin(f->at[0][k], fmin(f->at[1][k], f->at[2][k]));
            f->hi[k] = fmax(f->at[0][k], fmax(f->at[1][k], f->at[2][k]));
        }
    }
    return count;
}

static double size_of(const frc_box* box) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (double)box->hi[k] - (double)box->lo[k];
    return sum;
}

// All pairs below two references, whose boxes are given. The larger node is divided.
static void visit(search* s, const uint32_t ref[2], const frc_box box[2]) {
    const bool leaf[2] = {(ref[0] & FRC_REF_LEAF) != 0, (ref[1] & FRC_REF_LEAF) != 0};
    if (leaf[0] && leaf[1]) {
        leaf_face a[FRC_LEAF_SIZE], b[FRC_LEAF_SIZE];
        const uint32_t count_a = read_leaf(s, &s->side[0], ref[0], a),
                       count_b = read_leaf(s, &s->side[1], ref[1], b);
        for (uint32_t i = 0; i < count_a; i++)
            for (uint32_t j = 0; j < count_b && s->best.distance > 0; j++)
                try_pair(s, &a[i], &b[j]);
        return;
    }
    const int divided = leaf[0] ? 1 : leaf[1] ? 0 : size_of(&box[0]) < size_of(&box[1]);
    const frc_node* node = &s->side[divided].tree->nodes[ref[divided]];
    const frc_point_lanes lanes = frc_make_box_lanes(&box[1 - divided]);
    float square[4];
    uint32_t order[4];
    frc_point_box_distances(&lanes, &node->box, square);
    const uint32_t count = frc_sort_children(node, square, order);
    for (uint32_t i = 0; i < count && s->best.distance > 0; i++) {
        const uint32_t lane = order[i];
        if (frc_reach_excludes(&s->reach, square[lane])) continue;
        uint32_t refs[2] = {ref[0], ref[1]};
        frc_box boxes[2] = {box[0], box[1]};
        refs[divided] = node->child[lane];
        for (int k = 0; k < 3; k++) {
            boxes[divided].lo[k] = node->box.lo[k][lane];
            boxes[divided].hi[k] = node->box.hi[k][lane];
        }
        visit(s, refs, boxes);
    }
}

static void find_distance(const fracas_scene* scene, const frc_body* const body[2],
                          fracas_body_distance* out) {
    search s = {
        .scene = scene, .triangle = {FRACAS_NONE, FRACAS_NONE},
             .best = {.distance = INFINITY          }
    };
    double size = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < body[0]->blocks.count; i++)
            for (size_t j = 0; j < body[1]->blocks.count; j++) {
                const uint32_t roots[2] = {0, 0};
                frc_box boxes[2];
                for (int k = 0; k < 2; k++) {
                    bool unused;
                    s.side[k].block = scene->blocks.data[body[k]->blocks.data[k == 0 ? i : j]];
                    s.side[k].tree = frc_block_end_tree(s.side[k].block, &unused);
                    frc_block_end_box(s.side[k].block, &boxes[k]);
                }
                if (s.side[0].block->free_elements || s.side[1].block->free_elements) continue;
                const double lo[3] = {(double)boxes[1].lo[0], (double)boxes[1].lo[1],
                                      (double)boxes[1].lo[2]};
                const double hi[3] = {(double)boxes[1].hi[0], (double)boxes[1].hi[1],
                                      (double)boxes[1].hi[2]};
                if (pass == 0)
                    size = fmax(size, frc_far_distance(s.side[0].block, lo, hi));
                else if (s.best.distance > 0)
                    visit(&s, roots, (const frc_box*)boxes);
                if (pass == 0) s.reach = frc_make_reach(size);
            }
    *out = (fracas_body_distance){.distance = s.best.distance,
                                  .u_a = s.best.u[0],
                                  .v_a = s.best.v[0],
                                  .u_b = s.best.u[1],
                                  .v_b = s.best.v[1],
                                  .triangle_a = s.triangle[0],
                                  .triangle_b = s.triangle[1]};
    memcpy(out->point_a, s.best.at[0], sizeof out->point_a);
    memcpy(out->point_b, s.best.at[1], sizeof out->point_b);
}

// ---- public function

typedef struct job {
    const fracas_scene* scene;
    const fracas_body_pair* pairs;
    fracas_body_distance* out;
} job;

static void find_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const job* j = data;
    for (uint32_t i = begin; i < end && !frc_cancelled(j->scene->context); i++) {
        const frc_body* const bodies[2] = {&j->scene->bodies.data[j->pairs[i].a.index - 1],
                                           &j->scene->bodies.data[j->pairs[i].b.index - 1]};
        find_distance(j->scene, bodies, &j->out[i]);
    }
}

fracas_status frc_scene_check_pairs(const fracas_scene* scene, const fracas_body_pair* pairs,
                                    size_t count, const void* out, const char* call) {
    if (count > 0 && !pairs) return frc_fail_null(scene->context, call, "pairs");
    if (count > 0 && !out) return frc_fail_null(scene->context, call, "out");
    if (count >= UINT32_MAX)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "%s: %zu pairs are too many: at most %" PRIu32, call, count,
                        UINT32_MAX - 1);
    fracas_status status = frc_scene_check_trees(scene, call);
    for (size_t i = 0; i < count && status == FRACAS_OK; i++) {
        const fracas_body both[2] = {pairs[i].a, pairs[i].b};
        if (both[0].index == both[1].index && both[0].generation == both[1].generation)
            return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                            "pair %zu is body %" PRIu32 " twice: give two different bodies", i,
                            both[0].index);
        for (int k = 0; k < 2 && status == FRACAS_OK; k++) {
            const frc_body* body = frc_scene_find(scene, both[k], &status);
            if (body) status = frc_scene_check_triangles(scene, body);
        }
    }
    return status;
}

fracas_status fracas_scene_find_distances(const fracas_scene* scene, const fracas_body_pair* pairs,
                                          size_t count, fracas_body_distance* out) {
    static const char call[] = "fracas_scene_find_distances";
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    const fracas_status status = frc_scene_check_pairs(scene, pairs, count, out, call);
    if (status != FRACAS_OK) return status;
    job j = {scene, pairs, out};
    frc_parallel_for(scene->context, (uint32_t)count, 1, find_some, &j);
    return frc_cancelled(scene->context)
               ? frc_fail(scene->context, FRACAS_ERROR_CANCELLED, "%s was cancelled", call)
               : FRACAS_OK;
}
