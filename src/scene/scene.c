/// @file scene.c  Create and destroy a scene; check queries and pass them on.
#include "scene/scene.h"
#include <math.h>
#include <string.h>

fracas_scene_options fracas_scene_default_options(void) {
    return (fracas_scene_options){.struct_size = sizeof(fracas_scene_options),
                                  .modes = FRACAS_MODE_BOTH};
}

frc_scene_settings frc_scene_default_settings(const fracas_scene_options* options) {
    const bool fast_build = options->quality == FRACAS_BUILD_QUALITY_FAST_BUILD;
    return (frc_scene_settings){.modes = options->modes,
                                .builder = fast_build ? FRC_BUILD_GRID : FRC_BUILD_SAH,
                                .rebuild = FRC_BUILD_GRID,
                                .inherit = true,
                                .grid_levels = FRC_GRID_LEVELS,
                                .grid_stop = FRC_GRID_STOP,
                                .rebuild_share = 0.25,
                                .policy = &frc_rebuild_selective,
                                .search = &frc_search_trees,
                                .cull = &frc_cull_certificate};
}

fracas_status frc_scene_check_options(fracas_context* context,
                                      const fracas_scene_options* options) {
    if (options->struct_size != sizeof *options)
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "scene options are not initialised: start from fracas_scene_default_options()");
    if (options->modes == 0 || options->modes > FRACAS_MODE_BOTH)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "modes in the scene options is %u: it must be FRACAS_MODE_DISCRETE, "
                        "FRACAS_MODE_CONTINUOUS or FRACAS_MODE_BOTH",
                        options->modes);
    if ((unsigned)options->quality > FRACAS_BUILD_QUALITY_FAST_BUILD)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "quality in the scene options is %d, which is no fracas_build_quality",
                        (int)options->quality);
    return FRACAS_OK;
}

fracas_status fracas_scene_create(fracas_context* context, const fracas_scene_options* given,
                                  fracas_scene** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_scene_create", "out");
    fracas_scene_options options = given ? *given : fracas_scene_default_options();
    fracas_status status = frc_scene_check_options(context, &options);
    if (status != FRACAS_OK) return status;
    const frc_scene_settings settings = frc_scene_default_settings(&options);
    return frc_scene_create(context, &settings, out);
}

fracas_status frc_scene_create(fracas_context* context, const frc_scene_settings* settings,
                               fracas_scene** out) {
    fracas_scene* scene = frc_allocate_zero(context, sizeof *scene);
    if (scene) scene->query_state = frc_allocate_zero(context, sizeof *scene->query_state);
    if (!scene || !scene->query_state) {
        frc_release(context, scene, sizeof *scene);
        return frc_fail_memory(context, sizeof *scene);
    }
    atomic_init(&scene->query_state->work_ns, 0);
    atomic_init(&scene->query_state->elsewhere, false);
    atomic_init(&scene->query_state->posed, false);
    atomic_init(&scene->query_state->spare.workers, NULL);
    scene->context = context;
    scene->options = *settings;
    scene->top.modes = settings->modes;
    frc_topology_init(&scene->topology, context);
    *out = scene;
    return FRACAS_OK;
}

void fracas_scene_destroy(fracas_scene* scene) {
    if (!scene) return;
    fracas_context* context = scene->context;
    for (uint32_t i = 0; i < scene->bodies.count; i++)
        if (frc_handles_in_use(&scene->handles, i)) frc_scene_drop_body(scene, i);
    frc_top_tree_release(context, &scene->top);
    frc_release(context, scene->lows, scene->low_capacity * sizeof(frc_low));
    frc_release(context, scene->settled, scene->settled_capacity);
    frc_siblings_release(scene);
    frc_scene_drop_filter(scene);
    frc_topology_release(&scene->topology);
    frc_trace_release(context, &scene->trace);
    FRC_ARRAY_RELEASE(context, &scene->bodies);
    FRC_ARRAY_RELEASE(context, &scene->filters);
    frc_handles_release(context, &scene->handles);
    FRC_ARRAY_RELEASE(context, &scene->stale_bodies);
    FRC_ARRAY_RELEASE(context, &scene->moved_bodies);
    FRC_ARRAY_RELEASE(context, &scene->posed_bodies);
    FRC_ARRAY_RELEASE(context, &scene->blocks);
    FRC_ARRAY_RELEASE(context, &scene->unused_blocks);
    FRC_ARRAY_RELEASE(context, &scene->new_blocks);
    frc_spare_release(context, &scene->query_state->spare);
    frc_cull_states_release(context, &scene->cull_states);
    if (scene->options.search->destroy) scene->options.search->destroy(context, scene->search_data);
    FRC_ARRAY_RELEASE(context, &scene->tree_costs);
    FRC_ARRAY_RELEASE(context, &scene->measured_blocks);
    frc_release(context, scene->query_state, sizeof *scene->query_state);
    frc_release(context, scene, sizeof *scene);
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
                       .siblings = scene->siblings.family_count > 0,
                       .thickest = scene->thickest,
                       .spare = &scene->query_state->spare,
                       .filter = scene->filter,
                       .method = scene->options.search,
                       .method_data = scene->search_data};
}

// ---- queries

fracas_status frc_scene_fetch(const fracas_scene* scene) {
    const frc_query_state* state = scene->query_state;
    if (!atomic_load(&state->elsewhere) && !atomic_load(&state->posed)) return FRACAS_OK;
    return scene->options.search->fetch(scene->search_data);
}

fracas_status frc_scene_fetch_deforming(const fracas_scene* scene) {
    if (!atomic_load(&scene->query_state->elsewhere)) return FRACAS_OK;
    return scene->options.search->fetch(scene->search_data);
}

fracas_status frc_scene_check_ready(const fracas_scene* scene, uint32_t modes, const char* call) {
    const fracas_status status = frc_scene_check_state(scene, modes, call);
    return status == FRACAS_OK ? frc_scene_fetch(scene) : status;
}

fracas_status frc_scene_check_state(const fracas_scene* scene, uint32_t modes, const char* call) {
    if (!scene->updated)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the scene has changed: call fracas_scene_update before %s", call);
    if (modes & ~scene->options.modes)
        return frc_fail(
            scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
            "the scene is not prepared for a %s query: set modes in fracas_scene_options",
            modes & ~scene->options.modes & FRACAS_MODE_DISCRETE ? "discrete" : "continuous");
    return FRACAS_OK;
}

fracas_status frc_query_check(fracas_context* context, const fracas_query* query) {
    if (query->struct_size != sizeof *query)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the query is not initialised: start from fracas_scene_default_query()");
    if ((unsigned)query->siblings > FRACAS_SIBLINGS_IGNORE)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "siblings %d is no fracas_siblings",
                        (int)query->siblings);
    if (query->modes == 0 || query->modes > FRACAS_MODE_BOTH)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "modes is %u: it must be FRACAS_MODE_DISCRETE, FRACAS_MODE_CONTINUOUS or "
                        "FRACAS_MODE_BOTH",
                        query->modes);
    if (!(query->tolerance > 0 && query->tolerance <= 1))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the tolerance is %g: it must be above 0 and at most 1", query->tolerance);
    if (!(query->min_separation >= 0 && isfinite(query->min_separation)))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the minimum separation is %g: it must be finite and not negative",
                        query->min_separation);
    if (!(query->t_max > 0 && query->t_max <= 1))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "t_max of the query is %g: it must be above 0 and at most 1", query->t_max);
    return FRACAS_OK;
}

fracas_status frc_scene_check_query(const fracas_scene* scene, const fracas_query* query,
                                    uint32_t modes, const char* call) {
    const fracas_status status = frc_query_check(scene->context, query);
    return status == FRACAS_OK ? frc_scene_check_ready(scene, modes, call) : status;
}

fracas_status frc_distance_check(fracas_context* context, double distance) {
    if (distance >= 0 && isfinite(distance)) return FRACAS_OK;
    return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                    "the distance is %g: it must be finite and not negative", distance);
}

fracas_status frc_scene_detect(const fracas_scene* scene, const frc_world* world,
                               const fracas_query* query, const fracas_sink* sink) {
    fracas_statistics statistics;
    fracas_sink counted = *sink;
    if (!counted.statistics) counted.statistics = &statistics;
    const fracas_status status = frc_detect(world, query, &counted);
    if (status == FRACAS_OK) frc_rebuild_add_work(scene, query, counted.statistics);
    return status;
}

fracas_status fracas_scene_detect(const fracas_scene* scene, const fracas_query* given,
                                  const fracas_sink* sink) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(scene->context, "fracas_scene_detect", "sink");
    fracas_query query = given ? *given : fracas_scene_default_query();
    // A search fetches positions only where the host decides.
    fracas_status status = frc_query_check(scene->context, &query);
    if (status == FRACAS_OK)
        status = frc_scene_check_state(scene, query.modes, "fracas_scene_detect");
    if (status != FRACAS_OK) return status;
    const frc_world world = frc_scene_world(scene);
    return frc_scene_detect(scene, &world, &query, sink);
}

fracas_status fracas_scene_nearby(const fracas_scene* scene, double distance,
                                  const fracas_sink* sink) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(scene->context, "fracas_scene_nearby", "sink");
    fracas_status status = frc_distance_check(scene->context, distance);
    if (status == FRACAS_OK)
        status = frc_scene_check_ready(scene, FRACAS_MODE_CONTINUOUS, "fracas_scene_nearby");
    if (status != FRACAS_OK) return status;
    frc_world world = frc_scene_world(scene);
    return frc_nearby(&world, distance, sink);
}

fracas_status fracas_scene_max_step(const fracas_scene* scene, const fracas_query* given,
                                    double* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(scene->context, "fracas_scene_max_step", "out");
    fracas_query query = given ? *given : fracas_scene_default_query();
    fracas_status status =
        frc_scene_check_query(scene, &query, FRACAS_MODE_CONTINUOUS, "fracas_scene_max_step");
    if (status == FRACAS_OK && !(query.modes & FRACAS_MODE_CONTINUOUS))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_scene_max_step needs a continuous query: set modes to "
                        "FRACAS_MODE_CONTINUOUS");
    if (status != FRACAS_OK) return status;
    frc_world world = frc_scene_world(scene);
    return frc_max_step(&world, &query, out);
}

fracas_status fracas_scene_get_update_statistics(const fracas_scene* scene,
                                                 fracas_update_statistics* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(scene->context, "fracas_scene_get_update_statistics", "out");
    *out = (fracas_update_statistics){.cull_tried = scene->cull_counts.tried,
                                      .cull_certified = scene->cull_counts.certified,
                                      .ms_refit = scene->refit_ms,
                                      .ms_restructure = scene->restructure_ms,
                                      .ms_cull = scene->cull_ms};
    return FRACAS_OK;
}

fracas_status fracas_scene_trace(const fracas_scene* scene, const fracas_element* old,
                                 fracas_element* now) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!old) return frc_fail_null(scene->context, "fracas_scene_trace", "old");
    if (!now) return frc_fail_null(scene->context, "fracas_scene_trace", "now");
    if ((unsigned)old->kind > FRACAS_ELEMENT_TRIANGLE)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "kind %d is no fracas_element_kind", (int)old->kind);
    fracas_element e = frc_trace_follow(&scene->trace, *old);
    uint32_t number = e.body.index - 1;
    *now = e;
    now->body = (fracas_body){0, 0};
    if (!frc_handles_in_use(&scene->handles, number) ||
        frc_handles_generation(&scene->handles, number) != e.body.generation)
        return FRACAS_OK;
    const frc_body* body = &scene->bodies.data[number];
    const frc_ids* ids = e.kind == FRACAS_ELEMENT_VERTEX ? &body->points : &body->triangles;
    if (e.index < ids->count && ids->data[e.index] != FRACAS_NONE) now->body = e.body;
    return FRACAS_OK;
}
