/// @file context.c  Contexts: creation, memory from the user's allocator, messages, cancelling.
#include "base/context.h"
#include "base/parallel.h"
#include "base/simd.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };  // a cache line: the strictest alignment in the library

static void* default_allocate(size_t size, size_t alignment, void* user) {
    (void)user;
    // aligned_alloc requires a multiple of the alignment.
    if (size > SIZE_MAX - alignment) return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void default_release(void* memory, size_t size, void* user) {
    (void)size, (void)user;
    free(memory);
}

const char* fracas_get_version(void) { return "0.1.0"; }

const char* fracas_status_get_name(fracas_status status) {
    static const char* const names[] = {"ok",           "invalid argument", "bad data",
                                        "stale handle", "out of memory",    "file error",
                                        "unsupported",  "cancelled",        "internal error"};
    size_t index = (size_t)status;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown status";
}

// Longer than the time between two parallel loops of one frame.
static const double SPIN_MS = 0.2;

fracas_context_options fracas_context_default_options(void) {
    return (fracas_context_options){.struct_size = sizeof(fracas_context_options)};
}

fracas_status fracas_context_create(const fracas_context_options* given, fracas_context** out) {
    if (!out) return FRACAS_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if (!cpu_is_supported()) return FRACAS_ERROR_UNSUPPORTED;
    fracas_context_options options = given ? *given : fracas_context_default_options();
    // Callbacks come in pairs.
    if (options.struct_size != sizeof options ||
        !options.allocator.allocate != !options.allocator.release ||
        !options.tasks.enqueue != !options.tasks.finish || !(options.spin_ms >= 0))
        return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!options.allocator.allocate) {
        options.allocator.allocate = default_allocate;
        options.allocator.release = default_release;
    }
    if (options.worker_count == 0) options.worker_count = frc_core_count();
    if (options.spin_ms == 0) options.spin_ms = SPIN_MS;
    fracas_context* context =
        options.allocator.allocate(sizeof *context, ALIGNMENT, options.allocator.user);
    if (!context) return FRACAS_ERROR_OUT_OF_MEMORY;
    memset(context, 0, sizeof *context);
    context->options = options;
    context->oversubscribed = options.worker_count > frc_core_count();
    atomic_init(&context->yield_count, 0);
    atomic_init(&context->tasks_busy, false);
    atomic_init(&context->cancelled, false);
    atomic_flag_clear(&context->message_lock);
    fracas_status status = frc_pool_start(context);
    if (status != FRACAS_OK) {
        frc_release(context, context, sizeof *context);
        return status;
    }
    *out = context;
    return FRACAS_OK;
}

void fracas_context_destroy(fracas_context* context) {
    if (!context) return;
    frc_pool_stop(context);
    fracas_allocator allocator = context->options.allocator;
    allocator.release(context, sizeof *context, allocator.user);
}

uint32_t fracas_context_get_worker_count(const fracas_context* context) {
    return context ? context->options.worker_count : 0;
}

void* frc_allocate(fracas_context* context, size_t size) {
    if (size == 0) return NULL;
    const fracas_allocator* allocator = &context->options.allocator;
    return allocator->allocate(size, ALIGNMENT, allocator->user);
}

void* frc_allocate_zero(fracas_context* context, size_t size) {
    void* memory = frc_allocate(context, size);
    if (memory) memset(memory, 0, size);
    return memory;
}

void frc_release(fracas_context* context, void* memory, size_t size) {
    if (!memory) return;
    const fracas_allocator* allocator = &context->options.allocator;
    allocator->release(memory, size, allocator->user);
}

// ---- messages: a spin lock protects the text, which any thread may read and write

static void lock_message(fracas_context* context) {
    while (atomic_flag_test_and_set_explicit(&context->message_lock, memory_order_acquire)) {}
}

static void unlock_message(fracas_context* context) {
    atomic_flag_clear_explicit(&context->message_lock, memory_order_release);
}

fracas_status frc_fail(fracas_context* context, fracas_status status, const char* format, ...) {
    char text[sizeof context->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lock_message(context);
    memcpy(context->message, text, sizeof text);
    unlock_message(context);
    if (context->options.log)
        context->options.log(FRACAS_LOG_ERROR, text, context->options.log_user);
    return status;
}

fracas_status frc_fail_null(fracas_context* context, const char* function, const char* argument) {
    return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "%s: %s is NULL", function, argument);
}

fracas_status frc_fail_memory(fracas_context* context, size_t size) {
    return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY,
                    "out of memory: %zu bytes could not be allocated; nothing was changed", size);
}

size_t fracas_context_get_message(const fracas_context* context, char* buffer, size_t capacity) {
    if (!context) return 0;
    // Only the lock is written here, not the message.
    fracas_context* writable = (fracas_context*)(uintptr_t)context;
    lock_message(writable);
    size_t length = strlen(context->message);
    if (buffer && capacity > 0) {
        size_t copied = length < capacity - 1 ? length : capacity - 1;
        memcpy(buffer, context->message, copied);
        buffer[copied] = 0;
    }
    unlock_message(writable);
    return length;
}

// ---- cancelling. Relaxed, and safe in signal handlers: the flag guards no other data.

void fracas_context_cancel(fracas_context* context) {
    if (context) atomic_store_explicit(&context->cancelled, true, memory_order_relaxed);
}

void fracas_context_resume(fracas_context* context) {
    if (context) atomic_store_explicit(&context->cancelled, false, memory_order_relaxed);
}

bool frc_cancelled(const fracas_context* context) {
    return atomic_load_explicit(&context->cancelled, memory_order_relaxed);
}

bool frc_progress(fracas_context* context, double fraction) {
    if (frc_cancelled(context)) return false;
    const fracas_context_options* options = &context->options;
    return !options->progress || options->progress(fraction, options->progress_user);
}
