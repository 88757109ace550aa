/// @file run.h  Runs a built-in scene under one method, frame by frame, and times each frame.
#pragma once
#include "fastcd/methods.h"
#include "footprint.h"
#include "fracas/fracas.h"
#include "fracas/published.h"
#include "scenes.h"

typedef struct fastcd_frame {
    uint64_t edits;  ///< number of elements listed in edits
    uint32_t triangles;
    double ms_edit;                        ///< split, merge, move, pose and advance
    double ms_update, ms_cull, ms_detect;  ///< update; culling, part of it; the query
    double ms_refit, ms_restructure;       ///< parts of the update
    double ms_low, ms_high;                ///< phases of the query in the PCCD schedulers, else 0
    uint64_t requests, refusals, locks;    ///< of the PCCD schedulers
    uint64_t tasks, rebuilt;               ///< of them: low-level tasks; rebuilt subtrees
    double ms_traverse, ms_narrow, ms_sort, ms_idle;  ///< parts of the query
    uint64_t box_pairs, candidates, contacts, hash;
} fastcd_frame;

static inline double fastcd_ms(const fastcd_frame* frame) {
    return frame->ms_update + frame->ms_detect;
}

/// Memory of a run: the trees of the last frame; bytes allocated by the context, now and at most.
typedef struct fastcd_memory {
    bench_memory parts;
    size_t live, most;
} fastcd_memory;

/// One scene under one method.
typedef struct fastcd_run {
    const scenes_scene* what;
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;  ///< of the last frame
    void* scene_run;            ///< from what->create
    uint32_t mode;              ///< FRACAS_MODE_DISCRETE or FRACAS_MODE_CONTINUOUS
    fracas_published_filter filter;
    bool lazy;       ///< queries rebuild subtrees
    bool cpu_clock;  ///< times are CPU times of the calling thread; false: wall clock
    bench_counter memory;
} fastcd_run;

/// Threads of a run.
typedef struct fastcd_threads {
    uint32_t count;
    double spin_ms;  ///< see fracas_context_options
} fastcd_threads;

/// All functions exit with a message on failure. A run must not be copied or moved: the allocator
/// points into it.
void fastcd_begin(fastcd_run* run, const scenes_scene* what, const scenes_options* options,
                  const fastcd_method* method, uint32_t mode, fastcd_threads threads);
/// Run the next frame. The solver gets the contacts `found` by a reference run, so that all methods
/// see the same motion.
void fastcd_next(fastcd_run* run, const fracas_contact* found, size_t count, fastcd_frame* out);
fastcd_memory fastcd_memory_of(const fastcd_run* run);
void fastcd_end(fastcd_run* run);
