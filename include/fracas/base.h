/// @file base.h  Status, version and context; every other header includes it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define FRACAS_EXTERN_C extern "C"
#else
#define FRACAS_EXTERN_C
#endif
#if defined(__GNUC__)
#define FRACAS_API FRACAS_EXTERN_C __attribute__((visibility("default")))
#else
#define FRACAS_API FRACAS_EXTERN_C
#endif

#define FRACAS_VERSION_MAJOR 0
#define FRACAS_VERSION_MINOR 1
#define FRACAS_VERSION_PATCH 0

/// Every function that can fail returns one of these. Finding no contact is success.
typedef enum fracas_status {
    FRACAS_OK = 0,
    /// Misuse: a NULL pointer, options without their size, a call out of order.
    FRACAS_ERROR_INVALID_ARGUMENT = 1,
    /// A number that is not finite, an index out of range, a malformed file.
    FRACAS_ERROR_BAD_DATA = 2,
    /// The body has been removed.
    FRACAS_ERROR_STALE_HANDLE = 3,
    /// An allocation failed. Every object is as it was before the call.
    FRACAS_ERROR_OUT_OF_MEMORY = 4,
    /// A file could not be opened, read or written.
    FRACAS_ERROR_FILE = 5,
    /// Not part of this build, or not possible on this CPU.
    FRACAS_ERROR_UNSUPPORTED = 6,
    /// Stopped by the progress callback or by fracas_context_cancel.
    FRACAS_ERROR_CANCELLED = 7,
    /// A bug in Fracas.
    FRACAS_ERROR_INTERNAL = 8
} fracas_status;

/// For example "bad data"; never NULL.
FRACAS_API const char* fracas_status_get_name(fracas_status status);
/// For example "0.1.0".
FRACAS_API const char* fracas_get_version(void);

/// Memory functions of the application. With several workers all of their
/// threads may call both concurrently.
typedef struct fracas_allocator {
    /// Returns NULL if there is no memory.
    void* (*allocate)(size_t size, size_t alignment, void* user);
    /// `size` is the size that was allocated.
    void (*release)(void* memory, size_t size, void* user);
    void* user;
} fracas_allocator;

typedef void fracas_task_fn(void* task_data);

/// The scheduler of the application.
typedef struct fracas_task_hooks {
    /// Runs `task(task_data)` now or later, on any thread. Returns a handle, or NULL when the task
    /// has run already.
    void* (*enqueue)(fracas_task_fn* task, void* task_data, void* user);
    /// Returns after the task of `handle` has run.
    void (*finish)(void* handle, void* user);
    void* user;
} fracas_task_hooks;

typedef enum fracas_log_level {
    FRACAS_LOG_ERROR = 0,
    FRACAS_LOG_WARNING = 1,
    FRACAS_LOG_INFO = 2
} fracas_log_level;
typedef void fracas_log_fn(fracas_log_level level, const char* message, void* user);

/// Called on the calling thread during a long call. `fraction` is the completed part, from 0 to 1,
/// and never decreases within one call. Return false to cancel the call.
typedef bool fracas_progress_fn(double fraction, void* user);

/// Start from fracas_context_default_options(); a NULL pointer means exactly that.
typedef struct fracas_context_options {
    /// Filled in by fracas_context_default_options; detects uninitialised options.
    uint32_t struct_size;
    /// Threads that work on one call, including the calling thread. 0: one per core.
    uint32_t worker_count;
    /// All NULL: malloc and free.
    fracas_allocator allocator;
    /// All NULL: a thread pool of the context.
    fracas_task_hooks tasks;
    /// May be NULL.
    fracas_log_fn* log;
    void* log_user;
    /// May be NULL.
    fracas_progress_fn* progress;
    void* progress_user;
    /// How long an idle thread of the pool spins before it sleeps, in milliseconds. 0: 0.2. Waking
    /// a thread takes time and its caches are cold: a simulation loop is faster when threads spin
    /// from one call to the next (INFINITY: always), at the price of busy cores. Ignored when there
    /// are more workers than cores.
    double spin_ms;
} fracas_context_options;

typedef struct fracas_context fracas_context;

FRACAS_API fracas_context_options fracas_context_default_options(void);

/// The context must outlive every object that is created with it. On any error `*out` is NULL.
/// @return FRACAS_ERROR_UNSUPPORTED when the CPU lacks instructions that the library was built for
/// (on x86_64 SSE4.2 and POPCNT, or AVX2; a build with -DFRACAS_SIMD=sse2 runs on every CPU).
FRACAS_API fracas_status fracas_context_create(const fracas_context_options* options,
                                               fracas_context** out);
/// NULL is allowed.
FRACAS_API void fracas_context_destroy(fracas_context* context);

/// Copy the message of the last failed call on this context: the error, its place, and how to
/// correct it. Empty before the first failure. At most `capacity` bytes are written, always with a
/// terminator; `buffer` may be NULL. Returns the length of the whole message without the
/// terminator; 0 for a NULL context. Any thread may call it.
FRACAS_API size_t fracas_context_get_message(const fracas_context* context, char* buffer,
                                             size_t capacity);

/// Stop all calls on this context, running and later ones, with FRACAS_ERROR_CANCELLED until
/// fracas_context_resume. Any thread and any signal handler may call it.
FRACAS_API void fracas_context_cancel(fracas_context* context);
FRACAS_API void fracas_context_resume(fracas_context* context);
/// 0 for a NULL context.
FRACAS_API uint32_t fracas_context_get_worker_count(const fracas_context* context);
