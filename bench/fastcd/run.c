// One scene run under one method.
#include "fastcd/run.h"
#include "hash.h"
#include "timing.h"
#include <stdio.h>

static void check(const fastcd_run* run, fracas_status status, const char* what) {
    char message[512] = "";
    if (status == FRACAS_OK) return;
    if (run->context) fracas_context_get_message(run->context, message, sizeof message);
    fprintf(stderr, "fracas bench fastcd: %s, %s: %s\n", run->what->name, what,
            *message ? message : fracas_status_get_name(status));
    exit(1);
}

void fastcd_begin(fastcd_run* run, const scenes_scene* what, const scenes_options* options,
                  const fastcd_method* method, uint32_t mode, fastcd_threads threads) {
    *run = (fastcd_run){.what = what, .mode = mode};
    run->filter = method->filter;
    run->lazy = method->restructure == FRACAS_PUBLISHED_RESTRUCTURE_LAZY;
    atomic_init(&run->memory.live, 0);
    atomic_init(&run->memory.most, 0);
    fracas_context_options context = fracas_context_default_options();
    context.worker_count = threads.count;
    context.spin_ms = threads.spin_ms;
    context.allocator = bench_counting_allocator(&run->memory);
    check(run, fracas_context_create(&context, &run->context), "creating the context");
    const fracas_published_scene_options how = fastcd_method_options(method, mode);
    check(run, fracas_published_scene_create(run->context, &how, &run->scene),
          "creating the scene");
    check(run, fracas_contacts_create(run->context, &run->contacts), "creating the contact list");
    scenes_options own = *options;
    own.context = run->context;
    check(run, what->create(run->scene, &own, &run->scene_run), "beginning");
    check(run, fracas_scene_update(run->scene), "the first update");
}

static double now_ms(const fastcd_run* run) {
    return run->cpu_clock ? bench_thread_ms() : bench_now_ms();
}

void fastcd_next(fastcd_run* run, const fracas_contact* found, size_t count, fastcd_frame* out) {
    *out = (fastcd_frame){0};
    double start = now_ms(run);
    check(run, fracas_scene_advance(run->scene), "advancing");
    out->ms_edit = now_ms(run) - start;
    check(run, run->what->step(run->scene_run, found, count, &out->edits), "a step");
    const double wall = bench_now_ms();
    start = now_ms(run);
    check(run, fracas_scene_update(run->scene), "an update");
    double updated = now_ms(run);
    const double wall_updated = bench_now_ms();
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.modes = run->mode;
    query.filter = run->filter;
    fracas_sink sink = fracas_contacts_get_sink(run->contacts);
    fracas_published_statistics pccd;
    check(run,
          run->lazy ? fracas_published_scene_detect_lazy(run->scene, &query, &sink, &pccd)
                    : fracas_published_scene_detect(run->scene, &query, &sink, &pccd),
          "a query");
    out->ms_detect = now_ms(run) - updated;
    const double wall_done = bench_now_ms();
    out->ms_update = updated - start;
    size_t contacts;
    const fracas_contact* list = fracas_contacts_get_data(run->contacts, &contacts);
    const fracas_statistics* s = fracas_contacts_get_statistics(run->contacts);
    fracas_update_statistics update;
    check(run, fracas_scene_get_update_statistics(run->scene, &update), "the update statistics");
    // The library measures parts in wall-clock time. As shares of the call they are the same by the
    // clock of the frames, which may be CPU time.
    const double wall_ms = wall_updated - wall, query_ms = wall_done - wall_updated;
    const double in_update = wall_ms > 0 ? out->ms_update / wall_ms : 0,
                 in_query = query_ms > 0 ? out->ms_detect / query_ms : 0;
    out->ms_cull = in_update * update.ms_cull;
    out->ms_traverse = in_query * s->ms_traverse;
    out->ms_narrow = in_query * s->ms_narrow;
    out->ms_sort = in_query * s->ms_sort;
    out->ms_idle = s->ms_idle;
    out->ms_low = in_query * pccd.ms_low;
    out->ms_high = in_query * pccd.ms_high;
    out->requests = pccd.requests;
    out->refusals = pccd.refusals;
    out->locks = pccd.locks;
    out->tasks = pccd.low_tasks;
    out->rebuilt = pccd.rebuilt + pccd.rebuilt_top;
    out->ms_refit = in_update * update.ms_refit;
    out->ms_restructure = in_update * update.ms_restructure;
    out->box_pairs = s->box_pairs;
    out->candidates = s->tt_candidates + s->vf_candidates + s->ee_candidates;
    out->contacts = contacts;
    out->hash = bench_hash_contacts(BENCH_HASH_START, list, contacts);
    scenes_state state = run->what->state(run->scene_run);
    out->triangles = state.mesh.triangle_count;
    out->ms_edit += state.ms_edits;
}

fastcd_memory fastcd_memory_of(const fastcd_run* run) {
    return (fastcd_memory){bench_memory_of(run->scene), atomic_load(&run->memory.live),
                           atomic_load(&run->memory.most)};
}

void fastcd_end(fastcd_run* run) {
    run->what->destroy(run->scene_run);
    fracas_contacts_destroy(run->contacts);
    fracas_scene_destroy(run->scene);
    fracas_context_destroy(run->context);
}
