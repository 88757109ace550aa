/// @file update.c  Fit boxes to points, give new features a place, keep the tree of blocks.
#include "base/clock.h"
#include "base/parallel.h"
#include "bvh/register_box.h"
#include "cull/cull.h"
#include "scene/lodge.h"
#include "scene/place.h"
#include "scene/provisional.h"
#include "scene/restructure.h"
#include "scene/scene.h"
#include <string.h>

// ---- boxes of points

static bool reserve_point_boxes(fracas_scene* scene) {
    // As many as there is room for points: they grow as seldom.
    size_t wanted = scene->topology.points.count ? scene->topology.points.capacity : 0;
    for (int end = scene->options.modes & FRACAS_CONTINUOUS ? 0 : 1; end < 2; end++) {
        if (wanted <= scene->point_box_capacity[end]) continue;
        if (!frc_array_grow(scene->context, (void**)&scene->point_boxes[end],
                            &scene->point_box_capacity[end], wanted, sizeof(frc_point_box)))
            return false;
    }
    return true;
}

static void fit_point(fracas_scene* scene, uint32_t id) {
    box at[2];
    fit_point_boxes(&scene->topology.points.data[id], at);
    for (int end = 0; end < 2; end++)
        if (scene->point_boxes[end]) store_box(&scene->point_boxes[end][id], at[end]);
}

// Points of one body after the other are one long list, which is dealt out in stretches.
typedef struct fit_job {
    fracas_scene* scene;
    const frc_ids* const* lists;
    const size_t* begin;  // of each list among all; one more at the end
    size_t list_count;
} fit_job;

enum { STRETCH = 1024 };  // points

static size_t find_list(const fit_job* job, size_t at) {
    size_t low = 0, high = job->list_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (job->begin[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void fit_stretch(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const fit_job* job = data;
    size_t at = (size_t)begin * STRETCH, stop = (size_t)end * STRETCH;
    if (stop > job->begin[job->list_count]) stop = job->begin[job->list_count];
    for (size_t list = find_list(job, at); at < stop; list++) {
        const uint32_t* ids = job->lists[list]->data;
        size_t last = job->begin[list + 1] < stop ? job->begin[list + 1] : stop;
        for (; at < last; at++) {
            uint32_t id = ids[at - job->begin[list]];
            if (id != FRACAS_NONE) fit_point(job->scene, id);
        }
    }
}

static void fit_lists(fit_job* job) {
    size_t all = job->begin[job->list_count];
    frc_parallel_for(job->scene->context, (uint32_t)((all + STRETCH - 1) / STRETCH), 1, fit_stretch,
                     job);
}

void frc_fit_points(fracas_scene* scene, const frc_ids* ids) {
    const size_t begin[2] = {0, ids->count};
    fit_job job = {scene, &ids, begin, 1};
    fit_lists(&job);
}

// All points of all bodies that have moved.
static bool fit_moved(fracas_scene* scene) {
    fracas_context* context = scene->context;
    size_t most = scene->stale_bodies.count, all = 0;
    bool ok = true;
    fit_job job = {.scene = scene};
    const frc_ids** lists = frc_allocate_array(context, most, sizeof *lists, &ok);
    size_t* begin = frc_allocate_array(context, most + 1, sizeof *begin, &ok);
    for (size_t i = 0; i < most && ok; i++) {
        const frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        if (!body->fit || body->points.count == 0) continue;
        lists[job.list_count] = &body->points;
        begin[job.list_count++] = all;
        all += body->points.count;
    }
    if (ok) {
        begin[job.list_count] = all;
        job.lists = lists, job.begin = begin;
        fit_lists(&job);
    }
    frc_release(context, lists, frc_array_size(most, sizeof *lists));
    frc_release(context, begin, frc_array_size(most + 1, sizeof *begin));
    return ok;
}

// ---- the update

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
    uint32_t count = 0;
    for (size_t i = 0; i < numbers->count; i++) {
        frc_block* block = scene->blocks.data[numbers->data[i]];
        // Nobody asks what is within a body that does not collide with itself.
        if (scene->filters.data[block->body].self_collision) blocks[count++] = block;
    }
    fracas_cull mode = scene->options.cull;
    bool ok = fitted ? frc_cull_run(context, &scene->topology, scene->point_boxes[1], mode, blocks,
                                    count, &scene->cull_room, &scene->cull_counts)
                     : frc_cull_begin(context, &scene->topology, mode, blocks, count);
    frc_release(context, blocks, size);
    scene->cull_ms += frc_clock_ms() - start;
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

static bool update_top(fracas_scene* scene, const frc_ids* stale) {
    frc_top* top = &scene->top;
    size_t arriving = scene->new_blocks.count;
    // When most are new, one build costs less than many paths.
    if (top->broken || arriving > top->leaf_count) return build_top(scene);
    if (!frc_top_reserve(scene->context, (uint32_t)scene->blocks.count, top)) return false;
    frc_top_refit(top, scene->blocks.data, stale->data, (uint32_t)stale->count);
    enter_new_blocks(scene);
    return !frc_top_has_decayed(top) || build_top(scene);
}

// What there is to do for a body, found out for many at the same time.
typedef enum arrival { NOTHING, SOME, WHOLE } arrival;

typedef struct arrivals {
    fracas_scene* scene;
    uint8_t* of;  // by place in the list of stale bodies
    bool worn;    // ask for worn trees; else for what waits
} arrivals;

static void find_arrivals(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const arrivals* a = data;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t number = a->scene->stale_bodies.data[i];
        if (a->worn)
            a->of[i] = frc_is_worn(a->scene, number) ? WHOLE : NOTHING;
        else
            a->of[i] = frc_waits_as_a_whole(a->scene, number)   ? WHOLE
                       : frc_has_to_be_placed(a->scene, number) ? SOME
                                                                : NOTHING;
    }
}

// Bodies whose trees are worn, or that wait as a whole, at the same time; others one by one.
static bool place_arrivals(arrivals* a, frc_renewal* list) {
    fracas_scene* scene = a->scene;
    uint32_t bodies = (uint32_t)scene->stale_bodies.count, count = 0;
    frc_parallel_for(scene->context, bodies, 64, find_arrivals, a);
    for (uint32_t i = 0; i < bodies; i++)
        if (a->of[i] == WHOLE)
            list[count++] = (frc_renewal){scene->stale_bodies.data[i], !a->worn, !a->worn};
    if (!a->worn) frc_provisional_births(scene, list, count);
    if (!frc_renew_bodies(scene, list, count)) return false;
    for (uint32_t i = 0; i < bodies; i++) {
        uint32_t number = scene->stale_bodies.data[i];
        if (a->worn) scene->bodies.data[number].worn = false;
        scene->bodies.data[number].ripe = false;
        // Of what was built as a whole free elements may wait on.
        bool waits = a->of[i] == SOME || (a->of[i] == WHOLE && !a->worn);
        if (waits && frc_has_to_be_placed(scene, number) && !frc_place_fresh(scene, number))
            return false;
    }
    return true;
}

// Give what is new a place, and build bodies anew whose time has come.
static bool place_bodies(fracas_scene* scene) {
    fracas_context* context = scene->context;
    size_t count = scene->stale_bodies.count;
    bool ok = true;
    frc_renewal* list = frc_allocate_array(context, count, sizeof *list, &ok);
    arrivals a = {.scene = scene, .of = frc_allocate_array(context, count, 1, &ok), .worn = true};
    for (size_t i = 0; i < count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->calm = frc_fresh_count(body) == 0;
    }
    ok = ok && place_arrivals(&a, list);
    a.worn = false;
    ok = ok && place_arrivals(&a, list);
    frc_release(context, a.of, frc_array_size(count, 1));
    frc_release(context, list, frc_array_size(count, sizeof *list));
    return ok;
}

// Adds the time since `*start` and starts again.
static void count_time(double* start, double* sum) {
    double now = frc_clock_ms();
    *sum += now - *start;
    *start = now;
}

static bool update_blocks(fracas_scene* scene, const frc_ids* blocks) {
    const frc_point_box* const point_boxes[2] = {scene->point_boxes[0], scene->point_boxes[1]};
    if (!cull(scene, blocks, false)) return false;
    double start = frc_clock_ms();
    if (!frc_blocks_refit(scene->context, scene->blocks.data, blocks->data, (uint32_t)blocks->count,
                          point_boxes))
        return false;
    count_time(&start, &scene->refit_ms);
    if (!frc_provisional_learn(scene, blocks) || !frc_restructure_blocks(scene, blocks))
        return false;
    count_time(&start, &scene->restructure_ms);
    return cull(scene, blocks, false) && cull(scene, blocks, true) && update_top(scene, blocks);
}

// Without trees: boxes of points are all that a query needs. Nothing is given a place.
static bool update_without_trees(fracas_scene* scene) {
    double start = frc_clock_ms();
    if (!fit_moved(scene)) return false;
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->calm = frc_fresh_count(body) == 0;
        frc_fit_points(scene, &body->fresh_points);
        frc_forget_fresh(scene, body);
    }
    count_time(&start, &scene->refit_ms);
    return frc_scene_settle(scene);
}

static bool update(fracas_scene* scene) {
    if (!reserve_point_boxes(scene)) return false;
    if (scene->options.broad == FRACAS_BROAD_HASH) return update_without_trees(scene);
    frc_restructure_begin(scene);
    frc_place_some(scene);
    if (!frc_lodgers_begin(scene) || !frc_provisional_select(scene)) return false;
    double start = frc_clock_ms();
    if (!fit_moved(scene)) return false;
    count_time(&start, &scene->refit_ms);
    if (!place_bodies(scene)) return false;
    count_time(&start, &scene->restructure_ms);
    frc_ids blocks = {0};
    bool ok = list_stale_blocks(scene, &blocks) && update_blocks(scene, &blocks);
    FRC_ARRAY_RELEASE(scene->context, &blocks);
    return ok && frc_scene_settle(scene);
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
    for (size_t i = 0; i < scene->stale_bodies.count; i++) {
        frc_body* body = &scene->bodies.data[scene->stale_bodies.data[i]];
        body->stale = body->fit = body->added = false;
    }
    scene->stale_bodies.count = 0;
    scene->topology_changed = false;
    scene->updated = true;
    return FRACAS_OK;
}
