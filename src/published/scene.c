/// @file scene.c  Scenes with published methods, and queries on them.
#include "scene/scene.h"
#include "fracas/published.h"
#include "published/cone_criteria.h"
#include "published/fastcd_policy.h"
#include "published/lazy_rebuild.h"
#include "published/pccd.h"
#include "published/rebuild_policies.h"
#include "published/spatial_hash.h"
#include <math.h>

fracas_published_scene_options fracas_published_scene_default_options(void) {
    return (fracas_published_scene_options){.struct_size = sizeof(fracas_published_scene_options),
                                            .scene = fracas_scene_default_options(),
                                            .rebuild = FRACAS_PUBLISHED_BUILDER_GRID,
                                            .inherit = true,
                                            .grid_levels = FRC_GRID_LEVELS,
                                            .grid_stop = FRC_GRID_STOP,
                                            .restructure_share = 0.25};
}

fracas_published_query fracas_published_scene_default_query(void) {
    return (fracas_published_query){.struct_size = sizeof(fracas_published_query),
                                    .query = fracas_scene_default_query()};
}

// ---- creation

static fracas_status check_options(fracas_context* context,
                                   const fracas_published_scene_options* o) {
    if (o->struct_size != sizeof *o || (unsigned)o->builder > FRACAS_PUBLISHED_BUILDER_GRID ||
        (unsigned)o->rebuild > FRACAS_PUBLISHED_BUILDER_GRID ||
        (unsigned)o->restructure > FRACAS_PUBLISHED_RESTRUCTURE_RESTART_SUBTREES ||
        (unsigned)o->metric > FRACAS_PUBLISHED_METRIC_LM ||
        (unsigned)o->cull > FRACAS_PUBLISHED_CULL_DUAL_CONE_FRONT ||
        (unsigned)o->broad > FRACAS_PUBLISHED_BROAD_HASH ||
        (unsigned)o->scheduler > FRACAS_PUBLISHED_SCHEDULER_PCCD_FRONT)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "published scene options are not initialised: start from "
                        "fracas_published_scene_default_options()");
    if (o->grid_levels < 1 || o->grid_levels > FRC_GRID_LEVELS_MAX || o->grid_stop < 1)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "grid_levels is %u and grid_stop %u: they must be 1 to %d and at least 1",
                        o->grid_levels, o->grid_stop, FRC_GRID_LEVELS_MAX);
    if (!(o->restructure_share >= 0))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "restructure_share is %g: it must not be negative", o->restructure_share);
    if (!(o->cell_size >= 0 && isfinite(o->cell_size)))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "cell_size is %g: it must be finite and not negative", o->cell_size);
    // Certificates and the vertex stars of discrete queries refer to nodes and slots by number, and
    // a rebuild by a query changes these. And only PCCD tasks keep workers out of such a subtree.
    if (o->restructure == FRACAS_PUBLISHED_RESTRUCTURE_LAZY &&
        (o->cull != FRACAS_PUBLISHED_CULL_NONE || o->scene.modes != FRACAS_MODE_CONTINUOUS ||
         o->scheduler == FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING ||
         o->broad != FRACAS_PUBLISHED_BROAD_TREE))
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "FRACAS_PUBLISHED_RESTRUCTURE_LAZY needs cull = FRACAS_PUBLISHED_CULL_NONE, "
            "modes = FRACAS_MODE_CONTINUOUS, trees and a PCCD scheduler");
    return frc_scene_check_options(context, &o->scene);
}

// By metric.
static const frc_rebuild_policy* policy_of(const fracas_published_scene_options* o) {
    static const frc_rebuild_policy* const policies[][2] = {
        [FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE] = {&frc_rebuild_selective,        &frc_rebuild_lm         },
        [FRACAS_PUBLISHED_RESTRUCTURE_NONE] = {&frc_rebuild_never,            &frc_rebuild_never      },
        [FRACAS_PUBLISHED_RESTRUCTURE_ALWAYS] = {&frc_rebuild_always,           &frc_rebuild_always     },
        [FRACAS_PUBLISHED_RESTRUCTURE_RESTART] = {&frc_rebuild_restart,          &frc_rebuild_restart    },
        [FRACAS_PUBLISHED_RESTRUCTURE_LAZY] = {&frc_rebuild_never,            &frc_rebuild_never      },
        [FRACAS_PUBLISHED_RESTRUCTURE_SUBTREES] = {&frc_rebuild_subtrees,         &frc_rebuild_subtrees_lm},
        [FRACAS_PUBLISHED_RESTRUCTURE_RESTART_SUBTREES] = {&frc_rebuild_restart_subtrees,
                                                    &frc_rebuild_restart_subtrees_lm                       }
    };
    return policies[o->restructure][o->metric];
}

static frc_scene_settings settings_from(const fracas_published_scene_options* o) {
    static const frc_cull_criterion* const criteria[] = {
        [FRACAS_PUBLISHED_CULL_CERTIFICATE] = &frc_cull_certificate,
        [FRACAS_PUBLISHED_CULL_NONE] = NULL,
        [FRACAS_PUBLISHED_CULL_NORMAL_CONE] = &frc_cull_normal_cone,
        [FRACAS_PUBLISHED_CULL_NORMAL_CONE_BOUNDARY] = &frc_cull_normal_cone_boundary,
        [FRACAS_PUBLISHED_CULL_NORMAL_CONE_CONTOUR] = &frc_cull_normal_cone_contour,
        [FRACAS_PUBLISHED_CULL_DUAL_CONE] = &frc_cull_dual_cone,
        [FRACAS_PUBLISHED_CULL_DUAL_CONE_FRONT] = &frc_cull_dual_cone_front};
    static const frc_search_method* const schedulers[] = {
        [FRACAS_PUBLISHED_SCHEDULER_WORK_SHARING] = &frc_search_trees,
        [FRACAS_PUBLISHED_SCHEDULER_PCCD] = &frc_search_pccd,
        [FRACAS_PUBLISHED_SCHEDULER_PCCD_DISJOINT] = &frc_search_pccd_disjoint,
        [FRACAS_PUBLISHED_SCHEDULER_PCCD_FRONT] = &frc_search_pccd_front};
    static const frc_builder builders[] = {[FRACAS_PUBLISHED_BUILDER_SAH] = FRC_BUILD_SAH,
                                           [FRACAS_PUBLISHED_BUILDER_MEDIAN] = FRC_BUILD_MEDIAN,
                                           [FRACAS_PUBLISHED_BUILDER_GRID] = FRC_BUILD_GRID};
    frc_scene_settings s = frc_scene_default_settings(&o->scene);
    s.builder = builders[o->builder];
    s.rebuild = builders[o->rebuild];
    s.inherit = o->inherit;
    s.grid_levels = o->grid_levels;
    s.grid_stop = o->grid_stop;
    s.grid_in_turn = o->grid_in_turn;
    s.policy = policy_of(o);
    s.rebuild_share = o->restructure_share;
    s.cull = criteria[o->cull];
    s.search = o->broad == FRACAS_PUBLISHED_BROAD_HASH ? &frc_search_spatial_hash
                                                       : schedulers[o->scheduler];
    return s;
}

fracas_status fracas_published_scene_create(fracas_context* context,
                                            const fracas_published_scene_options* given,
                                            fracas_scene** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_published_scene_create", "out");
    fracas_published_scene_options options =
        given ? *given : fracas_published_scene_default_options();
    fracas_status status = check_options(context, &options);
    if (status != FRACAS_OK) return status;
    const frc_scene_settings settings = settings_from(&options);
    fracas_scene* scene = NULL;
    status = frc_scene_create(context, &settings, &scene);
    if (status != FRACAS_OK) return status;
    const bool hash = options.broad == FRACAS_PUBLISHED_BROAD_HASH;
    const bool lazy = options.restructure == FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    if (hash) scene->search_data = frc_hash_method_create(scene, options.cell_size);
    if (lazy) scene->search_data = frc_lazy_create(context, &scene->topology, &scene->top);
    // PCCD's trees of bodies are merged in pairs; `builder` SAH means our first trees.
    scene->top.in_pairs = lazy && options.builder != FRACAS_PUBLISHED_BUILDER_SAH;
    if ((hash || lazy) && !scene->search_data) {
        fracas_scene_destroy(scene);
        return frc_fail_memory(context, sizeof(frc_hash_method));
    }
    *out = scene;
    return FRACAS_OK;
}

// ---- queries

// `rebuild`: the query has exclusive access to the scene and may rebuild subtrees.
static fracas_status detect(const fracas_scene* scene, const fracas_published_query* query,
                            const fracas_sink* sink, fracas_published_statistics* statistics,
                            bool rebuild, const char* call) {
    if (query->struct_size != sizeof *query ||
        (unsigned)query->filter > FRACAS_PUBLISHED_FILTER_NONE)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the published query is not initialised: start from "
                        "fracas_published_scene_default_query()");
    fracas_status status = frc_scene_check_query(scene, &query->query, query->query.modes, call);
    if (status != FRACAS_OK) return status;
    static const frc_ccd_filters filters[] = {[FRACAS_PUBLISHED_FILTER_ALL] = FRC_CCD_ALL_FILTERS,
                                              [FRACAS_PUBLISHED_FILTER_NON_PENETRATION] =
                                                  FRC_CCD_NON_PENETRATION,
                                              [FRACAS_PUBLISHED_FILTER_NONE] = FRC_CCD_NO_FILTERS};
    fracas_published_statistics done = {0};
    frc_pccd_query pccd = {rebuild, &done};
    frc_world world = frc_scene_world(scene);
    world.method_query = &pccd;
    world.filters = filters[query->filter];
    world.no_cull = query->no_cull;
    status = frc_scene_detect(scene, &world, &query->query, sink);
    if (statistics) *statistics = done;
    return status;
}

fracas_status fracas_published_scene_detect(const fracas_scene* scene,
                                            const fracas_published_query* given,
                                            const fracas_sink* sink,
                                            fracas_published_statistics* statistics) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(scene->context, "fracas_published_scene_detect", "sink");
    const fracas_published_query query = given ? *given : fracas_published_scene_default_query();
    return detect(scene, &query, sink, statistics, false, "fracas_published_scene_detect");
}

fracas_status fracas_published_scene_detect_lazy(fracas_scene* scene,
                                                 const fracas_published_query* given,
                                                 const fracas_sink* sink,
                                                 fracas_published_statistics* statistics) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(scene->context, "fracas_published_scene_detect_lazy", "sink");
    const fracas_published_query query = given ? *given : fracas_published_scene_default_query();
    const bool pccd = scene->options.search == &frc_search_pccd ||
                      scene->options.search == &frc_search_pccd_disjoint ||
                      scene->options.search == &frc_search_pccd_front;
    if (!pccd || !scene->search_data)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the scene was not created with FRACAS_PUBLISHED_RESTRUCTURE_LAZY: call "
                        "fracas_published_scene_detect");
    return detect(scene, &query, sink, statistics, true, "fracas_published_scene_detect_lazy");
}
