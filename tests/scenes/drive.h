/// @file drive.h  A built-in scene with everything it runs in, one step at a time.
#pragma once
#include "cmocka_all.h"
#include "fracas/io.h"
#include "fracas/published.h"
#include "hash.h"
#include "scenes.h"

typedef struct drive {
    const scenes_scene* what;
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;  ///< of the latest step
    void* run;
    uint64_t edits;  ///< of the latest step
    fracas_siblings siblings;
    uint32_t modes;
} drive;

static inline drive drive_start_broad(const char* name, const scenes_options* options,
                                      uint32_t workers, fracas_published_broad broad) {
    drive d = {.what = scenes_find(name), .modes = FRACAS_MODE_CONTINUOUS};
    assert_non_null(d.what);
    fracas_context_options how = fracas_context_default_options();
    how.worker_count = workers;
    assert_int_equal(fracas_context_create(&how, &d.context), FRACAS_OK);
    fracas_published_scene_options room = fracas_published_scene_default_options();
    room.scene.modes = FRACAS_MODE_BOTH;
    room.broad = broad;
    assert_int_equal(fracas_published_scene_create(d.context, &room, &d.scene), FRACAS_OK);
    assert_int_equal(fracas_contacts_create(d.context, &d.contacts), FRACAS_OK);
    assert_int_equal(d.what->create(d.scene, options, &d.run), FRACAS_OK);
    return d;
}

static inline drive drive_start(const char* name, const scenes_options* options, uint32_t workers) {
    return drive_start_broad(name, options, workers, FRACAS_PUBLISHED_BROAD_TREE);
}

static inline void drive_end(drive* d) {
    d->what->destroy(d->run);
    fracas_contacts_destroy(d->contacts);
    fracas_scene_destroy(d->scene);
    fracas_context_destroy(d->context);
}

static inline const fracas_contact* drive_found(const drive* d, size_t* count) {
    return fracas_contacts_get_data(d->contacts, count);
}

/// Advance, step, update, detect.
static inline void drive_step(drive* d) {
    size_t count;
    const fracas_contact* found = drive_found(d, &count);
    assert_int_equal(fracas_scene_advance(d->scene), FRACAS_OK);
    assert_int_equal(d->what->step(d->run, found, count, &d->edits), FRACAS_OK);
    assert_int_equal(fracas_scene_update(d->scene), FRACAS_OK);
    fracas_query query = fracas_scene_default_query();
    query.modes = d->modes;
    query.siblings = d->siblings;
    fracas_sink sink = fracas_contacts_get_sink(d->contacts);
    assert_int_equal(fracas_scene_detect(d->scene, &query, &sink), FRACAS_OK);
}

static inline const double* drive_point(const scenes_state* state, uint32_t place) {
    return (const double*)state->mesh.points.data + 3 * (size_t)place;
}

static inline uint64_t drive_hash_state(uint64_t hash, const drive* d) {
    scenes_state state = d->what->state(d->run);
    for (uint32_t v = 0; v < state.mesh.points.count; v++)
        for (int k = 0; k < 3; k++) hash = bench_hash_double(hash, drive_point(&state, v)[k]);
    for (size_t i = 0; i < 3 * (size_t)state.mesh.triangle_count; i++)
        hash = bench_hash_word(hash, state.mesh.triangles[i]);
    for (uint32_t v = 0; state.vertex_parents && v < state.mesh.points.count; v++)
        hash = bench_hash_word(hash, (uint64_t)state.vertex_parents[v]);
    return hash;
}
