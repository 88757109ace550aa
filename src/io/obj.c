/// @file obj.c  Wavefront OBJ: vertices, faces, polylines and points. Other statements that may
/// carry geometry are left out and counted, the rest is passed over.
///
/// One statement per line; the first word says which. Faces may refer to vertices that come later,
/// so the largest such index is kept with its place and judged at the end.
#include "io/mesh_file.h"
#include <inttypes.h>

typedef struct obj {
    frc_source* source;
    fracas_mesh_file* file;
    uint64_t farthest;           // the largest vertex number in use, from 1
    const char* farthest_place;  // where
    const char* farthest_user;   // by what
} obj;

static fracas_status fail_corner(const obj* reader, const char* statement) {
    frc_word word = frc_peek_word(reader->source);
    return frc_fail_line(reader->source, word.text,
                         "%s has the corner '%s'; write v, v/vt, v//vn or v/vt/vn with v counting "
                         "from 1, or from -1 backwards",
                         statement, frc_quote_word(word).text);
}

static bool corner_ends(const frc_source* source, const char* at) {
    return at == source->end || frc_is_blank(*at) || frc_is_newline(*at) || *at == '\\';
}

// A vertex number from 1 on; texture and normal numbers are passed over.
static fracas_status read_corner(obj* reader, const char* statement, uint32_t* out) {
    frc_source* source = reader->source;
    const char* at = source->at;
    bool negative = *at == '-';
    if (negative) at++;
    const char* first = at;
    uint64_t number = 0, count = frc_mesh_file_point_count(reader->file);
    for (; at < source->end && *at >= '0' && *at <= '9'; at++)
        if (number <= UINT32_MAX) number = number * 10 + (uint64_t)(*at - '0');
    bool slash = at < source->end && *at == '/';
    if (at == first || number == 0 || (!slash && !corner_ends(source, at)))
        return fail_corner(reader, statement);
    if (negative && number > count)
        return frc_fail_line(source, source->at,
                             "%s refers to vertex -%" PRIu64 " but only %" PRIu64
                             " vertices come before it",
                             statement, number, count);
    if (negative) number = count + 1 - number;
    if (number > reader->farthest) {
        reader->farthest = number;
        reader->farthest_place = source->at;
        reader->farthest_user = statement;
    }
    while (!corner_ends(source, at)) at++;
    source->at = at;
    *out = (uint32_t)(number - 1);  // too large a number is found at the end
    return FRACAS_OK;
}

static fracas_status read_face(obj* reader) {
    frc_source* source = reader->source;
    fracas_mesh_file* file = reader->file;
    const char* place = source->at;
    size_t begin = file->face_vertices.count;
    for (frc_skip_gap(source); !frc_at_end(source); frc_skip_gap(source)) {
        uint32_t vertex = 0;
        fracas_status status = read_corner(reader, "face", &vertex);
        if (status != FRACAS_OK) return status;
        if (!frc_mesh_file_add_corner(file, vertex))
            return frc_fail_memory(file->context, (file->face_vertices.count + 1) * 4);
    }
    if (file->face_vertices.count == begin)
        return frc_fail_line(source, place, "face has no corners; delete the line");
    return frc_mesh_file_end_face(file);
}

static fracas_status read_polyline(obj* reader) {
    frc_source* source = reader->source;
    const char* place = source->at;
    uint32_t last = 0, corners = 0;
    for (frc_skip_gap(source); !frc_at_end(source); frc_skip_gap(source)) {
        uint32_t vertex = 0;
        fracas_status status = read_corner(reader, "line", &vertex);
        if (status == FRACAS_OK && corners > 0)
            status = frc_mesh_file_add_edge(reader->file, last, vertex);
        if (status != FRACAS_OK) return status;
        last = vertex;
        if (corners < 2) corners++;
    }
    if (corners == 2) return FRACAS_OK;
    return frc_fail_line(source, place, "line has %" PRIu32 " corners; it takes 2 or more",
                         corners);
}

// A vertex is a free point when nothing else has it, listed or not: only the numbers matter here.
static fracas_status read_points(obj* reader) {
    frc_source* source = reader->source;
    fracas_status status = FRACAS_OK;
    uint32_t vertex = 0;
    for (frc_skip_gap(source); status == FRACAS_OK && !frc_at_end(source); frc_skip_gap(source))
        status = read_corner(reader, "point", &vertex);
    return status;
}

static fracas_status read_vertex(obj* reader) {
    double point[3];
    fracas_status status =
        frc_read_coordinates(reader->source, frc_mesh_file_point_count(reader->file) + 1, point);
    return status == FRACAS_OK ? frc_mesh_file_add_point(reader->file, point) : status;
}

// Statements without geometry of their own: attributes, groups, materials, display, and the parts
// of a free-form curve or surface that follow its `curv` or `surf`.
static bool is_passed_over(frc_word word) {
    static const char* const names[] = {
        "vn",     "vt",     "vp",     "g",     "s",     "o",          "mg",       "usemtl",
        "mtllib", "usemap", "maplib", "bevel", "lod",   "c_interp",   "d_interp", "cstype",
        "deg",    "bmat",   "step",   "parm",  "end",   "trim",       "hole",     "scrv",
        "sp",     "con",    "curv2",  "ctech", "stech", "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (frc_word_is(word, names[i])) return true;
    return false;
}

static bool is_name(frc_word word) {
    for (size_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return true;
}

static fracas_status read_statement(obj* reader, frc_word word) {
    if (frc_word_is(word, "v")) return read_vertex(reader);
    if (frc_word_is(word, "f") || frc_word_is(word, "fo")) return read_face(reader);
    if (frc_word_is(word, "l")) return read_polyline(reader);
    if (frc_word_is(word, "p")) return read_points(reader);
    if (is_passed_over(word)) return FRACAS_OK;
    if (is_name(word)) return frc_mesh_file_leave_out(reader->file, word, 1);
    return frc_fail_line(reader->source, word.text,
                         "a line begins with '%s', which is no OBJ statement; is this an OBJ file?",
                         frc_quote_word(word).text);
}

fracas_status frc_obj_read(frc_source* source, fracas_mesh_file* file) {
    obj reader = {.source = source, .file = file};
    source->comments = source->continuations = true;
    frc_source_drop_trailing_zeros(source);
    while (source->at < source->end) {
        frc_word word = frc_read_word(source);
        fracas_status status = word.length ? read_statement(&reader, word) : FRACAS_OK;
        if (status == FRACAS_OK) status = frc_source_tick(source);
        if (status != FRACAS_OK) return status;
        frc_skip_line(source);
    }
    uint64_t count = frc_mesh_file_point_count(file);
    if (reader.farthest <= count) return FRACAS_OK;
    return frc_fail_line(source, reader.farthest_place,
                         "%s refers to vertex %" PRIu64 " but the file has %" PRIu64
                         " vertices; indices count from 1",
                         reader.farthest_user, reader.farthest, count);
}
