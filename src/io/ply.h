/// @file ply.h  The header of a PLY file, which describes the layout of the body.
#pragma once
#include "io/mesh_file.h"

typedef enum frc_ply_encoding {
    FRC_PLY_ASCII,
    FRC_PLY_LITTLE_ENDIAN,
    FRC_PLY_BIG_ENDIAN
} frc_ply_encoding;

typedef enum frc_ply_role {
    FRC_PLY_SKIPPED,
    FRC_PLY_X,
    FRC_PLY_Y,
    FRC_PLY_Z,
    FRC_PLY_PARENT,
    FRC_PLY_CORNERS,
    FRC_PLY_VERTEX1,
    FRC_PLY_VERTEX2
} frc_ply_role;

typedef struct frc_ply_property {
    frc_value_type type;
    frc_ply_role role;
    bool list;
    frc_value_type count_type;  // of a list
} frc_ply_property;

typedef enum frc_ply_kind {
    FRC_PLY_VERTEX,
    FRC_PLY_FACE,
    FRC_PLY_EDGE,
    FRC_PLY_OTHER
} frc_ply_kind;

typedef struct frc_ply_element {
    frc_ply_kind kind;
    frc_word name;
    uint64_t count;
    size_t first_property, property_count;
    uint32_t roles;       // bit set of the roles of the properties
    uint64_t least_size;  // bytes of an element in the body when all lists are empty
} frc_ply_element;

typedef struct frc_ply_header {
    frc_ply_encoding encoding;
    uint64_t vertex_count;
    FRC_ARRAY(frc_ply_element) elements;
    FRC_ARRAY(frc_ply_property) properties;
} frc_ply_header;

static inline bool frc_ply_has(const frc_ply_element* element, frc_ply_role role) {
    return element->roles >> role & 1;
}

/// Read the header; `source` is then at the first byte of the body. The caller releases the header,
/// also on failure.
fracas_status frc_ply_read_header(frc_source* source, frc_ply_header* header);
void frc_ply_release_header(fracas_context* context, frc_ply_header* header);
