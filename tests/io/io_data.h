/// @file io_data.h  The path of the test data, and helpers that parse a file or expect a failure.
#pragma once
#include "cmocka_all.h"
#include "fracas/io.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IO_SKIPPED = 77 };  // exit code that CTest shows as skipped

/// The folder of the test data: $FRACAS_DATA, or ../shared/data next to the source folder; NULL
/// when neither exists.
static inline const char* io_data(void) {
    static char path[4096];
    const char* given = getenv("FRACAS_DATA");
    snprintf(path, sizeof path, "%s", given ? given : FRACAS_SOURCE_DIR "/../shared/data");
    char probe[4200];
    snprintf(probe, sizeof probe, "%s/SOURCES.md", path);
    FILE* file = fopen(probe, "rb");
    if (!file) return NULL;
    fclose(file);
    return path;
}

/// A path in it, valid until the next call.
static inline const char* io_path(const char* relative) {
    static char path[8192];
    snprintf(path, sizeof path, "%s/%s", io_data(), relative);
    return path;
}

static inline fracas_context* io_context(void) {
    static fracas_context* context = NULL;  // lives as long as the test program
    if (!context) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    }
    return context;
}

static inline const char* io_message(void) {
    static char message[1200];
    fracas_context_get_message(io_context(), message, sizeof message);
    return message;
}

static inline fracas_mesh_file* io_parse(const char* name, const void* bytes, size_t size) {
    fracas_mesh_file* file = NULL;
    fracas_status status = fracas_mesh_file_parse(io_context(), name, bytes, size, NULL, &file);
    if (status != FRACAS_OK) fail_msg("refused: %s", io_message());
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    assert_int_equal(fracas_mesh_validate(io_context(), &view), FRACAS_OK);
    return file;
}

/// Read text that must be valid.
static inline fracas_mesh_file* io_read(const char* name, const char* text) {
    return io_parse(name, text, strlen(text));
}

static inline void io_refuse_bytes(const char* name, const void* bytes, size_t size,
                                   fracas_status expected, const char* part) {
    fracas_mesh_file* file = (fracas_mesh_file*)1;
    fracas_status status = fracas_mesh_file_parse(io_context(), name, bytes, size, NULL, &file);
    assert_null(file);
    assert_int_equal(status, expected);
    if (!strstr(io_message(), part)) fail_msg("'%s' is not in: %s", part, io_message());
    if (!strstr(io_message(), name)) fail_msg("the name is not in: %s", io_message());
}

/// Read text that must be rejected as bad data with a message that contains `part`.
static inline void io_refuse(const char* name, const char* text, const char* part) {
    io_refuse_bytes(name, text, strlen(text), FRACAS_ERROR_BAD_DATA, part);
}

/// Check the counts of a file that was read, and release it.
static inline void io_counts(fracas_mesh_file* file, uint32_t points, uint32_t faces,
                             uint32_t triangles, uint32_t edges, uint32_t free_points) {
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    assert_int_equal(view.points.count, points);
    assert_int_equal(fracas_mesh_file_get_faces(file).face_count, faces);
    assert_int_equal(view.triangle_count, triangles);
    assert_int_equal(view.edge_count, edges);
    assert_int_equal(view.vertex_count, free_points);
    fracas_mesh_file_destroy(file);
}

/// Check which elements the reader skipped, as "COUNT NAME, COUNT NAME".
static inline void io_left_out(const fracas_mesh_file* file, const char* expected) {
    char text[4096] = "";
    const uint32_t count = fracas_mesh_file_count_left_out(file);
    for (uint32_t i = 0; i < count; i++) {
        const fracas_left_out kind = fracas_mesh_file_get_left_out(file, i);
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%llu %s", i ? ", " : "",
                 (unsigned long long)kind.count, kind.name);
    }
    assert_string_equal(text, expected);
    const fracas_left_out beyond = fracas_mesh_file_get_left_out(file, count);
    assert_string_equal(beyond.name, "");
    assert_int_equal(beyond.count, 0);
}

static inline void io_point(const fracas_mesh_file* file, uint32_t index, double x, double y,
                            double z) {
    const double* points = fracas_mesh_file_get_view(file).points.data;
    const double expected[3] = {x, y, z};
    assert_memory_equal(points + 3 * (size_t)index, expected, sizeof expected);
}

static inline void io_triangle(const fracas_mesh_file* file, uint32_t index, uint32_t a, uint32_t b,
                               uint32_t c) {
    const uint32_t* triangle = fracas_mesh_file_get_view(file).triangles + 3 * (size_t)index;
    const uint32_t expected[3] = {a, b, c};
    assert_memory_equal(triangle, expected, sizeof expected);
}
