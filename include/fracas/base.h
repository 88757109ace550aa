/// @file base.h  What every part of Fracas needs: status, version, and the context that everything
/// hangs on.
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

/// Whatever can fail returns one of these. Finding no contact is success.
typedef enum fracas_status {
    FRACAS_OK = 0,
    FRACAS_ERROR_INVALID_ARGUMENT =
        1,  ///< misuse: a NULL pointer, options without their size, a call out of order
    FRACAS_ERROR_BAD_DATA =
        2,  ///< a number that is not finite, an index out of range, a malformed file
    FRACAS_ERROR_STALE_HANDLE = 3,  ///< the body is gone
    FRACAS_ERROR_OUT_OF_MEMORY =
        4,                  ///< an allocation failed; every object is as it was before the call
    FRACAS_ERROR_FILE = 5,  ///< a file could not be opened, read or written
    FRACAS_ERROR_UNSUPPORTED = 6,  ///< known, but not built (yet), or not for this processor
    FRACAS_ERROR_CANCELLED = 7,    ///< the progress callback or fracas_context_cancel asked to stop
    FRACAS_ERROR_INTERNAL = 8      ///< a fault of Fracas itself
} fracas_status;

FRACAS_API const char*
fracas_status_get_name(fracas_status status);     ///< e.g. "bad data"; never NULL
FRACAS_API const char* fracas_get_version(void);  ///< e.g. "0.1.0"

/// Memory comes from here. `size` is given back to `release`, so a simple allocator needs no
/// headers. With several workers both are called from any of their threads, at the same time too.
typedef struct fracas_allocator {
    void* (*allocate)(size_t size, size_t alignment, void* user);  ///< NULL when there is no memory
    void (*release)(void* memory, size_t size, void* user);
    void* user;
} fracas_allocator;

/// An application's own scheduler. `enqueue` runs `task(task_data)` at some time, on any thread,
/// and returns a handle, or NULL when it has run the task before returning; `finish` returns when
/// it is done.
typedef void fracas_task_fn(void* task_data);
typedef struct fracas_task_hooks {
    void* (*enqueue)(fracas_task_fn* task, void* task_data, void* user);
    void (*finish)(void* handle, void* user);
    void* user;
} fracas_task_hooks;

typedef enum fracas_log_level {
    FRACAS_LOG_ERROR = 0,
    FRACAS_LOG_WARNING = 1,
    FRACAS_LOG_INFO = 2
} fracas_log_level;
typedef void fracas_log_fn(fracas_log_level level, const char* message, void* user);

/// Told now and then, from the calling thread, how much of a long call is done (0 to 1, never
/// falling within one call); false cancels the call.
typedef bool fracas_progress_fn(double fraction, void* user);

/// Start from fracas_context_default_options(); a NULL pointer means exactly that.
typedef struct fracas_context_options {
    uint32_t struct_size;   ///< filled in for you; catches uninitialised options
    uint32_t worker_count;  ///< threads that work on one call, the caller included; 0: one per core
    fracas_allocator allocator;  ///< all NULL: malloc
    fracas_task_hooks tasks;     ///< all NULL: a small thread pool of our own
    fracas_log_fn* log;          ///< may be NULL
    void* log_user;
    fracas_progress_fn* progress;  ///< may be NULL
    void* progress_user;
    /// How long an idle thread of the pool spins before it sleeps, in milliseconds; 0: 0.2. A
    /// sleeping core wakes up late and with cold caches: a simulation loop gains when threads spin
    /// from one call to the next (INFINITY: always). A spinning thread keeps its core busy. Ignored
    /// where there are more workers than cores.
    double spin_ms;
} fracas_context_options;

typedef struct fracas_context fracas_context;

FRACAS_API fracas_context_options fracas_context_default_options(void);

/// The context outlives everything made with it. On any error `*out` is NULL.
/// FRACAS_ERROR_UNSUPPORTED: this processor has not the instructions that the library was built for
/// (on x86_64 SSE4.2 and POPCNT, or AVX2; a build with -DFRACAS_SIMD=sse2 runs on every one).
FRACAS_API fracas_status fracas_context_create(const fracas_context_options* options,
                                               fracas_context** out);
FRACAS_API void fracas_context_destroy(fracas_context* context);  ///< NULL is allowed

/// Copy the text of the latest failure of a call on this context: what, where, and how to mend it.
/// Empty before the first failure. Writes at most `capacity` bytes, always terminated; returns the
/// whole length without the terminator. Any thread may call it.
FRACAS_API size_t fracas_context_get_message(const fracas_context* context, char* buffer,
                                             size_t capacity);

/// Ask the calls that now run on this context to stop with FRACAS_ERROR_CANCELLED, from any thread
/// (or a signal handler). It stays asked for until fracas_context_resume.
FRACAS_API void fracas_context_cancel(fracas_context* context);
FRACAS_API void fracas_context_resume(fracas_context* context);
FRACAS_API uint32_t fracas_context_get_worker_count(const fracas_context* context);
