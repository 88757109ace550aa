/// @file crew.h  Work that makes more work: workers with nothing to do are given some of what
/// others have still to do.
///
/// Every worker keeps what it has to do to itself, in a stack of its own, so that taking and
/// putting costs nothing. A worker that has run out opens its cell and waits; others look, now and
/// then, at one number that says how many wait, and put their oldest task into an open cell. There
/// is no lock, and with one worker nothing but that look.
///
/// Based on: acar2013, private deques with tasks sent by those who have them.
#pragma once
#include "base/parallel.h"

/// What the words mean is the caller's business.
typedef struct frc_task {
    uint32_t word[4];
} frc_task;

typedef struct frc_crew frc_crew;

/// A worker of a crew.
typedef struct frc_hand {
    frc_crew* crew;
    const atomic_uint_fast32_t* waiting;  // how many workers do
    uint32_t worker;                      // as in frc_range_fn
    double idle_ms;                       // how long it has waited
} frc_hand;

/// Do a task, all of it but what is given away.
typedef void frc_task_fn(frc_hand* hand, const frc_task* task, void* data);
/// Called by a worker before it waits, perhaps more than once: what it has put off is done now.
typedef void frc_rest_fn(frc_hand* hand, void* data);

/// Does somebody wait for work?
static inline bool frc_is_wanted(const frc_hand* hand) {
    return atomic_load_explicit(hand->waiting, memory_order_relaxed) > 0;
}

/// Hand a task over. False: nobody waits any more, the task is still the caller's.
bool frc_give(frc_hand* hand, const frc_task* task);

/// How many tasks of the list have been begun.
uint32_t frc_crew_taken(const frc_hand* hand);

/// Do all tasks and what they give away, on all workers; returns when all is done. `rest` may be
/// NULL. @return how long workers have waited, in milliseconds, summed up over them
double frc_crew_run(fracas_context* context, const frc_task* tasks, uint32_t count,
                    frc_task_fn* run, frc_rest_fn* rest, void* data);
