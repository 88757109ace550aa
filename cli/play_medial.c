/// @file play_medial.c  Scenes of rigid bodies of spheres, cones and slabs for `fracas play`.
#include "medial/medial_scenes.h"
#include "play_scene.h"
#include "progress.h"
#include "rigid_look.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct medial_play {
    fracas_context* context;
    const medial_scene* scene;
    medial_world* world;
    cli_medial_look look;
    double ms_step, ms_detect;
} medial_play;

static void destroy(void* scene) {
    medial_play* m = scene;
    if (!m) return;
    cli_medial_look_release(&m->look);
    medial_destroy(m->world);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(m->context);
    free(m);
}

static int fail(const medial_play* m, fracas_status status, char message[CLI_PLAY_MESSAGE]) {
    fracas_context_get_message(m->context, message, CLI_PLAY_MESSAGE);
    return cli_fail_status(m->context, status);
}

static int create(const char* name, const cli_play_settings* settings, void** out,
                  char message[CLI_PLAY_MESSAGE]) {
    medial_play* m = cli_allocate(1, sizeof *m);
    *out = m;
    fracas_context_options context = fracas_context_default_options();
    context.worker_count = settings->threads;
    fracas_status status = fracas_context_create(&context, &m->context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(m->context);
    m->scene = medial_scenes_find(name);
    medial_options options = medial_default_options();
    options.context = m->context;
    options.step = m->scene->step;
    const medial_setup setup = {.mesh = settings->mesh};
    status = medial_scene_create(m->scene, &options, &setup, &m->world);
    return status == FRACAS_OK ? CLI_DONE : fail(m, status, message);
}

static int step(void* scene, char message[CLI_PLAY_MESSAGE]) {
    medial_play* m = scene;
    medial_step_info info;
    const double start = cli_clock_ms();
    const fracas_status status = medial_step(m->world, &info);
    m->ms_step = cli_clock_ms() - start;
    m->ms_detect = info.ms_detect;
    return status == FRACAS_OK ? CLI_DONE : fail(m, status, message);
}

// ---- what is drawn

static void look(void* scene, cli_play_look* out) {
    medial_play* m = scene;
    const cli_world_look now = cli_medial_look_take(&m->look, m->world);
    *out = (cli_play_look){.mesh = now.mesh,
                           .contacts = now.contacts,
                           .count = now.count,
                           .bodies = medial_body_count(m->world),
                           .ms_step = m->ms_step,
                           .ms_detect = m->ms_detect};
}

static uint32_t steps(const void* scene) {
    (void)scene;
    return 0;
}

static double interval(const void* scene) { return ((const medial_play*)scene)->scene->step; }

static const char* describe(const char* name) {
    const medial_scene* found = medial_scenes_find(name);
    return found ? found->description : NULL;
}

// As for `fracas scene`: a medial mesh or a surface in place of a model.
static bool takes_mesh(const char* name) {
    (void)name;
    return true;
}

static const cli_play_kind kind = {.z_up = true,
                                   .create = create,
                                   .destroy = destroy,
                                   .step = step,
                                   .look = look,
                                   .steps = steps,
                                   .interval = interval,
                                   .describe = describe,
                                   .takes_mesh = takes_mesh};
const cli_play_kind* const cli_play_medial = &kind;
