/// @file context.h  The context: memory, failure messages, cancelling and progress. All objects
/// refer to one.
#pragma once
#include "fracas/base.h"
#include <stdatomic.h>

typedef struct frc_pool frc_pool;

struct fracas_context {
    fracas_context_options options;   // allocator and spin time filled in, worker_count at least 1
    frc_pool* pool;                   // the thread pool; NULL with one worker or with task hooks
    bool oversubscribed;              // more workers than cores
    atomic_uint_fast64_t yield_seed;  // for tests, see frc_test_yield; 0: off
    atomic_uint_fast64_t yield_count;
    atomic_bool tasks_busy;  // a loop runs on tasks of the application
    atomic_bool cancelled;
    atomic_flag message_lock;  // a spin lock, held while one message is copied
    char message[1024];
};

/// `size` bytes aligned to 64. NULL: no memory, and no message is set (frc_fail_memory does it), or
/// size 0.
void* frc_allocate(fracas_context* context, size_t size);
void* frc_allocate_zero(fracas_context* context, size_t size);
void frc_release(fracas_context* context, void* memory, size_t size);  // NULL is allowed

/// Set the context's message, call the log function, and return `status`: `return frc_fail(context,
/// FRACAS_..., "...")`.
fracas_status frc_fail(fracas_context* context, fracas_status status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The failure of a public function with a NULL argument that must not be NULL.
fracas_status frc_fail_null(fracas_context* context, const char* function, const char* argument);

/// The failure of an allocation of `size` bytes.
fracas_status frc_fail_memory(fracas_context* context, size_t size);

bool frc_cancelled(const fracas_context* context);

/// Report progress from the calling thread; false when the call should stop.
bool frc_progress(fracas_context* context, double fraction);
