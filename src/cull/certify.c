/// @file certify.c  The certificate of one node, the default cull criterion: set up the patch, then
/// test all conditions of patch.h.
#include "cull/certify.h"
#include "cull/contour_cache.h"
#include <math.h>
#include <string.h>

// ---- the patch

bool frc_make_patch(const frc_topology* topology, const frc_cull_state* state, frc_boxes boxes,
                    uint32_t ref, frc_patch* out) {
    const frc_block* block = state->block;
    frc_cull_range faces = frc_cull_faces(state, ref);
    *out = (frc_patch){.block = block,
                       .points = topology->points.data,
                       .begin = faces.begin,
                       .end = faces.end,
                       .ends = boxes == FRC_BOXES_END ? 1 : 2,
                       .from = 0,
                       .to = 1};
    // Size and reach, from the box of the reference: its parent holds it, the block holds that of
    // the root.
    const frc_node* nodes = block->tree[boxes].nodes;
    uint32_t parent = 0, lane = 0;
    if (ref & FRC_REF_LEAF) {
        const frc_leaf* leaf = &block->leaves[ref & ~FRC_REF_LEAF];
        parent = leaf->parent, lane = leaf->lane;
    } else if (ref > 0) {
        parent = nodes[ref].parent, lane = nodes[ref].lane;
    }
    for (int k = 0; k < 3; k++) {
        double lo = ref == 0 ? block->lo[boxes][k] : nodes[parent].box.lo[k][lane];
        double hi = ref == 0 ? block->hi[boxes][k] : nodes[parent].box.hi[k][lane];
        if (!(hi - lo >= 0)) return false;  // empty
        out->size = fmax(out->size, hi - lo);
        out->reach = fmax(out->reach, fmax(fabs(lo), fabs(hi)));
    }
    out->size *= 1 + 0x1p-50;
    if (!(out->size >= 1e-140 && out->size <= 1e140)) return false;
    while (out->begin < out->end && block->faces[out->begin].id == FRACAS_NONE) out->begin++;
    if (out->begin == out->end) return false;
    const frc_point* p = &out->points[block->faces[out->begin].point[0]];
    for (int end = 0; end < 2; end++) {
        out->origin[end][0] = p->x[end];
        out->origin[end][1] = p->y[end];
        out->origin[end][2] = p->z[end];
    }
    return true;
}

// ---- orphans: edges and points that no triangle of their own leaf has

// A hash set, with open addressing, of edges (two points) and points (the same one twice).
enum { EMPTY = 0, REMOVED = 1 };  // keys are larger

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? ((uint64_t)a << 32 | b) + 2 : ((uint64_t)b << 32 | a) + 2;
}

static uint64_t hash(uint64_t key) {
    key *= 0x9e3779b97f4a7c15;
    return key ^ key >> 29;
}

// List the orphans of the leaves. False: no memory.
static bool list_orphans(const frc_block* block, frc_cull_range leaves, frc_cull_scratch* scratch) {
    scratch->orphans.count = 0;
    bool ok = true;
    for (uint32_t l = leaves.begin; l < leaves.end; l++) {
        const frc_leaf* leaf = &block->leaves[l];
        if (!leaf->loose) continue;
        for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count && ok; s++) {
            const uint32_t* p = block->edges[s].point;
            if (p[0] != FRACAS_NONE && !frc_cull_leaf_owns(block, leaf, p[0], p[1]))
                ok = FRC_ARRAY_PUSH(scratch->context, &scratch->orphans, key_of(p[0], p[1]));
        }
        for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count && ok; s++) {
            uint32_t p = block->vertices[s];
            if (p != FRACAS_NONE && !frc_cull_leaf_owns(block, leaf, p, p))
                ok = FRC_ARRAY_PUSH(scratch->context, &scratch->orphans, key_of(p, p));
        }
    }
    return ok;
}

static void remove_key(uint64_t* table, uint64_t mask, uint64_t key, size_t* left) {
    for (uint64_t i = hash(key) & mask; table[i] != EMPTY; i = (i + 1) & mask)
        if (table[i] == key) {
            table[i] = REMOVED;
            --*left;
            return;
        }
}

// Does every edge and point below a node belong to a triangle below it? Only leaves flagged `loose`
// hold any that do not belong to a triangle of the leaf itself.
static bool owns_features(const frc_patch* patch, frc_cull_range leaves,
                          frc_cull_scratch* scratch) {
    bool ok = list_orphans(patch->block, leaves, scratch);
    size_t count = scratch->orphans.count, cells = 16, left = 0;
    if (ok && count == 0) return true;
    while (cells < 2 * count) cells *= 2;
    if (!ok || !FRC_ARRAY_RESERVE(scratch->context, &scratch->orphans, count + cells)) {
        scratch->out_of_memory = true;
        return false;
    }
    // Insert the orphans into a table behind their list, then remove those that a triangle of the
    // patch has.
    uint64_t *table = scratch->orphans.data + count, mask = cells - 1;
    memset(table, 0, cells * sizeof *table);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = scratch->orphans.data[i], at = hash(key) & mask;
        while (table[at] != EMPTY && table[at] != key) at = (at + 1) & mask;
        left += table[at] == EMPTY;
        table[at] = key;
    }
    for (uint32_t s = patch->begin; s < patch->end && left > 0; s++) {
        const frc_face_slot* face = &patch->block->faces[s];
        for (int k = 0; k < 3 && face->id != FRACAS_NONE; k++) {
            remove_key(table, mask, key_of(face->point[k], face->point[k]), &left);
            remove_key(table, mask, key_of(face->point[k], face->point[(k + 1) % 3]), &left);
        }
    }
    return left == 0;
}

// ---- the certificate

static frc_cull_answer certify_span(frc_patch* patch, frc_cull_scratch* scratch) {
    if (!frc_patch_find_direction(patch, scratch)) return FRC_CULL_NO;
    frc_cull_answer answer = frc_patch_faces_up(patch);
    if (answer != FRC_CULL_YES) return answer;
    if (!frc_patch_find_loop(patch, scratch)) return FRC_CULL_NO;
    if (!frc_patch_project(patch, scratch)) return FRC_CULL_NO;
    return frc_contour_simple(patch, scratch, true);
}

// Over the whole span, or else over each of its halves, which may be halved once more.
static bool certify_halves(frc_patch* patch, frc_cull_scratch* scratch) {
    frc_cull_answer answer = certify_span(patch, scratch);
    double from = patch->from, to = patch->to, middle = 0.5 * (from + to);
    if (answer != FRC_CULL_PART || patch->ends == 1 || to - from < 0.5)
        return answer == FRC_CULL_YES;
    patch->to = middle;
    if (!certify_halves(patch, scratch)) return false;
    patch->from = middle, patch->to = to;
    return certify_halves(patch, scratch);
}

bool frc_certify(const frc_topology* topology, frc_cull_state* state, frc_boxes boxes, uint32_t ref,
                 frc_cull_scratch* scratch) {
    frc_patch patch;
    if (!frc_make_patch(topology, state, boxes, ref, &patch)) return false;
    patch.lows = scratch->lows;
    if (!frc_block_skips(state->block, boxes, ref) && !frc_patch_normals_agree(&patch))
        return false;
    if (boxes == FRC_BOXES_STEP && !owns_features(&patch, frc_cull_leaves(state, ref), scratch))
        return false;
    const bool cached = frc_contour_cache_load(state, ref, scratch);
    if (!cached && !frc_patch_contour(&patch, scratch)) return false;
    if (!certify_halves(&patch, scratch)) return false;
    if (!cached) frc_contour_cache_store(state, ref, scratch);
    return true;
}

bool frc_cull_certify(fracas_context* context, const frc_topology* topology, const frc_low* lows,
                      frc_cull_state* state, frc_boxes boxes, uint32_t ref) {
    frc_cull_scratch scratch = {.context = context, .lows = lows};
    bool yes = frc_certify(topology, state, boxes, ref, &scratch);
    frc_cull_scratch_release(&scratch);
    return yes;
}

static bool accepts(const frc_cull_job* job, void* data, uint32_t block, frc_boxes boxes,
                    uint32_t ref, frc_cull_scratch* scratch) {
    (void)data;
    return frc_certify(job->topology, frc_cull_job_state(job, block), boxes, ref, scratch);
}

// Tests of smaller nodes cost more than they save; measured (docs/cull.md).
const frc_cull_criterion frc_cull_certificate = {
    .least_faces = {48, 32},
      .hereditary = true, .accepts = accepts
};
