/// @file update.c  Give new features a place in a tree, fit boxes to points, keep the tree of
/// blocks.
///
/// Based on: bentley1980. What edits add to a body goes into a new block. Small blocks are
/// swallowed by the next one, so that a body has a number of blocks that grows with the logarithm
/// of its size and a feature is built into a tree as often; a block that has lost half of its
/// features is built anew.
#include "base/clock.h"
#include "base/parallel.h"
#include "cull/cull.h"
#include "scene/scene.h"
#include <string.h>

// ---- boxes of points

static bool reserve_point_boxes(fracas_scene* scene) {
    size_t wanted = scene->topology.points.count;
    for (int end = scene->options.modes & FRACAS_CONTINUOUS ? 0 : 1; end < 2; end++) {
        if (wanted <= scene->point_box_capacity[end]) continue;
        if (!frc_array_grow(scene->context, (void**)&scene->point_boxes[end],
                            &scene->point_box_capacity[end], wanted, sizeof(frc_point_box)))
            return false;
    }
    return true;
}

static void fit_point(fracas_scene* scene, uint32_t id) {
    const frc_point* p = &scene->topology.points.data[id];
    for (int end = 0; end < 2; end++)
        if (scene->point_boxes[end]) scene->point_boxes[end][id] = frc_point_box_at(p, end);
}

typedef struct fit_job {
    fracas_scene* scene;
    const uint32_t* ids;
} fit_job;

static void fit_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const fit_job* job = data;
    for (uint32_t i = begin; i < end; i++)
        if (job->ids[i] != FRACAS_NONE) fit_point(job->scene, job->ids[i]);
}

static void fit_points(fracas_scene* scene, const frc_ids* ids) {
    fit_job job = {scene, ids->data};
    frc_parallel_for(scene->context, (uint32_t)ids->count, 4096, fit_range, &job);
}

// ---- fresh features

// Features that wait and still belong to the body; sorted out by what they are now.
typedef struct waiting {
    frc_ids triangles;
    frc_ids edges[2], points[2];  // [0] used by triangles, [1] by free elements only
} waiting;

static bool reserve_waiting(fracas_scene* scene, const frc_body* body, waiting* w) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &w->triangles, body->fresh_triangles.count) &&
           FRC_ARRAY_RESERVE(context, &w->edges[0], body->fresh_edges.count) &&
           FRC_ARRAY_RESERVE(context, &w->edges[1], body->fresh_edges.count) &&
           FRC_ARRAY_RESERVE(context, &w->points[0], body->fresh_points.count) &&
           FRC_ARRAY_RESERVE(context, &w->points[1], body->fresh_points.count);
}

static void release_waiting(fracas_context* context, waiting* w) {
    FRC_ARRAY_RELEASE(context, &w->triangles);
    for (int i = 0; i < 2; i++) {
        FRC_ARRAY_RELEASE(context, &w->edges[i]);
        FRC_ARRAY_RELEASE(context, &w->points[i]);
    }
}

// A feature may have been removed and its id given to another body, or may wait twice: it is taken
// when it is this body's and has no place. A mark in the slot keeps it from being taken again.
enum { TAKEN = -3 };

static bool take(frc_place* place) {
    if (place->block != FRACAS_NONE || place->slot == (uint32_t)TAKEN) return false;
    place->slot = (uint32_t)TAKEN;
    return true;
}

static void unmark(frc_place* place) {
    if (place->block == FRACAS_NONE) place->slot = FRACAS_NONE;
}

static void sort_out(fracas_scene* scene, uint32_t number, waiting* w) {
    frc_topology* topology = &scene->topology;
    const frc_body* body = &scene->bodies.data[number];
    for (size_t i = 0; i < body->fresh_triangles.count; i++) {
        uint32_t id = body->fresh_triangles.data[i];
        frc_triangle* t = &topology->triangles.data[id];
        if (t->body == number && t->point[0] != FRACAS_NONE && take(&t->place))
            w->triangles.data[w->triangles.count++] = id;
    }
    for (size_t i = 0; i < body->fresh_edges.count; i++) {
        uint32_t id = body->fresh_edges.data[i];
        frc_edge* e = &topology->edges.data[id];
        if (e->point[0] == FRACAS_NONE || !(e->uses || e->free)) continue;
        if (topology->points.data[e->point[0]].tag[FRC_TAG_BODY] != number || !take(&e->place))
            continue;
        frc_ids* list = &w->edges[e->uses == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < body->fresh_points.count; i++) {
        uint32_t id = body->fresh_points.data[i];
        frc_vertex_use* use = &topology->uses.data[id];
        if (topology->points.data[id].tag[FRC_TAG_BODY] != number) continue;
        if (!(use->triangles || use->free_edges || use->free_point) || !take(&use->place)) continue;
        frc_ids* list = &w->points[use->triangles == 0];
        list->data[list->count++] = id;
    }
    for (size_t i = 0; i < w->triangles.count; i++)
        unmark(&topology->triangles.data[w->triangles.data[i]].place);
    for (int f = 0; f < 2; f++) {
        for (size_t i = 0; i < w->edges[f].count; i++)
            unmark(&topology->edges.data[w->edges[f].data[i]].place);
        for (size_t i = 0; i < w->points[f].count; i++)
            unmark(&topology->uses.data[w->points[f].data[i]].place);
    }
}

// ---- blocks

// Put what is in a block back among the waiting, and destroy it. False: no memory, nothing changed.
static bool swallow(fracas_scene* scene, frc_body* body, size_t at) {
    uint32_t number = body->blocks.data[at];
    frc_block* block = scene->blocks.data[number];
    frc_topology* topology = &scene->topology;
    const frc_place nowhere = {FRACAS_NONE, FRACAS_NONE};
    if (!frc_body_reserve_fresh(scene, body, block->face_slots, block->edge_slots,
                                block->vertex_slots))
        return false;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        uint32_t id = block->faces[s].id;
        if (id == FRACAS_NONE) continue;
        topology->triangles.data[id].place = nowhere;
        body->fresh_triangles.data[body->fresh_triangles.count++] = id;
    }
    for (uint32_t s = 0; s < block->edge_slots; s++) {
        const uint32_t* p = block->edges[s].point;
        if (p[0] == FRACAS_NONE) continue;
        uint32_t id = frc_topology_find_edge(topology, p[0], p[1]);
        topology->edges.data[id].place = nowhere;
        frc_wait_edge(body, id);
    }
    for (uint32_t s = 0; s < block->vertex_slots; s++) {
        if (block->vertices[s] == FRACAS_NONE) continue;
        topology->uses.data[block->vertices[s]].place = nowhere;
        frc_wait_point(body, block->vertices[s]);
    }
    frc_block_destroy(scene->context, block);
    scene->blocks.data[number] = NULL;
    scene->unused_blocks.data[scene->unused_blocks.count++] = number;
    body->blocks.data[at] = body->blocks.data[--body->blocks.count];
    scene->top_changed = true;
    return true;
}

static size_t fresh_count(const frc_body* body) {
    return body->fresh_triangles.count + body->fresh_edges.count + body->fresh_points.count;
}

static bool swallow_small(fracas_scene* scene, frc_body* body) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < body->blocks.count && !again; i++) {
            const frc_block* block = scene->blocks.data[body->blocks.data[i]];
            if (block->live * 2u >= block->built_live && block->live >= 2 * fresh_count(body))
                continue;
            if (!swallow(scene, body, i)) return false;
            again = true;
        }
    }
    return true;
}

static bool add_block(fracas_scene* scene, uint32_t number, const waiting* w, bool free_elements) {
    fracas_context* context = scene->context;
    frc_body* body = &scene->bodies.data[number];
    frc_block_input input = {.triangles = w->triangles.data,
                             .triangle_count = free_elements ? 0 : w->triangles.count,
                             .edges = w->edges[free_elements].data,
                             .edge_count = w->edges[free_elements].count,
                             .points = w->points[free_elements].data,
                             .point_count = w->points[free_elements].count,
                             .body = number,
                             .free_elements = free_elements,
                             .modes = scene->options.modes,
                             .builder = scene->options.builder};
    if (input.triangle_count + input.edge_count + input.point_count == 0) return true;
    // Room in the lists first: what is built must be kept.
    if (!FRC_ARRAY_RESERVE(context, &body->blocks, body->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->blocks, scene->blocks.count + 1) ||
        !FRC_ARRAY_RESERVE(context, &scene->unused_blocks, scene->blocks.count + 1))
        return false;
    bool reuse = scene->unused_blocks.count > 0;
    input.number = reuse ? scene->unused_blocks.data[scene->unused_blocks.count - 1]
                         : (uint32_t)scene->blocks.count;
    frc_block* block = frc_block_build(context, &scene->topology, &input);
    if (!block) return false;
    if (reuse)
        scene->unused_blocks.count--;
    else
        scene->blocks.count++;
    scene->blocks.data[input.number] = block;
    body->blocks.data[body->blocks.count++] = input.number;
    scene->top_changed = true;
    return true;
}

static bool place_fresh(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    if (!swallow_small(scene, body)) return false;
    if (fresh_count(body) == 0) return true;
    waiting w = {0};
    bool ok = reserve_waiting(scene, body, &w);
    if (ok) {
        sort_out(scene, number, &w);
        fit_points(scene, &w.points[0]);
        fit_points(scene, &w.points[1]);
        // A triangle that was re-pointed has a new corner that waits; its leaf is stale already.
        ok = add_block(scene, number, &w, false) && add_block(scene, number, &w, true);
    }
    release_waiting(scene->context, &w);
    if (!ok) return false;
    body->fresh_triangles.count = body->fresh_edges.count = body->fresh_points.count = 0;
    return true;
}

// ---- the update

typedef struct refit_job {
    fracas_scene* scene;
    const uint32_t* blocks;
    const frc_point_box* point_boxes[2];
} refit_job;

static void refit_range(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const refit_job* job = data;
    for (uint32_t i = begin; i < end; i++)
        frc_block_refit(job->scene->blocks.data[job->blocks[i]], job->point_boxes);
}

// Blocks of stale bodies whose boxes are out of date.
static bool list_stale_blocks(fracas_scene* scene, frc_ids* out) {
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        for (size_t k = 0; k < body->blocks.count; k++) {
            frc_block* block = scene->blocks.data[body->blocks.data[k]];
            if (body->fit) block->all_stale = true;
            if (!block->all_stale && block->stale.count == 0) continue;
            if (!FRC_ARRAY_PUSH(scene->context, out, body->blocks.data[k])) return false;
        }
    }
    return true;
}

// The marks of culling, before and after boxes are refitted; the time that takes is told apart.
static bool cull(fracas_scene* scene, const frc_ids* numbers, bool fitted) {
    fracas_context* context = scene->context;
    double start = frc_clock_ms();
    size_t size = (numbers->count + 1) * sizeof(frc_block*);
    frc_block** blocks = frc_allocate(context, size);
    if (!blocks) return false;
    for (size_t i = 0; i < numbers->count; i++) blocks[i] = scene->blocks.data[numbers->data[i]];
    uint32_t count = (uint32_t)numbers->count;
    fracas_cull mode = scene->options.cull;
    bool ok =
        fitted ? frc_cull_run(context, &scene->topology, mode, blocks, count, &scene->cull_counts)
               : frc_cull_begin(context, &scene->topology, mode, blocks, count);
    frc_release(context, blocks, size);
    scene->cull_ms += frc_clock_ms() - start;
    return ok;
}

static bool update(fracas_scene* scene) {
    fracas_context* context = scene->context;
    if (!reserve_point_boxes(scene)) return false;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        scene->bodies.data[scene->stale_bodies.data[i]].calm = fresh_count(body) == 0;
        if (body->fit) fit_points(scene, &body->points);
        if (!place_fresh(scene, scene->stale_bodies.data[i])) return false;
    }
    frc_ids blocks = {0};
    bool ok = list_stale_blocks(scene, &blocks) && cull(scene, &blocks, false);
    if (ok) {
        refit_job job = {
            scene, blocks.data, {scene->point_boxes[0], scene->point_boxes[1]}
        };
        frc_parallel_for(context, (uint32_t)blocks.count, 1, refit_range, &job);
        ok = cull(scene, &blocks, true);
    }
    if (ok) {
        if (scene->top_changed)
            ok = frc_top_build(context, scene->blocks.data, (uint32_t)scene->blocks.count,
                               scene->options.modes, &scene->top);
        else if (blocks.count > 0)
            frc_top_refit(scene->blocks.data, &scene->top);
    }
    FRC_ARRAY_RELEASE(context, &blocks);
    return ok && frc_scene_settle(scene);
}

fracas_status fracas_scene_update(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (scene->updated) return FRACAS_OK;
    scene->cull_counts = (frc_cull_counts){0};
    scene->cull_ms = 0;
    bool done = update(scene);
    if (!done && frc_cancelled(scene->context))
        return frc_fail(scene->context, FRACAS_ERROR_CANCELLED,
                        "the update was cancelled: the scene is as it was, update it again later");
    if (!done)
        return frc_fail(
            scene->context, FRACAS_ERROR_OUT_OF_MEMORY,
            "out of memory while updating: the scene is as it was, update it again later");
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->stale = body->fit = false;
    }
    scene->stale_bodies.count = 0;
    scene->top_changed = false;
    scene->updated = true;
    return FRACAS_OK;
}
