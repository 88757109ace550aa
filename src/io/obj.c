/// @file obj.c  Wavefront OBJ: vertices, faces, polylines and points. Other statements that may
/// carry geometry are left out and counted, the rest is skipped.
///
/// A line is a statement, identified by its first word. Faces may refer to later vertices, so the
/// largest vertex number is recorded with its position and checked at the end.
#include "io/mesh_file.h"
#include <inttypes.h>

typedef struct obj {
    frc_source* source;
    fracas_mesh_file* file;
    uint64_t largest;               // vertex number of all corners, counting from 1
    const char* largest_place;      // where it is
    const char* largest_statement;  // the kind of statement that has it
} obj;

static bool is_corner_end(const frc_source* source, const char* at) {
    return at == source->end || frc_is_blank(*at) || frc_is_newline(*at) || *at == '\\';
}

// Read the next corner of the statement; `*end` is true when there is none. The numbers of texture
// and normal are skipped.
static fracas_status read_corner(obj* reader, const char* statement, uint32_t* out, bool* end) {
    frc_source* source = reader->source;
    frc_skip_blanks(source);
    *end = frc_at_end(source);
    if (*end) return FRACAS_OK;
    const char* at = source->at;
    bool negative = *at == '-';
    if (negative) at++;
    const char* first = at;
    uint64_t number = 0, count = frc_mesh_file_point_count(reader->file);
    for (; at < source->end && *at >= '0' && *at <= '9'; at++)
        if (number <= UINT32_MAX) number = number * 10 + (uint64_t)(*at - '0');
    bool slash = at < source->end && *at == '/';
    if (at == first || number == 0 || (!slash && !is_corner_end(source, at)))
        return frc_fail_line(source, source->at,
                             "%s has the corner '%s'; write v, v/vt, v//vn or v/vt/vn with v "
                             "counting from 1, or from -1 backwards",
                             statement, frc_quote_word(frc_peek_word(source)).text);
    if (negative && number > count)
        return frc_fail_line(source, source->at,
                             "%s refers to vertex -%" PRIu64 " but only %" PRIu64
                             " vertices come before it",
                             statement, number, count);
    if (negative) number = count + 1 - number;
    if (number > reader->largest) {
        reader->largest = number;
        reader->largest_place = source->at;
        reader->largest_statement = statement;
    }
    while (!is_corner_end(source, at)) at++;
    source->at = at;
    *out = (uint32_t)(number - 1);  // numbers that are too large are found at the end of the file
    return FRACAS_OK;
}

static fracas_status read_face(obj* reader) {
    const char* place = reader->source->at;
    size_t begin = reader->file->face_vertices.count;
    uint32_t vertex = 0;
    bool end = false;
    for (;;) {
        fracas_status status = read_corner(reader, "face", &vertex, &end);
        if (status == FRACAS_OK && !end) status = frc_mesh_file_add_corner(reader->file, vertex);
        if (status != FRACAS_OK) return status;
        if (end) break;
    }
    if (reader->file->face_vertices.count == begin)
        return frc_fail_line(reader->source, place, "face has no corners; delete the line");
    return frc_mesh_file_end_face(reader->file);
}

static fracas_status read_polyline(obj* reader) {
    const char* place = reader->source->at;
    uint32_t last = 0, vertex = 0, corners = 0;
    bool end = false;
    for (;;) {
        fracas_status status = read_corner(reader, "line", &vertex, &end);
        if (status == FRACAS_OK && !end && corners > 0)
            status = frc_mesh_file_add_edge(reader->file, last, vertex);
        if (status != FRACAS_OK) return status;
        if (end) break;
        last = vertex;
        if (corners < 2) corners++;
    }
    if (corners == 2) return FRACAS_OK;
    return frc_fail_line(reader->source, place, "line has %" PRIu32 " corners; it needs 2 or more",
                         corners);
}

// May the statement define geometry? The listed ones do not: attributes, groups, materials,
// display, and the parts of a free-form curve or surface after its `curv` or `surf`.
static bool is_geometry(frc_word word) {
    static const char* const others[] = {
        "vn",     "vt",     "vp",     "g",     "s",     "o",          "mg",       "usemtl",
        "mtllib", "usemap", "maplib", "bevel", "lod",   "c_interp",   "d_interp", "cstype",
        "deg",    "bmat",   "step",   "parm",  "end",   "trim",       "hole",     "scrv",
        "sp",     "con",    "curv2",  "ctech", "stech", "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (frc_word_is(word, others[i])) return false;
    return true;
}

static fracas_status read_statement(obj* reader, frc_word word) {
    fracas_status status = FRACAS_OK;
    if (frc_word_is(word, "v")) {
        double point[3];
        uint64_t number = frc_mesh_file_point_count(reader->file) + 1;
        status = frc_read_coordinates(reader->source, number, point);
        return status == FRACAS_OK ? frc_mesh_file_add_point(reader->file, point) : status;
    }
    if (frc_word_is(word, "f") || frc_word_is(word, "fo")) return read_face(reader);
    if (frc_word_is(word, "l")) return read_polyline(reader);
    if (frc_word_is(word, "p")) {
        // Unused vertices are free points even when no statement lists them, so this only checks
        // the numbers.
        uint32_t vertex = 0;
        for (bool end = false; status == FRACAS_OK && !end;)
            status = read_corner(reader, "point", &vertex, &end);
        return status;
    }
    // Other words must look like statements, so that an unrelated file is not read as an empty
    // mesh.
    for (size_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (letter || (i > 0 && c >= '0' && c <= '9')) continue;
        return frc_fail_line(
            reader->source, word.text,
            "a line begins with '%s', which is not an OBJ statement; is this an OBJ file?",
            frc_quote_word(word).text);
    }
    return is_geometry(word) ? frc_mesh_file_leave_out(reader->file, word, 1) : FRACAS_OK;
}

fracas_status frc_obj_read(frc_source* source, fracas_mesh_file* file) {
    obj reader = {.source = source, .file = file};
    source->comments = source->continuations = true;
    frc_source_drop_trailing_zeros(source);
    while (source->at < source->end) {
        frc_word word = frc_read_word(source);
        fracas_status status = word.length ? read_statement(&reader, word) : FRACAS_OK;
        if (status == FRACAS_OK) status = frc_source_progress(source);
        if (status != FRACAS_OK) return status;
        frc_skip_line(source);
    }
    uint64_t count = frc_mesh_file_point_count(file);
    if (reader.largest <= count) return FRACAS_OK;
    return frc_fail_line(source, reader.largest_place,
                         "%s refers to vertex %" PRIu64 " but the file has %" PRIu64
                         " vertices; indices count from 1",
                         reader.largest_statement, reader.largest, count);
}
