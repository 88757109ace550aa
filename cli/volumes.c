/// @file volumes.c  `fracas detect` on volumes: the vertices in tetrahedra of each frame.
#include "volumes.h"
#include "fracas/tets.h"
#include <stdlib.h>
#include <string.h>

typedef struct volumes {
    cli_session* session;
    fracas_tets* tets;
    fracas_body* bodies;  // one per file of the current frame
    uint32_t body_count;
} volumes;

bool cli_volumes_in(const cli_frame* frame) {
    for (uint32_t f = 0; f < frame->file_count; f++)
        if (fracas_mesh_file_get_tets(frame->files[f]).tet_count > 0) return true;
    return false;
}

// ---- checks

// Reject options that volumes do not support.
static int check_options(const cli_settings* settings) {
    const cli_settings plain = cli_settings_default();
    const bool on_device = strcmp(settings->device, plain.device) != 0;
    const struct {
        bool given;
        const char* name;
    } others[] = {
        {settings->mode_given && settings->mode != CLI_DISCRETE, "mode continuous and both"},
        {settings->min_separation > 0,                           "min-separation"          },
        {settings->tolerance != plain.tolerance,                 "tolerance"               },
        {settings->siblings != plain.siblings,                   "siblings"                },
        {settings->cull != plain.cull,                           "cull"                    },
        {settings->count_misses,                                 "count-misses"            },
        {settings->filter != plain.filter,                       "filter"                  },
        {settings->broad != plain.broad,                         "broad"                   },
        {on_device,                                              "device"                  }
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given)
            return cli_fail(CLI_BAD_USAGE,
                            "--%s: not for volumes, which are checked for vertices in tetrahedra "
                            "at every frame; with --surface their surface is checked as triangles",
                            others[i].name);
    return CLI_DONE;
}

// All files of a frame have tetrahedra.
static int check_frame(const cli_frame* frame) {
    const char* with = NULL;
    for (uint32_t f = 0; f < frame->file_count; f++)
        if (fracas_mesh_file_get_tets(frame->files[f]).tet_count > 0) with = frame->paths[f];
    for (uint32_t f = 0; f < frame->file_count; f++)
        if (fracas_mesh_file_get_tets(frame->files[f]).tet_count == 0)
            return cli_fail(
                CLI_BAD_USAGE,
                "%s has no tetrahedra, but %s has: volumes and surfaces are not checked "
                "against each other; --surface checks all of them as surfaces",
                frame->paths[f], with ? with : "the frame before");
    return CLI_DONE;
}

// ---- from frame to frame

// Do both frames have the same tetrahedra, so that only points move?
static bool same_tets(const cli_frame* before, const cli_frame* now) {
    if (before->file_count != now->file_count) return false;
    for (uint32_t f = 0; f < now->file_count; f++) {
        fracas_tet_view a = fracas_mesh_file_get_tets(before->files[f]);
        fracas_tet_view b = fracas_mesh_file_get_tets(now->files[f]);
        if (a.points.count != b.points.count || a.tet_count != b.tet_count ||
            memcmp(a.tets, b.tets, sizeof *a.tets * 4 * a.tet_count) != 0)
            return false;
    }
    return true;
}

static void free_volumes(volumes* v) {
    fracas_tets_destroy(v->tets);
    free(v->bodies);
    v->tets = NULL, v->bodies = NULL, v->body_count = 0;
}

// Begin with new bodies.
static fracas_status start(volumes* v, const cli_frame* frame) {
    free_volumes(v);
    v->bodies = cli_allocate(frame->file_count, sizeof *v->bodies);
    fracas_tets_options options = fracas_tets_default_options();
    options.depth = v->session->settings.depth;
    fracas_status status = fracas_tets_create(v->session->context, &options, &v->tets);
    for (; status == FRACAS_OK && v->body_count < frame->file_count; v->body_count++) {
        fracas_tet_view view = fracas_mesh_file_get_tets(frame->files[v->body_count]);
        status = fracas_tets_add(v->tets, &view, &v->bodies[v->body_count]);
    }
    return status;
}

static fracas_status move(volumes* v, const cli_frame* frame) {
    fracas_status status = FRACAS_OK;
    for (uint32_t f = 0; status == FRACAS_OK && f < v->body_count; f++) {
        fracas_tet_view view = fracas_mesh_file_get_tets(frame->files[f]);
        status = fracas_tets_move(v->tets, v->bodies[f], &view.points);
    }
    return status;
}

// ---- one frame

typedef struct found {
    const volumes* v;
    const cli_frame* frame;
    uint32_t* places;  // from the index of a handle to the file
    cli_contact* contacts;
    size_t count, capacity;
} found;

// Callback: append a penetration to the contacts.
static bool keep(const fracas_penetration* p, void* user) {
    found* all = user;
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->contacts = cli_grow(all->contacts, all->capacity, sizeof *all->contacts);
    }
    cli_contact* c = &all->contacts[all->count++];
    *c = (cli_contact){.step = all->v->session->step_count,
                       .place = FRACAS_NONE,
                       .kind = CLI_VT,
                       .body_a = all->places[p->vertex_body.index],
                       .body_b = all->places[p->tet_body.index],
                       .a_tri = FRACAS_NONE,
                       .b_tri = FRACAS_NONE,
                       .a_tet = FRACAS_NONE,
                       .b_tet = p->tet,
                       .deep = all->v->session->settings.depth,
                       .depth = p->depth};
    c->a[0] = p->vertex, c->b[0] = p->tet;
    c->a[1] = c->b[1] = FRACAS_NONE;
    memcpy(c->barycentric, p->barycentric, sizeof c->barycentric);
    memcpy(c->normal, p->direction, sizeof c->normal);
    const double* points = fracas_mesh_file_get_view(all->frame->files[c->body_a]).points.data;
    memcpy(c->point, points + 3 * (size_t)p->vertex, sizeof c->point);
    return true;
}

// Move or restart the bodies, detect, and report one step.
static int check_volumes(volumes* v, const cli_frame* before, const cli_frame* now) {
    const cli_settings* settings = &v->session->settings;
    bool restart = before != now && !same_tets(before, now);
    cli_step step = {
        .from = before->paths,
        .from_count = before->file_count,
        .to = now->paths,
        .to_count = now->file_count,
        .frame = v->session->step_count,
        .restart = restart,
        .earliest_toi = cli_no_impact(),
        .counts = {.vertices = now->vertices, .tets = now->tets},
        .ms.read = now->ms_read
    };
    double begin = cli_clock_ms();
    fracas_status status = before == now || restart ? start(v, now) : move(v, now);
    if (status == FRACAS_OK) status = fracas_tets_update(v->tets);
    double updated = cli_clock_ms();

    // Penetrations are reported only if they are written or named in the answer; otherwise they
    // are counted.
    const bool keeps = cli_session_needs_contacts(v->session) || cli_session_answers(v->session);
    uint32_t largest = 0;
    for (uint32_t f = 0; f < v->body_count; f++)
        if (v->bodies[f].index > largest) largest = v->bodies[f].index;
    found all = {
        .v = v, .frame = now, .places = cli_allocate((size_t)largest + 1, sizeof *all.places)};
    for (uint32_t f = 0; f < v->body_count; f++) all.places[v->bodies[f].index] = f;
    fracas_tets_statistics statistics = {0};
    fracas_tets_query query = fracas_tets_default_query();
    query.depth = settings->depth;
    fracas_tets_sink sink = {
        .report = keeps ? keep : NULL, .user = &all, .statistics = &statistics};
    if (status == FRACAS_OK) status = fracas_tets_detect(v->tets, &query, &sink);
    cli_contacts_sort(all.contacts, all.count);
    step.counts.contacts[CLI_VT] = statistics.penetrations;
    if (settings->first && statistics.penetrations > 1) {
        step.counts.contacts[CLI_VT] = 1;
        if (all.count > 1) all.count = 1;
    }
    double end = cli_clock_ms();
    step.ms.update = updated - begin;
    step.ms.traverse = end - updated;
    step.ms.total = end - begin;
    int code = status == FRACAS_OK ? CLI_DONE : cli_fail_status(v->session->context, status);
    if (cli_session_needs_mesh(v->session))
        cli_frame_mesh_from_volumes(&v->session->mesh, v->session->context, now->files,
                                    now->file_count);
    if (code == CLI_DONE) code = cli_session_push(v->session, &step, all.contacts, all.count);
    free(all.contacts);
    free(all.places);
    return code;
}

// ---- all frames

int cli_volumes_run(cli_session* session, cli_frame* frames, int count) {
    volumes v = {.session = session};
    int code = check_options(&session->settings);
    if (code != CLI_DONE) return code;
    session->settings.mode = CLI_DISCRETE;
    session->steps = cli_grow(session->steps, (size_t)count, sizeof *session->steps);
    session->progress.step_count = (uint32_t)count;
    session->rows.volumes = true;
    fracas_mesh_file_options options = cli_settings_read(&session->settings);
    for (int k = 0; k < count && code == CLI_DONE; k++) {
        cli_frame *before = &frames[k ? k - 1 : 0], *now = &frames[k];
        if (k > 0)
            code = cli_frame_load(now, session->context, &options, before, &session->progress);
        if (code == CLI_DONE) code = check_frame(now);
        if (code == CLI_DONE) code = check_volumes(&v, before, now);
        if (k > 0) cli_frame_unload(before);
    }
    free_volumes(&v);
    return code;
}
