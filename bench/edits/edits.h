/// @file edits.h  Shared by the parts of `fracas bench edits`: options, one scene on one thread,
/// and its timing.
#pragma once
#include "footprint.h"
#include "fracas/fracas.h"
#include "fracas/published.h"
#include "generate.h"

typedef struct edits_options {
    bool json, full;
    const char* only;
    uint32_t triangles, frames, rounds;
} edits_options;

/// One scene; `body` is the last one added.
typedef struct edits_fixture {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
    bench_counter memory;
} edits_fixture;

/// All functions exit with a message on failure. A fixture must not be copied or moved: the
/// allocator points into it.
void edits_need(fracas_status status, const edits_fixture* s);
void edits_open(edits_fixture* s, const fracas_published_scene_options* how);
void edits_add(edits_fixture* s, const bench_mesh* mesh);
void edits_move(edits_fixture* s, fracas_body body, const double* points, uint32_t count);
double edits_update(edits_fixture* s);  ///< CPU time in ms
void edits_close(edits_fixture* s);

/// A sheet of about that many triangles, crumpled so that boxes have volume.
bench_mesh edits_sheet(uint32_t triangles);

/// The parts of the benchmark: each prints a table or a member of a JSON object.
void edits_rebuild(const edits_options* o);
void edits_tearing(const edits_options* o);
void edits_pulling_apart(const edits_options* o);
void edits_splits(const edits_options* o);
