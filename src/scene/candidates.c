/// @file candidates.c  Candidates of a scene, reported or kept for a line search.
#include "fracas/candidates.h"
#include "base/parallel.h"
#include "detect/search.h"
#include "scene/scene.h"
#include <math.h>
#include <string.h>

// The smallest and the largest coordinates of a point over the step.
typedef struct span {
    double lo[3], hi[3];
} span;

struct fracas_candidates {
    fracas_context* context;
    const fracas_scene* scene;
    uint64_t shape_version;  // of the scene
    double distance;
    size_t point_count;
    span* spans;                  // by point id, when the candidates were found
    frc_candidate_list lists[2];  // by frc_ccd_kind
};

// ---- finding

static fracas_status check_find(const fracas_scene* scene, double distance, const char* call) {
    const fracas_status status = frc_distance_check(scene->context, distance);
    if (status != FRACAS_OK) return status;
    const frc_search_method* search = scene->options.search;
    if (search != &frc_search_trees && !search->keeps_positions)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "%s needs a scene of fracas_scene_create or fracas_cuda_scene_create: the "
                        "methods of published.h find no candidates",
                        call);
    return frc_scene_check_ready(scene, FRACAS_MODE_CONTINUOUS, call);
}

fracas_status fracas_scene_candidates(const fracas_scene* scene, double distance,
                                      const fracas_sink* sink) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(scene->context, "fracas_scene_candidates", "sink");
    const fracas_status status = check_find(scene, distance, "fracas_scene_candidates");
    if (status != FRACAS_OK) return status;
    const frc_world world = frc_scene_world(scene);
    return frc_report_candidates(&world, distance, sink);
}

static void keep_spans(const frc_topology* topology, span* out) {
    for (size_t i = 0; i < topology->points.count; i++)
        for (int k = 0; k < 3; k++) {
            const double* x = frc_point_axis(&topology->points.data[i], k);
            out[i].lo[k] = x[0] < x[1] ? x[0] : x[1];
            out[i].hi[k] = x[0] < x[1] ? x[1] : x[0];
        }
}

fracas_status fracas_candidates_create(const fracas_scene* scene, double distance,
                                       fracas_candidates** out) {
    if (out) *out = NULL;
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(scene->context, "fracas_candidates_create", "out");
    fracas_status status = check_find(scene, distance, "fracas_candidates_create");
    if (status != FRACAS_OK) return status;
    fracas_context* context = scene->context;
    fracas_candidates* c = frc_allocate_zero(context, sizeof *c);
    if (!c) return frc_fail_memory(context, sizeof *c);
    const size_t points = scene->topology.points.count;
    const frc_world world = frc_scene_world(scene);
    bool ok = true;
    c->context = context;
    c->scene = scene;
    c->shape_version = scene->shape_version;
    c->distance = distance;
    c->point_count = points;
    c->spans = frc_allocate_array(context, points, sizeof *c->spans, &ok);
    status = ok ? frc_collect_candidates(&world, distance, c->lists)
                : frc_fail_memory(context, points * sizeof *c->spans);
    if (status != FRACAS_OK) {
        fracas_candidates_destroy(c);
        return status;
    }
    keep_spans(&scene->topology, c->spans);
    *out = c;
    return FRACAS_OK;
}

void fracas_candidates_destroy(fracas_candidates* c) {
    if (!c) return;
    for (int kind = 0; kind < 2; kind++) FRC_ARRAY_RELEASE(c->context, &c->lists[kind]);
    if (c->spans) frc_release(c->context, c->spans, frc_array_size(c->point_count, sizeof(span)));
    frc_release(c->context, c, sizeof *c);
}

size_t fracas_candidates_get_count(const fracas_candidates* c) {
    return c ? c->lists[0].count + c->lists[1].count : 0;
}

// ---- deciding

typedef struct span_check {
    const fracas_candidates* candidates;
    double room;       // on each side of a span
    atomic_bool left;  // some point is outside of its span
} span_check;

// Outside of the enlarged span? Rounding is monotone: if a difference is below the room after
// rounding, it is before. Vertices that have been removed stay where they were.
static bool has_left(const fracas_candidates* c, size_t i, double room) {
    const frc_point* p = &c->scene->topology.points.data[i];
    bool left = false;
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 2; e++) {
            const double x = frc_point_axis(p, k)[e];
            left |= !(x >= c->spans[i].lo[k] || c->spans[i].lo[k] - x < room);
            left |= !(x <= c->spans[i].hi[k] || x - c->spans[i].hi[k] < room);
        }
    return left;
}

static void check_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    span_check* check = data;
    bool left = false;
    for (uint32_t i = begin; i < end; i++) left |= has_left(check->candidates, i, check->room);
    if (left) atomic_store_explicit(&check->left, true, memory_order_relaxed);
}

// A difference of two doubles and its half, rounded, are too large by less than 2^-51 of them.
static double room_of(const fracas_candidates* c, const fracas_query* query) {
    const double room = (c->distance - query->min_separation) / 2;
    return room * (1 - 0x1p-50);
}

static fracas_status check_spans(const fracas_candidates* c, const fracas_query* query) {
    span_check check = {.candidates = c, .room = room_of(c, query)};
    atomic_init(&check.left, false);
    frc_parallel_for(c->context, (uint32_t)c->point_count, 4096, check_some, &check);
    if (!atomic_load(&check.left)) return FRACAS_OK;
    size_t i = 0;
    while (!has_left(c, i, check.room)) i++;
    const uint32_t* tag = c->scene->topology.points.data[i].tag;
    return frc_fail(c->context, FRACAS_ERROR_BAD_DATA,
                    "vertex %u of body %u has left the box of its motion at which the candidates "
                    "were found: find them again, or with a larger distance",
                    tag[FRC_TAG_NUMBER], tag[FRC_TAG_BODY] + 1);
}

static fracas_status check_decide(const fracas_candidates* c, const fracas_query* query) {
    const fracas_status status = frc_query_check(c->context, query);
    if (status != FRACAS_OK) return status;
    if (query->modes != FRACAS_MODE_CONTINUOUS)
        return frc_fail(c->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "candidates answer continuous queries only: set modes to "
                        "FRACAS_MODE_CONTINUOUS");
    if (query->min_separation > c->distance)
        return frc_fail(c->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the minimum separation is %g, but the candidates were found for a "
                        "distance of %g",
                        query->min_separation, c->distance);
    if (c->shape_version != c->scene->shape_version)
        return frc_fail(c->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "bodies of the scene have changed, or its filter has been set, since the "
                        "candidates were found: find them again");
    const fracas_status fetched = frc_scene_fetch(c->scene);
    return fetched == FRACAS_OK ? check_spans(c, query) : fetched;
}

fracas_status fracas_candidates_detect(const fracas_candidates* c, const fracas_query* given,
                                       const fracas_sink* sink) {
    if (!c) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!sink) return frc_fail_null(c->context, "fracas_candidates_detect", "sink");
    const fracas_query query = given ? *given : fracas_scene_default_query();
    const fracas_status status = check_decide(c, &query);
    if (status != FRACAS_OK) return status;
    const frc_world world = frc_scene_world(c->scene);
    return frc_decide_candidates(&world, c->lists, &query, sink, NULL);
}

fracas_status fracas_candidates_max_step(const fracas_candidates* c, const fracas_query* given,
                                         double* out) {
    if (!c) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(c->context, "fracas_candidates_max_step", "out");
    const fracas_query query = given ? *given : fracas_scene_default_query();
    const fracas_status status = check_decide(c, &query);
    if (status != FRACAS_OK) return status;
    const frc_world world = frc_scene_world(c->scene);
    return frc_decide_candidates(&world, c->lists, &query, NULL, out);
}
