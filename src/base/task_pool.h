/// @file task_pool.h  Work-sharing scheduler for tasks that create tasks.
///
/// The caller keeps the tasks of a worker in a private stack, without synchronisation. A few
/// tasks, the oldest and thus the largest ones, are published in shared slots: as many as there are
/// idle workers, and a reserve. Busy workers poll one counter that says whether a slot should be
/// filled; idle workers take tasks from the slots. There is no lock, and with one worker the poll
/// is the only cost.
///
/// A published task goes to any worker that is running. Sending it to one particular idle worker
/// would save scanning the slots, but the operating system may have preempted that worker, and on a
/// loaded machine the largest tasks would be delayed with it.
///
/// Based on: acar2013, private deques with tasks sent by their owners.
#pragma once
#include "base/parallel.h"

/// The caller decides what the words mean.
typedef struct frc_task {
    uint32_t word[4];
} frc_task;

/// One run over a list of tasks and the tasks that they publish. Only task_pool.c uses the fields
/// after `worker_count`.
typedef struct frc_task_pool {
    uint32_t worker_count;  // 1 without memory for slots
    fracas_context* context;
    const frc_task* tasks;
    uint32_t task_count;
    struct frc_task_slot* slots;  // two for each worker; NULL: single-threaded
    atomic_uint_fast64_t* full;   // one bit for each slot, in words of 64
    uint32_t slot_count;
    double* idle_ms;        // by worker
    double single_idle_ms;  // `idle_ms` of a single worker
    void* memory;           // of slots, bits and times
    size_t memory_size;
    _Alignas(64) atomic_uint_fast32_t next;  // first task of the list that is not started
    _Alignas(64) atomic_uint_fast64_t counts;
} frc_task_pool;

/// One worker of the run; used by one thread.
typedef struct frc_task_worker {
    frc_task_pool* pool;
    const atomic_uint_fast64_t* counts;  // upper half, signed: tasks that the slots lack
    uint32_t index;                      // `worker` of frc_range_fn
    double idle_ms;                      // time spent waiting
} frc_task_worker;

/// Prepare a run over `count` tasks, which must stay valid. Then run a loop over the items
/// [0, pool->worker_count) with frc_parallel_for; its body joins the run and repeats: frc_task_next
/// until it returns false, then frc_task_wait. Without memory there is one worker, the calling
/// thread.
void frc_task_pool_begin(frc_task_pool* pool, fracas_context* context, const frc_task* tasks,
                         uint32_t count);
/// After the loop: release the memory.
/// @return the time that workers have waited, in milliseconds, summed over workers
double frc_task_pool_end(frc_task_pool* pool);

/// `index` is the number of the worker in frc_range_fn. A worker whose range function is called
/// twice joins twice, one after the other.
frc_task_worker frc_task_pool_join(frc_task_pool* pool, uint32_t index);

/// A task from the list or from a slot; false when there is none at the moment.
bool frc_task_next(frc_task_worker* worker, frc_task* out);

/// Wait until another worker publishes a task. Call it when frc_task_next has returned false and
/// deferred work of own tasks is done. False: all tasks are done, everything that they have written
/// may be read, and this worker has left the run.
bool frc_task_wait(frc_task_worker* worker, frc_task* out);

/// How many tasks of the list have been started.
uint32_t frc_task_pool_started(const frc_task_worker* worker);

/// Do the slots lack a task?
static inline bool frc_task_wanted(const frc_task_worker* worker) {
    return (int64_t)atomic_load_explicit(worker->counts, memory_order_relaxed) > UINT32_MAX;
}

/// Put a task into a slot. False: all slots are full, the caller keeps the task.
bool frc_task_publish(frc_task_worker* worker, const frc_task* task);

// ---- the whole run as one call, when workers have nothing to do before they wait or leave

/// Do a task, except for the parts that are published.
typedef void frc_task_fn(frc_task_worker* worker, const frc_task* task, void* data);

typedef struct frc_task_pool_work {
    const frc_task* tasks;
    uint32_t count;
    frc_task_fn* run;
    void* data;
} frc_task_pool_work;

/// Run all tasks and the tasks that they publish, on all workers; returns when all are done.
/// @return the time that workers have waited, in milliseconds, summed over workers
double frc_task_pool_run(fracas_context* context, const frc_task_pool_work* work);
