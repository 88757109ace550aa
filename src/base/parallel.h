/// @file parallel.h  One call for all parallel work; with one worker it is a plain loop.
#pragma once
#include "base/context.h"

/// Work on items [begin, end). `worker` is below frc_worker_count(): two ranges that run at the
/// same time have different workers, and number 0 is the thread that called.
typedef void frc_range_fn(uint32_t begin, uint32_t end, uint32_t worker, void* data);

/// Call `body` over [0, count) in ranges of `grain` items, on all workers; returns when all is
/// done. A worker begins with its own stretch of the ranges, in order, and goes on with what others
/// have left; which worker takes which is left to chance, so results must depend on item numbers
/// only.
void frc_parallel_for(fracas_context* context, uint32_t count, uint32_t grain, frc_range_fn* body,
                      void* data);

/// Work is about to come: threads that sleep are woken, and look for it for a while. To wake takes
/// as long as thousands of tetrahedra do.
void frc_rouse(fracas_context* context);

uint32_t frc_worker_count(const fracas_context* context);
uint32_t frc_core_count(void);

/// Called in a loop that waits for another worker, with the number of the turn: gives way, more and
/// more.
void frc_relax(const fracas_context* context, uint32_t turn);

/// A test may ask, by a number that is not 0 in context->jitter, that workers dawdle at random
/// where they meet: orders of events that otherwise are rare then come about. No result may change.
void frc_dawdle(fracas_context* context);
static inline void frc_jitter(fracas_context* context) {
    if (atomic_load_explicit(&context->jitter, memory_order_relaxed)) frc_dawdle(context);
}

fracas_status frc_pool_start(fracas_context* context);  // called once, by fracas_context_create
void frc_pool_stop(fracas_context* context);
