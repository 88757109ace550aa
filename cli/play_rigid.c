/// @file play_rigid.c  Scenes of rigid bodies that break for `fracas play`: they can be dragged,
/// and balls dropped on them.
#include "play_scene.h"
#include "progress.h"
#include "rigid/rigid_scenes.h"
#include "rigid_look.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rigid_play {
    fracas_context* context;
    const rigid_scene* scene;
    rigid_run* run;
    double interval;
    cli_rigid_look look;
    uint32_t broken, drops;
    double ms_step, ms_detect;
} rigid_play;

enum { MOST_DROPS = 40 };

static int fail(const rigid_play* r, fracas_status status, const char* text,
                char message[CLI_PLAY_MESSAGE]) {
    if (*text)
        snprintf(message, CLI_PLAY_MESSAGE, "%s", text);
    else
        fracas_context_get_message(r->context, message, CLI_PLAY_MESSAGE);
    return *text ? cli_fail(CLI_BAD_INPUT, "%s", text) : cli_fail_status(r->context, status);
}

static void destroy(void* scene) {
    rigid_play* r = scene;
    if (!r) return;
    cli_rigid_look_release(&r->look);
    rigid_run_destroy(r->run);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(r->context);
    free(r);
}

static int create(const char* name, const cli_play_settings* settings, void** out,
                  char message[CLI_PLAY_MESSAGE]) {
    rigid_play* r = cli_allocate(1, sizeof *r);
    *out = r;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = settings->threads;
    fracas_status status = fracas_context_create(&options, &r->context);
    if (status != FRACAS_OK) return cli_fail_start(status);
    cli_interrupt_watch(r->context);
    char text[CLI_PLAY_MESSAGE] = "";
    const rigid_setup setup = {
        .mesh = settings->mesh, .message = text, .message_size = sizeof text};
    r->scene = rigid_scenes_find(name);
    rigid_options world = rigid_scene_options(r->scene, r->context);
    world.most += MOST_DROPS;
    r->interval = world.step;
    status = rigid_run_create(r->scene, &world, &setup, &r->run);
    return status == FRACAS_OK ? CLI_DONE : fail(r, status, text, message);
}

static int step(void* scene, char message[CLI_PLAY_MESSAGE]) {
    rigid_play* r = scene;
    rigid_step_info info;
    const double start = cli_clock_ms();
    const fracas_status status = rigid_run_step(r->scene, r->run, &info);
    r->ms_step = cli_clock_ms() - start;
    r->ms_detect = info.ms_detect;
    r->broken += info.broken;
    return status == FRACAS_OK ? CLI_DONE : fail(r, status, "", message);
}

// ---- what is drawn

static void look(void* scene, cli_play_look* out) {
    rigid_play* r = scene;
    const cli_world_look now = cli_rigid_look_take(&r->look, r->run->world);
    *out = (cli_play_look){.mesh = now.mesh,
                           .contacts = now.contacts,
                           .count = now.count,
                           .bodies = rigid_count(r->run->world),
                           .broken = r->broken,
                           .ms_step = r->ms_step,
                           .ms_detect = r->ms_detect};
}

// ---- the mouse

static bool is_fixed(const void* scene, uint32_t body) {
    return rigid_is_fixed(((const rigid_play*)scene)->run->world, body);
}

static const char* grab(void* scene, uint32_t body, const double at[3]) {
    rigid_world* world = ((rigid_play*)scene)->run->world;
    if (body >= rigid_count(world)) return "there is no body of this number";
    if (rigid_is_fixed(world, body)) return "this body is fixed and cannot be dragged";
    rigid_grab(world, body, at);
    return NULL;
}

static const char* drag(void* scene, const double to[3]) {
    return rigid_drag(((rigid_play*)scene)->run->world, to)
               ? NULL
               : "nothing is being dragged: the body has broken or been released";
}

static void release(void* scene) { rigid_release(((rigid_play*)scene)->run->world); }

static const char* drop(void* scene, const double at[3]) {
    rigid_play* r = scene;
    if (r->drops == MOST_DROPS) return "40 balls have been dropped; reset removes them";
    for (int k = 0; k < 3; k++)
        if (!(fabs(at[k]) <= 4)) return "the ball would be more than 4 m from the middle";
    const double above[3] = {at[0], at[1], at[2] + 0.5};
    if (rigid_drop_ball(r->run, r->context, above) != FRACAS_OK)
        return "the ball could not be added";
    r->drops++;
    return NULL;
}

static uint32_t steps(const void* scene) {
    (void)scene;
    return 0;
}

static double interval(const void* scene) { return ((const rigid_play*)scene)->interval; }

static const char* describe(const char* name) {
    const rigid_scene* found = rigid_scenes_find(name);
    return found ? found->description : NULL;
}

static bool takes_mesh(const char* name) { return rigid_scenes_find(name)->takes_mesh; }

static const cli_play_kind kind = {.has_touch = true,
                                   .z_up = true,
                                   .create = create,
                                   .destroy = destroy,
                                   .step = step,
                                   .look = look,
                                   .steps = steps,
                                   .interval = interval,
                                   .is_fixed = is_fixed,
                                   .grab = grab,
                                   .drag = drag,
                                   .release = release,
                                   .drop = drop,
                                   .describe = describe,
                                   .takes_mesh = takes_mesh};
const cli_play_kind* const cli_play_rigid = &kind;
