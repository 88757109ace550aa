/// @file dual_cone_front.c  The dual-cone condition with the machinery of certificates.
///
/// Based on: heo2010. cone_criteria.c merges the cones of all nodes in every update, as the paper
/// does. Here a node is tested directly: all normals are within a right angle of their sum, and the
/// binormals of its boundary within a cone around theirs. Normals are tested in SIMD, with early
/// exits (facing.c); nodes on the front of the last update come first, and rejected nodes wait.
///
/// The axes are those of all vectors of the node instead of merged cones, which are wider: a node
/// may be accepted where merged cones are not. A part of an accepted node has no more normals, but
/// need not be connected; `hereditary` treats it as if it were. Unsound, as dual cones are.
#include "cull/certify.h"
#include "published/cone_criteria.h"
#include "published/cones.h"
#include <math.h>

static bool prepare(const frc_cull_job* job, void** out) {
    *out = NULL;
    for (uint32_t b = 0; b < job->count; b++)
        if (frc_cull_includes(job->blocks[b])) frc_cones_forget_edited(frc_cull_job_state(job, b));
    return true;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// |A_n . A_b| < cos theta_b for the boundary edges among the half-edges in `scratch`, or there are
// none.
static bool binormals_agree(const frc_cull_job* job, const frc_patch* patch,
                            const frc_cull_scratch* scratch, const double normal[3]) {
    const bool moving = patch->ends == 2;
    double b[4][3], axis[3] = {0, 0, 0}, least = 1;
    uint32_t edges = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < scratch->halves.count; i++) {
            const uint32_t h = scratch->halves.data[i];
            const frc_face_slot* face = &patch->block->faces[h / 3];
            const int k = (int)(h % 3);
            if (face->id == FRACAS_NONE || !frc_cones_is_boundary(job->topology, face, k)) continue;
            edges++;
            const int count = frc_cones_binormals(job->topology, face, k, moving, b);
            for (int v = 0; v < count; v++) {
                for (int c = 0; c < 3 && pass == 0; c++) axis[c] += b[v][c];
                if (pass == 1 && dot(axis, b[v]) < least) least = dot(axis, b[v]);
            }
        }
        if (edges == 0) return true;
        const double length = sqrt(dot(axis, axis));
        if (!(length > 0)) return false;
        for (int c = 0; c < 3 && pass == 0; c++) axis[c] /= length;
    }
    return least > 0 && fabs(dot(axis, normal)) < least;
}

static bool accepts(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                    uint32_t ref, frc_cull_scratch* scratch) {
    (void)data;
    frc_cull_state* state = frc_cull_job_state(job, block);
    frc_patch patch;
    if (!frc_make_patch(job->topology, state, boxes, ref, &patch)) return false;
    patch.lows = scratch->lows;
    if (!frc_block_skips(state->block, boxes, ref) && !frc_patch_normals_agree(&patch))
        return false;
    if (!frc_patch_contour(&patch, scratch) || !frc_patch_find_direction(&patch, scratch) ||
        frc_patch_faces_up(&patch) != FRC_CULL_YES)
        return false;
    double normal[3];
    normal[patch.axis[0]] = patch.slope[0], normal[patch.axis[1]] = patch.slope[1];
    normal[patch.axis[2]] = 1;
    const double length = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; k++) normal[k] /= length;
    return binormals_agree(job, &patch, scratch, normal) &&
           frc_cones_is_connected(job->context, state, ref, &scratch->out_of_memory);
}

const frc_cull_criterion frc_cull_dual_cone_front = {
    .least_faces = {48, 32},
      .hereditary = true, .prepare = prepare, .accepts = accepts
};
