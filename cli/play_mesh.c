/// @file play_mesh.c  Scenes of meshes for `fracas play`.
#include "play_scene.h"
#include "scenes.h"
#include "session.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_scene {
    const scenes_scene* scene;
    cli_session session;
    void* run;
    uint32_t steps, frame;
    const char* name;  // of all frames: pages number them
    cli_contact* contacts;
    size_t contact_count, contact_capacity;
    cli_body* bodies;
    uint32_t body_count;
    uint64_t edits;
    double ms_step, ms_detect;
} mesh_scene;

// ---- bodies and contacts

// The session reports a step: keep its contacts.
static void keep(void* user, const cli_step* step, const cli_contact* contacts, size_t count) {
    mesh_scene* m = user;
    if (count > m->contact_capacity) {
        m->contact_capacity = 2 * count;
        m->contacts = cli_grow(m->contacts, m->contact_capacity, sizeof *m->contacts);
    }
    if (count) memcpy(m->contacts, contacts, count * sizeof *contacts);
    m->contact_count = count;
    m->ms_detect = step->ms.total;
}

static void find_bodies(mesh_scene* m) {
    const scenes_state state = m->scene->state(m->run);
    free(m->bodies);
    m->body_count = state.body_count;
    m->bodies = cli_allocate(state.body_count, sizeof *m->bodies);
    for (uint32_t b = 0; b < state.body_count; b++) {
        m->bodies[b].handle = state.bodies[b];
        if (!state.maps) continue;
        m->bodies[b].vertices = state.maps[b].vertices;
        m->bodies[b].triangles = state.maps[b].triangles;
    }
}

// ---- a run

static int fail(const mesh_scene* m, int code, const char* text, char message[CLI_PLAY_MESSAGE]) {
    if (text && *text)
        snprintf(message, CLI_PLAY_MESSAGE, "%s", text);
    else if (m->session.context)
        fracas_context_get_message(m->session.context, message, CLI_PLAY_MESSAGE);
    return code;
}

static int fail_status(const mesh_scene* m, fracas_status status, char message[CLI_PLAY_MESSAGE]) {
    return fail(m, cli_fail_status(m->session.context, status), NULL, message);
}

static void destroy(void* scene) {
    mesh_scene* m = scene;
    if (!m) return;
    m->scene->destroy(m->run);
    // Quiet, and not complete: prints nothing.
    cli_session_close(&m->session, CLI_CANCELLED);
    free(m->contacts);
    free(m->bodies);
    free(m);
}

static int create(const char* name, const cli_play_settings* given, void** out,
                  char message[CLI_PLAY_MESSAGE]) {
    mesh_scene* m = cli_allocate(1, sizeof *m);
    *out = m;
    m->scene = scenes_find(name);
    m->name = m->scene->name;
    char text[CLI_PLAY_MESSAGE] = "";
    scenes_options options = {
        .size = given->size, .mesh = given->mesh, .message = text, .message_size = sizeof text};
    m->steps = scenes_frames(m->scene, &options);
    cli_settings settings = cli_settings_default();
    settings.mode = CLI_CONTINUOUS;
    settings.threads = given->threads;
    settings.cull = given->cull;
    settings.quiet = true;
    int code = cli_session_open(&m->session, &settings, m->steps + 1);
    m->session.watch = keep;
    m->session.watch_user = m;
    if (code == CLI_DONE) code = cli_session_restart(&m->session, FRACAS_MODE_CONTINUOUS);
    if (code != CLI_DONE) return fail(m, code, NULL, message);
    options.context = m->session.context;
    const fracas_status status = m->scene->create(m->session.scene, &options, &m->run);
    if (status != FRACAS_OK && *text)
        return fail(m, cli_fail(CLI_BAD_INPUT, "%s", text), text, message);
    if (status != FRACAS_OK) return fail_status(m, status, message);
    find_bodies(m);
    cli_frame_mesh_from_scene(&m->session.mesh, m->session.scene, m->bodies, m->body_count);
    return CLI_DONE;
}

static int step(void* scene, char message[CLI_PLAY_MESSAGE]) {
    mesh_scene* m = scene;
    cli_session* session = &m->session;
    size_t count = 0;
    const fracas_contact* found = fracas_contacts_get_data(session->contacts, &count);
    cli_step next = {.frame = ++m->frame};
    next.from = &m->name, next.from_count = 1;
    const char* const to[] = {m->name};
    next.to = to, next.to_count = 1;
    const double start = cli_clock_ms();
    fracas_status status = fracas_scene_advance(session->scene);
    if (status == FRACAS_OK) status = m->scene->step(m->run, found, count, &next.counts.edits);
    if (status != FRACAS_OK) return fail_status(m, status, message);
    m->edits += next.counts.edits;
    next.ms.update = m->scene->state(m->run).ms_edits;
    find_bodies(m);
    const int code =
        cli_session_step(session, FRACAS_MODE_CONTINUOUS, m->bodies, m->body_count, &next);
    m->ms_step = cli_clock_ms() - start;
    return code == CLI_DONE ? CLI_DONE : fail(m, code, NULL, message);
}

static void look(void* scene, cli_play_look* out) {
    mesh_scene* m = scene;
    *out = (cli_play_look){.mesh = &m->session.mesh,
                           .contacts = m->contacts,
                           .count = m->contact_count,
                           .bodies = m->body_count,
                           .broken = (uint32_t)m->edits,
                           .ms_step = m->ms_step,
                           .ms_detect = m->ms_detect};
}

static uint32_t steps(const void* scene) { return ((const mesh_scene*)scene)->steps; }

static double interval(const void* scene) {
    (void)scene;
    return 1.0 / 30;
}

static const char* describe(const char* name) {
    const scenes_scene* found = scenes_find(name);
    return found ? found->description : NULL;
}

static bool takes_mesh(const char* name) { return scenes_find(name)->takes_mesh; }

const cli_play_kind cli_play_meshes = {.has_cull = true,
                                       .has_size = true,
                                       .create = create,
                                       .destroy = destroy,
                                       .step = step,
                                       .look = look,
                                       .steps = steps,
                                       .interval = interval,
                                       .describe = describe,
                                       .takes_mesh = takes_mesh};
