/// @file msh_elements.c  The elements of a Gmsh file: triangles, quads and tetrahedra of first
/// order; points and lines are left out, others refused.
#include "fracas/contact.h"
#include "io/msh.h"
#include <inttypes.h>

typedef enum element_role { REFUSED, LEFT_OUT, FACE, TET } element_role;

typedef struct element_kind {
    int type;
    uint32_t nodes;
    element_role role;
    const char* name;
} element_kind;

static const element_kind kinds[] = {
    {1,  2,  LEFT_OUT, "line"                   },
    {2,  3,  FACE,     "triangle"               },
    {3,  4,  FACE,     "quad"                   },
    {4,  4,  TET,      "tetrahedron"            },
    {5,  8,  REFUSED,  "hexahedron"             },
    {6,  6,  REFUSED,  "prism"                  },
    {7,  5,  REFUSED,  "pyramid"                },
    {8,  3,  LEFT_OUT, "line of 3 nodes"        },
    {9,  6,  REFUSED,  "triangle of 6 nodes"    },
    {11, 10, REFUSED,  "tetrahedron of 10 nodes"},
    {15, 1,  LEFT_OUT, "point"                  },
    {26, 4,  LEFT_OUT, "line of 4 nodes"        },
    {27, 5,  LEFT_OUT, "line of 5 nodes"        },
    {28, 6,  LEFT_OUT, "line of 6 nodes"        },
    {29, 20, REFUSED,  "tetrahedron of 20 nodes"}
};
enum { MOST_NODES = 6 };  // of what is not refused

static fracas_status find_kind(frc_msh* msh, const char* place, int64_t type,
                               const element_kind** out) {
    const element_kind* found = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type) found = &kinds[i];
    *out = found;
    if (found && found->role != REFUSED) return FRACAS_OK;
    return frc_values_fail_unsupported(
        &msh->in, place,
        "elements of type %" PRId64
        " (%s) are not read: triangles, quads and tetrahedra of first order "
        "are; mesh it with these (in Gmsh: Mesh.ElementOrder = 1)",
        type, found ? found->name : "of higher order");
}

// The nodes of one element, and what it becomes.
static fracas_status read_nodes(frc_msh* msh, const element_kind* kind, uint64_t element,
                                frc_value_type type) {
    if (kind->role == LEFT_OUT) {
        if (!frc_values_skip(&msh->in, type, kind->nodes))
            return frc_values_fail_value(&msh->in, "element", element);
        return frc_mesh_file_leave_out(msh->file, frc_word_of(kind->name), 1);
    }
    uint32_t corners[MOST_NODES];
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

static fracas_status skip(frc_msh* msh, frc_value_type type, uint64_t count, uint64_t element) {
    if (frc_values_skip(&msh->in, type, count)) return FRACAS_OK;
    return frc_values_fail_value(&msh->in, "element", element);
}

// A number of tags, which the rest of the file must have room for.
static fracas_status check_tags(frc_msh* msh, const char* place, int64_t tags) {
    size_t left = frc_source_left(msh->in.source);
    if (tags >= 0 && (uint64_t)tags <= left / (msh->in.text ? 2 : 4)) return FRACAS_OK;
    return frc_values_fail(&msh->in, place,
                           "an element says it has %" PRId64 " tags, but only %zu bytes follow",
                           tags, left);
}

// ---- 2.x

static fracas_status read_old_text(frc_msh* msh, uint64_t element) {
    int64_t type = 0, tags = 0;
    const element_kind* kind = NULL;
    fracas_status status = skip(msh, FRC_INT32, 1, element);
    const char* place = frc_values_place(&msh->in);
    if (status == FRACAS_OK)
        status = frc_values_read(&msh->in, FRC_INT32, "element", element, &type);
    if (status == FRACAS_OK) status = find_kind(msh, place, type, &kind);
    place = frc_values_place(&msh->in);
    if (status == FRACAS_OK)
        status = frc_values_read(&msh->in, FRC_INT32, "element", element, &tags);
    if (status == FRACAS_OK) status = check_tags(msh, place, tags);
    if (status == FRACAS_OK) status = skip(msh, FRC_INT32, (uint64_t)tags, element);
    return status == FRACAS_OK ? read_nodes(msh, kind, element, FRC_INT32) : status;
}

// Binary elements come in runs of one type and one number of tags.
static fracas_status read_old_run(frc_msh* msh, uint64_t count, uint64_t* element) {
    int64_t about[3] = {0};  // type, elements, tags
    const element_kind* kind = NULL;
    const char* place = msh->in.source->at;
    fracas_status status = FRACAS_OK;
    for (int i = 0; status == FRACAS_OK && i < 3; i++)
        status = frc_values_read(&msh->in, FRC_INT32, "element", *element, &about[i]);
    if (status == FRACAS_OK) status = find_kind(msh, place, about[0], &kind);
    if (status == FRACAS_OK) status = check_tags(msh, place + 8, about[2]);
    if (status != FRACAS_OK) return status;
    if (about[1] < 1 || (uint64_t)about[1] > count - *element)
        return frc_values_fail(&msh->in, place + 4,
                               "a run of %" PRId64 " elements begins, where %" PRIu64
                               " are left to come",
                               about[1], count - *element);
    for (int64_t i = 0; status == FRACAS_OK && i < about[1]; i++, ++*element) {
        status = skip(msh, FRC_INT32, 1 + (uint64_t)about[2], *element);
        if (status == FRACAS_OK) status = read_nodes(msh, kind, *element, FRC_INT32);
        if (status == FRACAS_OK) status = frc_source_progress(msh->in.source);
    }
    return status;
}

static fracas_status read_old(frc_msh* msh) {
    frc_values header = msh->in;
    header.text = true;
    uint64_t count = 0, element = 0;
    fracas_status status = frc_values_count(&header, FRC_INT32, "elements", 8, &count);
    if (status == FRACAS_OK && !msh->in.text) frc_skip_line(msh->in.source);
    while (status == FRACAS_OK && element < count) {
        if (msh->in.text)
            status = read_old_text(msh, element++);
        else
            status = read_old_run(msh, count, &element);
        if (status == FRACAS_OK) status = frc_source_progress(msh->in.source);
    }
    return status;
}

// ---- 4.1

static fracas_status read_block(frc_msh* msh, uint64_t block, uint64_t* element) {
    int64_t about[3] = {0};  // dimension and tag of the entity, type
    const element_kind* kind = NULL;
    const char* place = frc_values_place(&msh->in);
    fracas_status status = FRACAS_OK;
    for (int i = 0; status == FRACAS_OK && i < 3; i++) {
        place = frc_values_place(&msh->in);
        status = frc_values_read(&msh->in, FRC_INT32, "block of elements", block, &about[i]);
    }
    if (status == FRACAS_OK) status = find_kind(msh, place, about[2], &kind);
    if (status != FRACAS_OK) return status;
    size_t least = (1 + kind->nodes) * (msh->in.text ? 2 : frc_value_size(msh->size_type));
    uint64_t count = 0;
    status = frc_values_count(&msh->in, msh->size_type, "elements in a block", least, &count);
    for (uint64_t i = 0; status == FRACAS_OK && i < count; i++, ++*element) {
        status = skip(msh, msh->size_type, 1, *element);
        if (status == FRACAS_OK) status = read_nodes(msh, kind, *element, msh->size_type);
        if (status == FRACAS_OK) status = frc_source_progress(msh->in.source);
    }
    return status;
}

static fracas_status read_blocks(frc_msh* msh) {
    uint64_t blocks = 0, count = 0, element = 0;
    const char* place = frc_values_place(&msh->in);
    size_t header = msh->in.text ? 8 : 12 + frc_value_size(msh->size_type);
    fracas_status status =
        frc_values_count(&msh->in, msh->size_type, "blocks of elements", header, &blocks);
    if (status == FRACAS_OK)
        status = frc_values_count(&msh->in, msh->size_type, "elements", 4, &count);
    if (status == FRACAS_OK) status = skip(msh, msh->size_type, 2, 0);
    for (uint64_t b = 0; status == FRACAS_OK && b < blocks; b++)
        status = read_block(msh, b, &element);
    if (status != FRACAS_OK || element == count) return status;
    return frc_values_fail(&msh->in, place,
                           "the section says it has %" PRIu64 " elements, but its blocks have "
                           "%" PRIu64,
                           count, element);
}

fracas_status frc_msh_read_elements(frc_msh* msh) {
    return msh->old ? read_old(msh) : read_blocks(msh);
}
