/// @file context_kit.h  A context for tests, its progress, and calls that must succeed or be
/// refused.
#pragma once
#include "cmocka_all.h"
#include "fracas/scene.h"
#include "scene/test_allocator.h"

/// `memory` counts the allocations; may be NULL.
static inline fracas_context* kit_context(uint32_t workers, test_allocator* memory) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    if (memory)
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, memory};
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

/// Progress must grow from 0 to 1. The call of a number cancels; 0: none.
typedef struct kit_progress {
    double last;
    uint32_t calls, cancel_at;
} kit_progress;

static inline bool kit_report(double fraction, void* user) {
    kit_progress* p = user;
    assert_true(fraction >= p->last && fraction <= 1);
    p->last = fraction;
    return ++p->calls != p->cancel_at;
}

static inline fracas_context* kit_progress_context(uint32_t workers, kit_progress* progress) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.progress = kit_report;
    options.progress_user = progress;
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static inline const char* kit_message(fracas_context* context) {
    static char message[400];
    fracas_context_get_message(context, message, sizeof message);
    return message;
}

#define KIT_OK(context, call)                                                                      \
    do {                                                                                           \
        const fracas_status kit_status = (call);                                                   \
        if (kit_status != FRACAS_OK) fail_msg("%s: %s", #call, kit_message(context));              \
    } while (0)

/// The call fails with the status, and the message contains the words.
#define KIT_REFUSED(context, call, status, words)                                                  \
    do {                                                                                           \
        assert_int_equal((call), status);                                                          \
        if (!strstr(kit_message(context), words))                                                  \
            fail_msg("no '%s' in '%s'", words, kit_message(context));                              \
    } while (0)
