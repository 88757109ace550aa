/// @file api_model.h  A plain model of a scene: arrays and loops that do what scene.h documents, to
/// compare the real scene with.
///
/// The model shares no code with src/scene, src/bvh and src/detect. Its contacts come from loops
/// over all pairs of features that call the exact tests of src/geom, so errors in these are not
/// detected. Of two edges (or free points) the one with the smaller body and vertex number is the
/// first argument of the exact test: times and parameters are compared bit for bit.
#pragma once
#include "fracas/scene.h"

enum {
    MODEL_BODIES = 24,
    MODEL_VERTICES = 200,
    MODEL_TRIANGLES = 160,
    MODEL_FREE = 32,
    MODEL_TRACES = 4096
};

typedef struct model_vertex {
    bool there;
    uint32_t family;    // 0: no siblings
    uint32_t together;  // the same, for siblings that were together at every advance so far
    double at[2][3], rest[3];
} model_vertex;

typedef struct model_triangle {
    bool there;
    uint32_t corner[3];
} model_triangle;

typedef struct model_body {
    bool there;
    fracas_body handle;
    fracas_body_options options;
    fracas_pose pose[2];
    uint32_t vertex_count, triangle_count, edge_count, point_count;
    model_vertex vertices[MODEL_VERTICES];
    model_triangle triangles[MODEL_TRIANGLES];
    uint32_t edges[MODEL_FREE][2];  // smaller number first, no duplicates
    uint32_t points[MODEL_FREE];    // no duplicates
} model_body;

/// The current element of one that existed at the last advance.
typedef struct model_trace {
    fracas_element old;
    uint32_t body, index;  // in the model; body MODEL_BODIES: removed
} model_trace;

typedef struct model {
    model_body bodies[MODEL_BODIES];
    uint32_t family_count, together_count;
    model_trace traces[MODEL_TRACES];
    uint32_t trace_count;
} model;

/// Abort with a message unless `holds`.
#define MODEL_REQUIRE(holds, ...)                                                                  \
    ((holds) ? (void)0 : model_fail(__FILE__, __LINE__, #holds, __VA_ARGS__))
_Noreturn void model_fail(const char* file, int line, const char* what, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

model* model_create(void);
void model_destroy(model* m);

// ---- edits, as documented in scene.h. A place is an index into `bodies`.

uint32_t model_free_place(const model* m);  // MODEL_BODIES: none is free
uint32_t model_body_count(const model* m);
void model_add(model* m, uint32_t place, const fracas_mesh_view* mesh,
               const fracas_body_options* options, fracas_body handle);
void model_remove(model* m, uint32_t place);
void model_move(model* m, uint32_t place, const double (*points)[3]);
void model_pose(model* m, uint32_t place, const fracas_pose* t0, const fracas_pose* t1);
void model_advance(model* m);

/// False: the split is invalid, and nothing is changed. Parts go to `places`; the caller sets their
/// handles.
bool model_split(model* m, uint32_t place, const fracas_split* split, const uint32_t* places);
void model_merge(model* m, const uint32_t* places, uint32_t count, const fracas_merge* merge);

/// Record all current elements, for traces.
void model_remember(model* m);

// ---- contacts by all pairs (api_brute.c)

typedef struct model_contacts {
    fracas_contact* data;
    size_t count, capacity;
    uint64_t left_out;
} model_contacts;

/// `boxes`: skip pairs whose exact boxes are disjoint; the same result, faster.
void model_detect(const model* m, const fracas_query* query, bool boxes, model_contacts* out);
void model_nearby(const model* m, double distance, bool boxes, model_contacts* out);
void model_contacts_release(model_contacts* contacts);

// ---- comparing the scene with the model (api_check.c)

void model_check_bodies(const model* m, const fracas_scene* scene);
void model_check_traces(const model* m, const fracas_scene* scene);
/// The internal data of an updated scene: every feature is in one slot, boxes are tight, blocks are
/// valid.
void model_check_blocks(const fracas_scene* scene);
/// Detect with the scene and with the model, and compare all fields bit for bit. Returns the number
/// of contacts.
size_t model_check_query(const model* m, const fracas_scene* scene, const fracas_query* query,
                         bool boxes);
size_t model_check_nearby(const model* m, const fracas_scene* scene, double distance, bool boxes);
void model_check_max_step(const fracas_scene* scene, const fracas_query* query);
void model_require_same(const fracas_contact* a, size_t a_count, const fracas_contact* b,
                        size_t b_count, const char* what);

// ---- random edits and queries (api_random.c)

/// Source of choices: bytes (of a fuzzer), or a random number generator when `bytes` is NULL.
typedef struct model_source {
    const uint8_t* bytes;
    size_t size, at;
    uint64_t state;
} model_source;

uint32_t model_pick(model_source* source, uint32_t below);
bool model_source_empty(const model_source* source);

/// A random mesh on a small grid; `arrays` owns its data.
typedef struct model_mesh {
    double points[MODEL_VERTICES][3];
    uint32_t triangles[MODEL_TRIANGLES][3];
    uint32_t edges[MODEL_FREE][2];
    uint32_t vertices[MODEL_FREE];
} model_mesh;
fracas_mesh_view model_random_mesh(model_source* source, uint32_t triangles, double scale,
                                   model_mesh* arrays);
fracas_pose model_random_pose(model_source* source, double scale);

typedef struct model_counts {
    uint64_t steps, edits, refused, queries, contacts;
} model_counts;

/// Scenes that another library creates.
typedef struct model_maker {
    void* (*open)(fracas_context* context);
    fracas_status (*create)(void* opened, fracas_scene** out);
    void (*close)(void* opened);
} model_maker;
void model_run_made(model_source* source, uint32_t workers, uint32_t steps,
                    const model_maker* maker, model_counts* counts);

/// Create a scene, run `steps` random steps, check after each, and destroy it.
void model_run(model_source* source, uint32_t workers, uint32_t steps, model_counts* counts);
