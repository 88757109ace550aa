/// @file story.h  A built-in scene under one method, frame by frame, and what each frame took.
#pragma once
#include "footprint.h"
#include "fracas/fracas.h"
#include "fracas/published.h"
#include "scenes.h"

/// How the work is done. Sound ones give the same contacts.
typedef struct fastcd_method {
    const char *name, *about;
    fracas_published_builder builder, rebuild;
    fracas_published_restructure restructure;
    fracas_published_metric metric;
    fracas_published_cull cull;
    fracas_published_scheduler scheduler;
    fracas_published_broad broad;
} fastcd_method;

extern const fastcd_method fastcd_methods[];
extern const uint32_t fastcd_method_count;

typedef struct fastcd_frame {
    uint64_t edits;  ///< elements that edits listed
    uint32_t triangles;
    double ms_edit;                        ///< calls that tell what moved and broke; advance
    double ms_update, ms_cull, ms_detect;  ///< update with culling in it; the query
    double ms_refit, ms_restructure;       ///< of the update
    double ms_low, ms_high;                ///< of the query, by schedulers that have such phases
    uint64_t requests, refusals, locks;
    double ms_traverse, ms_narrow, ms_sort, ms_idle;  ///< of the query
    uint64_t box_pairs, candidates, contacts, hash;
} fastcd_frame;

static inline double fastcd_ms(const fastcd_frame* frame) {
    return frame->ms_update + frame->ms_detect;
}

/// What a story holds: the latest frame's trees, and all bytes that its context has handed out.
typedef struct fastcd_memory {
    bench_memory parts;
    size_t live, most;
} fastcd_memory;

/// One method at work on one scene.
typedef struct fastcd_story {
    const scenes_scene* what;
    fracas_context* context;
    fracas_scene* scene;
    fracas_contacts* contacts;  ///< of the latest frame
    void* run;
    uint32_t mode;  ///< FRACAS_MODE_DISCRETE or FRACAS_MODE_CONTINUOUS
    bool lazy;      ///< queries rebuild subtrees
    bench_counter memory;
} fastcd_story;

/// The threads of a story.
typedef struct fastcd_threads {
    uint32_t count;
    double spin_ms;  ///< see fracas_context_options
} fastcd_threads;

/// All end the program with a message when something fails: a benchmark cannot go on. The story
/// must stay where it is.
void fastcd_begin(fastcd_story* story, const scenes_scene* what, const scenes_options* options,
                  const fastcd_method* method, uint32_t mode, fastcd_threads threads);
/// The next step, moved by contacts that were found elsewhere, so that all methods see the same.
void fastcd_next(fastcd_story* story, const fracas_contact* found, size_t count, fastcd_frame* out);
fastcd_memory fastcd_memory_of(const fastcd_story* story);
void fastcd_end(fastcd_story* story);
