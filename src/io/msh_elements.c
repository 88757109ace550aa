/// @file msh_elements.c  The elements of a Gmsh file: triangles, quads and tetrahedra of first
/// order; points and lines are left out, others are unsupported.
#include "fracas/contact.h"
#include "io/msh.h"
#include <inttypes.h>

typedef enum element_role { UNSUPPORTED, LEFT_OUT, FACE, TET } element_role;

typedef struct element_kind {
    int type;
    uint32_t nodes;
    element_role role;
    const char* name;
} element_kind;

static const element_kind kinds[] = {
    {1,  2,  LEFT_OUT,    "line"                   },
    {2,  3,  FACE,        "triangle"               },
    {3,  4,  FACE,        "quad"                   },
    {4,  4,  TET,         "tetrahedron"            },
    {5,  8,  UNSUPPORTED, "hexahedron"             },
    {6,  6,  UNSUPPORTED, "prism"                  },
    {7,  5,  UNSUPPORTED, "pyramid"                },
    {8,  3,  LEFT_OUT,    "line of 3 nodes"        },
    {9,  6,  UNSUPPORTED, "triangle of 6 nodes"    },
    {11, 10, UNSUPPORTED, "tetrahedron of 10 nodes"},
    {15, 1,  LEFT_OUT,    "point"                  },
    {26, 4,  LEFT_OUT,    "line of 4 nodes"        },
    {27, 5,  LEFT_OUT,    "line of 5 nodes"        },
    {28, 6,  LEFT_OUT,    "line of 6 nodes"        },
    {29, 20, UNSUPPORTED, "tetrahedron of 20 nodes"}
};
enum { MAX_NODES = 6 };  // of supported elements

// The kind of elements of `type`, or a failure for types that are not supported.
static fracas_status find_kind(frc_msh* msh, const char* place, int64_t type,
                               const element_kind** out) {
    const element_kind* found = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type) found = &kinds[i];
    *out = found;
    if (found && found->role != UNSUPPORTED) return FRACAS_OK;
    return frc_values_fail_unsupported(
        &msh->in, place,
        "elements of type %" PRId64
        " (%s) are not read: triangles, quads and tetrahedra of first order "
        "are; mesh it with these (in Gmsh: Mesh.ElementOrder = 1)",
        type, found ? found->name : "of higher order");
}

// Read the nodes of one element and add it to the mesh.
static fracas_status read_nodes(frc_msh* msh, const element_kind* kind, uint64_t element,
                                frc_value_type type) {
    if (kind->role == LEFT_OUT) {
        fracas_status status = frc_values_skip(&msh->in, type, kind->nodes, "element", element);
        if (status != FRACAS_OK) return status;
        return frc_mesh_file_leave_out(msh->file, frc_word_of(kind->name), 1);
    }
    uint32_t corners[MAX_NODES];
    for (uint32_t i = 0; i < kind->nodes; i++) {
        int64_t tag = 0;
        const char* place = frc_values_place(&msh->in);
        fracas_status status = frc_values_read(&msh->in, type, "element", element, &tag);
        if (status != FRACAS_OK) return status;
        corners[i] = frc_msh_find(msh, tag);
        if (corners[i] == FRACAS_NONE)
            return frc_values_fail(&msh->in, place,
                                   "element %" PRIu64 " (counting from 0) refers to node %" PRId64
                                   ", which the file does not have",
                                   element, tag);
    }
    return kind->role == TET ? frc_mesh_file_add_tet(msh->file, corners)
                             : frc_mesh_file_add_face(msh->file, corners, kind->nodes);
}

// Version 2.x. In text each element is "number type tag-count tags nodes"; in binary a header "type
// element-count tag-count" precedes elements of "number tags nodes".
static fracas_status read_elements_2(frc_msh* msh) {
    frc_values* in = &msh->in;
    frc_values header = *in;
    header.text = true;
    uint64_t count = 0, element = 0;
    fracas_status status = frc_values_count(&header, FRC_INT32, "elements", 8, &count);
    if (status == FRACAS_OK && !in->text) frc_skip_line(in->source);
    while (status == FRACAS_OK && element < count) {
        const element_kind* kind = NULL;
        int64_t type = 0, run = 1, tags = 0;
        if (in->text) status = frc_values_skip(in, FRC_INT32, 1, "element", element);
        const char* place = frc_values_place(in);
        if (status == FRACAS_OK) status = frc_values_read(in, FRC_INT32, "element", element, &type);
        if (status == FRACAS_OK) status = find_kind(msh, place, type, &kind);
        place = frc_values_place(in);
        if (status == FRACAS_OK && !in->text)
            status = frc_values_read(in, FRC_INT32, "element", element, &run);
        if (status != FRACAS_OK) return status;
        if (run < 1 || (uint64_t)run > count - element)
            return frc_values_fail(in, place,
                                   "a header has %" PRId64 " elements, but %" PRIu64
                                   " are left in the section",
                                   run, count - element);
        place = frc_values_place(in);
        status = frc_values_read(in, FRC_INT32, "element", element, &tags);
        if (status != FRACAS_OK) return status;
        size_t left = frc_source_left(in->source);
        if (tags < 0 || (uint64_t)tags > left / (in->text ? 2 : 4))
            return frc_values_fail(
                in, place, "an element says it has %" PRId64 " tags, but only %zu bytes follow",
                tags, left);
        const uint64_t skipped = (uint64_t)tags + !in->text;  // in binary with the element number
        for (; status == FRACAS_OK && run > 0; run--, element++) {
            status = frc_values_skip(in, FRC_INT32, skipped, "element", element);
            if (status == FRACAS_OK) status = read_nodes(msh, kind, element, FRC_INT32);
            if (status == FRACAS_OK) status = frc_source_progress(in->source);
        }
    }
    return status;
}

// Version 4.1: blocks of elements of one type.
static fracas_status read_elements_4(frc_msh* msh) {
    frc_values* in = &msh->in;
    const frc_value_type size_type = msh->size_type;
    const size_t size = in->text ? 2 : frc_value_size(size_type);
    uint64_t blocks = 0, count = 0, element = 0;
    const char* begin = frc_values_place(in);
    fracas_status status =
        frc_values_count(in, size_type, "blocks of elements", in->text ? 8 : 12 + size, &blocks);
    if (status == FRACAS_OK) status = frc_values_count(in, size_type, "elements", 4, &count);
    if (status == FRACAS_OK) status = frc_values_skip(in, size_type, 2, "element", 0);
    for (uint64_t b = 0; status == FRACAS_OK && b < blocks; b++) {
        const element_kind* kind = NULL;
        int64_t entity[3] = {0};  // dimension and tag of the entity, element type
        uint64_t block_count = 0;
        const char* place = NULL;
        for (int i = 0; status == FRACAS_OK && i < 3; i++) {
            place = frc_values_place(in);
            status = frc_values_read(in, FRC_INT32, "block of elements", b, &entity[i]);
        }
        if (status == FRACAS_OK) status = find_kind(msh, place, entity[2], &kind);
        if (status == FRACAS_OK)
            status = frc_values_count(in, size_type, "elements in a block",
                                      (1 + kind->nodes) * size, &block_count);
        for (uint64_t i = 0; status == FRACAS_OK && i < block_count; i++, element++) {
            status = frc_values_skip(in, size_type, 1, "element", element);
            if (status == FRACAS_OK) status = read_nodes(msh, kind, element, size_type);
            if (status == FRACAS_OK) status = frc_source_progress(in->source);
        }
    }
    if (status != FRACAS_OK || element == count) return status;
    return frc_values_fail(in, begin,
                           "the section says it has %" PRIu64 " elements, but its blocks have "
                           "%" PRIu64,
                           count, element);
}

fracas_status frc_msh_read_elements(frc_msh* msh) {
    return msh->version_2 ? read_elements_2(msh) : read_elements_4(msh);
}
