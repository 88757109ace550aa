/// @file run.c  The bodies of a running scene: memory, adding, contacts and motion.
#include "run.h"
#include "run_memory.h"
#include <stdlib.h>
#include <string.h>

// ---- memory

bool scenes_grow(void* pointer, uint32_t* capacity, size_t count, size_t size) {
    if (count <= *capacity) return true;
    if (count > UINT32_MAX / 2) return false;
    size_t wanted = count + count / 4 + 8;
    void *old, *memory;
    memcpy(&old, pointer, sizeof old);
    memory = realloc(old, wanted * size);
    if (!memory) return false;
    memcpy(pointer, &memory, sizeof memory);
    *capacity = (uint32_t)wanted;
    return true;
}

bool scenes_run_reserve(scenes_run* run, size_t vertices, size_t triangles) {
    if (vertices > UINT32_MAX / 2 || !solver_reserve_points(&run->solver, (uint32_t)vertices))
        return false;
    uint32_t v1 = run->vertex_capacity, v2 = v1, v3 = v1;
    uint32_t t1 = run->triangle_capacity, t2 = t1, t3 = t1;
    bool ok = scenes_grow(&run->vertex_numbers, &v1, vertices, sizeof(uint32_t)) &&
              scenes_grow(&run->vertex_past, &v2, vertices, sizeof(int32_t)) &&
              scenes_grow(&run->vertex_places, &v3, vertices, sizeof(uint32_t));
    if (ok) run->vertex_capacity = v1;
    ok = ok && scenes_grow(&run->corners, &t1, triangles, 3 * sizeof(uint32_t)) &&
         scenes_grow(&run->triangle_past, &t2, triangles, sizeof(int32_t)) &&
         scenes_grow(&run->triangle_places, &t3, triangles, sizeof(uint32_t));
    if (ok) run->triangle_capacity = t1;
    return ok;
}

bool scenes_body_reserve(scenes_body* body, size_t vertices, size_t triangles) {
    return scenes_grow(&body->vertices, &body->vertex_capacity, vertices, sizeof(uint32_t)) &&
           scenes_grow(&body->triangles, &body->triangle_capacity, triangles, sizeof(uint32_t));
}

scenes_body* scenes_run_new_body(scenes_run* run) {
    if (!scenes_grow(&run->bodies, &run->body_capacity, (size_t)run->body_count + 1,
                     sizeof *run->bodies))
        return NULL;
    scenes_body* body = &run->bodies[run->body_count++];
    *body = (scenes_body){.solid = SOLVER_NONE, .pose = fracas_pose_make_identity()};
    return body;
}

bool scenes_run_register_body(scenes_run* run, uint32_t body, fracas_body handle) {
    uint32_t capacity = run->handle_capacity;
    if (!scenes_grow(&run->body_of_handle, &run->handle_capacity, (size_t)handle.index + 1,
                     sizeof(uint32_t)))
        return false;
    for (uint32_t i = capacity; i < run->handle_capacity; i++) run->body_of_handle[i] = FRACAS_NONE;
    run->body_of_handle[handle.index] = body;
    run->bodies[body].handle = handle;
    return true;
}

void scenes_body_free(scenes_body* body) {
    free(body->vertices);
    free(body->triangles);
    free(body->vertex_places);
    free(body->triangle_places);
}

void scenes_run_start(scenes_run* run, fracas_scene* scene, double step, double edge) {
    *run = (scenes_run){.scene = scene};
    run->solver.gravity = 9.81 * step * step;
    run->solver.thickness = 0.1 * edge;
    run->solver.friction = 0.4;
    run->solver.drag = 0.002;
    run->solver.max_speed = 4 * edge;
    run->solver.iterations = 8;
    run->solver.cloth_stiffness = 1;
}

void scenes_run_free(scenes_run* run) {
    for (uint32_t b = 0; b < run->body_count; b++) scenes_body_free(&run->bodies[b]);
    solver_free(&run->solver);
    free(run->corners);
    free(run->vertex_numbers);
    free(run->vertex_past);
    free(run->triangle_past);
    free(run->vertex_places);
    free(run->triangle_places);
    free(run->bodies);
    free(run->body_of_handle);
    free(run->vertex_begins);
    free(run->triangle_begins);
    free(run->state_corners);
    free(run->state_points);
    free(run->state_vertex_parents);
    free(run->state_triangle_parents);
    free(run->handles);
    free(run->maps);
    free(run->scratch);
    free(run->moves);
}

// ---- adding

static bool add_elements(scenes_run* run, scenes_body* body, const scenes_mesh* mesh,
                         double inverse_mass) {
    uint32_t vertex = run->solver.point_count, triangle = run->triangle_count;
    if (!scenes_run_reserve(run, (size_t)vertex + mesh->vertex_count,
                            (size_t)triangle + mesh->triangle_count) ||
        !scenes_body_reserve(body, mesh->vertex_count, mesh->triangle_count))
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        body->vertices[v] =
            solver_add_point(&run->solver, mesh->points + 3 * (size_t)v, inverse_mass);
        run->vertex_numbers[vertex + v] = v;
        run->vertex_places[vertex + v] = FRACAS_NONE;
        run->vertex_past[vertex + v] = -1;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        body->triangles[t] = triangle + t;
        run->triangle_places[triangle + t] = FRACAS_NONE;
        run->triangle_past[triangle + t] = -1;
        for (size_t k = 0; k < 3; k++)
            run->corners[3 * (size_t)(triangle + t) + k] =
                vertex + mesh->triangles[3 * (size_t)t + k];
    }
    run->triangle_count += mesh->triangle_count;
    body->vertex_count = mesh->vertex_count;
    body->triangle_count = mesh->triangle_count;
    return true;
}

static fracas_pose pose_of(const solver_solid* solid) {
    fracas_pose pose;
    memcpy(pose.rotation, solid->rotation, sizeof pose.rotation);
    memcpy(pose.translation, solid->centre, sizeof pose.translation);
    return pose;
}

// Add the body to the scene of Fracas.
static fracas_status add_to_scene(scenes_run* run, uint32_t b, const scenes_mesh* mesh,
                                  const double* points) {
    scenes_body* body = &run->bodies[b];
    fracas_body_options options = fracas_body_default_options();
    options.motion = body->motion;
    options.pose = body->pose;
    fracas_mesh_view view = {
        .points = {.data = points, .count = mesh->vertex_count},
        .triangles = mesh->triangles,
        .triangle_count = mesh->triangle_count
    };
    fracas_body handle;
    fracas_status status = fracas_scene_add(run->scene, &view, &options, &handle);
    if (status != FRACAS_OK) return status;
    return scenes_run_register_body(run, b, handle) ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
}

fracas_status scenes_run_add_points(scenes_run* run, scenes_mesh* mesh, double inverse_mass) {
    scenes_body* body = scenes_run_new_body(run);
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (body && add_elements(run, body, mesh, inverse_mass))
        status = add_to_scene(run, run->body_count - 1, mesh, mesh->points);
    scenes_mesh_free(mesh);
    return status;
}

static fracas_status add_solid(scenes_run* run, const scenes_mesh* mesh, fracas_motion motion,
                               double density, bool closed) {
    scenes_body* body = scenes_run_new_body(run);
    if (!body || !add_elements(run, body, mesh, 1)) return FRACAS_ERROR_OUT_OF_MEMORY;
    uint32_t first = run->solver.point_count - mesh->vertex_count;
    body->motion = motion;
    body->solid = solver_add_solid(&run->solver, run->corners, body->triangles,
                                   body->triangle_count, density, closed);
    if (body->solid == SOLVER_NONE) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->solver.solids[body->solid].resting = density == 0;
    const double* points = mesh->points;
    if (motion == FRACAS_MOTION_RIGID) {
        // Fracas gets the points at rest and a pose; the solver's points follow from the pose.
        points = run->solver.rest + 3 * (size_t)first;
        body->pose = pose_of(&run->solver.solids[body->solid]);
        solver_place_points(&run->solver, body->solid);
    }
    return add_to_scene(run, run->body_count - 1, mesh, points);
}

fracas_status scenes_run_add_solid(scenes_run* run, scenes_mesh* mesh, fracas_motion motion,
                                   double density, bool closed) {
    fracas_status status = add_solid(run, mesh, motion, density, closed);
    scenes_mesh_free(mesh);
    return status;
}

solver_solid* scenes_run_solid(scenes_run* run, uint32_t body) {
    return &run->solver.solids[run->bodies[body].solid];
}

// ---- steps

static uint32_t find_body(const scenes_run* run, fracas_body handle) {
    if (handle.index >= run->handle_capacity) return FRACAS_NONE;
    uint32_t b = run->body_of_handle[handle.index];
    if (b == FRACAS_NONE || run->bodies[b].handle.generation != handle.generation)
        return FRACAS_NONE;
    return b;
}

static void forward_contact(scenes_run* run, const fracas_contact* c) {
    uint32_t a = find_body(run, c->body_a), b = find_body(run, c->body_b), points[4];
    if (a == FRACAS_NONE || b == FRACAS_NONE || c->kind < FRACAS_CONTACT_VF ||
        c->kind > FRACAS_CONTACT_EE)
        return;
    const scenes_body *body_a = &run->bodies[a], *body_b = &run->bodies[b];
    bool edges = c->kind == FRACAS_CONTACT_EE;
    points[0] = body_a->vertices[c->a[0]];
    if (edges) {
        points[1] = body_a->vertices[c->a[1]];
        points[2] = body_b->vertices[c->b[0]];
        points[3] = body_b->vertices[c->b[1]];
    } else {
        memcpy(points + 1, run->corners + 3 * (size_t)body_b->triangles[c->b[0]],
               3 * sizeof *points);
    }
    solver_add_contact(&run->solver, edges, points, c->normal);
}

void scenes_run_begin(scenes_run* run, const fracas_contact* found, size_t count) {
    run->edits = 0;
    run->ms_edits = run->ms_moves = 0;
    run->frame++;
    for (size_t i = 0; i < count; i++) forward_contact(run, &found[i]);
    for (uint32_t v = 0; v < run->solver.point_count; v++)
        run->vertex_past[v] = (int32_t)run->vertex_places[v];
    for (uint32_t t = 0; t < run->triangle_count; t++)
        run->triangle_past[t] = (int32_t)run->triangle_places[t];
}

// The move of a rigid body. Returns false when its pose has not changed.
static bool find_pose(scenes_run* run, scenes_body* body, fracas_move* out) {
    fracas_pose pose = pose_of(&run->solver.solids[body->solid]), old = body->pose;
    body->pose = pose;
    *out = (fracas_move){
        .body = body->handle, .kind = FRACAS_MOVE_POSE, .poses = {old, pose}
    };
    return memcmp(&pose, &old, sizeof pose) != 0;
}

// The move of a deforming body; the positions go to `buffer`, three numbers per vertex. Returns
// false when no point has moved.
static bool find_points(const scenes_run* run, const scenes_body* body, double* buffer,
                        fracas_move* out) {
    const solver* s = &run->solver;
    bool moves = false;
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        size_t p = 3 * (size_t)body->vertices[v];
        double* to = buffer + 3 * (size_t)v;
        if (body->vertices[v] == FRACAS_NONE) {
            to[0] = to[1] = to[2] = 0;
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            to[k] = s->now[p + k];
            moves |= to[k] != s->start[p + k];
        }
    }
    *out = (fracas_move){
        .body = body->handle,
        .kind = FRACAS_MOVE_POINTS,
        .points_t1 = {.data = buffer, .count = body->vertex_count}
    };
    return moves;
}

static fracas_status move_bodies(scenes_run* run) {
    size_t points = 0;
    for (uint32_t b = 0; b < run->body_count; b++)
        if (run->bodies[b].motion == FRACAS_MOTION_DEFORMING) points += run->bodies[b].vertex_count;
    if (!scenes_grow(&run->scratch, &run->scratch_capacity, points, 3 * sizeof(double)) ||
        !scenes_grow(&run->moves, &run->move_capacity, run->body_count, sizeof *run->moves))
        return FRACAS_ERROR_OUT_OF_MEMORY;
    double* buffer = run->scratch;
    uint32_t count = 0;
    for (uint32_t b = 0; b < run->body_count; b++) {
        scenes_body* body = &run->bodies[b];
        fracas_move* next = &run->moves[count];
        if (body->motion == FRACAS_MOTION_RIGID && find_pose(run, body, next)) count++;
        if (body->motion != FRACAS_MOTION_DEFORMING || !find_points(run, body, buffer, next))
            continue;
        buffer += 3 * (size_t)body->vertex_count;
        count++;
    }
    double start = scenes_clock_ms();
    fracas_status status = fracas_scene_move_many(run->scene, run->moves, count);
    run->ms_moves += scenes_clock_ms() - start;
    return status;
}

fracas_status scenes_run_end(scenes_run* run, uint64_t* edits) {
    *edits = run->edits;
    if (run->solver.out_of_memory) return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_status status = scenes_run_ready(run);
    // Moves come last: they wake the worker threads, which the following update needs.
    if (status == FRACAS_OK) status = move_bodies(run);
    run->ms_edits += run->ms_moves;
    return status;
}
