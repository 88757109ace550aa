/// @file update.c  Fit boxes to points, give new features a place, keep the tree of blocks.
#include "base/clock.h"
#include "base/parallel.h"
#include "bvh/bottom_up.h"
#include "bvh/register_box.h"
#include "cull/cull.h"
#include "scene/place.h"
#include "scene/points.h"
#include "scene/provisional.h"
#include "scene/restructure.h"
#include "scene/scene.h"
#include <string.h>

// ---- lows of points

static bool reserve_lows(fracas_scene* scene) {
    // As many as there is room for points: they grow as seldom.
    const frc_topology* topology = &scene->topology;
    const size_t wanted = topology->points.count ? topology->points.capacity : 0;
    return wanted <= scene->low_capacity ||
           frc_array_grow(scene->context, (void**)&scene->lows, &scene->low_capacity, wanted,
                          sizeof(frc_low));
}

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

// ---- the update

// Blocks of stale bodies whose boxes are out of date.
typedef struct stale_blocks {
    frc_ids numbers;
    FRC_ARRAY(frc_tall) talls;     // the same, as they are to be fitted
    FRC_ARRAY(frc_block*) culled;  // of bodies that collide with themselves: who else would ask?
} stale_blocks;

// What a body has of them. Most have one block.
typedef struct stale_note {
    uint32_t count;
    frc_tall first;
    bool culled;
} stale_note;

static bool is_stale(const frc_block* block) { return block->all_stale || block->stale.count > 0; }

static frc_tall tall_of(const fracas_scene* scene, uint32_t number) {
    const frc_block* block = scene->blocks.data[number];
    return (frc_tall){number, frc_block_is_stale_all_over(block) ? block->node_count : 0};
}

static stale_note note_stale(const fracas_scene* scene, uint32_t number) {
    const frc_body* body = &scene->bodies.data[number];
    stale_note note = {.culled = scene->filters.data[number].self_collision};
    for (size_t k = 0; k < body->blocks.count; k++) {
        frc_block* block = scene->blocks.data[body->blocks.data[k]];
        if (body->fit) block->all_stale = true;
        if (is_stale(block) && note.count++ == 0) note.first = tall_of(scene, body->blocks.data[k]);
    }
    return note;
}

static bool put_stale_block(fracas_scene* scene, frc_tall tall, bool culled, stale_blocks* out) {
    // A block may have come, with its marks, from a body that collides with itself, and come to
    // such a one again.
    if (!culled) frc_block_forget_cull(scene->context, scene->blocks.data[tall.block]);
    return FRC_ARRAY_PUSH(scene->context, &out->numbers, tall.block) &&
           FRC_ARRAY_PUSH(scene->context, &out->talls, tall) &&
           (!culled ||
            FRC_ARRAY_PUSH(scene->context, &out->culled, scene->blocks.data[tall.block]));
}

static bool put_stale_blocks(fracas_scene* scene, uint32_t body, const stale_note* note,
                             stale_blocks* out) {
    const frc_ids* blocks = &scene->bodies.data[body].blocks;
    for (size_t k = 0; k < blocks->count; k++)
        if (is_stale(scene->blocks.data[blocks->data[k]]) &&
            !put_stale_block(scene, tall_of(scene, blocks->data[k]), note->culled, out))
            return false;
    return true;
}

// By place in the list of stale bodies.
static bool list_stale_blocks(fracas_scene* scene, const stale_note* notes, stale_blocks* out) {
    fracas_context* context = scene->context;
    const size_t bodies = scene->stale_bodies.count;
    bool ok = FRC_ARRAY_RESERVE(context, &out->numbers, bodies) &&
              FRC_ARRAY_RESERVE(context, &out->talls, bodies) &&
              FRC_ARRAY_RESERVE(context, &out->culled, bodies);
    for (size_t i = 0; i < bodies && ok; i++) {
        const stale_note* note = &notes[i];
        if (note->count == 1)
            ok = put_stale_block(scene, note->first, note->culled, out);
        else if (note->count > 1)
            ok = put_stale_blocks(scene, scene->stale_bodies.data[i], note, out);
    }
    return ok;
}

// ---- the tree over blocks

static bool build_top(fracas_scene* scene) {
    scene->new_blocks.count = 0;
    return frc_top_build(scene->context, scene->blocks.data, (uint32_t)scene->blocks.count,
                         scene->options.modes, &scene->top);
}

enum { LISTED = 4 };  // no lane has this number

// A block may have gone again or, when an update failed in the middle, be in the tree already, or
// its number stand in the list twice.
static bool take_new(fracas_scene* scene, uint32_t block) {
    frc_top_leaf* leaf = &scene->top.leaves[block];
    if (!scene->blocks.data[block] || leaf->parent != FRC_REF_NONE || leaf->lane == LISTED)
        return false;
    leaf->lane = LISTED;
    return true;
}

// Blocks of one origin that stand side by side in the list go in together.
static void enter_new_blocks(fracas_scene* scene) {
    frc_top* top = &scene->top;
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
        uint32_t start = frc_top_meeting(top, first.start, first.start);
        if (count > 1 && first.near != FRACAS_NONE)
            frc_top_insert_all(scene->context, top, blocks, list, count, first.near, start);
        else
            for (uint32_t k = 0; k < count; k++) frc_top_insert(top, blocks, list[k], start);
    }
    scene->new_blocks.count = 0;
}

// When most are new, one build costs less than many paths.
static bool builds_top(const fracas_scene* scene) {
    return scene->top.broken || scene->new_blocks.count > scene->top.leaf_count;
}

// Room for blocks that have come, in a tree that stays.
static bool reserve_top(fracas_scene* scene) {
    return builds_top(scene) ||
           frc_top_reserve(scene->context, (uint32_t)scene->blocks.count, &scene->top);
}

typedef struct top_job {
    fracas_scene* scene;
    const frc_ids* stale;
} top_job;

static void refit_top(void* data) {
    const top_job* job = data;
    fracas_scene* scene = job->scene;
    if (!builds_top(scene))
        frc_top_refit(scene->context, &scene->top, scene->blocks.data, job->stale->data,
                      (uint32_t)job->stale->count);
}

// Boxes of those that were there are fitted.
static bool finish_top(fracas_scene* scene) {
    if (builds_top(scene)) return build_top(scene);
    enter_new_blocks(scene);
    return !frc_top_has_decayed(&scene->top) || build_top(scene);
}

// ---- culling

static frc_cull_job cull_job(fracas_scene* scene, const stale_blocks* stale) {
    return (frc_cull_job){.context = scene->context,
                          .topology = &scene->topology,
                          .criterion = scene->options.cull,
                          .blocks = stale->culled.data,
                          .count = (uint32_t)stale->culled.count,
                          .room = &scene->cull_room};
}

// Before boxes are refitted.
static bool begin_cull(fracas_scene* scene, const stale_blocks* stale) {
    const double start = frc_clock_ms();
    const frc_cull_job job = cull_job(scene, stale);
    const bool ok = frc_cull_begin(&job);
    scene->cull_ms += frc_clock_ms() - start;
    return ok;
}

// And afterwards. The tree over blocks, which is one worker's, is fitted meanwhile: the marks are
// of what is within blocks.
static bool run_cull(fracas_scene* scene, const stale_blocks* stale) {
    const double start = frc_clock_ms();
    top_job top = {scene, &stale->numbers};
    frc_cull_job job = cull_job(scene, stale);
    job.lows = scene->lows;
    job.counts = &scene->cull_counts;
    job.aside = refit_top;
    job.aside_data = &top;
    const bool ok = frc_cull_run(&job);
    scene->cull_ms += frc_clock_ms() - start;
    return ok;
}

// ---- what is new

// What there is to do for a body, found out for many at the same time.
typedef enum arrival { NOTHING, SOME, WHOLE, WORN } arrival;

typedef struct arrivals {
    fracas_scene* scene;
    frc_renewal* list;  // room for all stale bodies
    uint8_t* of;        // by place in the list of stale bodies
    stale_note* notes;  // likewise
    bool first;         // ask for worn trees, too
} arrivals;

static arrival arrival_of(const fracas_scene* scene, uint32_t number, bool first) {
    if (first && frc_is_worn(scene, number)) return WORN;
    if (frc_waits_as_a_whole(scene, number)) return WHOLE;
    return frc_has_to_be_placed(scene, number) ? SOME : NOTHING;
}

static void find_arrivals(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const arrivals* a = data;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t number = a->scene->stale_bodies.data[i];
        frc_body* body = &a->scene->bodies.data[number];
        arrival what = arrival_of(a->scene, number, a->first);
        a->of[i] = (uint8_t)what;
        a->notes[i] = note_stale(a->scene, number);
        if (!a->first) continue;
        body->calm = frc_fresh_count(body) == 0;
        if (what != WORN) body->worn = body->ripe = false;
    }
}

static bool renew_those(const arrivals* a, arrival what) {
    fracas_scene* scene = a->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->stale_bodies.count; i++)
        if (a->of[i] == what)
            a->list[count++] =
                (frc_renewal){scene->stale_bodies.data[i], what == WHOLE, what == WHOLE};
    frc_provisional_births(scene, a->list, count);
    if (!frc_renew_bodies(scene, a->list, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        frc_body* body = &scene->bodies.data[a->list[i].body];
        body->ripe = false;
        if (what != WORN) continue;
        body->worn = false;
        scene->restructured.wholes += body->tired;
        frc_scene_refresh(scene, body);
    }
    return true;
}

static bool has(const arrivals* a, arrival what) {
    bool some = false;
    for (size_t i = 0; i < a->scene->stale_bodies.count; i++) some |= a->of[i] == what;
    return some;
}

// Once more, after blocks have come or gone.
static void note_again(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const arrivals* a = data;
    for (uint32_t i = begin; i < end; i++)
        a->notes[i] = note_stale(a->scene, a->scene->stale_bodies.data[i]);
}

// Bodies whose trees are worn, and those that wait as a whole, at the same time; others one by one.
static bool place_arrivals(arrivals* a) {
    fracas_scene* scene = a->scene;
    uint32_t bodies = (uint32_t)scene->stale_bodies.count;
    frc_parallel_for(scene->context, bodies, FRC_BODIES_EACH, find_arrivals, a);
    if (has(a, WORN)) {
        if (!renew_those(a, WORN)) return false;
        a->first = false;
        frc_parallel_for(scene->context, bodies, FRC_BODIES_EACH, find_arrivals, a);
    }
    if (!has(a, WHOLE) && !has(a, SOME)) return true;
    if (!renew_those(a, WHOLE)) return false;
    for (uint32_t i = 0; i < bodies; i++) {
        uint32_t number = scene->stale_bodies.data[i];
        // Of what was built as a whole free elements may wait on.
        if (a->of[i] != NOTHING && frc_has_to_be_placed(scene, number) &&
            !frc_place_fresh(scene, number))
            return false;
    }
    frc_parallel_for(scene->context, bodies, FRC_BODIES_EACH, note_again, a);
    return true;
}

// Give what is new a place, and build bodies anew whose time has come; then list what is stale.
static bool place_bodies(fracas_scene* scene, stale_blocks* out) {
    fracas_context* context = scene->context;
    size_t count = scene->stale_bodies.count;
    bool ok = true;
    arrivals a = {.scene = scene, .first = true};
    a.list = frc_allocate_array(context, count, sizeof *a.list, &ok);
    a.of = frc_allocate_array(context, count, 1, &ok);
    a.notes = frc_allocate_array(context, count, sizeof *a.notes, &ok);
    ok = ok && place_arrivals(&a) && list_stale_blocks(scene, a.notes, out);
    frc_release(context, a.notes, frc_array_size(count, sizeof *a.notes));
    frc_release(context, a.of, frc_array_size(count, 1));
    frc_release(context, a.list, frc_array_size(count, sizeof *a.list));
    return ok;
}

// Adds the time since `*start` and starts again.
static void count_time(double* start, double* sum) {
    double now = frc_clock_ms();
    *sum += now - *start;
    *start = now;
}

static bool update_blocks(fracas_scene* scene, const stale_blocks* stale) {
    const frc_ids* blocks = &stale->numbers;
    const frc_lows lows = frc_scene_lows(scene);
    if (!begin_cull(scene, stale)) return false;
    double start = frc_clock_ms();
    if (!frc_blocks_refit(scene->context, scene->blocks.data, stale->talls.data,
                          (uint32_t)stale->talls.count, scene->options.search->refit_cut, &lows))
        return false;
    const frc_search_method* search = scene->options.search;
    for (size_t i = 0; search->refitted && i < blocks->count; i++)
        search->refitted(scene->context, scene->search_data, scene->blocks.data[blocks->data[i]]);
    count_time(&start, &scene->refit_ms);
    const frc_rebuild_policy* policy = scene->options.policy;
    if (!frc_provisional_learn(scene, blocks)) return false;
    if (policy->refitted && !policy->refitted(scene, blocks)) return false;
    count_time(&start, &scene->restructure_ms);
    return reserve_top(scene) && run_cull(scene, stale) && finish_top(scene);
}

// An update has failed: some of its blocks may have their boxes, but the tree over blocks not yet.
static void keep_stale(fracas_scene* scene, const frc_ids* blocks) {
    for (size_t i = 0; i < blocks->count; i++) {
        frc_block* block = scene->blocks.data[blocks->data[i]];
        if (block) block->all_stale = true;
    }
}

// Without trees: lows of points are all that a query needs. Nothing is given a place.
static bool update_without_trees(fracas_scene* scene) {
    double start = frc_clock_ms();
    if (!frc_each_point(scene, &scene->stale_bodies, true, fit_some)) return false;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->calm = frc_fresh_count(body) == 0;
        frc_fit_waiting(scene, &body->fresh_points);
        frc_forget_fresh(scene, body);
    }
    count_time(&start, &scene->refit_ms);
    return frc_scene_settle(scene);
}

static bool update(fracas_scene* scene) {
    if (!reserve_lows(scene)) return false;
    if (!scene->options.search->needs_trees) return update_without_trees(scene);
    if (scene->options.policy->begin) scene->options.policy->begin(scene);
    if (!frc_provisional_select(scene)) return false;
    double start = frc_clock_ms();
    if (!frc_each_point(scene, &scene->stale_bodies, true, fit_some)) return false;
    count_time(&start, &scene->refit_ms);
    stale_blocks blocks = {0};
    bool ok = place_bodies(scene, &blocks);
    count_time(&start, &scene->restructure_ms);
    ok = ok && update_blocks(scene, &blocks);
    if (!ok) keep_stale(scene, &blocks.numbers);
    FRC_ARRAY_RELEASE(scene->context, &blocks.numbers);
    FRC_ARRAY_RELEASE(scene->context, &blocks.talls);
    FRC_ARRAY_RELEASE(scene->context, &blocks.culled);
    return ok && frc_scene_settle(scene);
}

static void forget_stale(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    fracas_scene* scene = data;
    for (uint32_t i = begin; i < end; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->stale = body->fit = body->added = false;
    }
}

fracas_status fracas_scene_update(fracas_scene* scene) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (scene->updated) return FRACAS_OK;
    scene->cull_counts = (frc_cull_counts){0};
    scene->cull_ms = scene->refit_ms = scene->restructure_ms = 0;
    bool done = update(scene);
    if (!done && frc_cancelled(scene->context))
        return frc_fail(scene->context, FRACAS_ERROR_CANCELLED,
                        "the update was cancelled: the scene is as it was, update it again later");
    if (!done)
        return frc_fail(
            scene->context, FRACAS_ERROR_OUT_OF_MEMORY,
            "out of memory while updating: the scene is as it was, update it again later");
    frc_parallel_for(scene->context, (uint32_t)scene->stale_bodies.count, FRC_BODIES_EACH,
                     forget_stale, scene);
    scene->stale_bodies.count = 0;
    scene->topology_changed = false;
    scene->updated = true;
    return FRACAS_OK;
}
