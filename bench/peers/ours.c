// Runs and times Fracas on the same task as the peers.
#include "peers/ours.h"
#include "generate.h"
#include "hash.h"
#include "timing.h"
#include <stdio.h>

static void must(const ours* o, fracas_status status, const char* what) {
    if (status == FRACAS_OK) return;
    char message[512] = "";
    if (o->context) fracas_context_get_message(o->context, message, sizeof message);
    fprintf(stderr, "%s: %s: %s\n", what, fracas_status_get_name(status), message);
    exit(4);
}

static void add_bodies(ours* o, const peer_task* task) {
    fracas_body_options options = fracas_body_default_options();
    options.self_collision = task->mesh_count == 1;
    for (uint32_t m = 0; m < task->mesh_count; m++) {
        const peer_mesh* mesh = &task->meshes[m];
        fracas_mesh_view view = {.points = bench_points(mesh->points, mesh->point_count),
                                 .triangles = mesh->triangles,
                                 .triangle_count = mesh->triangle_count};
        must(o, fracas_scene_add(o->scene, &view, &options, &o->bodies[m]), "add");
    }
}

ours* ours_create(const peer_task* task, uint32_t mode) {
    ours* o = bench_allocate(1, sizeof *o);
    o->mode = mode;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    must(o, fracas_context_create(&options, &o->context), "context");
    fracas_scene_options scene_options = fracas_scene_default_options();
    scene_options.modes = mode;
    must(o, fracas_scene_create(o->context, &scene_options, &o->scene), "scene");
    must(o, fracas_contacts_create(o->context, &o->contacts), "contacts");
    add_bodies(o, task);
    must(o, fracas_scene_update(o->scene), "update");
    return o;
}

void ours_destroy(ours* o) {
    if (!o) return;
    fracas_contacts_destroy(o->contacts);
    fracas_scene_destroy(o->scene);
    fracas_context_destroy(o->context);
    free(o);
}

static void move(ours* o, const peer_task* task, bool elsewhere) {
    for (uint32_t m = 0; m < task->mesh_count; m++) {
        const peer_mesh* mesh = &task->meshes[m];
        fracas_points points =
            bench_points(elsewhere ? task->elsewhere[m] : mesh->points, mesh->point_count);
        must(o, fracas_scene_move(o->scene, o->bodies[m], &points), "move");
    }
}

ours_times ours_run(ours* o, const peer_task* task) {
    move(o, task, true);
    must(o, fracas_scene_update(o->scene), "update");
    fracas_query query = fracas_scene_default_query();
    query.modes = o->mode;
    double start = bench_clock_ms(task->cpu_clock);
    if (o->mode == FRACAS_MODE_CONTINUOUS) must(o, fracas_scene_advance(o->scene), "advance");
    move(o, task, false);
    double moved = bench_clock_ms(task->cpu_clock);
    must(o, fracas_scene_update(o->scene), "update");
    double updated = bench_clock_ms(task->cpu_clock);
    fracas_sink sink = fracas_contacts_get_sink(o->contacts);
    must(o, fracas_scene_detect(o->scene, &query, &sink), "detect");
    double end = bench_clock_ms(task->cpu_clock);
    const fracas_statistics* s = ours_statistics(o);
    // Fracas reports its parts in wall time; CPU time is divided in the same proportion.
    double detect = end - updated, share = task->cpu_clock ? detect / s->ms_total : 1.0;
    ours_times times = {.move = moved - start,
                        .update = updated - moved,
                        .traverse = share * s->ms_traverse,
                        .narrow = share * s->ms_narrow,
                        .rest = detect - share * (s->ms_traverse + s->ms_narrow),
                        .total = end - start};
    return times;
}

uint64_t ours_hash(const ours* o) {
    size_t count;
    const fracas_contact* contacts = fracas_contacts_get_data(o->contacts, &count);
    return bench_hash_contacts(BENCH_HASH_START, contacts, count);
}

const fracas_statistics* ours_statistics(const ours* o) {
    return fracas_contacts_get_statistics(o->contacts);
}

void ours_pairs(const ours* o, pair_list* out) {
    size_t count;
    const fracas_contact* contacts = fracas_contacts_get_data(o->contacts, &count);
    out->count = 0;
    for (size_t i = 0; i < count; i++)
        if (contacts[i].kind == FRACAS_CONTACT_TT)
            pair_list_add(out, contacts[i].a[0], contacts[i].b[0]);
    bool self = o->bodies[1].generation == 0 && o->bodies[1].index == 0;
    pair_list_sort(out, self);
}
