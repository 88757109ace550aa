/// @file ply.c  The body of a PLY file: vertices, faces and edges with the properties we know.
/// Other elements are left out and counted, other properties are passed over.
#include "io/ply.h"
#include "io/mesh_file.h"
#include <inttypes.h>

typedef struct ply {
    frc_source* source;
    fracas_mesh_file* file;
    frc_ply_header header;
    frc_values body;
} ply;

static const char* const kind_names[] = {"vertex", "face", "edge", "element"};

static fracas_status read_vertex_index(ply* reader, frc_ply_kind kind, uint64_t index,
                                       frc_value_type type, uint32_t* out) {
    return frc_values_corners(&reader->body, type, kind_names[kind], index, 0,
                              reader->header.vertex_count, 1, out);
}

// The length of a list, which the rest of the file must have room for.
static fracas_status read_length(ply* reader, const frc_ply_property* property, frc_ply_kind kind,
                                 uint64_t index, uint64_t* out) {
    const char* place = frc_values_place(&reader->body);
    int64_t length = 0;
    if (!frc_values_integer(&reader->body, property->count_type, &length))
        return frc_values_fail_value(&reader->body, kind_names[kind], index);
    size_t left = frc_source_left(reader->source);
    size_t room = reader->body.text ? left / 2 + 1 : left / frc_value_size(property->type);
    if (length < 0 || (uint64_t)length > room)
        return frc_values_fail(&reader->body, place,
                               "%s %" PRIu64 " has a list of %" PRId64
                               " values, but only %zu bytes follow",
                               kind_names[kind], index, length, left);
    *out = (uint64_t)length;
    return FRACAS_OK;
}

static fracas_status read_corners(ply* reader, const frc_ply_property* property, uint64_t face) {
    uint64_t corners = 0;
    fracas_status status = read_length(reader, property, FRC_PLY_FACE, face, &corners);
    frc_indices* list = &reader->file->face_vertices;
    if (status == FRACAS_OK &&
        !FRC_ARRAY_RESERVE(reader->file->context, list, list->count + corners))
        return frc_fail_memory(reader->file->context, (list->count + corners) * sizeof(uint32_t));
    for (uint64_t i = 0; status == FRACAS_OK && i < corners; i++)
        status = read_vertex_index(reader, FRC_PLY_FACE, face, property->type,
                                   &list->data[list->count++]);
    return status;
}

static fracas_status read_parent(ply* reader, frc_value_type type, frc_ply_kind kind,
                                 uint64_t index) {
    const char* place = frc_values_place(&reader->body);
    int64_t parent = 0;
    if (!frc_values_integer(&reader->body, type, &parent))
        return frc_values_fail_value(&reader->body, kind_names[kind], index);
    if (parent < INT32_MIN || parent > INT32_MAX)
        return frc_values_fail(&reader->body, place,
                               "%s %" PRIu64 " has the parent %" PRId64 ", which is no int",
                               kind_names[kind], index, parent);
    frc_parents* list =
        kind == FRC_PLY_VERTEX ? &reader->file->vertex_parents : &reader->file->face_parents;
    return FRC_ARRAY_PUSH(reader->file->context, list, (int32_t)parent)
               ? FRACAS_OK
               : frc_fail_memory(reader->file->context, (list->count + 1) * sizeof(int32_t));
}

static fracas_status skip_property(ply* reader, const frc_ply_property* property, frc_ply_kind kind,
                                   uint64_t index) {
    uint64_t count = 1;
    fracas_status status = FRACAS_OK;
    if (property->list) status = read_length(reader, property, kind, index, &count);
    if (status == FRACAS_OK && !frc_values_skip(&reader->body, property->type, count))
        status = frc_values_fail_value(&reader->body, kind_names[kind], index);
    return status;
}

// What one element is made of, until all its properties are read.
typedef struct record {
    double point[3];
    uint32_t edge[2];
} record;

static fracas_status read_property(ply* reader, const frc_ply_property* property, frc_ply_kind kind,
                                   uint64_t index, record* out) {
    switch (property->role) {
    case FRC_PLY_X:
    case FRC_PLY_Y:
    case FRC_PLY_Z:
        return frc_values_coordinate(&reader->body, property->type, index,
                                     (int)(property->role - FRC_PLY_X),
                                     &out->point[property->role - FRC_PLY_X]);
    case FRC_PLY_PARENT:
        return read_parent(reader, property->type, kind, index);
    case FRC_PLY_CORNERS:
        return read_corners(reader, property, index);
    case FRC_PLY_VERTEX1:
    case FRC_PLY_VERTEX2:
        return read_vertex_index(reader, kind, index, property->type,
                                 &out->edge[property->role - FRC_PLY_VERTEX1]);
    default:
        return skip_property(reader, property, kind, index);
    }
}

static fracas_status keep_record(fracas_mesh_file* file, frc_ply_kind kind, const record* found) {
    switch (kind) {
    case FRC_PLY_VERTEX:
        return frc_mesh_file_add_point(file, found->point);
    case FRC_PLY_FACE:
        return frc_mesh_file_end_face(file);
    case FRC_PLY_EDGE:
        return frc_mesh_file_add_edge(file, found->edge[0], found->edge[1]);
    default:
        return FRACAS_OK;
    }
}

// Does the element have what we need, and can as many be in the rest of the file?
static fracas_status check_element(ply* reader, const frc_ply_element* element) {
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
    size_t left = frc_source_left(reader->source) + reader->body.text;
    if (element->count <= left / element->least_size) return FRACAS_OK;
    return frc_fail_line(reader->source, element->name.text,
                         "there should be %" PRIu64
                         " of this element, but only %zu bytes are left for them; the file is cut "
                         "off",
                         element->count, frc_source_left(reader->source));
}

static bool reserve(fracas_mesh_file* file, const frc_ply_element* element) {
    fracas_context* context = file->context;
    size_t count = (size_t)element->count;
    bool parents = frc_ply_has(element, FRC_PLY_PARENT);
    switch (element->kind) {
    case FRC_PLY_VERTEX:
        return FRC_ARRAY_RESERVE(context, &file->points, 3 * count) &&
               (!parents || FRC_ARRAY_RESERVE(context, &file->vertex_parents, count));
    case FRC_PLY_FACE:
        return FRC_ARRAY_RESERVE(context, &file->face_offsets, count + 1) &&
               (!parents || FRC_ARRAY_RESERVE(context, &file->face_parents, count));
    default:
        return true;
    }
}

static fracas_status read_element(ply* reader, const frc_ply_element* element) {
    if (element->count == 0) return FRACAS_OK;
    fracas_status status = check_element(reader, element);
    if (status != FRACAS_OK) return status;
    if (!reserve(reader->file, element))
        return frc_fail_memory(reader->file->context, (size_t)element->count * 3 * sizeof(double));
    const frc_ply_property* properties = reader->header.properties.data + element->first_property;
    for (uint64_t i = 0; i < element->count; i++) {
        record found = {0};
        for (size_t p = 0; p < element->property_count; p++) {
            status = read_property(reader, &properties[p], element->kind, i, &found);
            if (status != FRACAS_OK) return status;
        }
        // Some programs write more values than the header tells of; a line is an element.
        if (reader->body.text) frc_skip_line(reader->source);
        status = keep_record(reader->file, element->kind, &found);
        if (status == FRACAS_OK) status = frc_source_progress(reader->source);
        if (status != FRACAS_OK) return status;
    }
    if (element->kind != FRC_PLY_OTHER) return FRACAS_OK;
    return frc_mesh_file_leave_out(reader->file, element->name, element->count);
}

// Lines that the header does not know of mean that header and body do not fit each other.
static fracas_status check_end(ply* reader) {
    if (!reader->body.text) return FRACAS_OK;
    frc_word rest = frc_peek_word(reader->source);
    if (rest.length == 0) return FRACAS_OK;
    return frc_fail_line(reader->source, rest.text,
                         "'%s' follows the last element; the header has too small a count, or "
                         "an element too few",
                         frc_quote_word(rest).text);
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
    if (status == FRACAS_OK) status = check_end(&reader);
    frc_ply_release_header(source->context, &reader.header);
    return status;
}
