/// @file values.c  Checked reading of values from text and binary files, with error messages.
#include "io/values.h"
#include "io/mesh_file.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool frc_find_type(const frc_type_name* names, size_t count, frc_word word, frc_value_type* out) {
    for (size_t i = 0; i < count; i++)
        if (frc_word_is(word, names[i].name)) {
            *out = names[i].type;
            return true;
        }
    return false;
}

static fracas_status fail_at(const frc_values* in, const char* place, const char* format,
                             va_list arguments) {
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    if (in->fail_source) return frc_fail_line(in->fail_source, in->fail_place, "%s", text);
    return in->text ? frc_fail_line(in->source, place, "%s", text)
                    : frc_fail_byte(in->source, place, "%s", text);
}

fracas_status frc_values_fail(const frc_values* in, const char* place, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fracas_status status = fail_at(in, place, format, arguments);
    va_end(arguments);
    return status;
}

fracas_status frc_values_fail_unsupported(const frc_values* in, const char* place,
                                          const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(in, place, format, arguments);
    va_end(arguments);
    return FRACAS_ERROR_UNSUPPORTED;
}

fracas_status frc_values_fail_value(frc_values* in, const char* what, uint64_t index) {
    frc_word word = in->text ? frc_peek_word(in->source) : (frc_word){in->source->at, 0};
    if (word.length == 0)
        return frc_values_fail(in, word.text, "the file ends within %s %" PRIu64 "; it is cut off",
                               what, index);
    return frc_values_fail(in, word.text,
                           "%s %" PRIu64 " has '%s' where a whole number from 0 on is expected",
                           what, index, frc_quote_word(word).text);
}

fracas_status frc_values_read(frc_values* in, frc_value_type type, const char* what, uint64_t index,
                              int64_t* out) {
    if (frc_values_integer(in, type, out)) return FRACAS_OK;
    return frc_values_fail_value(in, what, index);
}

fracas_status frc_values_skip(frc_values* in, frc_value_type type, uint64_t count, const char* what,
                              uint64_t index) {
    frc_source* source = in->source;
    if (in->text) {
        for (; count > 0; count--)
            if (frc_read_word(source).length == 0) return frc_values_fail_value(in, what, index);
        return FRACAS_OK;
    }
    if (count > frc_source_left(source) / frc_value_size(type))
        return frc_values_fail_value(in, what, index);
    source->at += count * frc_value_size(type);
    return FRACAS_OK;
}

fracas_status frc_values_count(frc_values* in, frc_value_type type, const char* what, size_t least,
                               uint64_t* out) {
    const char* place = frc_values_place(in);
    int64_t count = 0;
    if (!frc_values_integer(in, type, &count)) {
        frc_word word = in->text ? frc_peek_word(in->source) : (frc_word){in->source->at, 0};
        return frc_values_fail(in, place, "'%s' found where the number of %s is expected",
                               frc_quote_word(word).text, what);
    }
    // The last line end of a text may be missing.
    size_t left = frc_source_left(in->source);
    if (count >= 0 && (uint64_t)count <= FRC_MAX_ELEMENTS &&
        (uint64_t)count <= (left + in->text) / least) {
        *out = (uint64_t)count;
        return FRACAS_OK;
    }
    return frc_values_fail(in, place,
                           "the file says it has %" PRId64 " %s, but only %zu bytes follow", count,
                           what, left);
}

fracas_status frc_values_corners(frc_values* in, frc_value_type type, const char* what,
                                 uint64_t index, int64_t first, uint64_t vertices, uint32_t count,
                                 uint32_t* out) {
    for (uint32_t i = 0; i < count; i++) {
        const char* place = frc_values_place(in);
        int64_t vertex = 0;
        if (!frc_values_integer(in, type, &vertex)) return frc_values_fail_value(in, what, index);
        if (vertex < first || vertex - first >= (int64_t)vertices)
            return frc_values_fail(in, place,
                                   "%s %" PRIu64 " refers to vertex %" PRId64
                                   " but the file has %" PRIu64
                                   " vertices; indices count from %" PRId64,
                                   what, index, vertex, vertices, first);
        out[i] = (uint32_t)(vertex - first);
    }
    return FRACAS_OK;
}

fracas_status frc_values_coordinate(frc_values* in, frc_value_type type, uint64_t vertex, int axis,
                                    double* out) {
    frc_source* source = in->source;
    if (in->text) return frc_read_coordinate(source, vertex, axis, out);
    if (frc_source_left(source) < frc_value_size(type))
        return frc_values_fail_value(in, "vertex", vertex);
    const char* place = source->at;
    *out = frc_values_real(in, type);
    if (isfinite(*out)) return FRACAS_OK;
    return frc_values_fail(in, place,
                           "vertex %" PRIu64
                           " (counting from 0) has a coordinate that is not a finite number",
                           vertex);
}

fracas_status frc_values_coordinates(frc_values* in, frc_value_type type, uint64_t vertex,
                                     double out[3]) {
    fracas_status status = FRACAS_OK;
    for (int axis = 0; status == FRACAS_OK && axis < 3; axis++)
        status = frc_values_coordinate(in, type, vertex, axis, &out[axis]);
    return status;
}
