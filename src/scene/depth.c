/// @file depth.c  How far two bodies must be moved apart: the penetration depth of their convex
/// hulls.
///
/// The points a - b of two bodies a and b have a convex hull that contains a translation of b
/// exactly when the translation leaves the hulls overlapping. The nearest point of its boundary is
/// the least translation that separates them (geom/expand_polytope.h); its support points are found
/// in the trees of the bodies.
#include "base/parallel.h"
#include "geom/expand_polytope.h"
#include "geom/vec3.h"
#include "scene/box_distance.h"
#include "scene/containment.h"
#include <math.h>
#include <string.h>

// ---- the vertex of a body that is furthest in a direction

typedef struct furthest {
    const fracas_scene* scene;
    const frc_block* block;
    const frc_tree* tree;
    const double* n;
    double slack;  // above the rounding errors of products
    double value;
    uint32_t number;  // the smallest of several vertices
    double at[3];
} furthest;

static void try_vertex(furthest* f, uint32_t point) {
    const frc_point* p = &f->scene->topology.points.data[point];
    double at[3];
    frc_get_point(p, 1, at);
    const double value = frc_vec3_dot(f->n, at);
    const uint32_t number = p->tag[FRC_TAG_NUMBER];
    if (value < f->value || (value == f->value && number >= f->number)) return;
    f->value = value, f->number = number;
    memcpy(f->at, at, sizeof at);
}

// The recursion depth is the height of the tree. The subtree with the largest bound comes first.
static void visit(furthest* f, uint32_t ref) {
    if (ref & FRC_REF_LEAF) {
        const frc_leaf* leaf = &f->block->leaves[ref & ~FRC_REF_LEAF];
        for (uint32_t i = 0; i < leaf->face_count; i++) {
            const frc_face_slot* slot = &f->block->faces[leaf->face + i];
            for (int k = 0; k < 3 && slot->id != FRACAS_NONE; k++) try_vertex(f, slot->point[k]);
        }
        return;
    }
    const frc_node* node = &f->tree->nodes[ref];
    double bound[4];
    uint32_t order[4], count = 0;
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += f->n[k] * (double)(f->n[k] < 0 ? node->box.lo[k][i] : node->box.hi[k][i]);
        bound[i] = sum;
        uint32_t at = count++;
        for (; at > 0 && bound[order[at - 1]] < sum; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!(bound[order[i]] + f->slack < f->value)) visit(f, node->child[order[i]]);
}

static void find_furthest(const fracas_scene* scene, const frc_body* body, const double n[3],
                          double slack, double at[3]) {
    furthest f = {.scene = scene, .n = n, .slack = slack, .value = -INFINITY};
    for (size_t i = 0; i < body->blocks.count; i++) {
        bool unused;
        f.block = scene->blocks.data[body->blocks.data[i]];
        f.tree = frc_block_end_tree(f.block, &unused);
        if (!f.block->free_elements) visit(&f, 0);
    }
    memcpy(at, f.at, sizeof f.at);
}

// ---- differences

typedef struct difference {
    const fracas_scene* scene;
    const frc_body* body[2];
    double size;   // at least every coordinate
    double scale;  // a power of two: times this the largest difference is about 1
} difference;

static double support(void* data, const double n[3], double out[3]) {
    const difference* d = data;
    const double opposite[3] = {-n[0], -n[1], -n[2]}, slack = 0x1p-48 * d->size;
    double a[3], b[3];
    find_furthest(d->scene, d->body[0], n, slack, a);
    find_furthest(d->scene, d->body[1], opposite, slack, b);
    for (int k = 0; k < 3; k++) out[k] = (0.5 * a[k] - 0.5 * b[k]) * (2 * d->scale);
    return frc_vec3_dot(n, out);
}

// The box of the triangles of a body, added to `lo` and `hi`.
static void add_box(const fracas_scene* scene, const frc_body* body, double lo[3], double hi[3]) {
    for (size_t i = 0; i < body->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[body->blocks.data[i]];
        frc_box box;
        frc_block_end_box(block, &box);
        // A block that has lost its triangles may have an empty box.
        if (block->free_elements || !(box.lo[0] <= box.hi[0])) continue;
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], (double)box.lo[k]);
            hi[k] = fmax(hi[k], (double)box.hi[k]);
        }
    }
}

static void find_depth(const fracas_scene* scene, const frc_body* const body[2],
                       frc_polytope* polytope, fracas_body_depth* out) {
    difference d = {
        .scene = scene, .body = {body[0], body[1]}
    };
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double extent = 0, least;
    int exponent = 0;
    for (int i = 0; i < 2; i++) add_box(scene, body[i], lo, hi);
    for (int k = 0; k < 3; k++) {
        d.size = fmax(d.size, fmax(fabs(lo[k]), fabs(hi[k])));
        extent = fmax(extent, hi[k] - lo[k]);
    }
    if (extent > 0) frexp(extent, &exponent);
    d.scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    *out = (fracas_body_depth){.depth = 0};
    const double found =
        frc_polytope_expand(polytope, support, &d, 0x1p-22, out->direction, &least);
    // Above the errors of support points and of translated coordinates.
    const double margin = 0x1p-46 + 0x1p-46 * (d.size * d.scale);
    if (found < -margin) return;
    out->depth = (fmax(found, 0) + margin) / d.scale;
    out->gap = fmin(found - least + margin, found + margin) / d.scale;
    for (int k = 0; k < 3; k++) out->translation[k] = out->direction[k] * out->depth;
}

// ---- public function

typedef struct job {
    const fracas_scene* scene;
    const fracas_body_pair* pairs;
    frc_polytope* polytopes;  // by worker
    fracas_body_depth* out;
} job;

static void find_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const job* j = data;
    for (uint32_t i = begin; i < end && !frc_cancelled(j->scene->context); i++) {
        const frc_body* const bodies[2] = {&j->scene->bodies.data[j->pairs[i].a.index - 1],
                                           &j->scene->bodies.data[j->pairs[i].b.index - 1]};
        find_depth(j->scene, bodies, &j->polytopes[worker], &j->out[i]);
    }
}

fracas_status fracas_scene_find_depths(const fracas_scene* scene, const fracas_body_pair* pairs,
                                       size_t count, fracas_body_depth* out) {
    static const char call[] = "fracas_scene_find_depths";
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = scene->context;
    const fracas_status status = frc_scene_check_pairs(scene, pairs, count, out, call);
    if (status != FRACAS_OK) return status;
    const size_t workers = frc_worker_count(context);
    bool ok = true;
    job j = {scene, pairs, NULL, out};
    j.polytopes = frc_allocate_array(context, workers, sizeof *j.polytopes, &ok);
    if (!ok) return frc_fail_memory(context, workers * sizeof *j.polytopes);
    frc_parallel_for(context, (uint32_t)count, 1, find_some, &j);
    frc_release(context, j.polytopes, frc_array_size(workers, sizeof *j.polytopes));
    return frc_cancelled(context)
               ? frc_fail(context, FRACAS_ERROR_CANCELLED, "%s was cancelled", call)
               : FRACAS_OK;
}
