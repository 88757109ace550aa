/// @file bunnies.c  Bunnies fall and break: 27 at once, or five that are pushed about.
#include "rigid/rigid_models.h"

enum { DROPPED = 27, PUSHED = 5, CELLS = 27 };

static void configure_dropped(rigid_options* options) {
    options->strength = 1.5;
    options->pieces = 7;
    options->most = 167;
}

static fracas_status fill_dropped(rigid_run* run, fracas_context* context,
                                  const rigid_setup* setup) {
    const fracas_solid* bunny;
    fracas_status status = rigid_add_ground(run, context, 2.5, false);
    if (status == FRACAS_OK)
        status =
            rigid_make_bunny(run, context, setup, 0.3, setup->cells ? setup->cells : CELLS, &bunny);
    for (uint32_t i = 0; i < DROPPED && status == FRACAS_OK; i++) {
        const double axis[3] = {1 + i % 2, 1 + i % 3, 1 + i % 5};
        const rigid_placement p = {
            .solid = bunny,
            .pose = rigid_pose(0.36 * (i % 3 - 1.0), 0.36 * (i / 3 % 3 - 1.0), 0.4 + 0.36 * (i / 9),
                               axis, 0.9 * i),
            .velocity = {0, 0, -2},
        };
        status = rigid_add(run->world, &p);
    }
    return status;
}

const rigid_scene rigid_drop_bunnies = {
    .name = "drop-bunnies",
    .description = "27 bunnies fall and break",
    .steps = 1000,
    .takes_mesh = true,
    .configure = configure_dropped,
    .fill = fill_dropped,
};

static void configure_pushed(rigid_options* options) {
    options->step = 0.015;
    options->strength = 3;
    options->pieces = 4;
    options->most = 16;
}

static fracas_status fill_pushed(rigid_run* run, fracas_context* context,
                                 const rigid_setup* setup) {
    static const double up[3] = {0, 0, 1};
    const fracas_solid* bunny;
    fracas_status status = rigid_add_ground(run, context, 1.5, true);
    if (status == FRACAS_OK)
        status =
            rigid_make_bunny(run, context, setup, 0.3, setup->cells ? setup->cells : CELLS, &bunny);
    for (uint32_t i = 0; i < PUSHED && status == FRACAS_OK; i++) {
        const rigid_placement p = {
            .solid = bunny,
            .pose = rigid_pose(0.4 * (i % 3 - 1.0), 0.4 * (i / 3), 0.25, up, 1.3 * i),
        };
        status = rigid_add(run->world, &p);
    }
    return status;
}

// Every 40 steps one body is thrown across the others.
static void push(rigid_run* run) {
    if (run->step % 40 != 20 || run->step > 300) return;
    const uint32_t count = rigid_count(run->world);
    const uint32_t body = (uint32_t)(run->step / 40 * 7) % count;
    fracas_pose pose;
    rigid_get(run->world, body, &pose);
    const double velocity[3] = {-5 * pose.translation[0], -5 * pose.translation[1], 2.5};
    rigid_set_velocity(run->world, body, velocity);
}

const rigid_scene rigid_interactive_bunnies = {
    .name = "interactive-bunnies",
    .description = "five bunnies are thrown about by a script",
    .steps = 500,
    .takes_mesh = true,
    .configure = configure_pushed,
    .fill = fill_pushed,
    .control = push,
};
