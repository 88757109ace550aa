/// @file plates.c  Plates: four on a shelf under falling balls; one that rolls.
#include "rigid/rigid_models.h"
#include <math.h>
#include <stdlib.h>

enum { AROUND = 96, PROFILE = 8 };

// A dish: the profile turned about the z axis; it begins and ends on the axis.
static bool make_plate_surface(scenes_mesh* mesh) {
    static const double profile[PROFILE][2] = {
        {0,     0    },
        {0.07,  0    },
        {0.125, 0.02 },
        {0.13,  0.024},
        {0.125, 0.03 },
        {0.068, 0.011},
        {0.03,  0.01 },
        {0,     0.01 }
    };
    const uint32_t rings = PROFILE - 2;
    mesh->vertex_count = 2 + rings * AROUND;
    mesh->triangle_count = 2 * rings * AROUND;
    mesh->points = malloc(3 * sizeof(double) * mesh->vertex_count);
    mesh->triangles = malloc(3 * sizeof(uint32_t) * mesh->triangle_count);
    if (!mesh->points || !mesh->triangles) return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t ring = v == 0                        ? 0
                              : v == mesh->vertex_count - 1 ? PROFILE - 1
                                                            : 1 + (v - 1) / AROUND;
        const double angle = 4 * acos(0) * ((v + AROUND - 1) % AROUND) / AROUND;
        mesh->points[3 * v] = profile[ring][0] * cos(angle);
        mesh->points[3 * v + 1] = profile[ring][0] * sin(angle);
        mesh->points[3 * v + 2] = profile[ring][1];
    }
    uint32_t* t = mesh->triangles;
    for (uint32_t r = 0; r <= rings; r++)
        for (uint32_t i = 0; i < AROUND; i++) {
            const uint32_t j = (i + 1) % AROUND, last = mesh->vertex_count - 1;
            const uint32_t a = 1 + (r - 1) * AROUND + i, b = 1 + (r - 1) * AROUND + j;
            const uint32_t c = 1 + r * AROUND + i, d = 1 + r * AROUND + j;
            if (r == 0) {
                t[0] = 0, t[1] = d, t[2] = c, t += 3;
            } else if (r == rings) {
                t[0] = a, t[1] = b, t[2] = last, t += 3;
            } else {
                t[0] = a, t[1] = b, t[2] = d, t += 3;
                t[0] = a, t[1] = d, t[2] = c, t += 3;
            }
        }
    return true;
}

static fracas_status make_plate(rigid_run* run, fracas_context* context, const rigid_setup* setup,
                                const fracas_solid** out) {
    scenes_mesh mesh = {0};
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (make_plate_surface(&mesh))
        status =
            rigid_make_filled(run, context, &mesh, 0.26, setup->cells ? setup->cells : 26, out);
    scenes_mesh_free(&mesh);
    return status;
}

// ---- four on a shelf

static void configure_plates(rigid_options* options) {
    options->strength = 0.7;
    options->pieces = 12;
    options->most = 56;
}

static fracas_status add_balls(rigid_run* run, fracas_context* context) {
    static const double centre[3] = {0, 0, 0};
    scenes_mesh mesh = {0};
    const fracas_solid* ball;
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (scenes_make_ball(&mesh, 8, 1, centre))
        status = rigid_make_filled(run, context, &mesh, 0.08, 8, &ball);
    scenes_mesh_free(&mesh);
    for (uint32_t i = 0; i < 4 && status == FRACAS_OK; i++) {
        const rigid_placement p = {
            .solid = ball,
            .pose =
                rigid_pose(0.32 * (i - 1.5) + 0.03, 0.02, 0.9 + 0.25 * i, (double[3]){0, 0, 1 },
                             0),
            .velocity = {0, 0, -3},
            .unbreakable = true,
        };
        status = rigid_add(run->world, &p);
    }
    return status;
}

static fracas_status fill_plates(rigid_run* run, fracas_context* context,
                                 const rigid_setup* setup) {
    static const double size[3] = {1.36, 0.4, 0.2}, up[3] = {0, 0, 1};
    static const uint32_t cubes[3] = {34, 10, 5};
    const fracas_solid *shelf, *plate;
    fracas_status status = rigid_add_ground(run, context, 2, false);
    if (status == FRACAS_OK) status = rigid_make_box(run, context, size, cubes, &shelf);
    if (status == FRACAS_OK) {
        const rigid_placement p = {
            .solid = shelf, .pose = rigid_pose(0, 0, 0.4, up, 0), .fixed = true};
        status = rigid_add(run->world, &p);
    }
    if (status == FRACAS_OK) status = make_plate(run, context, setup, &plate);
    for (uint32_t i = 0; i < 4 && status == FRACAS_OK; i++) {
        const rigid_placement p = {.solid = plate,
                                   .pose = rigid_pose(0.32 * (i - 1.5), 0, 0.516, up, 0.2 * i)};
        status = rigid_add(run->world, &p);
    }
    return status == FRACAS_OK ? add_balls(run, context) : status;
}

const rigid_scene rigid_plates = {
    .name = "plates",
    .description = "balls fall on four plates on a shelf",
    .steps = 800,
    .configure = configure_plates,
    .fill = fill_plates,
};

// ---- one that rolls

static void configure_rolling(rigid_options* options) { options->strength = 0; }

static fracas_status fill_rolling(rigid_run* run, fracas_context* context,
                                  const rigid_setup* setup) {
    static const double axis[3] = {1, 0, 0};
    const fracas_solid* plate;
    fracas_status status = rigid_add_ground(run, context, 4, false);
    if (status == FRACAS_OK) status = make_plate(run, context, setup, &plate);
    if (status != FRACAS_OK) return status;
    const rigid_placement p = {
        .solid = plate,
        .pose = rigid_pose(-1, 0, 0.131, axis, acos(0) * 0.95),
        .velocity = {1, 0,        0},
        .spin = {0, 1 / 0.13, 0},
    };
    return rigid_add(run->world, &p);
}

const rigid_scene rigid_rolling_plate = {
    .name = "rolling-plate",
    .description = "a plate rolls on its edge, falls over, and settles",
    .steps = 1000,
    .configure = configure_rolling,
    .fill = fill_rolling,
};
