#include "cull_check.h"
#include "geom/ccd.h"
#include "geom/tri_tri.h"
#include <stdlib.h>
#include <string.h>

bool cull_world_open(cull_world* w, const cull_shape* shape, fracas_published_cull mode,
                     uint32_t workers) {
    memset(w, 0, sizeof *w);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    if (fracas_context_create(&options, &w->context) != FRACAS_OK) return false;
    fracas_published_scene_options scene = fracas_published_scene_default_options();
    scene.cull = mode;
    fracas_mesh_view mesh = {
        .points = {.data = shape->points[0][0],
                   .count = shape->point_count,
                   .stride = sizeof *shape->points},
        .triangles = shape->triangles[0],
        .triangle_count = shape->triangle_count
    };
    fracas_points end = {
        .data = shape->points[0][1], .count = shape->point_count, .stride = sizeof *shape->points};
    return fracas_published_scene_create(w->context, &scene, &w->scene) == FRACAS_OK &&
           fracas_scene_add(w->scene, &mesh, NULL, &w->body) == FRACAS_OK &&
           fracas_scene_move(w->scene, w->body, &end) == FRACAS_OK &&
           fracas_scene_update(w->scene) == FRACAS_OK;
}

void cull_world_close(cull_world* w) {
    fracas_scene_destroy(w->scene);
    fracas_context_destroy(w->context);
}

static bool faces_collide(const frc_point* points, const frc_face_slot* a, const frc_face_slot* b) {
    frc_tri_pair pair;
    uint32_t hit;
    memcpy(pair.a, a->point, sizeof pair.a);
    memcpy(pair.b, b->point, sizeof pair.b);
    return frc_tri_tri_batch(points, &pair, 1, &hit, NULL) > 0;
}

static bool resting(const frc_point* points, const frc_block* block, frc_cull_range faces) {
    for (uint32_t i = faces.begin; i < faces.end; i++)
        for (uint32_t j = i + 1; j < faces.end; j++)
            if (block->faces[i].id != FRACAS_NONE && block->faces[j].id != FRACAS_NONE &&
                faces_collide(points, &block->faces[i], &block->faces[j]))
                return true;
    return false;
}

static bool touches(const frc_point* points, frc_ccd_kind kind, const uint32_t id[4]) {
    frc_point four[4];
    frc_ccd_hit hit;
    frc_ccd_options options = {.tolerance = 1e-6};
    for (int i = 0; i < 4; i++) four[i] = points[id[i]];
    return frc_ccd_one(kind, four, &options, &hit);
}

static bool moving(const frc_point* points, const frc_block* block, frc_cull_range leaves) {
    const frc_leaf *a = &block->leaves[leaves.begin], *b = &block->leaves[leaves.end - 1];
    for (uint32_t i = a->edge; i < b->edge + b->edge_count; i++)
        for (uint32_t j = i + 1; j < b->edge + b->edge_count; j++) {
            const uint32_t *e = block->edges[i].point, *f = block->edges[j].point;
            if (e[0] == FRACAS_NONE || f[0] == FRACAS_NONE) continue;
            if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
            const uint32_t id[4] = {e[0], e[1], f[0], f[1]};
            if (touches(points, FRC_CCD_EE, id)) return true;
        }
    for (uint32_t i = a->vertex; i < b->vertex + b->vertex_count; i++)
        for (uint32_t j = a->face; j < b->face + b->face_count; j++) {
            uint32_t v = block->vertices[i];
            const uint32_t* p = block->faces[j].point;
            if (v == FRACAS_NONE || block->faces[j].id == FRACAS_NONE) continue;
            if (v == p[0] || v == p[1] || v == p[2]) continue;
            const uint32_t id[4] = {v, p[0], p[1], p[2]};
            if (touches(points, FRC_CCD_VF, id)) return true;
        }
    return false;
}

bool cull_collides(const fracas_scene* scene, const frc_cull_state* state, frc_boxes boxes,
                   uint32_t ref) {
    const frc_point* points = scene->topology.points.data;
    if (boxes == FRC_BOXES_END) return resting(points, state->block, frc_cull_faces(state, ref));
    return moving(points, state->block, frc_cull_leaves(state, ref));
}

// Unused nodes and leaves have no parent.
static bool is_in_use(const frc_block* block, uint32_t ref) {
    if (ref & FRC_REF_LEAF) return block->leaves[ref & ~FRC_REF_LEAF].parent != FRC_REF_NONE;
    return ref == 0 || frc_block_links(block)[ref].parent != FRC_REF_NONE;
}

static void check_ref(const cull_world* w, frc_cull_state* state, frc_boxes boxes, uint32_t ref,
                      bool always, cull_tally* tally) {
    const frc_block* block = state->block;
    if (!is_in_use(block, ref)) return;
    bool yes = frc_cull_certify(w->context, &w->scene->topology, w->scene->lows, state, boxes, ref);
    bool mark = frc_block_skips(block, boxes, ref);
    tally->nodes[boxes]++;
    tally->certified[boxes] += yes;
    tally->marked[boxes] += mark;
    if (!yes && !mark && !always) return;
    bool collides = cull_collides(w->scene, state, boxes, ref);
    tally->colliding[boxes] += collides;
    tally->misses += collides && (yes || mark);
}

frc_cull_state* cull_state_of(const cull_world* world, uint32_t block) {
    const frc_block* b = world->scene->blocks.data[block];
    return b ? frc_cull_state_find(&world->scene->cull_states, b, block) : NULL;
}

void cull_check_scene(const cull_world* w, bool always, cull_tally* tally) {
    for (size_t b = 0; b < w->scene->blocks.count; b++) {
        frc_cull_state* state = cull_state_of(w, (uint32_t)b);
        if (!state) continue;
        for (int m = 0; m < FRC_BOXES_COUNT; m++) {
            for (uint32_t n = 0; n < state->block->node_count; n++)
                check_ref(w, state, (frc_boxes)m, n, always, tally);
            for (uint32_t l = 0; l < state->block->leaf_count; l++)
                check_ref(w, state, (frc_boxes)m, l | FRC_REF_LEAF, always, tally);
        }
    }
}
