/// @file io_volume.h  A small mesh of triangles and tetrahedra, written in every format that
/// supports both, and the expected result of the readers.
#pragma once
#include "io_data.h"

typedef struct io_bytes {
    unsigned char* data;
    size_t count, capacity;
} io_bytes;

static inline void io_put_bytes(io_bytes* out, const void* bytes, size_t size) {
    if (out->count + size + 1 > out->capacity) {
        out->capacity = 2 * (out->count + size) + 64;
        out->data = realloc(out->data, out->capacity);
        assert_non_null(out->data);
    }
    memcpy(out->data + out->count, bytes, size);
    out->count += size;
    out->data[out->count] = 0;
}

__attribute__((format(printf, 2, 3))) static inline void io_put(io_bytes* out, const char* format,
                                                                ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    io_put_bytes(out, text, (size_t)length);
}

/// The low `size` bytes of a number, most significant first when `big`.
static inline void io_put_int(io_bytes* out, uint64_t value, unsigned size, bool big) {
    for (unsigned i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(value >> (8 * (big ? size - 1 - i : i)));
        io_put_bytes(out, &byte, 1);
    }
}

static inline void io_put_double(io_bytes* out, double value, bool big) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    io_put_int(out, bits, 8, big);
}

static inline void io_put_float(io_bytes* out, float value, bool big) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    io_put_int(out, bits, 4, big);
}

// ---- the mesh

enum { IO_POINTS = 6, IO_TRIANGLES = 2, IO_TETS = 3 };
typedef struct io_volume {
    double points[IO_POINTS][3];
    uint32_t triangles[IO_TRIANGLES][3];
    uint32_t tets[IO_TETS][4];
} io_volume;

/// Coordinates that change when stored as float, as a decimal of 16 digits, or without the sign of
/// zero.
static inline const io_volume* io_volume_full(void) {
    static const io_volume volume = {
        {{0.1, -0.0, 1.0 / 3},
         {1, 0x1p-1074, 0},
         {0, 1.7976931348623157e308, 0},
         {-1e-300, 0, 1},
         {0.30000000000000004, 2, 5e-324},
         {7, 8, 9}},
        {{0, 1, 2}, {3, 2, 1}        },
        {{0, 1, 2, 3},                       {1, 2, 3, 4},{5, 5, 0, 4}                   }
    };
    return &volume;
}

/// The same shape with coordinates that are exact as floats.
static inline const io_volume* io_volume_short(void) {
    static const io_volume volume = {
        {{0.5, -0.0, 0.25}, {1, 0, 0}, {0, 0x1p100, 0}, {0, 0, 1}, {0x1p-149, 2, 3}, {7, 8, 9}},
        {{0, 1, 2}, {3, 2, 1}},
        {{0, 1, 2, 3},        {1, 2, 3, 4},                 {5, 5, 0, 4}               }
    };
    return &volume;
}

static inline void io_volume_equals(const fracas_mesh_file* file, const io_volume* volume) {
    fracas_mesh_view view = fracas_mesh_file_get_view(file);
    fracas_tet_view tets = fracas_mesh_file_get_tets(file);
    assert_int_equal(view.points.count, IO_POINTS);
    assert_memory_equal(view.points.data, volume->points, sizeof volume->points);
    assert_ptr_equal(tets.points.data, view.points.data);
    assert_int_equal(view.triangle_count, IO_TRIANGLES);
    assert_memory_equal(view.triangles, volume->triangles, sizeof volume->triangles);
    assert_int_equal(tets.tet_count, IO_TETS);
    assert_memory_equal(tets.tets, volume->tets, sizeof volume->tets);
    assert_int_equal(view.edge_count, 0);
    assert_int_equal(view.vertex_count, 0);
}

/// `bytes` is read as the volume, and so is each prefix of at least `whole` bytes. Shorter prefixes
/// are rejected.
static inline void io_check_volume(const char* name, const io_bytes* bytes, const io_volume* volume,
                                   size_t whole) {
    fracas_mesh_file* file = io_parse(name, bytes->data, bytes->count);
    io_volume_equals(file, volume);
    fracas_mesh_file_destroy(file);
    for (size_t size = 0; size < bytes->count; size++) {
        // A separate copy, so that out-of-bounds accesses are detected.
        unsigned char* cut = malloc(size + !size);
        assert_non_null(cut);
        memcpy(cut, bytes->data, size);
        file = NULL;
        fracas_status status = fracas_mesh_file_parse(io_context(), name, cut, size, NULL, &file);
        if (size >= whole) {
            assert_int_equal(status, FRACAS_OK);
            io_volume_equals(file, volume);
        } else {
            if (status != FRACAS_ERROR_BAD_DATA && status != FRACAS_ERROR_UNSUPPORTED)
                fail_msg("%s cut to %zu: %d", name, size, status);
            assert_non_null(strstr(io_message(), name));
        }
        fracas_mesh_file_destroy(file);
        free(cut);
    }
}
