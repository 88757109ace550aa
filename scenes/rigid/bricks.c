/// @file bricks.c  32 bricks fall into a pit and break; they come to rest.
#include "rigid/rigid_models.h"

enum { BRICKS = 32 };

static void configure(rigid_options* options) {
    options->step = 0.0025;
    options->strength = 1.6;
    options->pieces = 5;
    options->most = 112;
}

static fracas_status fill(rigid_run* run, fracas_context* context, const rigid_setup* setup) {
    (void)setup;
    static const double size[3] = {0.24, 0.115, 0.071};
    static const uint32_t cubes[3] = {11, 3, 3};
    const fracas_solid* brick;
    fracas_status status = rigid_add_ground(run, context, 1.0, true);
    if (status == FRACAS_OK) status = rigid_make_box(run, context, size, cubes, &brick);
    for (uint32_t i = 0; i < BRICKS && status == FRACAS_OK; i++) {
        const double axis[3] = {1 + i % 3, 1 + i % 5, 1 + i % 7};
        const rigid_placement p = {
            .solid = brick,
            .pose = rigid_pose(0.28 * (i % 3 - 1.0), 0.28 * (i / 3 % 3 - 1.0), 0.5 + 0.28 * (i / 9),
                               axis, 0.7 * i),
            .velocity = {0, 0, -2},
        };
        status = rigid_add(run->world, &p);
    }
    return status;
}

const rigid_scene rigid_bricks = {
    .name = "bricks",
    .description = "32 bricks fall into a pit and break",
    .steps = 1600,
    .configure = configure,
    .fill = fill,
};
