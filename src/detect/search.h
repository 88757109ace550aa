/// @file search.h  A search, and the methods by which it can be run.
///
/// A method says how pairs are found and how their work is divided. frc_search_trees is the
/// default; src/published has others.
#pragma once
#include "bvh/bottom_up.h"
#include "detect/walk.h"

typedef struct frc_search_options {
    frc_search search;
    const fracas_query* query;
    double reach;           // pairs this far apart count
    const frc_tree* trees;  // boxes of the query's own, by block; NULL: those of the blocks
    const frc_lows* lows;   // which they are of
    double progress[2];     // what this search is of the whole query; both 0: all of it
} frc_search_options;

/// `out` NULL: only what there is of `statistics` is wanted.
fracas_status frc_search_run(const frc_world* world, const frc_search_options* options,
                             frc_contact_list* out, fracas_statistics* statistics);

/// The workers of a search that is about to run.
typedef struct frc_search_workers {
    const frc_world* world;
    frc_walk** walks;  // by worker, set up
    frc_pile** piles;  // what they find
    uint32_t count;
    const double* progress;  // two: what this search is of the whole query
    frc_work_list tasks;     // as frc_search_method.divide has found them
} frc_search_workers;

typedef struct frc_search_method {
    bool needs_trees;              // an update keeps trees; without them only lows of points
    frc_forest_cut_fn* refit_cut;  // how trees are divided when they are refitted
    /// The boxes of a block are new; NULL: nothing is done then.
    void (*refitted)(fracas_context* context, void* method_data, frc_block* block);
    /// Find the tasks. Called by the first worker while the others are set up. False: no memory.
    /// NULL: `run` does it.
    bool (*divide)(frc_walk* walk, frc_work_list* out);
    /// Find everything. A walk that has run out of memory or left work undone has that set.
    void (*run)(const frc_search_workers* workers, fracas_statistics* statistics);
    /// Release frc_world.method_data; NULL: there is none.
    void (*destroy)(fracas_context* context, void* method_data);
} frc_search_method;

/// Trees, with the work-sharing scheduler of base/task_pool.h.
extern const frc_search_method frc_search_trees;

/// Run tasks on all workers, which may publish parts of theirs for idle ones.
typedef void frc_search_task_fn(frc_walk* walk, const frc_work* task, void* data);
void frc_search_run_tasks(const frc_search_workers* workers, const frc_work_list* tasks,
                          frc_search_task_fn* run, void* data, fracas_statistics* statistics);
