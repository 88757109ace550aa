// The context: options, messages, memory, cancelling.
#include "base/context.h"
#include "base/parallel.h"
#include "cmocka_all.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void status_names(void** state) {
    (void)state;
    for (int i = FRACAS_OK; i <= FRACAS_ERROR_INTERNAL; i++)
        assert_true(strlen(fracas_status_get_name((fracas_status)i)) > 1);
    assert_string_equal(fracas_status_get_name(FRACAS_ERROR_BAD_DATA), "bad data");
    assert_non_null(fracas_status_get_name((fracas_status)99));
    assert_non_null(fracas_status_get_name((fracas_status)-1));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", FRACAS_VERSION_MAJOR, FRACAS_VERSION_MINOR,
             FRACAS_VERSION_PATCH);
    assert_string_equal(fracas_get_version(), version);
}

// ---- options

static void* some_allocate(size_t size, size_t alignment, void* user) {
    (void)user;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void some_release(void* memory, size_t size, void* user) {
    (void)size, (void)user;
    free(memory);
}
static void* some_enqueue(fracas_task_fn* task, void* data, void* user) {
    (void)user;
    task(data);
    return NULL;
}
static void some_finish(void* handle, void* user) { (void)handle, (void)user; }

static void refuse(const fracas_context_options* options) {
    fracas_context* context = (fracas_context*)1;
    assert_int_equal(fracas_context_create(options, &context), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_null(context);
}

static void options_are_checked(void** state) {
    (void)state;
    assert_int_equal(fracas_context_create(NULL, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    fracas_context_options options = {0};
    refuse(&options);  // not initialised
    options = fracas_context_default_options();
    options.allocator.allocate = some_allocate;
    refuse(&options);  // an incomplete allocator
    options.allocator.allocate = NULL;
    options.allocator.release = some_release;
    refuse(&options);
    options = fracas_context_default_options();
    options.tasks.enqueue = some_enqueue;
    refuse(&options);  // incomplete task hooks
    options.tasks.enqueue = NULL;
    options.tasks.finish = some_finish;
    refuse(&options);
    options = fracas_context_default_options();
    options.spin_ms = -1;
    refuse(&options);
    options.spin_ms = strtod("nan", NULL);
    refuse(&options);
}

static void null_is_allowed(void** state) {
    (void)state;
    fracas_context_destroy(NULL);
    fracas_context_cancel(NULL);
    fracas_context_resume(NULL);
    assert_int_equal(fracas_context_get_worker_count(NULL), 0);
    assert_int_equal(fracas_context_get_message(NULL, NULL, 0), 0);
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    assert_int_equal(fracas_context_get_worker_count(context), frc_core_count());
    fracas_context_destroy(context);
}

// ---- messages

typedef struct log {
    int calls;
    char last[2000];
} log;

static void record(fracas_log_level level, const char* message, void* user) {
    log* l = user;
    assert_int_equal(level, FRACAS_LOG_ERROR);
    l->calls++;
    snprintf(l->last, sizeof l->last, "%s", message);
}

static fracas_context* logging_context(log* l) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.log = record;
    options.log_user = l;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static void messages(void** state) {
    (void)state;
    log l = {0};
    fracas_context* context = logging_context(&l);
    char text[16];
    memset(text, '#', sizeof text);
    assert_int_equal(fracas_context_get_message(context, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(frc_fail(context, FRACAS_ERROR_FILE, "%s %d", "vertex", 12345),
                     FRACAS_ERROR_FILE);
    assert_int_equal(l.calls, 1);
    assert_string_equal(l.last, "vertex 12345");
    // Returns the whole length; writes as much as fits, always terminated.
    for (size_t capacity = 0; capacity < sizeof text; capacity++) {
        memset(text, '#', sizeof text);
        assert_int_equal(fracas_context_get_message(context, text, capacity), 12);
        size_t written = capacity == 0 ? 0 : capacity <= 12 ? capacity - 1 : 12;
        assert_memory_equal(text, "vertex 12345", written);
        if (capacity > 0) assert_int_equal(text[written], 0);
        assert_int_equal(text[capacity > 12 ? 13 : capacity], '#');
    }
    assert_int_equal(fracas_context_get_message(context, NULL, 100), 12);
    fracas_context_destroy(context);
}

static void long_messages_are_truncated(void** state) {
    (void)state;
    log l = {0};
    fracas_context* context = logging_context(&l);
    char large[5000], text[5000];
    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = 0;
    frc_fail(context, FRACAS_ERROR_FILE, "%s", large);
    size_t length = fracas_context_get_message(context, text, sizeof text);
    assert_int_equal(length, sizeof context->message - 1);
    assert_int_equal(strlen(text), length);
    assert_int_equal(frc_fail_memory(context, 77), FRACAS_ERROR_OUT_OF_MEMORY);
    fracas_context_get_message(context, text, sizeof text);
    assert_non_null(strstr(text, "77 bytes"));
    fracas_context_destroy(context);
}

static void* fail_often(void* argument) {
    fracas_context* context = argument;
    char text[100];
    for (int i = 0; i < 2000; i++) {
        frc_fail(context, FRACAS_ERROR_FILE, i % 2 ? "aaaaaaaaaaaaaaaaaaaaaaaa" : "b");
        size_t length = fracas_context_get_message(context, text, sizeof text);
        // A message is never a mixture of two.
        if (length != strlen(text) || (strcmp(text, "b") && strspn(text, "a") != 24))
            return context;
    }
    return NULL;
}

static void messages_from_several_threads(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fail_often, context), 0);
    for (int i = 0; i < 3; i++) {
        void* wrong = NULL;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    fracas_context_destroy(context);
}

// ---- memory

typedef struct memory {
    size_t live, blocks, calls, fail_at, misaligned;
} memory;

static void* count_allocate(size_t size, size_t alignment, void* user) {
    memory* m = user;
    if (++m->calls == m->fail_at) return NULL;
    void* block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    m->misaligned += (uintptr_t)block % 64 != 0;
    m->live += size;
    m->blocks++;
    return block;
}

static void count_release(void* block, size_t size, void* user) {
    memory* m = user;
    m->live -= size;
    m->blocks--;
    free(block);
}

static void all_memory_is_released(void** state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 5; workers++) {
        memory m = {0};
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = workers;
        options.allocator = (fracas_allocator){count_allocate, count_release, &m};
        fracas_context* context = NULL;
        fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
        for (m.fail_at = 1; status != FRACAS_OK; m.fail_at++) {
            m.calls = 0;
            assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
            assert_int_equal(m.live, 0);
            assert_null(context);
            assert_true(m.fail_at < 10);
            status = fracas_context_create(&options, &context);
        }
        m.fail_at = 0;
        void* block = frc_allocate_zero(context, 100);
        for (int i = 0; i < 100; i++) assert_int_equal(((char*)block)[i], 0);
        assert_null(frc_allocate(context, 0));
        frc_release(context, NULL, 5);
        frc_release(context, block, 100);
        fracas_context_destroy(context);
        assert_int_equal(m.live + m.blocks + m.misaligned, 0);
    }
}

static void huge_sizes_are_refused(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    assert_null(frc_allocate(context, SIZE_MAX));
    assert_null(frc_allocate(context, SIZE_MAX - 63));
    fracas_context_destroy(context);
}

// ---- cancelling

static bool refuse_progress(double fraction, void* user) {
    *(double*)user = fraction;
    return fraction < 0.5;
}

static void cancelling(void** state) {
    (void)state;
    double last_progress = -1;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.progress = refuse_progress;
    options.progress_user = &last_progress;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    assert_true(frc_progress(context, 0.25));
    assert_true(last_progress == 0.25);
    assert_false(frc_progress(context, 0.75));
    assert_false(frc_cancelled(context));
    fracas_context_cancel(context);
    assert_true(frc_cancelled(context));
    assert_false(frc_progress(context, 0.125));
    assert_true(last_progress == 0.75);  // a cancelled call does not ask again
    fracas_context_resume(context);
    assert_false(frc_cancelled(context));
    assert_true(frc_progress(context, 0.125));
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(null_is_allowed),
        cmocka_unit_test(messages),
        cmocka_unit_test(long_messages_are_truncated),
        cmocka_unit_test(messages_from_several_threads),
        cmocka_unit_test(all_memory_is_released),
        cmocka_unit_test(huge_sizes_are_refused),
        cmocka_unit_test(cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
