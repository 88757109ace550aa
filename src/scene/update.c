/// @file update.c  Fit boxes to points, give new features a place, keep the tree of blocks.
#include "base/parallel.h"
#include "scene/place.h"
#include "scene/restructure.h"
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

void frc_fit_points(fracas_scene* scene, const frc_ids* ids) {
    fit_job job = {scene, ids->data};
    frc_parallel_for(scene->context, (uint32_t)ids->count, 4096, fit_range, &job);
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

static bool update(fracas_scene* scene) {
    fracas_context* context = scene->context;
    if (!reserve_point_boxes(scene)) return false;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        if (body->fit) frc_fit_points(scene, &body->points);
        if (!frc_restructure_body(scene, scene->stale_bodies.data[i])) return false;
        if (!frc_place_fresh(scene, scene->stale_bodies.data[i])) return false;
    }
    frc_ids blocks = {0};
    bool ok = list_stale_blocks(scene, &blocks);
    if (ok) {
        refit_job job = {
            scene, blocks.data, {scene->point_boxes[0], scene->point_boxes[1]}
        };
        frc_parallel_for(context, (uint32_t)blocks.count, 1, refit_range, &job);
        if (scene->top_changed)
            ok = frc_top_build(context, scene->blocks.data, (uint32_t)scene->blocks.count,
                               scene->options.modes, &scene->top);
        else if (blocks.count > 0)
            frc_top_refit(scene->blocks.data, &scene->top);
    }
    FRC_ARRAY_RELEASE(context, &blocks);
    return ok;
}

fracas_status fracas_scene_update(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (scene->updated) return FRACAS_OK;
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
