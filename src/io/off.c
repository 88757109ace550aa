/// @file off.c  Object File Format of Geomview: text, three dimensions. Colours and normals are
/// skipped.
///
/// A vertex is the first three numbers of a line. A face is a count and that many indices. The rest
/// of a line is colour, normal or texture.
#include "io/mesh_file.h"
#include <inttypes.h>

static fracas_status read_count(frc_source* source, const char* what, uint64_t* out) {
    frc_word word = frc_read_word(source);
    if (!frc_word_to_count(word, out))
        return frc_fail_line(source, word.text, "'%s' found where the number of %s is expected",
                             frc_quote_word(word).text, what);
    if (*out > FRC_MAX_ELEMENTS || *out > frc_source_left(source))
        return frc_fail_line(source, word.text,
                             "the file says it has %" PRIu64 " %s, but only %zu bytes follow", *out,
                             what, frc_source_left(source));
    return FRACAS_OK;
}

// The magic word and the counts.
static fracas_status read_header(frc_source* source, uint64_t* vertices, uint64_t* faces) {
    // The magic word is [ST][C][N][4][n]OFF. It may be missing, and counts may follow directly.
    frc_word word = frc_peek_word(source);
    bool four = false;
    size_t i = 0;
    for (; i < word.length && strchr("STCN4n", word.text[i]) && word.text[i]; i++)
        four |= word.text[i] == '4' || word.text[i] == 'n';
    const bool magic = word.length >= i + 3 && memcmp(word.text + i, "OFF", 3) == 0;
    if (!magic && (word.length == 0 || word.text[0] < '0' || word.text[0] > '9'))
        return frc_fail_line(
            source, word.text,
            "the file begins with '%s' where OFF is expected; is this an OFF file?",
            frc_quote_word(word).text);
    if (magic && four)
        return frc_fail(source->context, FRACAS_ERROR_UNSUPPORTED,
                        "%s: the points have more than three dimensions; only OFF with x y z is "
                        "read",
                        source->name);
    if (magic) source->at += i + 3;
    if (magic && frc_word_is(frc_peek_word(source), "BINARY"))
        return frc_fail(source->context, FRACAS_ERROR_UNSUPPORTED,
                        "%s: the OFF file is binary; convert it to text", source->name);

    // The number of edges is ignored. It may be missing when the other two are on one line.
    fracas_status status = read_count(source, "vertices", vertices);
    if (status != FRACAS_OK) return status;
    source->free_form = false;
    frc_skip_blanks(source);
    bool split = frc_at_end(source);
    source->free_form = true;
    status = read_count(source, "faces", faces);
    if (status != FRACAS_OK) return status;
    if (split) frc_read_word(source);
    frc_skip_line(source);
    // A vertex has at least the bytes "0 0 0\n", a face "0\n"; the last line end may be missing.
    uint64_t least = *vertices * 6 + *faces * 2, left = frc_source_left(source);
    if (least <= left + 1) return FRACAS_OK;
    return frc_fail_line(source, source->at,
                         "the file says it has %" PRIu64 " vertices and %" PRIu64
                         " faces, but only %" PRIu64 " bytes follow",
                         *vertices, *faces, left);
}

static fracas_status fail_face(frc_source* source, uint64_t face, const char* what,
                               uint64_t vertices) {
    frc_word word = frc_peek_word(source);
    return frc_fail_line(source, word.text,
                         "face %" PRIu64 " has '%s' for %s; the file has %" PRIu64
                         " vertices; indices count from 0",
                         face, frc_quote_word(word).text, what, vertices);
}

static fracas_status read_face(frc_source* source, uint64_t face, uint64_t vertices,
                               fracas_mesh_file* file) {
    int64_t corners = 0;
    frc_skip_blanks(source);
    const char* place = source->at;
    if (!frc_read_integer(source, &corners) || corners < 0)
        return fail_face(source, face, "its number of corners", vertices);
    if ((uint64_t)corners > frc_source_left(source) / 2 + 1)
        return frc_fail_line(source, place,
                             "face %" PRIu64 " says it has %" PRId64
                             " corners, but only %zu bytes follow",
                             face, corners, frc_source_left(source));
    for (int64_t i = 0; i < corners; i++) {
        frc_skip_blanks(source);
        const char* corner = source->at;
        int64_t vertex = 0;
        if (!frc_read_integer(source, &vertex) || vertex < 0 || vertex >= (int64_t)vertices) {
            source->at = corner;
            return fail_face(source, face, "a corner", vertices);
        }
        fracas_status status = frc_mesh_file_add_corner(file, (uint32_t)vertex);
        if (status != FRACAS_OK) return status;
    }
    return frc_mesh_file_end_face(file);
}

fracas_status frc_off_read(frc_source* source, fracas_mesh_file* file) {
    source->free_form = source->comments = true;
    frc_source_drop_trailing_zeros(source);
    uint64_t vertices = 0, faces = 0;
    fracas_status status = read_header(source, &vertices, &faces);
    if (status == FRACAS_OK) status = frc_mesh_file_reserve_points(file, vertices);
    for (uint64_t v = 0; status == FRACAS_OK && v < vertices; v++) {
        double point[3];
        status = frc_read_coordinates(source, v, point);
        if (status == FRACAS_OK) status = frc_mesh_file_add_point(file, point);
        if (status == FRACAS_OK) status = frc_source_progress(source);
        if (status == FRACAS_OK) frc_skip_line(source);
    }
    for (uint64_t f = 0; status == FRACAS_OK && f < faces; f++) {
        status = read_face(source, f, vertices, file);
        if (status == FRACAS_OK) status = frc_source_progress(source);
        if (status == FRACAS_OK) frc_skip_line(source);
    }
    if (status != FRACAS_OK) return status;
    frc_word rest = frc_peek_word(source);
    if (rest.length == 0) return FRACAS_OK;
    return frc_fail_line(source, rest.text,
                         "'%s' follows the last face; the first line says %" PRIu64
                         " vertices and %" PRIu64 " faces, one to a line",
                         frc_quote_word(rest).text, vertices, faces);
}
