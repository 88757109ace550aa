/// @file task_pool.h  Tasks that create tasks: idle workers take tasks that busy workers publish.
///
/// Work sharing. A worker keeps its tasks in a private stack, so push and pop are free of
/// synchronisation. A few tasks, the oldest and thus the largest, lie in shared slots: as many as
/// there are idle workers, and a reserve. Busy workers poll one counter that says whether a slot
/// should be filled; idle workers take from the slots. There is no lock, and with one worker no
/// cost but that poll.
///
/// A published task goes to whichever worker is running. Sending it to one particular idle worker
/// would save the search, but the operating system may have preempted that worker, and on a loaded
/// machine the largest tasks would wait with it.
///
/// Based on: acar2013, private deques with tasks sent by their owners.
#pragma once
#include "base/parallel.h"

/// The caller decides what the words mean.
typedef struct frc_task {
    uint32_t word[4];
} frc_task;

typedef struct frc_task_pool frc_task_pool;

typedef struct frc_task_worker {
    frc_task_pool* pool;
    const atomic_uint_fast64_t* counts;  // upper half, signed: tasks that the slots lack
    uint32_t index;                      // `worker` of frc_range_fn
    double idle_ms;                      // time spent waiting
} frc_task_worker;

/// Do a task, except for the parts that are published.
typedef void frc_task_fn(frc_task_worker* worker, const frc_task* task, void* data);
typedef void frc_task_worker_fn(frc_task_worker* worker, void* data);

/// Do the slots lack a task?
static inline bool frc_task_wanted(const frc_task_worker* worker) {
    return (int64_t)atomic_load_explicit(worker->counts, memory_order_relaxed) > UINT32_MAX;
}

/// Put a task into a slot. False: all slots are full, the caller keeps the task.
bool frc_task_publish(frc_task_worker* worker, const frc_task* task);

/// How many tasks of the list have been started.
uint32_t frc_task_pool_started(const frc_task_worker* worker);

typedef struct frc_task_pool_work {
    const frc_task* tasks;
    uint32_t count;
    frc_task_fn* run;
    /// Or NULL. Called by a worker that has run a task, before it waits: flush what is deferred.
    frc_task_worker_fn* before_wait;
    /// Or NULL. Called by workers as they leave, when all tasks are done: everything that tasks
    /// have written may be read. A worker may call it twice; one that starts too late does not.
    frc_task_worker_fn* before_exit;
    void* data;
} frc_task_pool_work;

/// Run all tasks and those that they publish, on all workers; returns when all are done.
/// @return the time that workers have waited, in milliseconds, summed over workers
double frc_task_pool_run(fracas_context* context, const frc_task_pool_work* work);
