/// @file stl.c  STL, text and binary. Normals, names and colours are passed over.
///
/// A binary file may begin with "solid" too, so its size decides first: 84 bytes and 50 for each of
/// the triangles that it says it has.
#include "io/mesh_file.h"
#include <inttypes.h>
#include <math.h>

enum { HEADER = 84, RECORD = 50, NORMAL = 12 };

static uint32_t load_u32(const char* at) {
    const unsigned char* byte = (const unsigned char*)at;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

static double load_float(const char* at) {
    uint32_t bits = load_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Three points of their own; welding joins them.
static fracas_status end_triangle(fracas_mesh_file* file) {
    uint32_t first = (uint32_t)frc_mesh_file_point_count(file) - 3;
    for (uint32_t i = 0; i < 3; i++)
        if (!frc_mesh_file_add_corner(file, first + i))
            return frc_fail_memory(file->context, (file->face_vertices.count + 1) * 4);
    return frc_mesh_file_end_face(file);
}

// ---- binary

static fracas_status read_record(frc_source* source, uint32_t triangle, fracas_mesh_file* file) {
    for (int corner = 0; corner < 3; corner++) {
        const char* at = source->at + NORMAL + 12 * corner;
        double point[3] = {load_float(at), load_float(at + 4), load_float(at + 8)};
        if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
            return frc_fail_byte(source, at,
                                 "vertex %d of triangle %" PRIu32
                                 " (counting from 0) has a coordinate that is not a finite number",
                                 corner, triangle);
        fracas_status status = frc_mesh_file_add_point(file, point);
        if (status != FRACAS_OK) return status;
    }
    return end_triangle(file);
}

static fracas_status read_binary(frc_source* source, fracas_mesh_file* file) {
    size_t size = frc_source_left(source);
    if (size < HEADER)
        return frc_fail_byte(source, source->at,
                             "the file has %zu bytes; a binary STL has at least %d, and a text STL "
                             "begins with 'solid'",
                             size, HEADER);
    uint32_t count = load_u32(source->at + HEADER - 4);
    if (count > (size - HEADER) / RECORD)
        return frc_fail_byte(source, source->at + HEADER - 4,
                             "the file says it has %" PRIu32 " triangles, which takes %" PRIu64
                             " bytes, but it has %zu; it is cut off or not an STL file",
                             count, HEADER + (uint64_t)count * RECORD, size);
    size_t points = 9 * (size_t)count;
    if (!FRC_ARRAY_RESERVE(file->context, &file->points, points))
        return frc_fail_memory(file->context, points * sizeof(double));
    source->at += HEADER;
    for (uint32_t t = 0; t < count; t++, source->at += RECORD) {
        fracas_status status = read_record(source, t, file);
        if (status == FRACAS_OK) status = frc_source_tick(source);
        if (status != FRACAS_OK) return status;
    }
    return FRACAS_OK;
}

// ---- text

static fracas_status expect(frc_source* source, const char* text) {
    frc_word word = frc_read_word(source);
    if (frc_word_is(word, text)) return FRACAS_OK;
    if (word.length == 0)
        return frc_fail_line(source, word.text,
                             "the file ends where '%s' is expected; it is cut off", text);
    return frc_fail_line(source, word.text, "'%s' stands where '%s' is expected",
                         frc_quote_word(word).text, text);
}

// After "facet". The normal may be anything, nan included.
static fracas_status read_facet(frc_source* source, fracas_mesh_file* file) {
    fracas_status status = expect(source, "normal");
    for (int i = 0; i < 3; i++)
        if (!frc_word_is(frc_peek_word(source), "outer")) frc_read_word(source);
    if (status == FRACAS_OK) status = expect(source, "outer");
    if (status == FRACAS_OK) status = expect(source, "loop");
    for (int corner = 0; status == FRACAS_OK && corner < 3; corner++) {
        double point[3];
        status = expect(source, "vertex");
        if (status == FRACAS_OK)
            status = frc_read_coordinates(source, frc_mesh_file_point_count(file), point);
        if (status == FRACAS_OK) status = frc_mesh_file_add_point(file, point);
    }
    if (status == FRACAS_OK) status = expect(source, "endloop");
    if (status == FRACAS_OK) status = expect(source, "endfacet");
    return status == FRACAS_OK ? end_triangle(file) : status;
}

// After "solid" and its name, up to and with the line of "endsolid".
static fracas_status read_solid(frc_source* source, fracas_mesh_file* file) {
    for (;;) {
        frc_word word = frc_peek_word(source);
        if (frc_word_is(word, "endsolid")) {
            frc_skip_line(source);
            return FRACAS_OK;
        }
        if (!frc_word_is(word, "facet")) return expect(source, "facet' or 'endsolid");
        frc_read_word(source);
        fracas_status status = read_facet(source, file);
        if (status == FRACAS_OK) status = frc_source_tick(source);
        if (status != FRACAS_OK) return status;
    }
}

static fracas_status read_text(frc_source* source, fracas_mesh_file* file) {
    source->free_form = true;
    frc_source_drop_trailing_zeros(source);
    while (frc_peek_word(source).length > 0) {
        fracas_status status = expect(source, "solid");
        if (status != FRACAS_OK) return status;
        frc_skip_line(source);
        status = read_solid(source, file);
        if (status != FRACAS_OK) return status;
    }
    return FRACAS_OK;
}

bool frc_stl_fits(const frc_source* source) {
    size_t size = frc_source_left(source);
    return size >= HEADER && size == HEADER + (uint64_t)load_u32(source->at + HEADER - 4) * RECORD;
}

// By value: looks ahead. Numbers in binary are full of zero bytes, text has none.
static bool is_text(frc_source source) {
    if (frc_stl_fits(&source)) return false;
    source.free_form = true;
    frc_source_drop_trailing_zeros(&source);
    size_t whole = (size_t)(source.end - source.begin), looked_at = whole < 1024 ? whole : 1024;
    return frc_word_is(frc_peek_word(&source), "solid") && !memchr(source.begin, 0, looked_at);
}

fracas_status frc_stl_read(frc_source* source, fracas_mesh_file* file) {
    return is_text(*source) ? read_text(source, file) : read_binary(source, file);
}
