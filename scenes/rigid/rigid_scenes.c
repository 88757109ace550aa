/// @file rigid_scenes.c  The list of scenes, and their runs.
#include "rigid/rigid_scenes.h"
#include "rigid/rigid_models.h"
#include <stdlib.h>
#include <string.h>

static const rigid_scene* const scenes[] = {
    &rigid_bricks,     &rigid_drop_bunnies, &rigid_interactive_bunnies,
    &rigid_piggy_bank, &rigid_plates,       &rigid_rolling_plate};

const rigid_scene* const* rigid_scenes_list(size_t* count) {
    *count = sizeof scenes / sizeof *scenes;
    return scenes;
}

const rigid_scene* rigid_scenes_find(const char* name) {
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(scenes[i]->name, name) == 0) return scenes[i];
    return NULL;
}

rigid_options rigid_scene_options(const rigid_scene* scene, fracas_context* context) {
    rigid_options options = rigid_default_options();
    options.context = context;
    scene->configure(&options);
    return options;
}

fracas_status rigid_run_create(const rigid_scene* scene, const rigid_options* options,
                               const rigid_setup* setup, rigid_run** out) {
    *out = NULL;
    rigid_run* run = calloc(1, sizeof *run);
    if (!run) return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_status status = rigid_create(options, &run->world);
    if (status == FRACAS_OK) status = scene->fill(run, options->context, setup);
    if (status == FRACAS_OK)
        *out = run;
    else
        rigid_run_destroy(run);
    return status;
}

fracas_status rigid_run_step(const rigid_scene* scene, rigid_run* run, rigid_step_info* info) {
    if (scene->control) scene->control(run);
    run->step++;
    return rigid_step(run->world, info);
}

fracas_status rigid_drop_ball(rigid_run* run, fracas_context* context, const double at[3]) {
    static const double centre[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    if (!run->ball) {
        scenes_mesh mesh;
        if (!scenes_make_ball(&mesh, 6, 0.5, centre)) return FRACAS_ERROR_OUT_OF_MEMORY;
        const fracas_status status = rigid_make_filled(run, context, &mesh, 0.1, 8, &run->ball);
        scenes_mesh_free(&mesh);
        if (status != FRACAS_OK) return status;
    }
    const rigid_placement p = {
        .solid = run->ball,
        .pose = rigid_pose(at[0], at[1], at[2], up, 0),
        .velocity = {0, 0, -6},
        .unbreakable = true,
    };
    return rigid_add(run->world, &p);
}

void rigid_run_destroy(rigid_run* run) {
    if (!run) return;
    rigid_destroy(run->world);
    for (uint32_t i = 0; i < run->solid_count; i++) fracas_solid_destroy(run->solids[i]);
    free(run);
}
