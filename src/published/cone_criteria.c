/// @file cone_criteria.c  The published cull criteria.
#include "published/cone_criteria.h"
#include "cull/certify.h"
#include "cull/patch.h"
#include "published/cones.h"
#include <math.h>

// ---- an update: frc_node_cones of each block, one array for each kind of boxes

static size_t cones_size(const frc_block* block) {
    return ((size_t)block->node_count + block->leaf_count) * sizeof(frc_node_cones);
}

static size_t list_size(const frc_cull_job* job) {
    return FRC_BOXES_COUNT * (size_t)job->count * sizeof(frc_node_cones*) + 1;
}

static bool prepare(const frc_cull_job* job, bool dual, void** out) {
    frc_node_cones** list = frc_allocate_zero(job->context, list_size(job));
    bool ok = list != NULL;
    *out = list;
    for (uint32_t i = 0; ok && i < FRC_BOXES_COUNT * job->count; i++) {
        const frc_block* block = job->blocks[i / FRC_BOXES_COUNT];
        frc_boxes boxes = (frc_boxes)(i % FRC_BOXES_COUNT);
        if (!frc_cull_includes(block) || !block->tree[boxes].nodes) continue;
        list[i] = frc_allocate(job->context, cones_size(block));
        ok = list[i] != NULL;
        if (ok) frc_cones_fit(job->topology, block, boxes, dual, list[i]);
    }
    return ok;
}

static bool prepare_normals(const frc_cull_job* job, void** out) {
    return prepare(job, false, out);
}
static bool prepare_dual(const frc_cull_job* job, void** out) {
    for (uint32_t b = 0; b < job->count; b++)
        if (frc_cull_includes(job->blocks[b])) frc_cones_forget_edited(frc_cull_job_state(job, b));
    return prepare(job, true, out);
}

static void release(const frc_cull_job* job, void* data) {
    frc_node_cones** list = data;
    for (uint32_t i = 0; list && i < FRC_BOXES_COUNT * job->count; i++)
        frc_release(job->context, list[i], cones_size(job->blocks[i / FRC_BOXES_COUNT]));
    frc_release(job->context, list, list_size(job));
}

// ---- criteria

// The cones of a node; NULL: its normals are not within a cone.
static const frc_node_cones* cones_of(const frc_cull_job* job, void* data, uint32_t block,
                                      frc_boxes boxes, uint32_t ref) {
    frc_node_cones* const* list = data;
    const frc_node_cones* c =
        &list[FRC_BOXES_COUNT * block + boxes][frc_cull_place(job->blocks[block], ref)];
    return c->normals.state == FRC_CONE_SET && c->normals.cos > 0 ? c : NULL;
}

static bool accepts_normal_cone(const frc_cull_job* job, void* data, uint32_t block,
                                frc_boxes boxes, uint32_t ref, frc_cull_scratch* scratch) {
    (void)scratch;
    return cones_of(job, data, block, boxes, ref) != NULL;
}

// |A_n . A_b| < cos theta_b, with the axes of both cones and the half angle of the binormals. In a
// node without a boundary edge the normals alone decide. Connectivity, which the paper finds when
// it builds a node, is found when a node first passes both cones.
static bool accepts_dual_cone(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                              uint32_t ref, frc_cull_scratch* scratch) {
    const frc_node_cones* c = cones_of(job, data, block, boxes, ref);
    if (!c || c->binormals.state == FRC_CONE_OPEN) return false;
    const double *n = c->normals.axis, *b = c->binormals.axis;
    const bool agree = c->binormals.state == FRC_CONE_EMPTY ||
                       fabs(n[0] * b[0] + n[1] * b[1] + n[2] * b[2]) < c->binormals.cos;
    return agree && frc_cones_is_connected(job->context, frc_cull_job_state(job, block), ref,
                                           &scratch->out_of_memory);
}

static bool accepts_contour(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                            uint32_t ref, frc_cull_scratch* scratch) {
    const frc_node_cones* c = cones_of(job, data, block, boxes, ref);
    frc_patch patch;
    return c && frc_make_patch(job->topology, frc_cull_job_state(job, block), boxes, ref, &patch) &&
           frc_patch_contour(&patch, scratch) && frc_patch_set_direction(&patch, c->normals.axis) &&
           frc_patch_project(&patch, scratch) &&
           frc_contour_simple(&patch, scratch, false) == FRC_CULL_YES;
}

// Only those edges of the contour are tested that are boundaries of manifold pieces.
static bool accepts_boundary(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                             uint32_t ref, frc_cull_scratch* scratch) {
    const frc_node_cones* c = cones_of(job, data, block, boxes, ref);
    frc_patch patch;
    if (!c || !frc_make_patch(job->topology, frc_cull_job_state(job, block), boxes, ref, &patch) ||
        !frc_patch_contour(&patch, scratch))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < scratch->halves.count; i++) {
        uint32_t h = scratch->halves.data[i];
        if (frc_cones_is_boundary(job->topology, &job->blocks[block]->faces[h / 3], (int)(h % 3)))
            scratch->halves.data[kept++] = h;
    }
    scratch->halves.count = kept;
    return kept == 0 || (frc_patch_set_direction(&patch, c->normals.axis) &&
                         frc_patch_project(&patch, scratch) &&
                         frc_contour_simple(&patch, scratch, false) == FRC_CULL_YES);
}

// Cones alone are cheap and are tested in every node that has a pair; contours only in larger
// nodes, as for certificates.
const frc_cull_criterion frc_cull_normal_cone = {
    .least_faces = {2, 2},
    .prepare = prepare_normals,
    .release = release,
    .accepts = accepts_normal_cone
};
const frc_cull_criterion frc_cull_normal_cone_boundary = {
    .least_faces = {48, 32},
    .prepare = prepare_normals,
    .release = release,
    .accepts = accepts_boundary
};
const frc_cull_criterion frc_cull_normal_cone_contour = {
    .least_faces = {48, 32},
    .prepare = prepare_normals,
    .release = release,
    .accepts = accepts_contour
};
const frc_cull_criterion frc_cull_dual_cone = {
    .least_faces = {2, 2},
    .prepare = prepare_dual,
    .release = release,
    .accepts = accepts_dual_cone
};
