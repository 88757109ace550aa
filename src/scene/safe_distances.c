/// @file safe_distances.c  How far each vertex may move without contact.
///
/// If every vertex stays within its distance s, no point of a feature moves further than the
/// largest s of its corners. A pair at distance d with s <= d / 2 at each corner therefore never
/// touches when s is a little smaller. A pair that nearby pairs do not contain is further apart
/// than their distance D, and every s is at most D / 2.
#include "detect/search.h"
#include "fracas/candidates.h"
#include "geom/vec3.h"
#include "scene/scene.h"
#include <math.h>

static fracas_status check(const fracas_scene* scene, double distance,
                           const fracas_vertex_values* bodies, uint32_t count) {
    if (!(distance > 0 && isfinite(distance)))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the distance is %g: it must be finite and above 0", distance);
    for (uint32_t i = 0; i < count; i++) {
        fracas_status status;
        const frc_body* body = frc_scene_find(scene, bodies[i].body, &status);
        if (!body) return status;
        if (!bodies[i].values)
            return frc_fail_null(scene->context, "fracas_scene_safe_distances", "values");
        if (bodies[i].count != body->points.count)
            return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                            "there is room for %u values of body %u, which has %zu vertex numbers",
                            bodies[i].count, bodies[i].body.index, body->points.count);
    }
    return frc_scene_check_ready(scene, FRACAS_MODE_CONTINUOUS, "fracas_scene_safe_distances");
}

// The ids of the corners of a pair. Returns their number, at most four.
static int find_corners(const fracas_scene* scene, const fracas_contact* c, uint32_t out[4]) {
    const frc_body *a = &scene->bodies.data[c->body_a.index - 1],
                   *b = &scene->bodies.data[c->body_b.index - 1];
    int n = 0;
    for (int i = 0; i < 2; i++)
        if (c->a[i] != FRACAS_NONE) out[n++] = a->points.data[c->a[i]];
    if (c->kind == FRACAS_CONTACT_VF) {
        const uint32_t id = b->triangles.data[c->b[0]];
        for (int i = 0; i < 3; i++) out[n++] = scene->topology.triangles.data[id].point[i];
        return n;
    }
    for (int i = 0; i < 2; i++)
        if (c->b[i] != FRACAS_NONE) out[n++] = b->points.data[c->b[i]];
    return n;
}

// Nearby pairs give the distance within 2^-45 of the extent of the pair, and a few units in the
// last place of it (docs/separation.md): this bound is lower, and half of it leaves room.
static double half_gap(const fracas_scene* scene, const fracas_contact* c, const uint32_t* corners,
                       int count) {
    double extent = 0;
    for (int k = 0; k < 3; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < count; i++) {
            const double x = frc_point_axis(&scene->topology.points.data[corners[i]], k)[1];
            lo = fmin(lo, x), hi = fmax(hi, x);
        }
        extent = fmax(extent, hi - lo);
    }
    const frc_body_filter* bodies = scene->filters.data;
    const double thickness =
        bodies[c->body_a.index - 1].thickness + bodies[c->body_b.index - 1].thickness;
    const double gap = c->distance * (1 - 0x1p-40) - thickness * (1 + 0x1p-40) - extent * 0x1p-44;
    return gap > 0 ? gap / 2 * (1 - 0x1p-40) : 0;
}

// The smallest half gap by point id.
static void lower_all(const fracas_scene* scene, const frc_contact_list* pairs, double* safe) {
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t corners[4];
        const int count = find_corners(scene, &pairs->data[i], corners);
        const double half = half_gap(scene, &pairs->data[i], corners, count);
        for (int k = 0; k < count; k++)
            if (half < safe[corners[k]]) safe[corners[k]] = half;
    }
}

fracas_status fracas_scene_safe_distances(const fracas_scene* scene, double distance,
                                          const fracas_vertex_values* bodies, uint32_t body_count) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!bodies) return frc_fail_null(scene->context, "fracas_scene_safe_distances", "bodies");
    fracas_status status = check(scene, distance, bodies, body_count);
    if (status != FRACAS_OK) return status;
    fracas_context* context = scene->context;
    const size_t points = scene->topology.points.count;
    bool ok = true;
    double* safe = frc_allocate_array(context, points, sizeof *safe, &ok);
    if (!ok) return frc_fail_memory(context, points * sizeof *safe);
    // Siblings that coincide are left out, as continuous queries do.
    const fracas_query query = fracas_scene_default_query();
    const frc_search_options options = {
        .kind = FRC_SEARCH_NEARBY, .query = &query, .distance = distance, .progress = {0, 1}
    };
    fracas_statistics statistics = {.earliest_toi = INFINITY};
    frc_contact_list pairs = {0};
    const frc_world world = frc_scene_world(scene);
    status = frc_search(&world, &options, &pairs, &statistics);
    if (status == FRACAS_OK) {
        for (size_t i = 0; i < points; i++) safe[i] = distance / 2 * (1 - 0x1p-40);
        lower_all(scene, &pairs, safe);
        for (uint32_t i = 0; i < body_count; i++) {
            const frc_ids* ids = &scene->bodies.data[bodies[i].body.index - 1].points;
            for (size_t v = 0; v < ids->count; v++)
                bodies[i].values[v] = ids->data[v] == FRACAS_NONE ? 0 : safe[ids->data[v]];
        }
    }
    FRC_ARRAY_RELEASE(context, &pairs);
    frc_release(context, safe, frc_array_size(points, sizeof *safe));
    return status;
}
