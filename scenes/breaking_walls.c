/// @file breaking_walls.c  A ball flies through eight walls: each dents, then breaks.
///
/// Impacts do not change the motion of the ball, so walls always break in the same frames. In the
/// frame in which a wall breaks, the next wall is refined around the coming impact.
#include "walls.h"
#include <math.h>
#include <stdlib.h>

// Lengths in metres, a step is a 50th of a second.
static const double wall_width = 4, wall_thickness = 0.16, wall_bottom = 0.02, wall_distance = 1.1;
static const double ball_radius = 0.4, step_seconds = 0.02;
enum { GROUND, BALL, FIRST_WALL, FIRST_TOUCH = 4, TOUCH_EVERY = 9, BREAK_AFTER = 3 };

static const double ball_speed = 1.1 / TOUCH_EVERY;

static void destroy(void* user) {
    walls_run* run = user;
    if (!run) return;
    for (uint32_t w = 0; w < WALLS_COUNT; w++) walls_free_front(&run->walls[w]);
    scenes_run_free(&run->base);
    free(run);
}

static uint32_t root(double value) { return value < 1 ? 1 : (uint32_t)(sqrt(value) + 0.5); }

// ---- creation

static fracas_status add_wall(walls_run* run, uint32_t w) {
    walls_wall* wall = &run->walls[w];
    scenes_mesh mesh;
    if (!scenes_make_slab(&mesh, run->nx, run->ny, run->cell, wall_thickness, wall_bottom))
        return FRACAS_ERROR_OUT_OF_MEMORY;
    wall->body = FIRST_WALL + w;
    wall->z = wall_distance * w;
    for (size_t v = 0; v < mesh.vertex_count; v++) mesh.points[3 * v + 2] += wall->z;
    fracas_status status =
        scenes_run_add_solid(&run->base, &mesh, FRACAS_MOTION_DEFORMING, 0, true);
    if (status != FRACAS_OK) return status;
    return walls_create_front(run, wall) ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
}

static fracas_status add_bodies(walls_run* run, double size) {
    scenes_mesh ground = {0}, ball = {0};
    double first = -0.5 * wall_thickness - ball_radius - (FIRST_TOUCH + 0.2) * ball_speed;
    const double centre[3] = {run->impact[0], run->impact[1], first};
    bool made = scenes_make_ground(&ground, 8, 16) &&
                scenes_make_ball(&ball, root(0.05 * size / 12), ball_radius, centre);
    fracas_status status = made ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
    if (status == FRACAS_OK)
        status = scenes_run_add_solid(&run->base, &ground, FRACAS_MOTION_STATIC, 0, true);
    if (status == FRACAS_OK)
        status = scenes_run_add_solid(&run->base, &ball, FRACAS_MOTION_RIGID, 0, true);
    scenes_mesh_free(&ground);
    scenes_mesh_free(&ball);
    for (uint32_t w = 0; w < WALLS_COUNT && status == FRACAS_OK; w++) status = add_wall(run, w);
    if (status != FRACAS_OK) return status;
    solver_solid* flying = scenes_run_solid(&run->base, BALL);
    flying->resting = false;
    flying->velocity[2] = ball_speed;
    flying->spin[0] = 0.05;
    return walls_refine(run, &run->walls[0]);
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : scenes_breaking_walls.size;
    if (size > 2e7) size = 2e7;  // indices stay in range
    walls_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->nx = root(size / 34.3);
    if (run->nx < 4) run->nx = 4;
    run->ny = (3 * run->nx + 2) / 4, run->cell = wall_width / run->nx;
    run->impact[0] = 0.1;
    run->impact[1] = wall_bottom + 0.5 * run->ny * run->cell;
    scenes_run_start(&run->base, scene, step_seconds, 0.5 * run->cell);
    fracas_status status = add_bodies(run, size);
    if (status == FRACAS_OK) status = scenes_run_ready(&run->base);
    if (status == FRACAS_OK)
        *out = run;
    else
        destroy(run);
    return status;
}

// ---- a step

// Displace the wall in front of the ball, as deep as the ball has penetrated.
static void dent(walls_run* run, const walls_wall* wall) {
    scenes_run* base = &run->base;
    double tip = scenes_run_solid(base, BALL)->centre[2] + ball_radius;
    double depth = tip - (wall->z - 0.5 * wall_thickness), reach = 1.8 * ball_radius;
    const scenes_body* body = &base->bodies[wall->body];
    for (uint32_t v = 0; depth > 0 && v < body->vertex_count; v++) {
        size_t p = 3 * (size_t)body->vertices[v];
        double x = base->solver.now[p] - run->impact[0],
               y = base->solver.now[p + 1] - run->impact[1];
        double away = 1 - (x * x + y * y) / (reach * reach);
        double z = wall->z + (wall->behind[v] == FRACAS_NONE ? 0.5 : -0.5) * wall_thickness;
        if (away > 0) base->solver.now[p + 2] = z + depth * away * away;
    }
}

// Behind the last wall the ball gets a mass and is slowed down by contacts like other bodies.
static void release_ball(walls_run* run) {
    solver_solid* ball = scenes_run_solid(&run->base, BALL);
    double mass = 40;  // of twenty square metres of wall
    ball->inverse_mass = 1 / mass;
    for (int k = 0; k < 3; k++)
        ball->inertia_inverse[4 * k] = 1 / (0.6 * mass * ball_radius * ball_radius);
    ball->velocity[2] *= 0.3;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    walls_run* run = user;
    scenes_run_begin(&run->base, found, count);
    uint32_t since = run->base.frame < FIRST_TOUCH ? 0 : run->base.frame - FIRST_TOUCH;
    uint32_t w = since / TOUCH_EVERY, phase = since % TOUCH_EVERY;
    fracas_status status = FRACAS_OK;
    if (w == WALLS_COUNT && phase == 0) release_ball(run);
    if (w < WALLS_COUNT && phase == BREAK_AFTER) {
        status = walls_break(run, &run->walls[w], 977 * w);
        if (status == FRACAS_OK && w + 1 < WALLS_COUNT)
            status = walls_refine(run, &run->walls[w + 1]);
    }
    if (status != FRACAS_OK) return status;
    solver_step(&run->base.solver);
    if (w < WALLS_COUNT && phase < BREAK_AFTER) dent(run, &run->walls[w]);
    return scenes_run_end(&run->base, edits);
}

static scenes_state state(const void* user) {
    return scenes_run_state(&((const walls_run*)user)->base);
}

const scenes_scene scenes_breaking_walls = {.name = "breaking-walls",
                                            .description = "a ball breaks through eight walls",
                                            .frames = 80,
                                            .size = 42000,
                                            .create = create,
                                            .step = step,
                                            .state = state,
                                            .destroy = destroy};
