/// @file body.c  Records of bodies and their handles.
#include "scene/scene.h"
#include <assert.h>
#include <math.h>
#include <string.h>

frc_body* frc_scene_find(const fracas_scene* scene, fracas_body handle, fracas_status* status) {
    frc_body* body = frc_scene_find_body(scene, handle, status);
    if (body) *status = frc_scene_fetch(scene);
    return *status == FRACAS_OK ? body : NULL;
}

frc_body* frc_scene_find_body(const fracas_scene* scene, fracas_body handle,
                              fracas_status* status) {
    uint32_t number = handle.index - 1;
    *status = FRACAS_OK;
    if (frc_handles_in_use(&scene->handles, number) &&
        frc_handles_generation(&scene->handles, number) == handle.generation)
        return &scene->bodies.data[number];
    *status =
        frc_fail(scene->context, FRACAS_ERROR_STALE_HANDLE,
                 "there is no body %u (generation %u) in the scene: it was removed or merged into "
                 "another, or never was",
                 handle.index, handle.generation);
    return NULL;
}

fracas_body frc_scene_handle(const fracas_scene* scene, uint32_t number) {
    return (fracas_body){number + 1, frc_handles_generation(&scene->handles, number)};
}

uint32_t frc_body_number(const fracas_scene* scene, const frc_body* body) {
    return (uint32_t)(body - scene->bodies.data);
}

bool frc_scene_reserve_bodies(fracas_scene* scene, size_t count) {
    fracas_context* context = scene->context;
    size_t all = scene->bodies.count + count;
    return frc_handles_reserve(context, &scene->handles, count) &&
           FRC_ARRAY_RESERVE(context, &scene->bodies, all) &&
           FRC_ARRAY_RESERVE(context, &scene->filters, all) &&
           FRC_ARRAY_RESERVE(context, &scene->stale_bodies, all) &&
           FRC_ARRAY_RESERVE(context, &scene->moved_bodies, all) &&
           FRC_ARRAY_RESERVE(context, &scene->posed_bodies, all);
}

uint32_t frc_scene_new_body(fracas_scene* scene, const frc_body_filter* filter) {
    uint32_t number = frc_handles_allocate(&scene->handles);
    if (number == scene->bodies.count) scene->bodies.count = scene->filters.count = number + 1;
    scene->bodies.data[number] = (frc_body){0};
    scene->filters.data[number] = *filter;
    if (filter->thickness > scene->thickest) scene->thickest = filter->thickness;
    scene->shape_version++;
    scene->filters.data[number].generation = frc_handles_generation(&scene->handles, number);
    return number;
}

void frc_scene_drop_block(fracas_scene* scene, uint32_t number) {
    frc_top_tree_remove(&scene->top, number);
    frc_block* block = scene->blocks.data[number];
    if (block) frc_cull_release_block(scene->context, &scene->cull_states, block, number);
    frc_block_destroy(scene->context, block);
    scene->blocks.data[number] = NULL;
    scene->unused_blocks.data[scene->unused_blocks.count++] = number;
}

void frc_body_release_lists(fracas_context* context, frc_body* body) {
    frc_ids* lists[] = {&body->points,        &body->triangles,      &body->free_edges,
                        &body->free_points,   &body->blocks,         &body->pending_triangles,
                        &body->pending_edges, &body->pending_points, &body->pending_cuts};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) FRC_ARRAY_RELEASE(context, lists[i]);
    FRC_ARRAY_RELEASE(context, &body->rest);
    frc_vertex_rings_release(context, &body->rings);
}

void frc_scene_drop_body(fracas_scene* scene, uint32_t number) {
    scene->shape_version++;
    frc_body* body = &scene->bodies.data[number];
    assert(!body->posed);  // each edit begins with frc_scene_fetch
    for (size_t i = 0; i < body->blocks.count; i++)
        frc_scene_drop_block(scene, body->blocks.data[i]);
    frc_body_release_lists(scene->context, body);
    // In the lists of bodies the last entry moves to the position of the removed one.
    if (body->stale_at) {
        const uint32_t last = scene->stale_bodies.data[--scene->stale_bodies.count];
        scene->stale_bodies.data[body->stale_at - 1] = last;
        scene->bodies.data[last].stale_at = body->stale_at;
    }
    if (body->moved_at) {
        const uint32_t last = scene->moved_bodies.data[--scene->moved_bodies.count];
        scene->moved_bodies.data[body->moved_at - 1] = last;
        scene->bodies.data[last].moved_at = body->moved_at;
    }
    *body = (frc_body){0};
    frc_handles_free(&scene->handles, number);
    scene->updated = false;
}

void frc_scene_mark_stale(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    scene->updated = false;
    if (body->stale_at) return;
    scene->stale_bodies.data[scene->stale_bodies.count++] = number;
    body->stale_at = (uint32_t)scene->stale_bodies.count;
}

void frc_scene_mark_in_motion(fracas_scene* scene, uint32_t number) {
    frc_body* body = &scene->bodies.data[number];
    if (body->moved_at) return;
    scene->moved_bodies.data[scene->moved_bodies.count++] = number;
    body->moved_at = (uint32_t)scene->moved_bodies.count;
}

void frc_scene_mark_moved(fracas_scene* scene, uint32_t number) {
    frc_scene_mark_stale(scene, number);
    frc_scene_mark_in_motion(scene, number);
    scene->bodies.data[number].points_moved = true;
}

bool frc_body_reserve_pending(fracas_scene* scene, frc_body* body, size_t triangles, size_t edges,
                              size_t points) {
    fracas_context* context = scene->context;
    return FRC_ARRAY_RESERVE(context, &body->pending_triangles,
                             body->pending_triangles.count + triangles) &&
           FRC_ARRAY_RESERVE(context, &body->pending_edges, body->pending_edges.count + edges) &&
           FRC_ARRAY_RESERVE(context, &body->pending_points, body->pending_points.count + points);
}

// ---- public functions that read a body, and the user pointer

fracas_status fracas_scene_get_body(const fracas_scene* scene, fracas_body handle,
                                    fracas_body_info* out) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(scene->context, "fracas_scene_get_body", "out");
    fracas_status status;
    const frc_body* body = frc_scene_find_body(scene, handle, &status);
    if (!body) return status;
    *out = (fracas_body_info){.user = body->user,
                              .motion = body->motion,
                              .vertex_numbers = (uint32_t)body->points.count,
                              .triangle_numbers = (uint32_t)body->triangles.count,
                              .vertices = body->live_points,
                              .triangles = body->live_triangles,
                              .free_edges = (uint32_t)body->free_edges.count,
                              .free_vertices = (uint32_t)body->free_points.count,
                              .thickness =
                                  scene->filters.data[frc_body_number(scene, body)].thickness};
    return FRACAS_OK;
}

bool frc_thickness_is_valid(const fracas_scene* scene, double thickness) {
    if (thickness >= 0 && isfinite(thickness)) return true;
    frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
             "the thickness is %g: it must be finite and not negative", thickness);
    return false;
}

fracas_status fracas_scene_set_thickness(fracas_scene* scene, fracas_body handle,
                                         double thickness) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    const frc_body* body = frc_scene_find_body(scene, handle, &status);
    if (!body) return status;
    if (!frc_thickness_is_valid(scene, thickness)) return FRACAS_ERROR_INVALID_ARGUMENT;
    double* present = &scene->filters.data[frc_body_number(scene, body)].thickness;
    if (thickness > *present) scene->shape_version++;
    *present = thickness;
    if (thickness > scene->thickest) scene->thickest = thickness;
    return FRACAS_OK;
}

fracas_status fracas_scene_set_user(fracas_scene* scene, fracas_body handle, void* user) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    frc_body* body = frc_scene_find_body(scene, handle, &status);
    if (body) body->user = user;
    return status;
}

fracas_status fracas_scene_get_triangle(const fracas_scene* scene, fracas_body handle,
                                        uint32_t triangle, uint32_t corners[3]) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!corners) return frc_fail_null(scene->context, "fracas_scene_get_triangle", "corners");
    fracas_status status;
    const frc_body* body = frc_scene_find_body(scene, handle, &status);
    if (!body) return status;
    if (triangle >= body->triangles.count || body->triangles.data[triangle] == FRACAS_NONE)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA, "body %u has no triangle %u",
                        handle.index, triangle);
    const frc_triangle* t = &scene->topology.triangles.data[body->triangles.data[triangle]];
    for (int i = 0; i < 3; i++)
        corners[i] = scene->topology.points.data[t->point[i]].tag[FRC_TAG_NUMBER];
    return FRACAS_OK;
}

fracas_status fracas_scene_get_vertex(const fracas_scene* scene, fracas_body handle,
                                      uint32_t vertex, double t0[3], double t1[3]) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    if (vertex >= body->points.count || body->points.data[vertex] == FRACAS_NONE)
        return frc_fail(scene->context, FRACAS_ERROR_BAD_DATA, "body %u has no vertex %u",
                        handle.index, vertex);
    const frc_point* p = &scene->topology.points.data[body->points.data[vertex]];
    if (t0) frc_get_point(p, 0, t0);
    if (t1) frc_get_point(p, 1, t1);
    return FRACAS_OK;
}
