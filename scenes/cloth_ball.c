/// @file cloth_ball.c  A cloth falls over a ball on the ground; then the ball spins and drags the
/// cloth with it.
#include "noise.h"
#include "run.h"
#include "solver/vector.h"
#include <math.h>
#include <stdlib.h>

// Lengths in metres, a step is a hundredth of a second.
static const double width = 2.2, ball_radius = 0.5, fall = 0.08, step_seconds = 0.01;
static const double max_spin = 0.012;
enum { GROUND, BALL, CLOTH, SPIN_FROM = 160, SPIN_RISES = 60 };

typedef struct cloth_run {
    scenes_run base;
    double* lengths;
    uint32_t side;
} cloth_run;

static void destroy(void* user) {
    cloth_run* run = user;
    if (!run) return;
    scenes_run_free(&run->base);
    free(run->lengths);
    free(run);
}

static uint32_t root(double value) { return value < 1 ? 1 : (uint32_t)(sqrt(value) + 0.5); }

static bool make_cloth(cloth_run* run) {
    const scenes_body* cloth = &run->base.bodies[CLOTH];
    solver* s = &run->base.solver;
    run->lengths = malloc(3 * sizeof(double) * cloth->triangle_count);
    if (!run->lengths) return false;
    for (uint32_t t = 0; t < cloth->triangle_count; t++) {
        const uint32_t* c = run->base.corners + 3 * (size_t)cloth->triangles[t];
        for (uint32_t k = 0; k < 3; k++) {
            double d[3];
            vector_subtract(s->now + 3 * (size_t)c[k], s->now + 3 * (size_t)c[(k + 1) % 3], d);
            run->lengths[3 * (size_t)t + k] = vector_length(d);
        }
    }
    s->cloth = run->base.corners;
    s->cloth_begin = cloth->triangles[0];
    s->cloth_end = s->cloth_begin + cloth->triangle_count;
    s->cloth_lengths = run->lengths;
    // Links over two cells keep the cloth from folding sharply.
    uint32_t n = run->side, first = cloth->vertices[0];
    for (uint32_t j = 0; j <= n; j++)
        for (uint32_t i = 0; i <= n; i++) {
            uint32_t v = first + j * (n + 1) + i;
            if (i + 2 <= n && !solver_add_link(s, v, v + 2, 0.15)) return false;
            if (j + 2 <= n && !solver_add_link(s, v, v + 2 * (n + 1), 0.15)) return false;
        }
    return true;
}

static fracas_status add_bodies(cloth_run* run, double size) {
    scenes_mesh ground = {0}, ball = {0}, cloth = {0};
    const double centre[3] = {0, ball_radius + 0.02, 0};
    const double corner[3] = {-width / 2, 2 * ball_radius + 0.02 + fall, -width / 2};
    uint32_t ball_cells = root(0.12 * size / 12);
    double cell = width / run->side;
    bool made = scenes_make_ground(&ground, 8, 3) &&
                scenes_make_ball(&ball, ball_cells, ball_radius, centre) &&
                scenes_make_sheet(&cloth, run->side, run->side, cell, corner);
    // Small irregularities determine where the cloth folds.
    for (size_t v = 0; made && v < cloth.vertex_count; v++)
        cloth.points[3 * v + 1] += 0.02 * cell * scenes_noise((uint32_t)v);
    fracas_status status = made ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
    if (status == FRACAS_OK)
        status = scenes_run_add_solid(&run->base, &ground, FRACAS_MOTION_STATIC, 0, true);
    if (status == FRACAS_OK)
        status = scenes_run_add_solid(&run->base, &ball, FRACAS_MOTION_RIGID, 0, true);
    if (status == FRACAS_OK) status = scenes_run_add_points(&run->base, &cloth, 1);
    scenes_mesh_free(&ground);
    scenes_mesh_free(&ball);
    scenes_mesh_free(&cloth);
    if (status == FRACAS_OK && !make_cloth(run)) status = FRACAS_ERROR_OUT_OF_MEMORY;
    return status;
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : scenes_cloth_ball.size;
    if (size > 2e7) size = 2e7;  // indices stay in range
    cloth_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->side = root(0.88 * size / 2);
    scenes_run_start(&run->base, scene, step_seconds, width / run->side);
    run->base.solver.drag = 0.01;
    run->base.solver.friction = 0.6;
    fracas_status status = add_bodies(run, size);
    if (status == FRACAS_OK) {
        scenes_run_solid(&run->base, BALL)->resting = false;
        status = scenes_run_ready(&run->base);
    }
    if (status == FRACAS_OK)
        *out = run;
    else
        destroy(run);
    return status;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    cloth_run* run = user;
    scenes_run_begin(&run->base, found, count);
    uint32_t frame = run->base.frame;
    double rise = frame < SPIN_FROM ? 0 : (double)(frame - SPIN_FROM) / SPIN_RISES;
    scenes_run_solid(&run->base, BALL)->spin[1] = max_spin * (rise < 1 ? rise : 1);
    solver_step(&run->base.solver);
    return scenes_run_end(&run->base, edits);
}

static scenes_state state(const void* user) {
    return scenes_run_state(&((const cloth_run*)user)->base);
}

const scenes_scene scenes_cloth_ball = {.name = "cloth-ball",
                                        .description =
                                            "a cloth drapes over a ball, which then spins",
                                        .frames = 465,
                                        .size = 92000,
                                        .create = create,
                                        .step = step,
                                        .state = state,
                                        .destroy = destroy};
