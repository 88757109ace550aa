/// @file crew.h  Work that makes more work: workers with nothing to do are given some of what
/// others have still to do.
///
/// Every worker keeps what it has to do to itself, in a stack of its own, so that taking and
/// putting costs nothing. But for a few tasks, the oldest, which lie on a shelf that all can reach:
/// as many as workers wait for, and some more. Workers look, now and then, at one number that says
/// whether the shelf wants filling. Who has run out takes from it. There is no lock, and with one
/// worker nothing but that look.
///
/// A task that cannot be divided into tasks, as its end depends on all of it, may have loops: calls
/// for help lie on the shelf then. A call that comes too late is passed over.
///
/// A task on the shelf goes to whoever is running. Handing it to one certain worker that waits
/// would save the search, but that worker may have lost its core to somebody else, and on a machine
/// that is fully used the largest tasks of all would wait with it.
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
    const atomic_uint_fast64_t* counts;  // upper half, signed: tasks that the shelf could do with
    uint32_t worker;                     // as in frc_range_fn
    double idle_ms;                      // how long it has waited
} frc_hand;

/// Do a task, all of it but what is given away.
typedef void frc_task_fn(frc_hand* hand, const frc_task* task, void* data);
/// Called by a worker that has done something, before it waits: what it has put off is done now.
typedef void frc_rest_fn(frc_hand* hand, void* data);

/// Does the shelf want a task?
static inline bool frc_is_wanted(const frc_hand* hand) {
    return (int64_t)atomic_load_explicit(hand->counts, memory_order_relaxed) > UINT32_MAX;
}

/// Put a task on the shelf. False: it is full, the task is still the caller's.
bool frc_give(frc_hand* hand, const frc_task* task);

/// A loop within a task, in ranges of one: who waits for tasks helps. The same as
/// `body(i, i + 1, worker, data)` for all i below `count`, in any order and at the same time. NULL
/// for a hand: nobody does. Not within `body` itself.
void frc_hand_for(frc_hand* hand, uint32_t count, frc_range_fn* body, void* data);

/// How many tasks of the list have been begun.
uint32_t frc_crew_taken(const frc_hand* hand);

/// What a crew does.
typedef struct frc_crew_work {
    const frc_task* tasks;
    uint32_t count;
    frc_task_fn* run;
    frc_rest_fn* rest;  ///< or NULL
    /// Or NULL. Called by workers as they leave, when nothing can come any more: whatever tasks
    /// have written may be read. By one perhaps twice; perhaps not by one who comes too late.
    frc_rest_fn* end;
    /// Or NULL. Called once, by the calling thread, before it joins in: others are at work already.
    /// Loops in it run alone.
    void (*aside)(void* data);
    void* data;
    void* aside_data;
} frc_crew_work;

/// Do all tasks and what they give away, on all workers; returns when all is done.
/// @return how long workers have waited, in milliseconds, summed up over them
double frc_crew_run(fracas_context* context, const frc_crew_work* work);
