/// @file scene_driver.h  A built-in scene with its context, Fracas scene and contacts, run step by
/// step.
#pragma once
#include "cmocka_all.h"
#include "fracas/io.h"
#include "fracas/published.h"
#include "hash.h"
#include "scenes.h"

typedef struct scene_driver {
    const scenes_scene* what;
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;  ///< of the last step
    void* run;
    uint64_t edits;  ///< of the last step
    fracas_siblings siblings;
    uint32_t modes;
} scene_driver;

static inline scene_driver driver_start_broad(const char* name, const scenes_options* options,
                                              uint32_t workers, fracas_published_broad broad) {
    scene_driver d = {.what = scenes_find(name), .modes = FRACAS_MODE_CONTINUOUS};
    assert_non_null(d.what);
    fracas_context_options how = fracas_context_default_options();
    how.worker_count = workers;
    assert_int_equal(fracas_context_create(&how, &d.context), FRACAS_OK);
    fracas_published_scene_options scene_options = fracas_published_scene_default_options();
    scene_options.scene.modes = FRACAS_MODE_BOTH;
    scene_options.broad = broad;
    assert_int_equal(fracas_published_scene_create(d.context, &scene_options, &d.scene), FRACAS_OK);
    assert_int_equal(fracas_contacts_create(d.context, &d.contacts), FRACAS_OK);
    assert_int_equal(d.what->create(d.scene, options, &d.run), FRACAS_OK);
    return d;
}

static inline scene_driver driver_start(const char* name, const scenes_options* options,
                                        uint32_t workers) {
    return driver_start_broad(name, options, workers, FRACAS_PUBLISHED_BROAD_TREE);
}

static inline void driver_end(scene_driver* d) {
    d->what->destroy(d->run);
    fracas_contacts_destroy(d->contacts);
    fracas_scene_destroy(d->scene);
    fracas_context_destroy(d->context);
}

static inline const fracas_contact* driver_found(const scene_driver* d, size_t* count) {
    return fracas_contacts_get_data(d->contacts, count);
}

/// Advance, step, update, detect.
static inline void driver_step(scene_driver* d) {
    size_t count;
    const fracas_contact* found = driver_found(d, &count);
    assert_int_equal(fracas_scene_advance(d->scene), FRACAS_OK);
    assert_int_equal(d->what->step(d->run, found, count, &d->edits), FRACAS_OK);
    assert_int_equal(fracas_scene_update(d->scene), FRACAS_OK);
    fracas_query query = fracas_scene_default_query();
    query.modes = d->modes;
    query.siblings = d->siblings;
    fracas_sink sink = fracas_contacts_get_sink(d->contacts);
    assert_int_equal(fracas_scene_detect(d->scene, &query, &sink), FRACAS_OK);
}

static inline const double* driver_point(const scenes_state* state, uint32_t place) {
    return (const double*)state->mesh.points.data + 3 * (size_t)place;
}

static inline uint64_t driver_hash_state(uint64_t hash, const scene_driver* d) {
    scenes_state state = d->what->state(d->run);
    for (uint32_t v = 0; v < state.mesh.points.count; v++)
        for (int k = 0; k < 3; k++) hash = bench_hash_double(hash, driver_point(&state, v)[k]);
    for (size_t i = 0; i < 3 * (size_t)state.mesh.triangle_count; i++)
        hash = bench_hash_word(hash, state.mesh.triangles[i]);
    for (uint32_t v = 0; state.vertex_parents && v < state.mesh.points.count; v++)
        hash = bench_hash_word(hash, (uint64_t)state.vertex_parents[v]);
    return hash;
}
