/// @file scene.c  Scenes come and go, and the queries' way in.
#include "scene/scene.h"
#include "scene/provisional.h"
#include "scene/restructure.h"
#include <math.h>
#include <string.h>

fracas_scene_options fracas_scene_default_options(void) {
    return (fracas_scene_options){.struct_size = sizeof(fracas_scene_options),
                                  .modes = FRACAS_BOTH,
                                  .rebuild = FRACAS_BUILD_GRID,
                                  .inherit = true,
                                  .grid_levels = FRC_GRID_LEVELS,
                                  .grid_stop = FRC_GRID_STOP,
                                  .restructure_share = 0.25};
}

static bool options_are_valid(const fracas_scene_options* options) {
    return options->struct_size == sizeof *options && options->modes != 0 &&
           options->modes <= FRACAS_BOTH && (unsigned)options->builder <= FRACAS_BUILD_GRID &&
           (unsigned)options->rebuild <= FRACAS_BUILD_GRID && options->grid_levels >= 1 &&
           options->grid_levels <= FRC_GRID_LEVELS_MOST && options->grid_stop >= 1 &&
           (unsigned)options->restructure <= FRACAS_RESTRUCTURE_LAZY &&
           (unsigned)options->metric <= FRACAS_METRIC_LM && options->restructure_share >= 0 &&
           (unsigned)options->cull <= FRACAS_CULL_DUAL_CONE &&
           (unsigned)options->broad <= FRACAS_BROAD_HASH && options->cell_size >= 0 &&
           isfinite(options->cell_size);
}

// Certificates, and what is known of neighbours in discrete queries, know nodes and slots by their
// numbers; and only the tasks of PCCD keep workers apart.
static bool may_be_lazy(const fracas_context* context, const fracas_scene_options* options) {
    return options->cull == FRACAS_CULL_NONE && options->modes == FRACAS_CONTINUOUS &&
           context->options.scheduler != FRACAS_SCHEDULER_STEAL;
}

fracas_status fracas_scene_create(fracas_context* context, const fracas_scene_options* given,
                                  fracas_scene** out) {
    if (!context || !out) return FRACAS_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    fracas_scene_options options = given ? *given : fracas_scene_default_options();
    if (!options_are_valid(&options))
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "scene options are not initialised: start from fracas_scene_default_options()");
    const bool lazy = options.restructure == FRACAS_RESTRUCTURE_LAZY;
    if (lazy && !may_be_lazy(context, &options))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "FRACAS_RESTRUCTURE_LAZY needs cull = FRACAS_CULL_NONE and modes = "
                        "FRACAS_CONTINUOUS in fracas_scene_options, and a PCCD scheduler in "
                        "fracas_context_options");
    fracas_scene* scene = frc_allocate_zero(context, sizeof *scene);
    if (scene) scene->work_done = frc_allocate_zero(context, sizeof *scene->work_done);
    if (scene && scene->work_done && lazy)
        scene->work_done->lazy = frc_lazy_create(context, &scene->topology);
    if (!scene || !scene->work_done || (lazy && !scene->work_done->lazy)) {
        if (scene) frc_release(context, scene->work_done, sizeof *scene->work_done);
        frc_release(context, scene, sizeof *scene);
        return frc_fail_memory(context, sizeof *scene);
    }
    atomic_init(&scene->work_done->sum, 0);
    atomic_init(&scene->work_done->spare.walks, NULL);
    atomic_init(&scene->work_done->spare.hash, NULL);
    scene->prices =
        options.calibrate ? frc_measured_prices(context, &options) : frc_default_prices(&options);
    frc_provisional_begin(scene);
    scene->context = context;
    scene->options = options;
    scene->top.modes = options.modes;
    frc_topology_init(&scene->topology, context);
    *out = scene;
    return FRACAS_OK;
}

void fracas_scene_destroy(fracas_scene* scene) {
    if (!scene) return;
    fracas_context* context = scene->context;
    for (uint32_t i = 0; i < scene->bodies.count; i++)
        if (frc_handles_in_use(&scene->handles, i)) frc_scene_drop_body(scene, i);
    frc_top_release(context, &scene->top);
    frc_release(context, scene->lows, scene->low_capacity * sizeof(frc_low));
    frc_release(context, scene->settled, scene->settled_capacity);
    frc_topology_release(&scene->topology);
    frc_trace_release(context, &scene->trace);
    FRC_ARRAY_RELEASE(context, &scene->bodies);
    FRC_ARRAY_RELEASE(context, &scene->filters);
    frc_handles_release(context, &scene->handles);
    FRC_ARRAY_RELEASE(context, &scene->stale_bodies);
    FRC_ARRAY_RELEASE(context, &scene->moved_bodies);
    FRC_ARRAY_RELEASE(context, &scene->blocks);
    FRC_ARRAY_RELEASE(context, &scene->unused_blocks);
    FRC_ARRAY_RELEASE(context, &scene->new_blocks);
    frc_spare_release(context, &scene->work_done->spare);
    frc_cull_room_release(context, &scene->cull_room);
    frc_lazy_destroy(context, scene->work_done->lazy);
    frc_release(context, scene->work_done->served,
                scene->work_done->served_capacity * sizeof(frc_served));
    frc_release(context, scene->work_done, sizeof *scene->work_done);
    frc_release(context, scene, sizeof *scene);
}

// Do all bodies meet all others and themselves, as they do unless somebody asks for less?
static bool all_meet(const fracas_scene* scene) {
    bool all = true;
    for (uint32_t i = 0; i < scene->filters.count; i++) {
        const frc_body_filter* f = &scene->filters.data[i];
        if (frc_handles_in_use(&scene->handles, i))
            all &= f->self_collision && f->mask == UINT32_MAX && f->group != 0;
    }
    return all;
}

static bool has_free_elements(const fracas_scene* scene) {
    bool any = false;
    for (uint32_t i = 0; i < scene->bodies.count; i++)
        any |= scene->bodies.data[i].free_edges.count + scene->bodies.data[i].free_points.count > 0;
    return any;
}

static frc_hash_view hash_view(const fracas_scene* scene) {
    if (scene->options.broad != FRACAS_BROAD_HASH) return (frc_hash_view){0};
    return (frc_hash_view){.used = true,
                           .free_elements = has_free_elements(scene),
                           .all_meet = all_meet(scene),
                           .cell_size = scene->options.cell_size,
                           .settled = scene->settled};
}

frc_world frc_scene_world(const fracas_scene* scene) {
    return (frc_world){.context = scene->context,
                       .topology = &scene->topology,
                       .blocks = scene->blocks.data,
                       .block_count = (uint32_t)scene->blocks.count,
                       .top = &scene->top,
                       .lows = frc_scene_lows(scene),
                       .bodies = scene->filters.data,
                       .modes = scene->options.modes,
                       .siblings = scene->family_count > 0,
                       .cull_counts = scene->cull_counts,
                       .cull_ms = scene->cull_ms,
                       .refit_ms = scene->refit_ms,
                       .restructure_ms = scene->restructure_ms,
                       .spare = &scene->work_done->spare,
                       .served = scene->work_done->served,
                       .lazy = scene->work_done->lazy,
                       .hash = hash_view(scene)};
}

// ---- queries: check, call, return

static fracas_status check_ready(const fracas_scene* scene, uint32_t modes, const char* what) {
    if (!scene->updated)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the scene has changed: call fracas_scene_update before %s", what);
    if (modes & ~scene->options.modes)
        return frc_fail(
            scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
            "the scene is not prepared for a %s query: set modes in fracas_scene_options",
            modes & ~scene->options.modes & FRACAS_DISCRETE ? "discrete" : "continuous");
    return FRACAS_OK;
}

static fracas_status check_query(const fracas_scene* scene, const fracas_query* query) {
    if (query->struct_size != sizeof *query || query->modes == 0 || query->modes > FRACAS_BOTH ||
        (unsigned)query->siblings > FRACAS_SIBLINGS_IGNORE ||
        (unsigned)query->filter > FRACAS_FILTER_NONE)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the query is not initialised: start from fracas_query_default()");
    if (!(query->tolerance > 0 && query->tolerance <= 1))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the tolerance is %g: it must be above 0 and at most 1", query->tolerance);
    if (!(query->min_separation >= 0 && isfinite(query->min_separation)))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the minimum separation is %g: it must be finite and not negative",
                        query->min_separation);
    return FRACAS_OK;
}

fracas_status fracas_scene_detect(const fracas_scene* scene, const fracas_query* given,
                                  const fracas_sink* sink) {
    if (!scene || !sink) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_query query = given ? *given : fracas_query_default();
    fracas_status status = check_query(scene, &query);
    if (status == FRACAS_OK) status = check_ready(scene, query.modes, "fracas_scene_detect");
    if (status != FRACAS_OK) return status;
    frc_world world = frc_scene_world(scene);
    fracas_statistics statistics;
    fracas_sink counted = *sink;
    if (!counted.statistics) counted.statistics = &statistics;
    status = frc_detect(&world, &query, &counted);
    if (status == FRACAS_OK) frc_add_work(scene, &query, counted.statistics);
    return status;
}

fracas_status fracas_scene_nearby(const fracas_scene* scene, double distance,
                                  const fracas_sink* sink) {
    if (!scene || !sink) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!(distance >= 0 && isfinite(distance)))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the distance is %g: it must be finite and not negative", distance);
    fracas_status status = check_ready(scene, FRACAS_CONTINUOUS, "fracas_scene_nearby");
    if (status != FRACAS_OK) return status;
    frc_world world = frc_scene_world(scene);
    return frc_nearby(&world, distance, sink);
}

fracas_status fracas_scene_max_step(const fracas_scene* scene, const fracas_query* given,
                                    double* out) {
    if (!scene || !out) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_query query = given ? *given : fracas_query_default();
    fracas_status status = check_query(scene, &query);
    if (status == FRACAS_OK)
        status = check_ready(scene, FRACAS_CONTINUOUS, "fracas_scene_max_step");
    if (status != FRACAS_OK) return status;
    frc_world world = frc_scene_world(scene);
    return frc_max_step(&world, &query, out);
}

fracas_status fracas_scene_trace(const fracas_scene* scene, const fracas_element* old,
                                 fracas_element* now) {
    if (!scene || !old || !now || (unsigned)old->kind > FRACAS_TRIANGLE)
        return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_element e = frc_trace_follow(&scene->trace, *old);
    uint32_t number = e.body.index - 1;
    *now = e;
    now->body = (fracas_body){0, 0};
    if (!frc_handles_in_use(&scene->handles, number) ||
        frc_handles_generation(&scene->handles, number) != e.body.generation)
        return FRACAS_OK;
    const frc_body* body = &scene->bodies.data[number];
    const frc_ids* ids = e.kind == FRACAS_VERTEX ? &body->points : &body->triangles;
    if (e.index < ids->count && ids->data[e.index] != FRACAS_NONE) now->body = e.body;
    return FRACAS_OK;
}
