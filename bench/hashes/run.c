// The table of scenes of `fracas bench hashes`, and functions shared by them.
#include "hashes/run.h"
#include "device.h"
#include "hash.h"
#include <stdio.h>
#include <stdlib.h>

const hash_scene hash_scenes[HASH_SCENE_COUNT] = {
    {"crumpled-sheet",        hash_crumpled_sheet,        false},
    {"crumpled-sheet-median", hash_crumpled_sheet_median, true },
    {"sheet-on-ball",         hash_sheet_on_ball,         false},
    {"rigid-balls",           hash_rigid_balls,           false},
    {"groups",                hash_groups,                false},
    {"breaking",              hash_breaking,              false},
    {"merging",               hash_merging,               false},
    {"free-elements",         hash_free_elements,         false},
    {"degenerate",            hash_degenerate,            false},
    {"tiny",                  hash_tiny,                  false},
    {"huge",                  hash_huge,                  false},
    {"min-separation",        hash_min_separation,        false},
    {"nearby",                hash_nearby_pairs,          false},
    {"first",                 hash_first,                 false},
    {"max-step",              hash_max_steps,             false},
    {"volumes",               hash_volumes,               true },
};

void hash_must(hash_run* run, fracas_status status, const char* what) {
    if (status == FRACAS_OK) return;
    char message[512] = "";
    if (run->context) fracas_context_get_message(run->context, message, sizeof message);
    fprintf(stderr, "%s: %s: %s\n", what, fracas_status_get_name(status), message);
    exit(4);
}

void hash_scene_run(const hash_scene* scene, uint32_t threads, const char* device, hash_run* out) {
    hash_run run = {.hash = BENCH_HASH_START};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = threads;
    hash_must(&run, fracas_context_create(&options, &run.context), "context");
    const int code = device ? bench_device_open("hashes", run.context, device, &run.cuda) : 0;
    if (code != 0) exit(code);
    hash_must(&run, fracas_contacts_create(run.context, &run.contacts), "contacts");
    scene->run(&run);
    fracas_contacts_destroy(run.contacts);
    fracas_cuda_context_destroy(run.cuda);
    fracas_context_destroy(run.context);
    *out = run;
}

fracas_scene* hash_begin(hash_run* run, uint32_t modes) {
    fracas_scene_options options = fracas_scene_default_options();
    options.modes = modes;
    fracas_scene* scene = NULL;
    hash_must(run,
              run->cuda ? fracas_cuda_scene_create(run->cuda, &options, &scene)
                        : fracas_scene_create(run->context, &options, &scene),
              "scene");
    return scene;
}

fracas_body hash_add(hash_run* run, fracas_scene* scene, const bench_mesh* mesh,
                     fracas_motion motion) {
    fracas_body_options options = fracas_body_default_options();
    options.motion = motion;
    fracas_mesh_view view = bench_mesh_view(mesh);
    fracas_body body;
    hash_must(run, fracas_scene_add(scene, &view, &options, &body), "add");
    return body;
}

void hash_move(hash_run* run, fracas_scene* scene, fracas_body body, const double* points,
               uint32_t count) {
    fracas_points view = bench_points(points, count);
    hash_must(run, fracas_scene_move(scene, body, &view), "move");
}

void hash_mix(hash_run* run, uint64_t word) { run->hash = bench_hash_word(run->hash, word); }
void hash_mix_double(hash_run* run, double value) {
    run->hash = bench_hash_double(run->hash, value);
}

// Numbers of candidates and box tests are not hashed: they measure work and may change.
static void mix_contacts(hash_run* run) {
    size_t count;
    const fracas_contact* contacts = fracas_contacts_get_data(run->contacts, &count);
    const fracas_statistics* statistics = fracas_contacts_get_statistics(run->contacts);
    run->hash = bench_hash_contacts(run->hash, contacts, count);
    run->contact_count += count;
    for (int k = 0; k < 6; k++) hash_mix(run, statistics->contacts[k]);
    hash_mix(run, statistics->siblings_left_out);
    hash_mix_double(run, statistics->earliest_toi);
}

void hash_detect(hash_run* run, fracas_scene* scene, const fracas_query* query) {
    hash_must(run, fracas_scene_update(scene), "update");
    fracas_sink sink = fracas_contacts_get_sink(run->contacts);
    hash_must(run, fracas_scene_detect(scene, query, &sink), "detect");
    mix_contacts(run);
}

void hash_nearby(hash_run* run, fracas_scene* scene, double distance) {
    hash_must(run, fracas_scene_update(scene), "update");
    fracas_sink sink = fracas_contacts_get_sink(run->contacts);
    hash_must(run, fracas_scene_nearby(scene, distance, &sink), "nearby");
    mix_contacts(run);
}

void hash_max_step(hash_run* run, fracas_scene* scene, const fracas_query* query) {
    hash_must(run, fracas_scene_update(scene), "update");
    double step;
    hash_must(run, fracas_scene_max_step(scene, query, &step), "max_step");
    hash_mix_double(run, step);
}

fracas_query hash_query(uint32_t modes) {
    fracas_query query = fracas_scene_default_query();
    query.modes = modes;
    return query;
}
