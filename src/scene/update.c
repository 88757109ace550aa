/// @file update.c  One update: everything that queries read is brought up to date.
///
/// Edits and moves have changed the pools of points, edges and triangles, and marked bodies as
/// stale. `update` at the end runs the steps in order. A body that is not stale costs nothing.
#include "base/clock.h"
#include "block/bottom_up.h"
#include "block/simd_box.h"
#include "cull/cull.h"
#include "scene/place_features.h"
#include "scene/points.h"
#include "scene/scene.h"

// Adds the time since `*start` to `*sum`, and sets `*start` to now.
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

void frc_fit_pending(fracas_scene* scene, const frc_ids* ids) {
    fit_some(scene, ids->data, ids->count);
}

// ---- boxes of blocks

// Blocks of stale bodies whose boxes are out of date.
typedef struct stale_blocks {
    frc_ids numbers;
    FRC_ARRAY(frc_sized_block) refits;  // one per number; size 0: only its stale leaves
    FRC_ARRAY(frc_block*) culled;       // of bodies with self_collision
    frc_ids culled_numbers;
} stale_blocks;

static bool refit_blocks(fracas_scene* scene, stale_blocks* out) {
    fracas_context* context = scene->context;
    const frc_lows lows = frc_scene_lows(scene);
    const frc_search_method* search = scene->options.search;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        const uint32_t number = scene->stale_bodies.data[i];
        const frc_body* body = &scene->bodies.data[number];
        for (size_t k = 0; k < body->blocks.count; k++) {
            const uint32_t at = body->blocks.data[k];
            frc_block* block = scene->blocks.data[at];
            if (body->points_moved) block->all_stale = true;
            if (!block->all_stale && block->stale.count == 0) continue;
            const frc_sized_block refit = {at, frc_block_needs_full_refit(block) ? block->node_count
                                                                                 : 0};
            if (!FRC_ARRAY_PUSH(context, &out->numbers, at) ||
                !FRC_ARRAY_PUSH(context, &out->refits, refit))
                return false;
            // A merge can move a block with certificates to a body without self-collision.
            if (!scene->filters.data[number].self_collision)
                frc_cull_release_block(context, &scene->cull_states, block, at);
            else if (!FRC_ARRAY_PUSH(context, &out->culled, block) ||
                     !FRC_ARRAY_PUSH(context, &out->culled_numbers, at))
                return false;
        }
    }
    double start = frc_clock_ms();
    if (!frc_blocks_refit(context, scene->blocks.data, out->refits.data,
                          (uint32_t)out->refits.count, search->refit_cut, &lows))
        return false;
    for (size_t i = 0; search->refitted && i < out->numbers.count; i++)
        search->refitted(context, scene->search_data, scene->blocks.data[out->numbers.data[i]]);
    count_time(&start, &scene->refit_ms);
    return true;
}

// ---- the top tree

enum {
    LANE_LISTED = 4,   // value of `lane` that no lane has: the block is in the list
    MAX_INSERTED = 64  // blocks that are inserted in one call
};

static void insert_new_blocks(fracas_scene* scene) {
    frc_top_tree* top = &scene->top;
    frc_block* const* blocks = scene->blocks.data;
    uint32_t list[MAX_INSERTED];
    for (size_t i = 0; i < scene->new_blocks.count;) {
        // Consecutive blocks of one origin are inserted together.
        const frc_new_block first = scene->new_blocks.data[i];
        uint32_t count = 0;
        for (; i < scene->new_blocks.count && count < MAX_INSERTED; i++) {
            const frc_new_block* next = &scene->new_blocks.data[i];
            if (next->near != first.near || next->start != first.start) break;
            // Skip a block that was dropped again, is in the tree since an update that failed
            // later, or has two entries.
            frc_top_tree_leaf* leaf = &top->leaves[next->block];
            if (!blocks[next->block] || leaf->parent != FRC_REF_NONE || leaf->lane == LANE_LISTED)
                continue;
            leaf->lane = LANE_LISTED;
            list[count++] = next->block;
        }
        // The start node may have been dissolved: its nearest ancestor that is in use.
        const uint32_t start = frc_top_tree_common_ancestor(top, first.start, first.start);
        if (count > 1 && first.near != FRACAS_NONE)
            frc_top_tree_insert_all(scene->context, top, blocks, list, count, first.near, start);
        else
            for (uint32_t k = 0; k < count; k++) frc_top_tree_insert(top, blocks, list[k], start);
    }
    scene->new_blocks.count = 0;
}

// Tell the search method that the tree over blocks has new boxes. Does it rebuild the tree itself?
static bool tell_search(fracas_scene* scene) {
    const frc_search_method* search = scene->options.search;
    return search->refitted_top && search->refitted_top(scene->context, scene->search_data);
}

static bool update_top(fracas_scene* scene, const frc_ids* stale) {
    frc_top_tree* top = &scene->top;
    const uint32_t block_count = (uint32_t)scene->blocks.count;
    // When most blocks are new, one build costs less than many insertions.
    if (!top->broken && scene->new_blocks.count <= top->leaf_count) {
        if (!frc_top_tree_reserve(scene->context, block_count, top)) return false;
        frc_top_tree_refit(scene->context, top, scene->blocks.data, stale->data,
                           (uint32_t)stale->count);
        insert_new_blocks(scene);
        if (tell_search(scene) ? !top->broken : !frc_top_tree_has_decayed(top)) return true;
    }
    scene->new_blocks.count = 0;
    if (!frc_top_tree_build(scene->context, scene->blocks.data, block_count, scene->options.modes,
                            top))
        return false;
    tell_search(scene);
    return true;
}

// ---- progress

enum { LONG_UPDATE = 1 << 16 };  // triangles of changed bodies

typedef struct update_progress {
    fracas_context* context;
    bool reported, stopped;
} update_progress;

static update_progress begin_progress(const fracas_scene* scene) {
    size_t triangles = 0;
    for (size_t i = 0; i < scene->stale_bodies.count; i++)
        triangles += scene->bodies.data[scene->stale_bodies.data[i]].live_triangles;
    return (update_progress){scene->context, triangles >= LONG_UPDATE, false};
}

// A step of a long update is done. False: the callback stops it.
static bool report(update_progress* progress, double fraction) {
    if (progress->reported) progress->stopped = !frc_progress(progress->context, fraction);
    return !progress->stopped;
}

// ---- the update

// False: no memory, or cancelled.
static bool update(fracas_scene* scene, stale_blocks* stale, update_progress* progress) {
    // 0. The filter of pairs follows edges.
    if (scene->filter && !frc_pair_filter_update(scene->filter, &scene->topology)) return false;
    // 1. Float bounds of every point that has moved. The array has the capacity of the pool of
    //    points, so that both grow equally seldom.
    double start = frc_clock_ms();
    if (scene->options.search->keeps_positions) {
        if (!scene->options.search->follow(scene)) return false;
        frc_drop_pending(scene);
        return true;
    }
    const frc_topology* topology = &scene->topology;
    const size_t capacity = topology->points.count ? topology->points.capacity : 0;
    if (capacity > scene->low_capacity &&
        !frc_array_grow(scene->context, (void**)&scene->lows, &scene->low_capacity, capacity,
                        sizeof(frc_low)))
        return false;
    if (!frc_each_point(scene, &scene->stale_bodies, FRC_VISIT_STALE, fit_some)) return false;
    count_time(&start, &scene->refit_ms);
    if (!report(progress, 0.05)) return false;
    // A search without trees needs no more than these, and skips steps 2 to 5.
    if (!scene->options.search->needs_trees) {
        frc_drop_pending(scene);
        return frc_adjacent_pairs_update(scene);
    }
    // 2. New features into blocks; degraded trees are rebuilt.
    if (scene->options.policy->select) scene->options.policy->select(scene);
    if (!frc_place_features(scene)) return false;
    count_time(&start, &scene->restructure_ms);
    if (!report(progress, 0.5)) return false;
    // 3. Boxes of all blocks that have changed. 4. The tree over blocks.
    if (!refit_blocks(scene, stale) || !update_top(scene, &stale->numbers)) return false;
    if (!report(progress, 0.7)) return false;
    // 5. Nodes within which no pair can be in contact.
    start = frc_clock_ms();
    const frc_cull_job job = {.context = scene->context,
                              .topology = &scene->topology,
                              .criterion = scene->options.cull,
                              .blocks = stale->culled.data,
                              .numbers = stale->culled_numbers.data,
                              .count = (uint32_t)stale->culled.count,
                              .states = &scene->cull_states,
                              .lows = scene->lows,
                              .counts = &scene->cull_counts};
    if (!frc_cull_update(&job)) return false;
    count_time(&start, &scene->cull_ms);
    if (!report(progress, 0.95)) return false;
    // 6. Vertices around which adjacent triangles need no comparison.
    return frc_adjacent_pairs_update(scene);
}

fracas_status fracas_scene_update(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (scene->updated) return FRACAS_OK;
    scene->cull_counts = (frc_cull_counts){0};
    scene->cull_ms = scene->refit_ms = scene->restructure_ms = 0;
    stale_blocks stale = {0};
    update_progress progress = begin_progress(scene);
    const bool done = update(scene, &stale, &progress);
    // After a failure some blocks may have new boxes that the top tree does not have yet.
    for (size_t i = 0; i < stale.numbers.count; i++) {
        frc_block* block = scene->blocks.data[stale.numbers.data[i]];
        if (done)
            frc_block_clear_stale(block);
        else
            block->all_stale = true;
    }
    FRC_ARRAY_RELEASE(scene->context, &stale.numbers);
    FRC_ARRAY_RELEASE(scene->context, &stale.refits);
    FRC_ARRAY_RELEASE(scene->context, &stale.culled);
    FRC_ARRAY_RELEASE(scene->context, &stale.culled_numbers);
    if (!done && (progress.stopped || frc_cancelled(scene->context)))
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
    scene->update_count++;
    return FRACAS_OK;
}
