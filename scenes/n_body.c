/// @file n_body.c  Many balls, rigid and soft, fall into a bowl and pile up.
#include "noise.h"
#include "run.h"
#include <math.h>
#include <stdlib.h>

// Lengths in metres, a step is an 80th of a second.
static const double radius = 0.2, spacing = 0.52, step_seconds = 1.0 / 80;
enum { LARGE = 100000, BOWL_CELLS = 16 };

typedef struct balls_run {
    scenes_run base;
} balls_run;

static void destroy(void* user) {
    balls_run* run = user;
    if (!run) return;
    scenes_run_free(&run->base);
    free(run);
}

static double bowl_height(double x, double z, double half) { return 0.3 * (x * x + z * z) / half; }

static fracas_status add_ball(balls_run* run, uint32_t i, uint32_t width, double half,
                              uint32_t cells) {
    uint32_t x = i % width, z = i / width % width, y = i / width / width;
    double at[3] = {(x - 0.5 * (width - 1)) * spacing, 0, (z - 0.5 * (width - 1)) * spacing};
    for (uint32_t k = 0; k < 3; k += 2) at[k] += 0.04 * scenes_noise(3 * i + k);
    at[1] = bowl_height(half, half, half) * 0.5 + 2 * radius + spacing * y;
    double size = radius * (1 + 0.15 * scenes_noise(3 * i + 1));
    bool soft = i % 2;
    scenes_mesh mesh;
    if (!scenes_make_ball(&mesh, cells, size, at)) return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_status status = scenes_run_add_solid(
        &run->base, &mesh, soft ? FRACAS_MOTION_DEFORMING : FRACAS_MOTION_RIGID, 1, true);
    if (status != FRACAS_OK) return status;
    solver_solid* solid = scenes_run_solid(&run->base, run->base.body_count - 1);
    solid->softness = soft ? 0.8 : 0;
    solid->velocity[0] = -0.01 * at[2];  // the pile turns as it falls
    solid->velocity[2] = 0.01 * at[0];
    solid->spin[1] = 0.02 * scenes_noise(i);
    return FRACAS_OK;
}

static fracas_status add_bodies(balls_run* run, double size) {
    uint32_t bowl_cells = size < 5000 ? BOWL_CELLS / 2 : BOWL_CELLS;
    uint32_t cells = size < 2000 ? 2 : size < 10000 ? 3 : 5, width = 1;
    double ground = 2.0 * bowl_cells * bowl_cells, each = 12.0 * cells * cells;
    uint32_t count = size < ground + 2 * each ? 2 : (uint32_t)((size - ground) / each + 0.5);
    while ((uint64_t)width * width * width < count) width++;
    double half = 0.6 * spacing * (width + 1);
    scenes_mesh bowl;
    if (!scenes_make_ground(&bowl, bowl_cells, 2 * half)) return FRACAS_ERROR_OUT_OF_MEMORY;
    for (uint32_t v = 0; v < bowl.vertex_count; v++) {
        double* p = bowl.points + 3 * (size_t)v;
        p[1] = bowl_height(p[0], p[2], half);
    }
    fracas_status status = scenes_run_add_solid(&run->base, &bowl, FRACAS_MOTION_STATIC, 0, true);
    for (uint32_t i = 0; i < count && status == FRACAS_OK; i++)
        status = add_ball(run, i, width, half, cells);
    run->base.solver.thickness = 0.1 * radius * 1.5 / cells;
    return status;
}

static fracas_status create(fracas_scene* scene, const scenes_options* options, void** out) {
    *out = NULL;
    double size = options && options->size ? options->size : scenes_n_body.size;
    if (size > 2e7) size = 2e7;  // indices stay in range
    balls_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    scenes_run_start(&run->base, scene, step_seconds, radius * 0.3);
    run->base.solver.drag = 0.01;
    fracas_status status = add_bodies(run, size);
    if (status == FRACAS_OK) status = scenes_run_ready(&run->base);
    if (status == FRACAS_OK)
        *out = run;
    else
        destroy(run);
    return status;
}

static fracas_status step(void* user, const fracas_contact* found, size_t count, uint64_t* edits) {
    balls_run* run = user;
    scenes_run_begin(&run->base, found, count);
    solver_step(&run->base.solver);
    return scenes_run_end(&run->base, edits);
}

static scenes_state state(const void* user) {
    return scenes_run_state(&((const balls_run*)user)->base);
}

// A larger pile takes longer to come to rest.
static uint32_t frames_at(uint32_t size) { return size < LARGE ? 149 : 375; }

const scenes_scene scenes_n_body = {.name = "n-body",
                                    .description = "rigid and soft balls pile up in a bowl",
                                    .frames = 149,
                                    .size = 34000,
                                    .create = create,
                                    .step = step,
                                    .state = state,
                                    .destroy = destroy,
                                    .frames_at = frames_at};
