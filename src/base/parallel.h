/// @file parallel.h  Parallel loops; with one worker frc_parallel_for is a plain loop.
#pragma once
#include "base/context.h"

/// Process items [begin, end). `worker` is below frc_worker_count(): two ranges that run at the
/// same time have different workers, and worker 0 is the calling thread.
typedef void frc_range_fn(uint32_t begin, uint32_t end, uint32_t worker, void* data);

/// Call `body` over [0, count) in ranges of `grain` items, on all workers; returns when all are
/// done. A worker processes its own contiguous part of the ranges in order, then ranges that other
/// workers have not started. The worker of a range depends on timing, so results must depend on
/// item numbers only.
void frc_parallel_for(fracas_context* context, uint32_t count, uint32_t grain, frc_range_fn* body,
                      void* data);

/// Wake sleeping threads, which then spin for the next loop. Call it when a loop will follow soon:
/// waking a thread takes as long as testing thousands of tetrahedra.
void frc_wake(fracas_context* context);

uint32_t frc_worker_count(const fracas_context* context);
uint32_t frc_core_count(void);

/// Back-off in a loop that waits for another worker; `turn` counts the iterations. The first calls
/// pause, later ones yield the core.
void frc_back_off(const fracas_context* context, uint32_t turn);

/// Tests set context->yield_seed to provoke rare interleavings: workers then pause or yield at
/// random where they synchronise. No result may change.
void frc_yield_at_random(fracas_context* context);
static inline void frc_test_yield(fracas_context* context) {
    if (atomic_load_explicit(&context->yield_seed, memory_order_relaxed))
        frc_yield_at_random(context);
}

fracas_status frc_pool_start(fracas_context* context);  // called once, by fracas_context_create
void frc_pool_stop(fracas_context* context);
