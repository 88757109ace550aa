/// @file edits.h  What the parts of `fracas bench edits` share: one scene on one thread, and its
/// clock.
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

/// One scene; `body` is the latest that was added.
typedef struct edits_setting {
    fracas_context* context;
    fracas_scene* scene;
    fracas_body body;
    bench_counter memory;
} edits_setting;

/// All end the program with a message when something fails: a benchmark cannot go on. A setting
/// must stay where it is.
void edits_need(fracas_status status, const edits_setting* s);
void edits_open(edits_setting* s, const fracas_published_scene_options* how);
void edits_add(edits_setting* s, const bench_mesh* mesh);
void edits_move(edits_setting* s, fracas_body body, const double* points, uint32_t count);
double edits_update(edits_setting* s);  ///< how long it took, as computed
void edits_close(edits_setting* s);

/// A sheet of about that many triangles, bent so that its boxes are no slabs.
bench_mesh edits_sheet(uint32_t triangles);

/// The parts: print a table, or a member of a JSON object.
void edits_rebuild(const edits_options* o);
void edits_tearing(const edits_options* o);
void edits_pulling_apart(const edits_options* o);
void edits_splits(const edits_options* o);
