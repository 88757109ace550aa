/// @file ply.c  The body of a PLY file: vertices, faces and edges with the known properties. Other
/// elements are left out and counted, other properties are skipped.
#include "io/ply.h"
#include <inttypes.h>

typedef struct ply {
    frc_source* source;
    fracas_mesh_file* file;
    frc_ply_header header;
    frc_values body;
} ply;

static const char* const kind_names[] = {"vertex", "face", "edge", "element"};

// Read the length of a list; the rest of the file must be long enough for its values.
static fracas_status read_length(ply* reader, const frc_ply_property* property, frc_ply_kind kind,
                                 uint64_t index, uint64_t* out) {
    const char* place = frc_values_place(&reader->body);
    int64_t length = 0;
    fracas_status status =
        frc_values_read(&reader->body, property->count_type, kind_names[kind], index, &length);
    if (status != FRACAS_OK) return status;
    size_t left = frc_source_left(reader->source);
    size_t most = reader->body.text ? left / 2 + 1 : left / frc_value_size(property->type);
    if (length < 0 || (uint64_t)length > most)
        return frc_values_fail(&reader->body, place,
                               "%s %" PRIu64 " has a list of %" PRId64
                               " values, but only %zu bytes follow",
                               kind_names[kind], index, length, left);
    *out = (uint64_t)length;
    return FRACAS_OK;
}

// The values of an element that make a point or an edge after all properties have been read.
typedef struct record {
    double point[3];
    uint32_t edge[2];
} record;

static fracas_status read_property(ply* reader, const frc_ply_property* property, frc_ply_kind kind,
                                   uint64_t index, record* out) {
    fracas_mesh_file* file = reader->file;
    frc_values* body = &reader->body;
    const char *what = kind_names[kind], *place = NULL;
    const uint64_t vertices = reader->header.vertex_count;
    fracas_status status = FRACAS_OK;
    uint64_t count = 1;
    int64_t parent = 0;
    switch (property->role) {
    case FRC_PLY_X:
    case FRC_PLY_Y:
    case FRC_PLY_Z: {
        int axis = (int)(property->role - FRC_PLY_X);
        return frc_values_coordinate(body, property->type, index, axis, &out->point[axis]);
    }
    case FRC_PLY_PARENT: {
        place = frc_values_place(body);
        status = frc_values_read(body, property->type, what, index, &parent);
        if (status != FRACAS_OK) return status;
        if (parent < INT32_MIN || parent > INT32_MAX)
            return frc_values_fail(body, place,
                                   "%s %" PRIu64 " has the parent %" PRId64 ", which is not an int",
                                   what, index, parent);
        frc_parents* list = kind == FRC_PLY_VERTEX ? &file->vertex_parents : &file->face_parents;
        if (FRC_ARRAY_PUSH(file->context, list, (int32_t)parent)) return FRACAS_OK;
        return frc_fail_memory(file->context, (list->count + 1) * sizeof(int32_t));
    }
    case FRC_PLY_CORNERS: {
        status = read_length(reader, property, kind, index, &count);
        for (uint64_t i = 0; status == FRACAS_OK && i < count; i++) {
            uint32_t corner = 0;
            status = frc_values_corners(body, property->type, what, index, 0, vertices, 1, &corner);
            if (status == FRACAS_OK) status = frc_mesh_file_add_corner(file, corner);
        }
        return status;
    }
    case FRC_PLY_VERTEX1:
    case FRC_PLY_VERTEX2:
        return frc_values_corners(body, property->type, what, index, 0, vertices, 1,
                                  &out->edge[property->role - FRC_PLY_VERTEX1]);
    default:
        if (property->list) status = read_length(reader, property, kind, index, &count);
        if (status != FRACAS_OK) return status;
        return frc_values_skip(body, property->type, count, what, index);
    }
}

static fracas_status read_element(ply* reader, const frc_ply_element* element) {
    fracas_mesh_file* file = reader->file;
    const size_t count = (size_t)element->count;
    if (count == 0) return FRACAS_OK;
    // The element needs its properties, and the rest of the file must be long enough.
    static const uint32_t needed[] = {1u << FRC_PLY_X | 1u << FRC_PLY_Y | 1u << FRC_PLY_Z,
                                      1u << FRC_PLY_CORNERS,
                                      1u << FRC_PLY_VERTEX1 | 1u << FRC_PLY_VERTEX2, 0};
    static const char* const wanted[] = {
        "the properties x, y and z", "the property 'list uchar int vertex_indices'",
        "the properties 'int vertex1' and 'int vertex2'", "properties"};
    if ((element->roles & needed[element->kind]) != needed[element->kind] ||
        element->property_count == 0)
        return frc_fail_line(reader->source, element->name.text, "the %s element needs %s",
                             kind_names[element->kind], wanted[element->kind]);
    // The last blank of a text may be missing.
    const size_t left = frc_source_left(reader->source);
    if (element->count > (left + reader->body.text) / element->least_size)
        return frc_fail_line(reader->source, element->name.text,
                             "there should be %" PRIu64
                             " of this element, but only %zu bytes are left for them; the file is "
                             "cut off",
                             element->count, left);

    fracas_status status = FRACAS_OK;
    bool vertices = element->kind == FRC_PLY_VERTEX, faces = element->kind == FRC_PLY_FACE;
    frc_parents* parents = vertices ? &file->vertex_parents : &file->face_parents;
    if (vertices) status = frc_mesh_file_reserve_points(file, count);
    if (status != FRACAS_OK) return status;
    if ((faces && !FRC_ARRAY_RESERVE(file->context, &file->face_offsets, count + 1)) ||
        (frc_ply_has(element, FRC_PLY_PARENT) && !FRC_ARRAY_RESERVE(file->context, parents, count)))
        return frc_fail_memory(file->context, (count + 1) * sizeof(uint32_t));

    const frc_ply_property* properties = reader->header.properties.data + element->first_property;
    for (uint64_t i = 0; i < count; i++) {
        record found = {0};
        for (size_t p = 0; status == FRACAS_OK && p < element->property_count; p++)
            status = read_property(reader, &properties[p], element->kind, i, &found);
        if (status != FRACAS_OK) return status;
        // In text a line is an element: some programs write more values than the header has
        // properties.
        if (reader->body.text) frc_skip_line(reader->source);
        if (vertices) status = frc_mesh_file_add_point(file, found.point);
        if (faces) status = frc_mesh_file_end_face(file);
        if (element->kind == FRC_PLY_EDGE)
            status = frc_mesh_file_add_edge(file, found.edge[0], found.edge[1]);
        if (status == FRACAS_OK) status = frc_source_progress(reader->source);
        if (status != FRACAS_OK) return status;
    }
    if (element->kind != FRC_PLY_OTHER) return FRACAS_OK;
    return frc_mesh_file_leave_out(file, element->name, count);
}

fracas_status frc_ply_read(frc_source* source, fracas_mesh_file* file) {
    ply reader = {.source = source, .file = file};
    fracas_status status = frc_ply_read_header(source, &reader.header);
    source->free_form = true;
    reader.body =
        (frc_values){.source = source,
                     .text = reader.header.encoding == FRC_PLY_ASCII,
                     .swap = frc_swap_needed(reader.header.encoding == FRC_PLY_BIG_ENDIAN)};
    if (reader.body.text) frc_source_drop_trailing_zeros(source);
    for (size_t e = 0; status == FRACAS_OK && e < reader.header.elements.count; e++)
        status = read_element(&reader, &reader.header.elements.data[e]);
    // Words after the last element mean that header and body do not match.
    frc_word rest = {NULL, 0};
    if (status == FRACAS_OK && reader.body.text) rest = frc_peek_word(source);
    if (rest.length > 0)
        status = frc_fail_line(source, rest.text,
                               "'%s' follows the last element; a count of the header is too small, "
                               "or an element is missing in it",
                               frc_quote_word(rest).text);
    frc_ply_release_header(source->context, &reader.header);
    return status;
}
