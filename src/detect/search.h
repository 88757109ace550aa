/// @file search.h  One search over all workers, and the table of a method that finds pairs.
///
/// frc_search_trees is the default method; src/published has others.
#pragma once
#include "base/task_pool.h"
#include "block/bottom_up.h"
#include "detect/detect.h"

typedef struct frc_detect_worker frc_detect_worker;  // worker.h

typedef struct frc_search_options {
    frc_search_kind kind;
    const fracas_query* query;
    double distance;        // pairs count that are within it, apart from the thickness of bodies
    const frc_tree* trees;  // by block: boxes for this query only; NULL: the boxes of the blocks
    const frc_lows* lows;   // points that `trees` are fitted to; NULL: those of the world
    double progress[2];     // the interval of the query's progress that this search covers
    // By worker and frc_ccd_kind: candidates are kept here instead of being reported. NULL: not.
    frc_candidate_list (*kept)[2];
} frc_search_options;

/// Run one search: append its contacts to `out`, sorted, and add to `statistics`.
/// `out` NULL: statistics only.
fracas_status frc_search(const frc_world* world, const frc_search_options* options,
                         frc_contact_list* out, fracas_statistics* statistics);

/// One search as a whole query.
fracas_status frc_search_and_report(const frc_world* world, const frc_search_options* options,
                                    const fracas_sink* sink);

/// A part of a search. For trees: all pairs below two references in two blocks (the same block and
/// reference twice: the pairs within), or in the tree over blocks. Same size as a frc_task.
#define FRC_TOP FRACAS_NONE
typedef struct frc_work {
    uint32_t block_a, block_b;  // both FRC_TOP: the tree over blocks
    uint32_t ref_a, ref_b;
} frc_work;
typedef FRC_ARRAY(frc_work) frc_work_list;

/// The contacts that all workers may find together before the search stops (stream.c).
typedef struct frc_window {
    atomic_size_t found;
    size_t limit;
} frc_window;

/// A search that is running.
typedef struct frc_search_run {
    const frc_world* world;
    frc_detect_worker** workers;
    frc_contact_buffer** buffers;  // of the workers
    uint32_t worker_count;
    const double* progress;  // of frc_search_options
    frc_work_list tasks;     // the initial tasks; workers publish parts of them
    frc_task_pool* pool;     // runs the tasks; NULL before
    atomic_bool stopped;     // the progress callback has cancelled this query
    void* method_data;       // set by frc_search_method.divide
    frc_window* window;      // NULL: contacts are not limited
    fracas_status status;    // of frc_search_method.run: a failure that has a message
    // frc_search_method.run may append contacts in their order, instead of adding them to the
    // buffers of workers. NULL: contacts are only counted.
    frc_contact_list* out;
} frc_search_run;

typedef struct frc_search_method {
    bool needs_trees;              // an update refits trees; false: points only
    bool whole_steps;              // searches ignore `trees` and `lows` of frc_search_options
    frc_forest_cut_fn* refit_cut;  // how trees are divided for a parallel refit
    /// Called when the boxes of a block are refitted; NULL: not called.
    void (*refitted)(fracas_context* context, void* method_data, frc_block* block);
    /// The same for the tree over blocks. True: queries rebuild it where it has degraded, and
    /// updates do not.
    bool (*refitted_top)(fracas_context* context, void* method_data);

    /// Fill `tasks` on the calling thread. Without memory workers[0]->out_of_memory is set.
    void (*divide)(frc_search_run* run);
    /// Run one task on one worker: gather candidates and test full batches of them.
    void (*run_task)(frc_detect_worker* worker, const frc_work* task, void* method_data);
    /// Called when all tasks are done; NULL: not called.
    void (*finish)(frc_search_run* run);
    /// Replaces the three above: find all contacts with another scheduler. NULL: tasks run on the
    /// work-sharing scheduler of base/task_pool.h.
    void (*run)(frc_search_run* run, fracas_statistics* statistics);

    /// Release frc_world.method_data; NULL: there is none.
    void (*destroy)(fracas_context* context, void* method_data);

    // Positions are kept in memory of its own: an update computes nothing from points.
    bool keeps_positions;
    // Called by such an update: the method brings its copy of the scene up to date with what has
    // changed (frc_topology.changed_points and so on, bodies of the update that moved). False: no
    // memory; the next update calls it again.
    bool (*follow)(fracas_scene* scene);
    // Where they are newer than those of the scene: copy them to the scene; let the next step begin
    // with those at the end of this one. Fail with a message.
    fracas_status (*fetch)(void* method_data);
    fracas_status (*advance)(void* method_data);
} frc_search_method;

extern const frc_search_method frc_search_trees;

// ---- the steps of a search

/// Get workers. False: no memory; close it in any case.
bool frc_search_open(frc_search_run* run, const frc_world* world, const double* progress);
void frc_search_close(frc_search_run* run);
/// Clear the state and contacts of all workers.
void frc_search_begin_workers(frc_search_run* run, const frc_search_options* options);
/// Run `run->tasks` on all workers.
void frc_search_run_tasks(frc_search_run* run, fracas_statistics* statistics);
/// Add up the statistics of all workers; a failure of any worker fails the search. The narrow
/// phases of workers overlap in time: the mean counts.
void frc_search_gather(const frc_search_run* run, fracas_statistics* sum, bool* memory,
                       bool* cancelled);
