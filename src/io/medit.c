/// @file medit.c  Medit's .mesh (text) and .meshb (binary): vertices, triangles, quads, tetrahedra.
///
/// Both are a list of sections: a keyword, a count, and that many lines. In binary the keyword is a
/// number, followed by the position of the next keyword. Edges, which mark ridges, and elements of
/// unknown sections are left out and counted; marks, normals and solutions are skipped. Other cells
/// of first and second order are unsupported.
#include "io/mesh_file.h"
#include <inttypes.h>
#include <stdio.h>

typedef enum keyword_role {
    EDGES,
    LEFT_OUT,
    DIMENSION,
    VERTICES,
    FACES,
    TETS,
    UNSUPPORTED,
    END
} keyword_role;

typedef struct keyword {
    const char* name;
    int code;  // the keyword in binary files
    keyword_role role;
    uint32_t corners;
} keyword;

static const keyword keywords[] = {
    {"Dimension",               3,   DIMENSION,   0 },
    {"Vertices",                4,   VERTICES,    0 },
    {"Edges",                   5,   EDGES,       2 },
    {"Triangles",               6,   FACES,       3 },
    {"Quadrilaterals",          7,   FACES,       4 },
    {"Tetrahedra",              8,   TETS,        4 },
    {"Prisms",                  9,   UNSUPPORTED, 6 },
    {"Hexahedra",               10,  UNSUPPORTED, 8 },
    {"TrianglesP2",             24,  UNSUPPORTED, 6 },
    {"QuadrilateralsQ2",        27,  UNSUPPORTED, 9 },
    {"TetrahedraP2",            30,  UNSUPPORTED, 10},
    {"HexahedraQ2",             33,  UNSUPPORTED, 27},
    {"Polyhedra",               46,  UNSUPPORTED, 0 },
    {"Polygons",                47,  UNSUPPORTED, 0 },
    {"Pyramids",                49,  UNSUPPORTED, 5 },
    {"End",                     54,  END,         0 },
    {"EdgesP2",                 25,  LEFT_OUT,    0 },
    {"CoarseHexahedra",         80,  LEFT_OUT,    0 },
    {"PrismsP2",                86,  LEFT_OUT,    0 },
    {"PyramidsP2",              87,  LEFT_OUT,    0 },
    {"QuadrilateralsQ3",        88,  LEFT_OUT,    0 },
    {"QuadrilateralsQ4",        89,  LEFT_OUT,    0 },
    {"TrianglesP3",             90,  LEFT_OUT,    0 },
    {"TrianglesP4",             91,  LEFT_OUT,    0 },
    {"EdgesP3",                 92,  LEFT_OUT,    0 },
    {"EdgesP4",                 93,  LEFT_OUT,    0 },
    {"TetrahedraP3",            96,  LEFT_OUT,    0 },
    {"TetrahedraP4",            97,  LEFT_OUT,    0 },
    {"HexahedraQ3",             98,  LEFT_OUT,    0 },
    {"HexahedraQ4",             99,  LEFT_OUT,    0 },
    {"PyramidsP3",              100, LEFT_OUT,    0 },
    {"PyramidsP4",              101, LEFT_OUT,    0 },
    {"PrismsP3",                102, LEFT_OUT,    0 },
    {"PrismsP4",                103, LEFT_OUT,    0 },
    {"Prisms9",                 200, LEFT_OUT,    0 },
    {"Hexahedra12",             201, LEFT_OUT,    0 },
    {"Quadrilaterals6",         202, LEFT_OUT,    0 },
    {"BoundaryPolygonHeaders",  203, LEFT_OUT,    0 },
    {"BoundaryPolygonVertices", 204, LEFT_OUT,    0 },
    {"InnerPolygonHeaders",     205, LEFT_OUT,    0 },
    {"InnerPolygonVertices",    206, LEFT_OUT,    0 },
    {"PolyhedraHeaders",        207, LEFT_OUT,    0 },
    {"PolyhedraFaces",          208, LEFT_OUT,    0 }
};
// Sections with codes up to this one that are not in the table have no elements; larger codes are
// unknown.
enum { LAST_KNOWN_CODE = 240 };
enum { MAX_CORNERS = 4, KEYWORDS = sizeof keywords / sizeof keywords[0] };

typedef struct medit {
    frc_values in;
    fracas_mesh_file* file;
    frc_value_type real, integer, position;  // types in binary files
    bool has_vertices;
} medit;

// ---- sections

// Read `count` vertices or cells, each followed by a reference number that is skipped.
static fracas_status read_records(medit* reader, const keyword* word, uint64_t count) {
    fracas_mesh_file* file = reader->file;
    const char* what = word->role == VERTICES ? "vertex"
                       : word->role == TETS   ? "tetrahedron"
                       : word->role == FACES  ? "face"
                                              : "edge";
    fracas_status status = FRACAS_OK;
    if (word->role == VERTICES) status = frc_mesh_file_reserve_points(file, count);
    for (uint64_t i = 0; status == FRACAS_OK && i < count; i++) {
        double point[3];
        uint32_t corners[MAX_CORNERS];
        if (word->role == VERTICES)
            status = frc_values_coordinates(&reader->in, reader->real, i, point);
        else
            status = frc_values_corners(&reader->in, reader->integer, what, i, 1,
                                        frc_mesh_file_point_count(file), word->corners, corners);
        if (status != FRACAS_OK) return status;
        if (word->role == VERTICES) status = frc_mesh_file_add_point(file, point);
        if (word->role == TETS) status = frc_mesh_file_add_tet(file, corners);
        if (word->role == FACES) status = frc_mesh_file_add_face(file, corners, word->corners);
        if (status == FRACAS_OK) status = frc_values_skip(&reader->in, reader->integer, 1, what, i);
        if (status == FRACAS_OK) status = frc_source_progress(reader->in.source);
    }
    if (status != FRACAS_OK || word->role != EDGES) return status;
    return frc_mesh_file_leave_out(file, frc_word_of(word->name), count);
}

// Count the elements of a section that is not read. A section without a count has none.
static fracas_status leave_out(medit* reader, frc_word name) {
    int64_t count = 0;
    if (!frc_values_integer(&reader->in, reader->integer, &count) || count < 0) return FRACAS_OK;
    return frc_mesh_file_leave_out(reader->file, name, (uint64_t)count);
}

// A section with a known keyword, which stands at `place`; the source is after the keyword.
static fracas_status read_section(medit* reader, const keyword* word, const char* place) {
    if (word->role == DIMENSION) {
        int64_t dimension = 0;
        const char* value = frc_values_place(&reader->in);
        fracas_status found = frc_values_read(&reader->in, FRC_INT32, "keyword", 0, &dimension);
        if (found != FRACAS_OK || dimension == 3) return found;
        return frc_values_fail_unsupported(
            &reader->in, value, "the points have %" PRId64 " dimensions; only 3 are read",
            dimension);
    }
    if (word->role == LEFT_OUT) return leave_out(reader, frc_word_of(word->name));
    bool vertices = word->role == VERTICES;
    size_t integers = vertices ? 1 : word->corners + 1, reals = vertices ? 3 : 0;
    size_t least = reader->in.text ? 2 * (integers + reals)
                                   : integers * frc_value_size(reader->integer) +
                                         reals * frc_value_size(reader->real);
    uint64_t count = 0;
    fracas_status status =
        frc_values_count(&reader->in, reader->integer, word->name, least, &count);
    if (status != FRACAS_OK) return status;
    if (word->role == UNSUPPORTED && count > 0)
        return frc_values_fail_unsupported(
            &reader->in, place,
            "the file has %s, which are not read: triangles, quads and tetrahedra are; convert the "
            "mesh to these",
            word->name);
    if (vertices && reader->has_vertices)
        return frc_values_fail(&reader->in, place, "a second section Vertices");
    if (!vertices && !reader->has_vertices && count > 0)
        return frc_values_fail(&reader->in, place, "%s come before Vertices", word->name);
    reader->has_vertices |= vertices;
    return word->role == UNSUPPORTED ? FRACAS_OK : read_records(reader, word, count);
}

static fracas_status fail_end(medit* reader) {
    return frc_values_fail(
        &reader->in, reader->in.source->end,
        "the file ends before the keyword End; it is cut off, or the keyword is missing");
}

// ---- text

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Is this the keyword of a section that describes vertices and elements but has none itself?
static bool is_annotation(frc_word word) {
    static const char* const prefixes[] = {"Corners",
                                           "Ridges",
                                           "Required",
                                           "Normal",
                                           "Tangent",
                                           "Angle",
                                           "SubDomain",
                                           "Sol",
                                           "DSol",
                                           "ISol",
                                           "HOSol",
                                           "Fault_",
                                           "Periodic",
                                           "ExtraVertices",
                                           "VerticesOn",
                                           "EdgesOn",
                                           "TrianglesOn",
                                           "QuadrilateralsOn",
                                           "BoundingBox",
                                           "Iterations",
                                           "Time",
                                           "Comments",
                                           "PrivateTable",
                                           "Identifier",
                                           "Geometry",
                                           "IRefGroups",
                                           "DRefGroups",
                                           "BezierBasis",
                                           "ByteFlow",
                                           "BoundaryLayers",
                                           "ReferenceStrings",
                                           "Domains"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (word.length >= length && frc_word_is((frc_word){word.text, length}, prefixes[i]))
            return true;
    }
    return false;
}

static fracas_status read_text(medit* reader) {
    frc_source* source = reader->in.source;
    int64_t version = 0;
    frc_source_drop_trailing_zeros(source);
    frc_word word = frc_read_word(source);
    if (!frc_word_is(word, "MeshVersionFormatted") || !frc_read_integer(source, &version))
        return frc_values_fail(&reader->in, word.text,
                               "the file does not begin with 'MeshVersionFormatted 2' or the like; "
                               "is this a Medit file?");
    for (;;) {
        word = frc_read_word(source);
        if (word.length == 0) return fail_end(reader);
        const keyword* known = NULL;
        for (size_t i = 0; i < KEYWORDS; i++)
            if (frc_word_is(word, keywords[i].name)) known = &keywords[i];
        if (!known && !is_letter(word.text[0]))
            return frc_values_fail(&reader->in, word.text,
                                   "'%s' found where a keyword such as Tetrahedra is expected; "
                                   "the list before has more lines than its count",
                                   frc_quote_word(word).text);
        if (known && known->role == END) return FRACAS_OK;
        fracas_status status = FRACAS_OK;
        if (known)
            status = read_section(reader, known, word.text);
        else if (!is_annotation(word))
            status = leave_out(reader, word);
        // Skip the numbers of a section that is not read.
        bool skip = !known || known->role == LEFT_OUT;
        while (status == FRACAS_OK && skip) {
            word = frc_peek_word(source);
            skip = word.length > 0 && !is_letter(word.text[0]);
            if (skip) source->at += word.length;
            status = frc_source_progress(source);
        }
        if (status != FRACAS_OK) return status;
    }
}

// ---- binary

static fracas_status read_binary(medit* reader) {
    frc_source* source = reader->in.source;
    int64_t version = 0;
    source->at += 4;  // the number 1
    const char* place = source->at;
    if (!frc_values_integer(&reader->in, FRC_INT32, &version)) return fail_end(reader);
    if (version < 1 || version > 4)
        return frc_values_fail_unsupported(&reader->in, place,
                                           "the version is %" PRId64 "; 1 to 4 are read", version);
    reader->real = version == 1 ? FRC_FLOAT32 : FRC_FLOAT64;
    reader->position = version < 3 ? FRC_INT32 : FRC_INT64;
    reader->integer = version < 4 ? FRC_INT32 : FRC_INT64;
    for (;;) {
        place = source->at;
        int64_t code = 0, position = 0;
        if (!frc_values_integer(&reader->in, FRC_INT32, &code)) return fail_end(reader);
        const keyword* known = NULL;
        for (size_t i = 0; i < KEYWORDS; i++)
            if (keywords[i].code == code) known = &keywords[i];
        if (known && known->role == END) return FRACAS_OK;
        // The position of the next keyword; 0: none.
        if (!frc_values_integer(&reader->in, reader->position, &position)) return fail_end(reader);
        bool after = position > source->at - source->begin;
        after = after && position <= source->end - source->begin;
        if (!after && position != 0)
            return frc_values_fail(&reader->in, place,
                                   "the position of the next keyword is byte %" PRId64
                                   ", which is not after this one, or beyond the end; the file is "
                                   "cut off or damaged",
                                   position);
        const char* next = after ? source->begin + position : source->end;
        fracas_status status = FRACAS_OK;
        if (known) {
            status = read_section(reader, known, place);
        } else if (code > LAST_KNOWN_CODE) {
            char name[32];
            snprintf(name, sizeof name, "keyword-%" PRId64, code);
            status = leave_out(reader, frc_word_of(name));
        }
        if (status != FRACAS_OK) return status;
        if (known && source->at > next)
            return frc_values_fail(&reader->in, place,
                                   "the list of %s runs beyond the position of the next keyword",
                                   known->name);
        source->at = next;
        status = frc_source_progress(source);
        if (status != FRACAS_OK) return status;
    }
}

fracas_status frc_medit_read(frc_source* source, fracas_mesh_file* file) {
    // A binary file begins with the number 1, which determines the byte order.
    bool whole = frc_source_left(source) >= 4;
    bool big = whole && memcmp(source->at, "\0\0\0\1", 4) == 0;
    bool binary = big || (whole && memcmp(source->at, "\1\0\0\0", 4) == 0);
    source->free_form = source->comments = true;
    medit reader = {
        .in = {.source = source, .text = !binary, .swap = frc_swap_needed(big)},
        .file = file,
        .integer = FRC_INT32
    };
    fracas_status status = binary ? read_binary(&reader) : read_text(&reader);
    if (status == FRACAS_OK && !reader.has_vertices)
        status = frc_values_fail(&reader.in, source->at, "the file has no Vertices");
    return status;
}
