/// @file play_medial.c  Scenes of rigid bodies of spheres, cones and slabs for `fracas play`.
#include "medial/medial_scenes.h"
#include "medial_triangles.h"
#include "play_scene.h"
#include "progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The triangles of a model, which its bodies share.
typedef struct skin {
    const fracas_medial_sphere* spheres;  // of the model
    cli_triangles triangles;
} skin;

typedef struct medial_play {
    fracas_context* context;
    const medial_scene* scene;
    medial_world* world;
    skin* skins;
    uint32_t skin_count;
    cli_frame_mesh mesh;
    cli_contact* contacts;
    double ms_step, ms_detect;
} medial_play;

static void destroy(void* scene) {
    medial_play* m = scene;
    if (!m) return;
    for (uint32_t i = 0; i < m->skin_count; i++) cli_triangles_free(&m->skins[i].triangles);
    medial_destroy(m->world);
    cli_interrupt_watch(NULL);
    fracas_context_destroy(m->context);
    cli_frame_mesh_free(&m->mesh);
    free(m->skins);
    free(m->contacts);
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

static const cli_triangles* find_skin(medial_play* m, const fracas_medial_view* view) {
    enum { SIDES = 6 };
    for (uint32_t i = 0; i < m->skin_count; i++)
        if (m->skins[i].spheres == view->spheres) return &m->skins[i].triangles;
    m->skins = cli_grow(m->skins, (size_t)m->skin_count + 1, sizeof *m->skins);
    skin* s = &m->skins[m->skin_count++];
    *s = (skin){.spheres = view->spheres};
    cli_medial_triangles(view, SIDES, &s->triangles);
    return &s->triangles;
}

static void look(void* scene, cli_play_look* out) {
    medial_play* m = scene;
    cli_frame_mesh_clear(&m->mesh);
    for (uint32_t i = 0; i < medial_body_count(m->world); i++) {
        fracas_pose pose;
        const fracas_medial_view view = medial_get(m->world, i, &pose);
        const fracas_mesh_view mesh = cli_triangles_view(find_skin(m, &view));
        cli_frame_mesh_add_surface(&m->mesh, &mesh, &pose);
    }
    size_t count;
    const fracas_medial_contact* found = medial_contacts(m->world, &count);
    m->contacts = cli_grow(m->contacts, count + 1, sizeof *m->contacts);
    for (size_t i = 0; i < count; i++) {
        cli_contact* c = &m->contacts[i];
        const uint32_t a = found[i].a.index, b = found[i].b.index;
        *c = cli_play_contact(&m->mesh, a, b, medial_is_fixed(m->world, a), found[i].position,
                              found[i].normal);
    }
    *out = (cli_play_look){.mesh = &m->mesh,
                           .contacts = m->contacts,
                           .count = count,
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
