/// @file tetgen.c  TetGen: points in NAME.node, tetrahedra in NAME.ele. Either name may be given.
///
/// Both are lines of numbers. The first is the number of the point or tetrahedron, counting from 0
/// or 1. '#' begins a comment. Attributes and markers are skipped.
#include "io/mesh_file.h"
#include <inttypes.h>

// ---- one file

// Read the numbers of the first line; missing ones stay 0.
static fracas_status read_header(frc_values* in, const char* what, size_t least, int64_t out[4]) {
    frc_source* source = in->source;
    uint64_t count = 0;
    source->free_form = true;
    fracas_status status = frc_values_count(in, FRC_INT64, what, least, &count);
    out[0] = (int64_t)count;
    source->free_form = false;
    for (int i = 1; status == FRACAS_OK && i < 4; i++) {
        frc_skip_blanks(source);
        if (frc_at_end(source)) break;
        status = frc_values_read(in, FRC_INT64, "number of the first line", (uint64_t)i, &out[i]);
    }
    frc_skip_line(source);
    return status;
}

// Read and check the number at the beginning of a line. `*first` is the number on the first line,
// from which the file counts.
static fracas_status read_number(frc_values* in, const char* what, uint64_t index, int64_t* first) {
    frc_source* source = in->source;
    source->free_form = true;
    const char* place = frc_values_place(in);
    int64_t number = 0;
    fracas_status status = frc_values_read(in, FRC_INT64, what, index, &number);
    source->free_form = false;
    if (status != FRACAS_OK) return status;
    if (index == 0) *first = number;
    if (number == *first + (int64_t)index && (*first == 0 || *first == 1)) return FRACAS_OK;
    return frc_values_fail(in, place,
                           "%s %" PRIu64 " has the number %" PRId64
                           "; numbers count from 0 or 1, without gaps",
                           what, index, number);
}

// Only blanks and comments follow the last element.
static fracas_status expect_end(frc_values* in, const char* what, int64_t count) {
    in->source->free_form = true;
    frc_word rest = frc_peek_word(in->source);
    if (rest.length == 0) return FRACAS_OK;
    return frc_values_fail(in, rest.text,
                           "'%s' follows the last %s; the first line says that there are %" PRId64,
                           frc_quote_word(rest).text, what, count);
}

static fracas_status read_nodes(frc_values* in, fracas_mesh_file* file, int64_t* first) {
    int64_t header[4] = {0};  // points, dimension, attributes, markers
    fracas_status status = read_header(in, "points", 8, header);
    if (status != FRACAS_OK) return status;
    if (header[1] != 3)
        return frc_values_fail_unsupported(
            in, in->source->begin, "the points have %" PRId64 " dimensions; only 3 are read",
            header[1]);
    status = frc_mesh_file_reserve_points(file, (uint64_t)header[0]);
    if (status != FRACAS_OK) return status;
    for (int64_t i = 0; i < header[0]; i++) {
        double point[3];
        status = read_number(in, "point", (uint64_t)i, first);
        if (status == FRACAS_OK)
            status = frc_values_coordinates(in, FRC_FLOAT64, (uint64_t)i, point);
        if (status == FRACAS_OK) status = frc_mesh_file_add_point(file, point);
        if (status == FRACAS_OK) status = frc_source_progress(in->source);
        if (status != FRACAS_OK) return status;
        frc_skip_line(in->source);
    }
    return expect_end(in, "point", header[0]);
}

static fracas_status read_tets(frc_values* in, fracas_mesh_file* file, int64_t first) {
    int64_t header[4] = {0}, own_first = 0;  // tetrahedra, corners, attributes
    fracas_status status = read_header(in, "tetrahedra", 10, header);
    if (status != FRACAS_OK) return status;
    if (header[1] != 4)
        return frc_values_fail_unsupported(in, in->source->begin,
                                           "the tetrahedra have %" PRId64
                                           " corners; only 4 are read (TetGen without -o2)",
                                           header[1]);
    if (!FRC_ARRAY_RESERVE(file->context, &file->tets, 4 * (size_t)header[0]))
        return frc_fail_memory(file->context, 4 * (size_t)header[0] * sizeof(uint32_t));
    for (int64_t i = 0; i < header[0]; i++) {
        uint32_t corners[4];
        status = read_number(in, "tetrahedron", (uint64_t)i, &own_first);
        if (status == FRACAS_OK)
            status = frc_values_corners(in, FRC_INT64, "tetrahedron", (uint64_t)i, first,
                                        frc_mesh_file_point_count(file), 4, corners);
        if (status == FRACAS_OK) status = frc_mesh_file_add_tet(file, corners);
        if (status == FRACAS_OK) status = frc_source_progress(in->source);
        if (status != FRACAS_OK) return status;
        frc_skip_line(in->source);
    }
    return expect_end(in, "tetrahedron", header[0]);
}

// `source` is the file of points, its partner that of tetrahedra.
fracas_status frc_tetgen_read(frc_source* source, fracas_mesh_file* file) {
    if (!source->partner)
        return frc_fail(source->context, FRACAS_ERROR_UNSUPPORTED,
                        "%s: a mesh of TetGen is two files, .node and .ele; read it from a path, "
                        "not from memory",
                        source->name);
    int64_t first = 0;
    frc_values nodes = {.source = source, .text = true};
    frc_values tets = {.source = source->partner, .text = true};
    source->comments = source->partner->comments = true;
    frc_source_drop_trailing_zeros(source);
    frc_source_drop_trailing_zeros(source->partner);
    fracas_status status = read_nodes(&nodes, file, &first);
    return status == FRACAS_OK ? read_tets(&tets, file, first) : status;
}

// ---- both files

fracas_status frc_tetgen_parse(fracas_context* context, const char* const names[2],
                               const char* const bytes[2], const size_t sizes[2],
                               const fracas_mesh_file_options* options, fracas_mesh_file** out) {
    frc_source sources[2];
    double whole = (double)sizes[0] + (double)sizes[1];
    for (int i = 0; i < 2; i++)
        sources[i] = frc_source_make(context, names[i], bytes[i], sizes[i], FRC_LOAD_SHARE);
    // The tetrahedra begin where the progress of the points ends.
    if (whole > 0) sources[1].progress_begin += (1 - FRC_LOAD_SHARE) * (double)sizes[0] / whole;
    sources[0].partner = &sources[1];
    return frc_mesh_file_create(&sources[0], "tetgen", frc_tetgen_read, options, out);
}

fracas_status frc_tetgen_load(fracas_context* context, const char* path,
                              const fracas_mesh_file_options* options, fracas_mesh_file** out) {
    size_t length = strlen(path), capacity = length + 8;
    char* partner = frc_allocate(context, capacity);
    if (!partner) return frc_fail_memory(context, capacity);
    memcpy(partner, path, length + 1);
    // The name of the other file; its extension is in capital letters if the given one is.
    bool is_node = path[length - 4] != '.';
    bool large = path[length - 1] >= 'A' && path[length - 1] <= 'Z';
    const char* extension = is_node ? (large ? "ELE" : "ele") : (large ? "NODE" : "node");
    memcpy(partner + length - (is_node ? 4 : 3), extension, strlen(extension) + 1);
    const char* const names[2] = {is_node ? path : partner, is_node ? partner : path};
    char* bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0}, capacities[2] = {0, 0};
    fracas_status status = FRACAS_OK;
    for (int i = 0; status == FRACAS_OK && i < 2; i++) {
        status = frc_file_load(context, names[i], &bytes[i], &sizes[i], &capacities[i]);
        if (status != FRACAS_ERROR_FILE || names[i] != partner) continue;
        char message[600];
        fracas_context_get_message(context, message, sizeof message);
        frc_fail(context, FRACAS_ERROR_FILE,
                 "%s; a mesh of TetGen is two files, .node and .ele, and %s needs the other in the "
                 "same folder",
                 message, path);
    }
    if (status == FRACAS_OK)
        status = frc_tetgen_parse(context, names, (const char* const*)bytes, sizes, options, out);
    for (int i = 0; i < 2; i++) frc_release(context, bytes[i], capacities[i]);
    frc_release(context, partner, capacity);
    return status;
}
