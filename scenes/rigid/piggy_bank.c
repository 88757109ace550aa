/// @file piggy_bank.c  A hollow piggy bank falls and breaks.
#include "rigid/rigid_models.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void configure(rigid_options* options) {
    options->step = 0.015;
    options->strength = 2;
    options->pieces = 28;
    options->most = 30;
}

// Radius in a direction: a body with snout, ears and legs.
static double radius_of(const double d[3]) {
    static const double bumps[7][5] = {
        {0.96, 0.28,  0,     0.16, 18},
        {0.62, 0.4,   0.67,  0.22, 60},
        {0.62, -0.4,  0.67,  0.22, 60},
        {0.5,  0.42,  -0.76, 0.3,  40},
        {0.5,  -0.42, -0.76, 0.3,  40},
        {-0.5, 0.42,  -0.76, 0.3,  40},
        {-0.5, -0.42, -0.76, 0.3,  40}
    };
    double r = 1 / sqrt(d[0] * d[0] / 1.44 + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 7; i++) {
        const double* b = bumps[i];
        r += b[3] * exp(b[4] * (d[0] * b[0] + d[1] * b[1] + d[2] * b[2] - 1));
    }
    return r;
}

// The outside, and the same ball turned inwards as the cavity.
static bool make_surface(scenes_mesh* mesh) {
    static const double centre[3] = {0, 0, 0};
    scenes_mesh ball = {0};
    if (!scenes_make_ball(&ball, 20, 1, centre)) return false;
    const uint32_t v = ball.vertex_count, t = ball.triangle_count;
    mesh->points = malloc(6 * sizeof(double) * v);
    mesh->triangles = malloc(6 * sizeof(uint32_t) * t);
    const bool ok = mesh->points && mesh->triangles;
    mesh->vertex_count = 2 * v;
    mesh->triangle_count = 2 * t;
    for (uint32_t i = 0; i < v && ok; i++) {
        const double* d = ball.points + 3 * (size_t)i;
        const double outside = radius_of(d);
        const double inside = 0.72 / sqrt(d[0] * d[0] / 1.44 + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++) {
            mesh->points[3 * (size_t)i + k] = outside * d[k];
            mesh->points[3 * (size_t)(v + i) + k] = inside * d[k];
        }
    }
    for (uint32_t i = 0; i < t && ok; i++)
        for (uint32_t k = 0; k < 3; k++) {
            mesh->triangles[3 * i + k] = ball.triangles[3 * i + k];
            mesh->triangles[3 * (t + i) + k] = v + ball.triangles[3 * i + 2 - k];
        }
    scenes_mesh_free(&ball);
    return ok;
}

static fracas_status fill(rigid_run* run, fracas_context* context, const rigid_setup* setup) {
    static const double axis[3] = {0.3, 1, 0.2};
    scenes_mesh mesh = {0};
    const fracas_solid* pig;
    fracas_status status = rigid_add_ground(run, context, 1.5, false);
    if (status == FRACAS_OK)
        status = make_surface(&mesh) ? rigid_make_filled(run, context, &mesh, 0.3,
                                                         setup->cells ? setup->cells : 19, &pig)
                                     : FRACAS_ERROR_OUT_OF_MEMORY;
    scenes_mesh_free(&mesh);
    if (status != FRACAS_OK) return status;
    const rigid_placement p = {
        .solid = pig, .pose = rigid_pose(0, 0, 0.6, axis, 0.4), .velocity = {0.3, 0, -2}
    };
    return rigid_add(run->world, &p);
}

const rigid_scene rigid_piggy_bank = {
    .name = "piggy-bank",
    .description = "a hollow piggy bank falls and breaks",
    .steps = 400,
    .configure = configure,
    .fill = fill,
};
