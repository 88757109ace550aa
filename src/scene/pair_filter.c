/// @file pair_filter.c  Sets which pairs of features the queries of a scene leave out.
///
/// The filter is kept by point id, so that vertices keep it when parts break off.
#include "base/sort.h"
#include "mesh/validate.h"
#include "mesh/view.h"
#include "scene/scene.h"
#include <math.h>
#include <string.h>

fracas_pair_filter fracas_scene_default_filter(void) {
    return (fracas_pair_filter){.struct_size = sizeof(fracas_pair_filter)};
}

// ---- checks

static fracas_status check_options(const fracas_scene* scene, const fracas_pair_filter* f) {
    fracas_context* context = scene->context;
    if (f->struct_size != sizeof *f)
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "the pair filter is not initialised: start from fracas_scene_default_filter()");
    if (f->rings > FRACAS_MAX_RINGS)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the pair filter has %u rings; there can be at most %d", f->rings,
                        (int)FRACAS_MAX_RINGS);
    if (!(f->rest_distance >= 0 && isfinite(f->rest_distance)))
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the rest distance of the pair filter is %g: it must be finite and not "
                        "negative",
                        f->rest_distance);
    if (f->rest_shape_count > 0 && !f->rest_shapes)
        return frc_fail_null(context, "fracas_scene_set_filter", "rest_shapes");
    if (f->vertex_pair_count > 0 && !f->vertex_pairs)
        return frc_fail_null(context, "fracas_scene_set_filter", "vertex_pairs");
    return FRACAS_OK;
}

static fracas_status check_shape(const fracas_scene* scene, const fracas_rest_shape* shape) {
    fracas_context* context = scene->context;
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, shape->body, &status);
    if (!body) return status;
    if (shape->points.count != body->points.count)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the rest shape of body %u has %u points; the body has %zu vertex numbers",
                        shape->body.index, shape->points.count, body->points.count);
    status = frc_points_check(context, &shape->points);
    if (status != FRACAS_OK) return status;
    for (uint32_t i = 0; i < shape->points.count; i++) {
        double p[3];
        if (body->points.data[i] == FRACAS_NONE) continue;
        frc_view_point(&shape->points, i, p);
        if (!frc_is_finite3(p))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "vertex %u of the rest shape of body %u is at (%g, %g, %g), which is "
                            "not finite",
                            i, shape->body.index, p[0], p[1], p[2]);
    }
    return FRACAS_OK;
}

// The id of a vertex, or FRACAS_NONE with `*status` and a message.
static uint32_t find_vertex(const fracas_scene* scene, fracas_body handle, uint32_t vertex,
                            size_t pair, fracas_status* status) {
    const frc_body* body = frc_scene_find(scene, handle, status);
    if (!body) return FRACAS_NONE;
    if (vertex < body->points.count && body->points.data[vertex] != FRACAS_NONE)
        return body->points.data[vertex];
    *status =
        frc_fail(scene->context, FRACAS_ERROR_BAD_DATA,
                 "pair %zu of vertices: body %u has no vertex %u", pair, handle.index, vertex);
    return FRACAS_NONE;
}

// ---- the filter

static void set_rest(frc_pair_filter* filter, uint32_t id, const double rest[3]) {
    frc_filtered_point* point = &filter->points.data[id];
    memcpy(point->rest, rest, sizeof point->rest);
    point->has_rest = true;
}

// One key for each pair, sorted. The list has memory for twice as many: the sort needs it.
static fracas_status list_vertices(const fracas_scene* scene, const fracas_pair_filter* given,
                                   frc_pair_filter* out) {
    const size_t count = given->vertex_pair_count;
    uint64_t* keys = out->vertex_pairs.data;
    for (size_t i = 0; i < count; i++) {
        const fracas_vertex_pair* p = &given->vertex_pairs[i];
        fracas_status status;
        const uint32_t a = find_vertex(scene, p->body_a, p->vertex_a, i, &status);
        if (a == FRACAS_NONE) return status;
        const uint32_t b = find_vertex(scene, p->body_b, p->vertex_b, i, &status);
        if (b == FRACAS_NONE) return status;
        out->points.data[a].listed = out->points.data[b].listed = true;
        keys[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    out->vertex_pairs.count = count;
    if (count == 0) return FRACAS_OK;
    const uint64_t* sorted = frc_sort_keys(keys, keys + count, count, 0);
    if (sorted != keys) memcpy(keys, sorted, count * sizeof *keys);
    return FRACAS_OK;
}

// Everything but the neighbours. On failure the caller releases `out`.
static fracas_status make_filter(const fracas_scene* scene, const fracas_pair_filter* given,
                                 frc_pair_filter* out) {
    fracas_context* context = scene->context;
    const size_t points = scene->topology.points.count, pairs = given->vertex_pair_count;
    const bool known = pairs > 0 || given->rest_distance > 0;
    *out = (frc_pair_filter){.keep = given->keep,
                             .user = given->user,
                             .rings = given->rings,
                             .rest_distance = given->rest_distance};
    if (pairs > SIZE_MAX / 2 || (known && !FRC_ARRAY_RESERVE(context, &out->points, points)) ||
        !FRC_ARRAY_RESERVE(context, &out->vertex_pairs, 2 * pairs))
        return frc_fail_memory(context, pairs * sizeof(uint64_t));
    if (known) {
        out->points.count = points;
        if (points > 0) memset(out->points.data, 0, points * sizeof *out->points.data);
    }
    for (uint32_t i = 0; i < given->rest_shape_count; i++) {
        const fracas_rest_shape* shape = &given->rest_shapes[i];
        const fracas_status status = check_shape(scene, shape);
        if (status != FRACAS_OK) return status;
        const frc_ids* ids = &scene->bodies.data[shape->body.index - 1].points;
        for (uint32_t v = 0; known && v < ids->count; v++) {
            double rest[3];
            frc_view_point(&shape->points, v, rest);
            if (ids->data[v] != FRACAS_NONE) set_rest(out, ids->data[v], rest);
        }
    }
    return list_vertices(scene, given, out);
}

fracas_status fracas_scene_set_filter(fracas_scene* scene, const fracas_pair_filter* given) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    frc_pair_filter* filter = NULL;
    if (given) {
        fracas_status status = check_options(scene, given);
        if (status != FRACAS_OK) return status;
        filter = frc_allocate_zero(scene->context, sizeof *filter);
        if (!filter) return frc_fail_memory(scene->context, sizeof *filter);
        status = make_filter(scene, given, filter);
        if (status != FRACAS_OK) {
            frc_pair_filter_release(scene->context, filter);
            frc_release(scene->context, filter, sizeof *filter);
            return status;
        }
    }
    frc_scene_drop_filter(scene);
    scene->filter = filter;
    scene->shape_version++;
    scene->updated = false;
    return FRACAS_OK;
}

void frc_scene_drop_filter(fracas_scene* scene) {
    if (!scene->filter) return;
    frc_pair_filter_release(scene->context, scene->filter);
    frc_release(scene->context, scene->filter, sizeof *scene->filter);
    scene->filter = NULL;
}

// ---- new points

bool frc_scene_reserve_rest(fracas_scene* scene, size_t points) {
    frc_pair_filter* filter = scene->filter;
    if (!filter || !(filter->rest_distance > 0)) return true;
    return FRC_ARRAY_RESERVE(scene->context, &filter->points,
                             scene->topology.points.count + points);
}

// False: the vertex has no parents, or one without a rest position.
static bool inherit_rest(const frc_pair_filter* filter, const frc_body* body,
                         const fracas_new_vertex* v, double rest[3]) {
    const frc_filtered_point* parents[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t number = i == 1 && v->parent_b != FRACAS_NONE ? v->parent_b : v->parent_a;
        if (number == FRACAS_NONE) return false;
        const uint32_t id = body->points.data[number];
        if (id >= filter->points.count || !filter->points.data[id].has_rest) return false;
        parents[i] = &filter->points.data[id];
    }
    const double weight = v->parent_b != FRACAS_NONE ? v->weight : 0;
    for (int k = 0; k < 3; k++)
        rest[k] = (1 - weight) * parents[0]->rest[k] + weight * parents[1]->rest[k];
    return true;
}

uint32_t frc_scene_add_point(fracas_scene* scene, const frc_body* body,
                             const fracas_new_vertex* v) {
    const uint32_t id = frc_topology_add_point(&scene->topology);
    frc_pair_filter* filter = scene->filter;
    double rest[3];
    if (!filter) return id;
    frc_pair_filter_forget(filter, id);
    if (v && filter->rest_distance > 0 && inherit_rest(filter, body, v, rest)) {
        while (filter->points.count <= id)
            filter->points.data[filter->points.count++] = (frc_filtered_point){0};
        set_rest(filter, id, rest);
    }
    return id;
}
