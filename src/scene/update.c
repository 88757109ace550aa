/// @file update.c  One update: everything that queries read is brought up to date.
///
/// Edits and moves have changed the pools of points, edges and triangles, and marked bodies as
/// stale. `update` at the end of this file lists the steps. What is not stale costs nothing.
#include "base/clock.h"
#include "block/bottom_up.h"
#include "block/simd_box.h"
#include "cull/cull.h"
#include "scene/place_features.h"
#include "scene/points.h"
#include "scene/scene.h"

// Adds the time since `*start` to `*sum`, and starts again.
static void count_time(double* start, double* sum) {
    const double now = frc_clock_ms();
    *sum += now - *start;
    *start = now;
}

// ---- bounds of points

static void fit_some(fracas_scene* scene, const uint32_t* ids, size_t count) {
    for (size_t i = 0; i < count; i++) {
        f32x4 at[2];
        if (ids[i] == FRACAS_NONE) continue;
        fit_lows(&scene->topology.points.data[ids[i]], at);
        for (int end = 0; end < 2; end++) f32x4_store(scene->lows[ids[i]].at[end], at[end]);
    }
}

void frc_fit_points(fracas_scene* scene, const frc_ids* ids) { frc_each_of(scene, ids, fit_some); }

void frc_fit_waiting(fracas_scene* scene, const frc_ids* ids) {
    fit_some(scene, ids->data, ids->count);
}

// Of all bodies that have moved.
static bool fit_points(fracas_scene* scene) {
    double start = frc_clock_ms();
    // As much room as the pool of points has: both grow as seldom.
    const frc_topology* topology = &scene->topology;
    const size_t wanted = topology->points.count ? topology->points.capacity : 0;
    if (wanted > scene->low_capacity &&
        !frc_array_grow(scene->context, (void**)&scene->lows, &scene->low_capacity, wanted,
                        sizeof(frc_low)))
        return false;
    if (!frc_each_point(scene, &scene->stale_bodies, true, fit_some)) return false;
    count_time(&start, &scene->refit_ms);
    return true;
}

// ---- trees

static bool place_features(fracas_scene* scene) {
    double start = frc_clock_ms();
    if (scene->options.policy->select) scene->options.policy->select(scene);
    const bool ok = frc_place_features(scene);
    count_time(&start, &scene->restructure_ms);
    return ok;
}

// Blocks of stale bodies whose boxes are out of date.
typedef struct stale_blocks {
    frc_ids numbers;
    FRC_ARRAY(frc_tall) talls;     // the same, as they are refitted
    FRC_ARRAY(frc_block*) culled;  // of bodies that collide with themselves
    frc_ids culled_numbers;
} stale_blocks;

static bool list_stale_blocks(fracas_scene* scene, stale_blocks* out) {
    fracas_context* context = scene->context;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const uint32_t number = scene->stale_bodies.data[i];
        const frc_body* body = &scene->bodies.data[number];
        for (size_t k = 0; k < body->blocks.count; k++) {
            const uint32_t at = body->blocks.data[k];
            frc_block* block = scene->blocks.data[at];
            if (body->points_moved) block->all_stale = true;
            if (!block->all_stale && block->stale.count == 0) continue;
            const frc_tall tall = {at, frc_block_is_stale_all_over(block) ? block->node_count : 0};
            if (!FRC_ARRAY_PUSH(context, &out->numbers, at) ||
                !FRC_ARRAY_PUSH(context, &out->talls, tall))
                return false;
            // A block may come, with its marks, from a body that collides with itself to one that
            // does not, and back.
            if (!scene->filters.data[number].self_collision)
                frc_cull_forget(context, &scene->cull_states, block, at);
            else if (!FRC_ARRAY_PUSH(context, &out->culled, block) ||
                     !FRC_ARRAY_PUSH(context, &out->culled_numbers, at))
                return false;
        }
    }
    return true;
}

static bool refit_blocks(fracas_scene* scene, stale_blocks* stale) {
    const frc_lows lows = frc_scene_lows(scene);
    const frc_search_method* search = scene->options.search;
    if (!list_stale_blocks(scene, stale)) return false;
    double start = frc_clock_ms();
    if (!frc_blocks_refit(scene->context, scene->blocks.data, stale->talls.data,
                          (uint32_t)stale->talls.count, search->refit_cut, &lows))
        return false;
    for (size_t i = 0; search->refitted && i < stale->numbers.count; i++)
        search->refitted(scene->context, scene->search_data,
                         scene->blocks.data[stale->numbers.data[i]]);
    count_time(&start, &scene->refit_ms);
    return true;
}

// ---- the top tree

static bool build_top(fracas_scene* scene) {
    scene->new_blocks.count = 0;
    return frc_top_tree_build(scene->context, scene->blocks.data, (uint32_t)scene->blocks.count,
                              scene->options.modes, &scene->top);
}

enum { LISTED = 4 };  // no lane has this number

// A block may have gone again or, when an update failed in the middle, be in the tree already, or
// its number stand in the list twice.
static bool take_new(fracas_scene* scene, uint32_t block) {
    frc_top_tree_leaf* leaf = &scene->top.leaves[block];
    if (!scene->blocks.data[block] || leaf->parent != FRC_REF_NONE || leaf->lane == LISTED)
        return false;
    leaf->lane = LISTED;
    return true;
}

// Blocks of one origin that stand side by side in the list go in together.
static void enter_new_blocks(fracas_scene* scene) {
    frc_top_tree* top = &scene->top;
    frc_block* const* blocks = scene->blocks.data;
    uint32_t list[64];
    for (size_t i = 0; i < scene->new_blocks.count;) {
        frc_new_block first = scene->new_blocks.data[i];
        uint32_t count = 0;
        for (; i < scene->new_blocks.count && count < 64; i++) {
            const frc_new_block* next = &scene->new_blocks.data[i];
            if (next->near != first.near || next->start != first.start) break;
            if (take_new(scene, next->block)) list[count++] = next->block;
        }
        uint32_t start = frc_top_tree_meeting(top, first.start, first.start);
        if (count > 1 && first.near != FRACAS_NONE)
            frc_top_tree_insert_all(scene->context, top, blocks, list, count, first.near, start);
        else
            for (uint32_t k = 0; k < count; k++) frc_top_tree_insert(top, blocks, list[k], start);
    }
    scene->new_blocks.count = 0;
}

// When most are new, one build costs less than many paths.
static bool builds_top(const fracas_scene* scene) {
    return scene->top.broken || scene->new_blocks.count > scene->top.leaf_count;
}

static bool refit_top(fracas_scene* scene, const stale_blocks* stale) {
    if (builds_top(scene)) return build_top(scene);
    if (!frc_top_tree_reserve(scene->context, (uint32_t)scene->blocks.count, &scene->top))
        return false;
    frc_top_tree_refit(scene->context, &scene->top, scene->blocks.data, stale->numbers.data,
                       (uint32_t)stale->numbers.count);
    enter_new_blocks(scene);
    return !frc_top_tree_has_decayed(&scene->top) || build_top(scene);
}

// ---- the update

static bool cull(fracas_scene* scene, const stale_blocks* stale) {
    double start = frc_clock_ms();
    const frc_cull_job job = {.context = scene->context,
                              .topology = &scene->topology,
                              .criterion = scene->options.cull,
                              .blocks = stale->culled.data,
                              .numbers = stale->culled_numbers.data,
                              .count = (uint32_t)stale->culled.count,
                              .states = &scene->cull_states,
                              .lows = scene->lows,
                              .counts = &scene->cull_counts};
    const bool ok = frc_cull_update(&job);
    count_time(&start, &scene->cull_ms);
    return ok;
}

// For searches without trees: bounds of points are all that a query needs.
static bool forget_new_features(fracas_scene* scene) {
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->edited = body->state != FRC_BODY_ADDED && frc_fresh_count(body) > 0;
        frc_fit_waiting(scene, &body->fresh_points);
        frc_forget_fresh(scene, body);
    }
    return true;
}

static bool update(fracas_scene* scene) {
    if (!scene->options.search->needs_trees)
        return fit_points(scene) && forget_new_features(scene) && frc_adjacent_pairs_update(scene);
    stale_blocks stale = {0};
    bool ok = fit_points(scene) &&               // float bounds of every point that has moved
              place_features(scene) &&           // new features into blocks; degraded trees rebuilt
              refit_blocks(scene, &stale) &&     // boxes of all blocks that have changed
              refit_top(scene, &stale) &&        // the tree over blocks
              cull(scene, &stale) &&             // nodes within which no pair counts
              frc_adjacent_pairs_update(scene);  // adjacent triangles that need no comparison
    // After a failure some blocks may have new boxes that the top tree does not know.
    for (size_t i = 0; i < stale.numbers.count; i++) {
        frc_block* block = scene->blocks.data[stale.numbers.data[i]];
        if (ok)
            frc_block_clear_stale(block);
        else
            block->all_stale = true;
    }
    FRC_ARRAY_RELEASE(scene->context, &stale.numbers);
    FRC_ARRAY_RELEASE(scene->context, &stale.talls);
    FRC_ARRAY_RELEASE(scene->context, &stale.culled);
    FRC_ARRAY_RELEASE(scene->context, &stale.culled_numbers);
    return ok;
}

fracas_status fracas_scene_update(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (scene->updated) return FRACAS_OK;
    scene->cull_counts = (frc_cull_counts){0};
    scene->cull_ms = scene->refit_ms = scene->restructure_ms = 0;
    const bool done = update(scene);
    if (!done && frc_cancelled(scene->context))
        return frc_fail(scene->context, FRACAS_ERROR_CANCELLED,
                        "the update was cancelled: the scene is as it was, update it again later");
    if (!done)
        return frc_fail(
            scene->context, FRACAS_ERROR_OUT_OF_MEMORY,
            "out of memory while updating: the scene is as it was, update it again later");
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->stale_at = 0;
        body->points_moved = false;
        body->state = FRC_BODY_KEPT;
    }
    scene->stale_bodies.count = 0;
    scene->topology_changed = false;
    scene->updated = true;
    return FRACAS_OK;
}
