/// @file wall.c  A ball hits and breaks a wall: creation and motion of the bodies.
#include "wall.h"
#include "shapes.h"
#include "solver/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Lengths in metres, times in steps of a 30th of a second.
static const double wall_width = 4, wall_thickness = 0.2, wall_bottom = 0.05;
static const double ball_radius = 0.4, ball_speed = 0.42, gravity = 9.81 / 900;

// ---- memory

bool wall_make_bodies(wall_run* run, uint32_t bodies, uint32_t vertices, uint32_t triangles) {
    run->body_count = bodies;
    run->bodies = calloc(bodies, sizeof *run->bodies);
    run->pieces = calloc(bodies, sizeof *run->pieces);
    run->vertex_begins = calloc(bodies + 1, sizeof *run->vertex_begins);
    run->triangle_begins = calloc(bodies + 1, sizeof *run->triangle_begins);
    run->points = malloc(3 * sizeof(double) * vertices);
    run->rest = malloc(3 * sizeof(double) * vertices);
    run->triangles = malloc(3 * sizeof(uint32_t) * triangles);
    run->vertex_parents = malloc(sizeof(int32_t) * vertices);
    run->triangle_parents = malloc(sizeof(int32_t) * triangles);
    return run->bodies && run->pieces && run->vertex_begins && run->triangle_begins &&
           run->points && run->rest && run->triangles && run->vertex_parents &&
           run->triangle_parents;
}

void wall_free_bodies(wall_run* run) {
    free(run->bodies);
    free(run->pieces);
    free(run->vertex_begins);
    free(run->triangle_begins);
    free(run->points);
    free(run->rest);
    free(run->triangles);
    free(run->vertex_parents);
    free(run->triangle_parents);
}

static void destroy(void* user) {
    wall_run* run = user;
    if (!run) return;
    wall_free_bodies(run);
    free(run);
}

// ---- creation

static uint32_t root(double value) { return value < 1 ? 1 : (uint32_t)(sqrt(value) + 0.5); }

static fracas_status add_body(wall_run* run, uint32_t b, const scenes_mesh* mesh) {
    fracas_body_options options = fracas_body_default_options();
    if (b == WALL_GROUND) options.motion = FRACAS_MOTION_STATIC;
    fracas_mesh_view view = {
        .points = {.data = mesh->points, .count = mesh->vertex_count},
        .triangles = mesh->triangles,
        .triangle_count = mesh->triangle_count
    };
    uint32_t vertex = run->vertex_begins[b], triangle = run->triangle_begins[b];
    memcpy(run->points + 3 * (size_t)vertex, mesh->points, 3 * sizeof(double) * mesh->vertex_count);
    memcpy(run->rest + 3 * (size_t)vertex, mesh->points, 3 * sizeof(double) * mesh->vertex_count);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        run->triangles[3 * (size_t)triangle + i] = vertex + mesh->triangles[i];
    run->vertex_begins[b + 1] = vertex + mesh->vertex_count;
    run->triangle_begins[b + 1] = triangle + mesh->triangle_count;
    run->pieces[b].rotation[0] = 1;
    return fracas_scene_add(run->scene, &view, &options, &run->bodies[b]);
}

static fracas_status add_bodies(wall_run* run, const scenes_mesh meshes[3]) {
    uint32_t vertices = 0, triangles = 0;
    for (int b = 0; b < 3; b++) {
        vertices += meshes[b].vertex_count;
        triangles += meshes[b].triangle_count;
    }
    if (!wall_make_bodies(run, 3, vertices, triangles)) return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_status status = FRACAS_OK;
    for (uint32_t b = 0; b < 3 && status == FRACAS_OK; b++) status = add_body(run, b, &meshes[b]);
    return status;
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : 2000;
    if (size > 2e7) size = 2e7;  // indices stay in range
    uint32_t m = root(0.75 * size / 48);
    const double start[3] = {0.2, 1.7, -3};
    wall_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->scene = scene;
    run->nx = 4 * m, run->ny = 3 * m, run->cell = wall_width / run->nx;
    scenes_mesh meshes[3] = {{0}};
    bool made = scenes_make_ground(&meshes[WALL_GROUND], 4, 15) &&
                scenes_make_ball(&meshes[WALL_BALL], root(0.15 * size / 12), ball_radius, start) &&
                scenes_make_slab(&meshes[WALL_WALL], run->nx, run->ny, run->cell, wall_thickness,
                                 wall_bottom);
    fracas_status status = made ? add_bodies(run, meshes) : FRACAS_ERROR_OUT_OF_MEMORY;
    for (int b = 0; b < 3; b++) scenes_mesh_free(&meshes[b]);
    if (status != FRACAS_OK) {
        destroy(run);
        return status;
    }
    wall_piece* ball = &run->pieces[WALL_BALL];
    memcpy(ball->centre, start, sizeof start);
    memcpy(ball->position, start, sizeof start);
    ball->velocity[2] = ball_speed;
    *out = run;
    return FRACAS_OK;
}

// ---- motion

// Compute the points of a piece from its position and rotation. @return the lowest height
static double place_points(wall_run* run, uint32_t b) {
    const wall_piece* piece = &run->pieces[b];
    double m[9], lowest = INFINITY;
    quaternion_matrix(piece->rotation, m);
    for (uint32_t v = run->vertex_begins[b]; v < run->vertex_begins[b + 1]; v++) {
        const double* rest = run->rest + 3 * (size_t)v;
        double* point = run->points + 3 * (size_t)v;
        double d[3], rotated[3];
        vector_subtract(rest, piece->centre, d);
        vector_rotate(m, d, rotated);
        for (int k = 0; k < 3; k++) point[k] = piece->position[k] + rotated[k];
        if (point[1] < lowest) lowest = point[1];
    }
    return lowest;
}

static fracas_status move_piece(wall_run* run, uint32_t b) {
    wall_piece* piece = &run->pieces[b];
    const uint32_t begin = run->vertex_begins[b], end = run->vertex_begins[b + 1];
    piece->velocity[1] -= gravity;
    for (int k = 0; k < 3; k++) piece->position[k] += piece->velocity[k];
    quaternion_rotate(piece->rotation, piece->spin);
    double lowest = place_points(run, b);
    if (lowest < 0) {
        // A piece below the ground is raised onto it and slowed down.
        for (uint32_t v = begin; v < end; v++) run->points[3 * (size_t)v + 1] -= lowest;
        piece->position[1] -= lowest;
        piece->velocity[1] = 0;
        for (int k = 0; k < 3; k++) piece->velocity[k] *= 0.8, piece->spin[k] *= 0.5;
    }
    fracas_points points = {.data = run->points + 3 * (size_t)begin, .count = end - begin};
    return fracas_scene_move(run->scene, run->bodies[b], &points);
}

// ---- a step

static bool same_body(fracas_body a, fracas_body b) {
    return a.index == b.index && a.generation == b.generation;
}

static bool ball_touches_wall(const wall_run* run, const fracas_contact* found, size_t count) {
    fracas_body ball = run->bodies[WALL_BALL], wall = run->bodies[WALL_WALL];
    for (size_t i = 0; i < count; i++) {
        fracas_body a = found[i].body_a, b = found[i].body_b;
        if ((same_body(a, ball) && same_body(b, wall)) ||
            (same_body(a, wall) && same_body(b, ball)))
            return true;
    }
    return false;
}

static void set_identity_parents(wall_run* run) {
    uint32_t vertices = run->vertex_begins[run->body_count];
    uint32_t triangles = run->triangle_begins[run->body_count];
    for (uint32_t v = 0; v < vertices; v++) run->vertex_parents[v] = (int32_t)v;
    for (uint32_t t = 0; t < triangles; t++) run->triangle_parents[t] = (int32_t)t;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    wall_run* run = user;
    fracas_status status = FRACAS_OK;
    double start = scenes_clock_ms();
    *edits = 0;
    set_identity_parents(run);
    run->stepped = true;
    if (!run->broken && ball_touches_wall(run, found, count)) status = wall_break(run, edits);
    for (uint32_t b = WALL_BALL; b < run->body_count && status == FRACAS_OK; b++)
        if (b == WALL_BALL || run->broken) status = move_piece(run, b);
    run->ms_edits = scenes_clock_ms() - start;  // the scene's own work is negligible
    return status;
}

static scenes_state state(const void* user) {
    const wall_run* run = user;
    return (scenes_state){
        .body_count = run->body_count,
        .bodies = run->bodies,
        .vertex_begins = run->vertex_begins,
        .triangle_begins = run->triangle_begins,
        .mesh = {.points = {.data = run->points, .count = run->vertex_begins[run->body_count]},
                 .triangles = run->triangles,
                 .triangle_count = run->triangle_begins[run->body_count]},
        .vertex_parents = run->stepped ? run->vertex_parents : NULL,
        .triangle_parents = run->stepped ? run->triangle_parents : NULL,
        .ms_edits = run->ms_edits
    };
}

const scenes_scene scenes_wall = {.name = "wall",
                                  .description = "a ball hits a wall, which breaks and falls",
                                  .frames = 30,
                                  .size = 2000,
                                  .create = create,
                                  .step = step,
                                  .state = state,
                                  .destroy = destroy};
