/// @file stl.c  STL, text and binary. Normals, names and colours are skipped.
///
/// A binary file may begin with "solid" too, so the size is tested first: a binary file has 84
/// bytes and 50 more for each triangle of its count.
#include "io/mesh_file.h"
#include <inttypes.h>
#include <math.h>

enum { HEADER = 84, RECORD = 50, NORMAL = 12 };

static uint32_t load_u32(const char* at) {
    const unsigned char* byte = (const unsigned char*)at;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

// Add a triangle of the last three points. Welding merges equal points later.
static fracas_status add_triangle(fracas_mesh_file* file) {
    uint32_t first = (uint32_t)frc_mesh_file_point_count(file) - 3;
    return frc_mesh_file_add_face(file, (const uint32_t[3]){first, first + 1, first + 2}, 3);
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
    fracas_status status = frc_mesh_file_reserve_points(file, 3 * (uint64_t)count);
    source->at += HEADER;
    for (uint32_t t = 0; status == FRACAS_OK && t < count; t++, source->at += RECORD) {
        for (int corner = 0; status == FRACAS_OK && corner < 3; corner++) {
            const char* at = source->at + NORMAL + 12 * corner;
            double point[3];
            for (int axis = 0; axis < 3; axis++) {
                uint32_t bits = load_u32(at + 4 * axis);
                float value;
                memcpy(&value, &bits, sizeof value);
                point[axis] = value;
            }
            if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
                return frc_fail_byte(source, at,
                                     "vertex %d of triangle %" PRIu32
                                     " (counting from 0) has a coordinate that is not a finite "
                                     "number",
                                     corner, t);
            status = frc_mesh_file_add_point(file, point);
        }
        if (status == FRACAS_OK) status = add_triangle(file);
        if (status == FRACAS_OK) status = frc_source_progress(source);
    }
    return status;
}

// ---- text

static fracas_status expect(frc_source* source, const char* text) {
    frc_word word = frc_read_word(source);
    if (frc_word_is(word, text)) return FRACAS_OK;
    if (word.length == 0)
        return frc_fail_line(source, word.text,
                             "the file ends where '%s' is expected; it is cut off", text);
    return frc_fail_line(source, word.text, "'%s' found where '%s' is expected",
                         frc_quote_word(word).text, text);
}

static fracas_status read_text(frc_source* source, fracas_mesh_file* file) {
    source->free_form = true;
    frc_source_drop_trailing_zeros(source);
    while (frc_peek_word(source).length > 0) {
        fracas_status status = expect(source, "solid");
        if (status != FRACAS_OK) return status;
        frc_skip_line(source);  // and its name
        while (!frc_word_is(frc_peek_word(source), "endsolid")) {
            if (!frc_word_is(frc_peek_word(source), "facet"))
                return expect(source, "facet' or 'endsolid");
            frc_read_word(source);
            // The normal may be any three words, for instance nan, or missing.
            status = expect(source, "normal");
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
            if (status == FRACAS_OK) status = add_triangle(file);
            if (status == FRACAS_OK) status = frc_source_progress(source);
            if (status != FRACAS_OK) return status;
        }
        frc_skip_line(source);
    }
    return FRACAS_OK;
}

bool frc_stl_has_binary_size(const frc_source* source) {
    size_t size = frc_source_left(source);
    return size >= HEADER && size == HEADER + (uint64_t)load_u32(source->at + HEADER - 4) * RECORD;
}

fracas_status frc_stl_read(frc_source* source, fracas_mesh_file* file) {
    // Binary numbers have many zero bytes, text has zero bytes at its end only.
    frc_source text = *source;
    text.free_form = true;
    frc_source_drop_trailing_zeros(&text);
    size_t whole = (size_t)(text.end - text.begin), begin = whole < 1024 ? whole : 1024;
    bool is_text = !frc_stl_has_binary_size(source) && frc_word_is(frc_peek_word(&text), "solid") &&
                   !memchr(text.begin, 0, begin);
    return is_text ? read_text(source, file) : read_binary(source, file);
}
