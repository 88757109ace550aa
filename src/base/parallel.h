/// @file parallel.h  One call for all parallel work; with one worker it is a plain loop.
#pragma once
#include "base/context.h"

/// Work on items [begin, end). `worker` is below frc_worker_count(): two ranges that run at the
/// same time have different workers, and number 0 is the thread that called.
typedef void frc_range_fn(uint32_t begin, uint32_t end, uint32_t worker, void* data);

/// Call `body` over [0, count) in ranges of `grain` items, on all workers; returns when all are
/// done. A worker starts with its own contiguous part of the ranges, in order, and then takes what
/// other workers have left. Which worker runs which range depends on timing, so results must depend
/// on item numbers only.
void frc_parallel_for(fracas_context* context, uint32_t count, uint32_t grain, frc_range_fn* body,
                      void* data);

/// Work will follow soon: wake sleeping threads, which then spin. Waking a thread takes as long as
/// thousands of tetrahedra.
void frc_wake(fracas_context* context);

uint32_t frc_worker_count(const fracas_context* context);
uint32_t frc_core_count(void);

/// Back-off in a loop that waits for another worker; `turn` counts the iterations. Pauses first,
/// then yields the core.
void frc_back_off(const fracas_context* context, uint32_t turn);

/// Tests set context->yield_seed to provoke rare interleavings: workers then pause or yield at
/// random wherever they synchronise. No result may change.
void frc_yield_at_random(fracas_context* context);
static inline void frc_test_yield(fracas_context* context) {
    if (atomic_load_explicit(&context->yield_seed, memory_order_relaxed))
        frc_yield_at_random(context);
}

fracas_status frc_pool_start(fracas_context* context);  // called once, by fracas_context_create
void frc_pool_stop(fracas_context* context);
