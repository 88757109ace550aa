/// @file mesh_context.h  A context for tests of meshes, and its latest message.
#pragma once
#include "cmocka_all.h"
#include "fracas/mesh.h"
#include <string.h>

static inline fracas_context* mesh_context(void) {
    static fracas_context* context = NULL;  // lives as long as the test program
    if (!context) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    }
    return context;
}

static inline void mesh_expect_message(const char* part) {
    char message[1200];
    fracas_context_get_message(mesh_context(), message, sizeof message);
    if (!strstr(message, part)) fail_msg("'%s' is not in: %s", part, message);
}
