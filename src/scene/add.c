/// @file add.c  A body enters the scene.
#include "mesh/morton_order.h"
#include "mesh/view.h"
#include "scene/scene.h"
#include <math.h>
#include <string.h>

fracas_pose fracas_pose_make_identity(void) {
    return (fracas_pose){
        {1,  0, 0, 0, 1, 0, 0, 0, 1},
        {0, 0, 0}
    };
}

fracas_body_options fracas_body_default_options(void) {
    return (fracas_body_options){.struct_size = sizeof(fracas_body_options),
                                 .group = 1,
                                 .mask = UINT32_MAX,
                                 .self_collision = true,
                                 .pose = fracas_pose_make_identity()};
}

// Where vertex i of the mesh is in the world.
static void place_vertex(const fracas_mesh_view* mesh, const fracas_body_options* options,
                         uint32_t i, double rest[3], double out[3]) {
    frc_view_point(&mesh->points, i, rest);
    if (options->motion == FRACAS_MOTION_RIGID)
        frc_pose_apply(&options->pose, rest, out);
    else
        memcpy(out, rest, 3 * sizeof *out);
}

static fracas_status check_placed(fracas_context* context, const fracas_mesh_view* mesh,
                                  const fracas_body_options* options) {
    for (uint32_t i = 0; i < mesh->points.count && options->motion == FRACAS_MOTION_RIGID; i++) {
        double rest[3], placed[3];
        place_vertex(mesh, options, i, rest, placed);
        if (!frc_is_finite3(placed))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "the pose puts vertex %u at a place that is not finite", i);
    }
    return FRACAS_OK;
}

static fracas_status check(fracas_scene* scene, const fracas_mesh_view* mesh,
                           const fracas_body_options* options) {
    fracas_context* context = scene->context;
    if (options->struct_size != sizeof *options || (unsigned)options->motion > FRACAS_MOTION_STATIC)
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "body options are not initialised: start from fracas_body_default_options()");
    fracas_status status = fracas_mesh_validate(context, mesh);
    return status == FRACAS_OK ? check_placed(context, mesh, options) : status;
}

// Room for an eighth more than there is: the first splits of a body then copy nothing of it. What
// is not touched takes no memory but addresses.
static size_t with_spare(size_t count) { return count + count / 8; }

// Everything that adding allocates. On failure the new lists of `body` are released by the caller.
static bool make_room(fracas_scene* scene, const fracas_mesh_view* mesh, frc_body* body,
                      bool rigid) {
    fracas_context* context = scene->context;
    size_t points = mesh->points.count, triangles = mesh->triangle_count;
    size_t edges = 3 * triangles + mesh->edge_count;
    return frc_scene_reserve_bodies(scene, 1) &&
           frc_topology_reserve(&scene->topology, with_spare(points), with_spare(triangles),
                                edges) &&
           FRC_ARRAY_RESERVE(context, &body->points, with_spare(points)) &&
           FRC_ARRAY_RESERVE(context, &body->triangles, with_spare(triangles)) &&
           FRC_ARRAY_RESERVE(context, &body->free_edges, mesh->edge_count) &&
           FRC_ARRAY_RESERVE(context, &body->free_points, mesh->vertex_count) &&
           (!rigid || FRC_ARRAY_RESERVE(context, &body->rest, 3 * points)) &&
           frc_body_reserve_fresh(scene, body, triangles, edges, points + mesh->vertex_count);
}

static void release_lists(fracas_context* context, frc_body* body) {
    frc_ids* lists[] = {&body->points,      &body->triangles,       &body->free_edges,
                        &body->free_points, &body->fresh_triangles, &body->fresh_edges,
                        &body->fresh_points};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) FRC_ARRAY_RELEASE(context, lists[i]);
    FRC_ARRAY_RELEASE(context, &body->rest);
}

// ---- points

// Points lie in the order of a curve that fills space, however the caller has numbered them: what
// queries read together then stands together.
typedef struct order {
    uint64_t *keys, *spare;  // one for each point
    uint64_t* by_place;      // one of these two: numbers of vertices, in the lower half
    size_t count;
} order;

static bool make_order(fracas_context* context, const fracas_points* points, order* o) {
    bool ok = true;
    o->count = points->count;
    o->keys = frc_allocate_array(context, o->count, sizeof *o->keys, &ok);
    o->spare = frc_allocate_array(context, o->count, sizeof *o->spare, &ok);
    if (!ok) return false;
    size_t count;
    o->by_place = frc_morton_order(points, NULL, o->keys, o->spare, &count);
    return true;
}

static void release_order(fracas_context* context, order* o) {
    frc_release(context, o->keys, frc_array_size(o->count, sizeof *o->keys));
    frc_release(context, o->spare, frc_array_size(o->count, sizeof *o->spare));
}

static void add_points(fracas_scene* scene, uint32_t number, const fracas_mesh_view* mesh,
                       const fracas_body_options* options, const order* o) {
    frc_body* body = &scene->bodies.data[number];
    const bool rigid = body->motion == FRACAS_MOTION_RIGID;
    body->points.count = body->live_points = mesh->points.count;
    if (rigid) body->rest.count = (size_t)3 * mesh->points.count;
    for (uint32_t place = 0; place < mesh->points.count; place++) {
        const uint32_t i = (uint32_t)o->by_place[place];
        const uint32_t id = frc_topology_add_point(&scene->topology);
        double rest[3], placed[3];
        place_vertex(mesh, options, i, rest, placed);
        frc_point* p = &scene->topology.points.data[id];
        p->tag[FRC_TAG_BODY] = number;
        p->tag[FRC_TAG_NUMBER] = i;
        frc_set_point(p, 0, placed);
        frc_set_point(p, 1, placed);
        body->points.data[i] = id;
        if (rigid) memcpy(&body->rest.data[3 * (size_t)i], rest, sizeof rest);
    }
}

// ---- the rest

static void add_triangles(fracas_scene* scene, uint32_t number, const fracas_mesh_view* mesh) {
    frc_body* body = &scene->bodies.data[number];
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t id = frc_topology_add_triangle(&scene->topology);
        frc_triangle* t = &scene->topology.triangles.data[id];
        for (int k = 0; k < 3; k++)
            t->point[k] = body->points.data[mesh->triangles[3 * (size_t)i + k]];
        t->body = number;
        t->number = i;
        body->triangles.data[body->triangles.count++] = id;
        body->fresh_triangles.data[body->fresh_triangles.count++] = id;
        frc_use_triangle(scene, body, id);
    }
    body->live_triangles = mesh->triangle_count;
}

// A free edge that is an edge of a triangle already is that edge, a listed point that is used by
// others is that vertex: they are not made twice.
static void add_free_elements(fracas_scene* scene, uint32_t number, const fracas_mesh_view* mesh) {
    frc_body* body = &scene->bodies.data[number];
    frc_topology* topology = &scene->topology;
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        uint32_t a = body->points.data[mesh->edges[2 * (size_t)i]];
        uint32_t b = body->points.data[mesh->edges[2 * (size_t)i + 1]];
        uint32_t id = frc_topology_use_edge(topology, a, b);
        if (id == FRACAS_NONE || topology->edges.data[id].free) continue;
        topology->edges.data[id].free = 1;
        body->free_edges.data[body->free_edges.count++] = id;
        topology->uses.data[a].free_edges++;
        topology->uses.data[b].free_edges++;
        if (topology->edges.data[id].uses == 0) frc_wait_edge(body, id);
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
            frc_wait_point(body, body->points.data[i]);
    }
}

fracas_status fracas_scene_add(fracas_scene* scene, const fracas_mesh_view* mesh,
                               const fracas_body_options* given, fracas_body* out) {
    if (out) *out = (fracas_body){0, 0};
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!mesh) return frc_fail_null(scene->context, "fracas_scene_add", "mesh");
    if (!out) return frc_fail_null(scene->context, "fracas_scene_add", "out");
    fracas_body_options options = given ? *given : fracas_body_default_options();
    fracas_status status = check(scene, mesh, &options);
    if (status != FRACAS_OK) return status;
    frc_body lists = {0};
    order o = {0};
    if (!make_order(scene->context, &mesh->points, &o) ||
        !make_room(scene, mesh, &lists, options.motion == FRACAS_MOTION_RIGID)) {
        release_lists(scene->context, &lists);
        release_order(scene->context, &o);
        return frc_fail_memory(scene->context, mesh->points.count * sizeof(frc_point));
    }
    frc_body_filter filter = {options.group, options.mask, 0, options.self_collision, 0};
    uint32_t number = frc_scene_new_body(scene, &filter);
    lists.motion = options.motion;
    lists.state = FRC_BODY_ADDED;
    lists.pose[0] = lists.pose[1] = options.pose;
    scene->bodies.data[number] = lists;
    add_points(scene, number, mesh, &options, &o);
    release_order(scene->context, &o);
    add_triangles(scene, number, mesh);
    add_free_elements(scene, number, mesh);
    frc_scene_mark_stale(scene, number);
    *out = frc_scene_handle(scene, number);
    return FRACAS_OK;
}
