/// @file add.c  Add a body to the scene.
///
/// Points get their ids along a space-filling curve, however the caller has numbered them: points
/// that queries read together then are close together in memory.
#include "mesh/morton_order.h"
#include "mesh/view.h"
#include "scene/scene.h"
#include <math.h>
#include <string.h>

fracas_body_options fracas_body_default_options(void) {
    return (fracas_body_options){.struct_size = sizeof(fracas_body_options),
                                 .group = 1,
                                 .mask = UINT32_MAX,
                                 .self_collision = true,
                                 .pose = fracas_pose_make_identity()};
}

// The position of vertex i of the mesh in the body's frame and in the world.
static void place_vertex(const fracas_mesh_view* mesh, const fracas_body_options* options,
                         uint32_t i, double rest[3], double out[3]) {
    frc_view_point(&mesh->points, i, rest);
    if (options->motion == FRACAS_MOTION_RIGID)
        frc_pose_apply(&options->pose, rest, out);
    else
        memcpy(out, rest, 3 * sizeof *out);
}

static fracas_status check(fracas_scene* scene, const fracas_mesh_view* mesh,
                           const fracas_body_options* options) {
    fracas_context* context = scene->context;
    if (options->struct_size != sizeof *options || (unsigned)options->motion > FRACAS_MOTION_STATIC)
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "body options are not initialised: start from fracas_body_default_options()");
    if (!frc_thickness_is_valid(scene, options->thickness)) return FRACAS_ERROR_INVALID_ARGUMENT;
    const fracas_status status = fracas_mesh_validate(context, mesh);
    if (status != FRACAS_OK || options->motion != FRACAS_MOTION_RIGID) return status;
    for (uint32_t i = 0; i < mesh->points.count; i++) {
        double rest[3], placed[3];
        place_vertex(mesh, options, i, rest, placed);
        if (!frc_is_finite3(placed))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "the pose puts vertex %u at a place that is not finite", i);
    }
    return FRACAS_OK;
}

// An eighth more than now, so that the first splits of a body copy nothing of it. Pages that are
// not touched cost addresses only.
static size_t with_spare(size_t count) { return count + count / 8; }

// Reserve all memory that adding needs. On failure the caller releases the lists of `body`.
static bool reserve(fracas_scene* scene, const fracas_mesh_view* mesh, frc_body* body) {
    fracas_context* context = scene->context;
    const size_t points = mesh->points.count, triangles = mesh->triangle_count;
    const size_t edges = 3 * triangles + mesh->edge_count;
    return frc_scene_reserve_bodies(scene, 1) &&
           frc_topology_reserve(&scene->topology, with_spare(points), with_spare(triangles),
                                edges) &&
           FRC_ARRAY_RESERVE(context, &body->points, with_spare(points)) &&
           FRC_ARRAY_RESERVE(context, &body->triangles, with_spare(triangles)) &&
           FRC_ARRAY_RESERVE(context, &body->free_edges, mesh->edge_count) &&
           FRC_ARRAY_RESERVE(context, &body->free_points, mesh->vertex_count) &&
           (body->motion != FRACAS_MOTION_RIGID ||
            FRC_ARRAY_RESERVE(context, &body->rest, 3 * points)) &&
           frc_body_reserve_pending(scene, body, triangles, edges, points + mesh->vertex_count);
}

enum { REPORT_TRIANGLES = 1 << 16 };  // between two reports of progress

// Points, in this order of vertex numbers (lower halves), and triangles. False: cancelled, with a
// part of the triangles.
static bool add_mesh(fracas_scene* scene, uint32_t number, const fracas_mesh_view* mesh,
                     const fracas_body_options* options, const uint64_t* order) {
    frc_topology* topology = &scene->topology;
    frc_body* body = &scene->bodies.data[number];
    const bool rigid = body->motion == FRACAS_MOTION_RIGID;
    body->points.count = body->live_points = mesh->points.count;
    if (rigid) body->rest.count = (size_t)3 * mesh->points.count;
    for (uint32_t place = 0; place < mesh->points.count; place++) {
        const uint32_t i = (uint32_t)order[place];
        const uint32_t id = frc_scene_add_point(scene, body, NULL);
        double rest[3], placed[3];
        place_vertex(mesh, options, i, rest, placed);
        frc_point* p = &topology->points.data[id];
        p->tag[FRC_TAG_BODY] = number;
        p->tag[FRC_TAG_NUMBER] = i;
        frc_set_point(p, 0, placed);
        frc_set_point(p, 1, placed);
        body->points.data[i] = id;
        if (rigid) memcpy(&body->rest.data[3 * (size_t)i], rest, sizeof rest);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (i % REPORT_TRIANGLES == REPORT_TRIANGLES - 1 &&
            !frc_progress(scene->context, i / (double)mesh->triangle_count))
            return false;
        const uint32_t id = frc_topology_add_triangle(topology);
        frc_triangle* t = &topology->triangles.data[id];
        for (int k = 0; k < 3; k++)
            t->point[k] = body->points.data[mesh->triangles[3 * (size_t)i + k]];
        t->body = number;
        t->number = i;
        body->triangles.data[body->triangles.count++] = id;
        body->pending_triangles.data[body->pending_triangles.count++] = id;
        frc_use_triangle(scene, body, id);
    }
    body->live_triangles = mesh->triangle_count;
    return true;
}

// A free edge that is also an edge of a triangle has one record, as has a free point that a
// triangle uses.
static void add_free_elements(fracas_scene* scene, uint32_t number, const fracas_mesh_view* mesh) {
    frc_body* body = &scene->bodies.data[number];
    frc_topology* topology = &scene->topology;
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        uint32_t a = body->points.data[mesh->edges[2 * (size_t)i]];
        uint32_t b = body->points.data[mesh->edges[2 * (size_t)i + 1]];
        uint32_t id = frc_topology_find_or_add_edge(topology, a, b);
        if (id == FRACAS_NONE || topology->edges.data[id].free) continue;
        topology->edges.data[id].free = 1;
        body->free_edges.data[body->free_edges.count++] = id;
        topology->uses.data[a].free_edges++;
        topology->uses.data[b].free_edges++;
        if (topology->edges.data[id].uses == 0) frc_add_pending_edge(body, id);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t id = body->points.data[mesh->vertices[i]];
        if (topology->uses.data[id].free_point) continue;
        topology->uses.data[id].free_point = 1;
        body->free_points.data[body->free_points.count++] = id;
    }
    for (uint32_t i = 0; i < mesh->points.count; i++) {
        const frc_vertex_use* use = &topology->uses.data[body->points.data[i]];
        if (use->triangles == 0 && (use->free_edges || use->free_point))
            frc_add_pending_point(body, body->points.data[i]);
    }
}

// Remove a body that was added in part. Its features are in no block, so if the scene needed no
// update before, it needs none now.
static fracas_status take_back(fracas_scene* scene, fracas_body* body, bool updated) {
    fracas_scene_remove(scene, *body);
    *body = (fracas_body){0, 0};
    scene->updated = updated;
    return frc_fail(scene->context, FRACAS_ERROR_CANCELLED,
                    "fracas_scene_add was cancelled: the scene is as it was");
}

fracas_status fracas_scene_add(fracas_scene* scene, const fracas_mesh_view* mesh,
                               const fracas_body_options* given, fracas_body* out) {
    if (out) *out = (fracas_body){0, 0};
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!mesh) return frc_fail_null(scene->context, "fracas_scene_add", "mesh");
    if (!out) return frc_fail_null(scene->context, "fracas_scene_add", "out");
    fracas_body_options options = given ? *given : fracas_body_default_options();
    fracas_status status = check(scene, mesh, &options);
    if (status == FRACAS_OK) status = frc_scene_fetch(scene);
    if (status != FRACAS_OK) return status;
    // Reserve. The order has two arrays of keys, one of which frc_morton_order returns.
    frc_body lists = {
        .motion = options.motion,
        .state = FRC_BODY_ADDED,
        .pose = {options.pose, options.pose},
        .user = options.user
    };
    const size_t points = mesh->points.count;
    bool ok = true;
    uint64_t* keys = frc_allocate_array(scene->context, points, sizeof *keys, &ok);
    uint64_t* spare = frc_allocate_array(scene->context, points, sizeof *spare, &ok);
    ok = ok && reserve(scene, mesh, &lists);
    if (ok) {
        // Change.
        const bool updated = scene->updated;
        size_t sorted;
        const uint64_t* order = frc_morton_order(&mesh->points, NULL, keys, spare, &sorted);
        const frc_body_filter filter = {.group = options.group,
                                        .mask = options.mask,
                                        .self_collision = options.self_collision,
                                        .thickness = options.thickness};
        const uint32_t number = frc_scene_new_body(scene, &filter);
        scene->bodies.data[number] = lists;
        const bool done = add_mesh(scene, number, mesh, &options, order);
        if (done) add_free_elements(scene, number, mesh);
        frc_scene_mark_stale(scene, number);
        *out = frc_scene_handle(scene, number);
        if (!done) status = take_back(scene, out, updated);
    } else {
        frc_body_release_lists(scene->context, &lists);
    }
    frc_release(scene->context, keys, frc_array_size(points, sizeof *keys));
    frc_release(scene->context, spare, frc_array_size(points, sizeof *spare));
    return ok ? status : frc_fail_memory(scene->context, points * sizeof(frc_point));
}
