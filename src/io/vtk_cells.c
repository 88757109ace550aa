/// @file vtk_cells.c  Convert cells of VTK to faces, free edges and tetrahedra.
#include "io/vtk.h"
#include <inttypes.h>

void frc_vtk_release(frc_vtk_cells* cells) {
    FRC_ARRAY_RELEASE(cells->file->context, &cells->corners);
    FRC_ARRAY_RELEASE(cells->file->context, &cells->ends);
}

fracas_status frc_vtk_read_ends(frc_values* in, frc_value_type type, frc_vtk_cells* cells,
                                uint64_t count, bool leading) {
    if (!FRC_ARRAY_RESERVE(cells->file->context, &cells->ends, count))
        return frc_fail_memory(cells->file->context, count * sizeof(uint64_t));
    int64_t before = 0;
    for (uint64_t i = 0; i < count + leading; i++) {
        int64_t end = 0;
        const char* place = frc_values_place(in);
        fracas_status status = frc_values_read(in, type, "offset", i, &end);
        if (status != FRACAS_OK) return status;
        if (end < before || (leading && i == 0 && end != 0))
            return frc_values_fail(in, place,
                                   "offset %" PRIu64 " is %" PRId64 "; offsets begin with 0 and "
                                   "do not decrease, and the one before is %" PRId64,
                                   i, end, before);
        if (i >= leading) cells->ends.data[cells->ends.count++] = (uint64_t)end;
        before = end;
        status = frc_source_progress(in->source);
        if (status != FRACAS_OK) return status;
    }
    return FRACAS_OK;
}

fracas_status frc_vtk_read_corners(frc_values* in, frc_value_type type, frc_vtk_cells* cells,
                                   uint64_t count, uint64_t first, uint64_t vertices) {
    if (!FRC_ARRAY_RESERVE(cells->file->context, &cells->corners, cells->corners.count + count))
        return frc_fail_memory(cells->file->context, count * sizeof(uint32_t));
    for (uint64_t i = 0; i < count; i++) {
        uint32_t corner = 0;
        fracas_status status = frc_values_corners(in, type, "corner", i, 0, vertices, 1, &corner);
        if (status == FRACAS_OK) status = frc_source_progress(in->source);
        if (status != FRACAS_OK) return status;
        cells->corners.data[cells->corners.count++] = (uint32_t)first + corner;
    }
    return FRACAS_OK;
}

// ---- types

typedef enum cell_role { UNSUPPORTED, LEFT_OUT, EDGES, FACE, PIXEL, TET } cell_role;

typedef struct cell_kind {
    int type;
    uint32_t least, most;  // numbers of corners
    cell_role role;
    const char* name;
} cell_kind;

static const cell_kind kinds[] = {
    {0,  0, UINT32_MAX, LEFT_OUT,    "empty cell"           },
    {1,  1, 1,          LEFT_OUT,    "vertex"               },
    {2,  0, UINT32_MAX, LEFT_OUT,    "poly-vertex"          },
    {3,  2, 2,          EDGES,       "line"                 },
    {4,  2, UINT32_MAX, EDGES,       "poly-line"            },
    {5,  3, 3,          FACE,        "triangle"             },
    {6,  0, 0,          UNSUPPORTED, "triangle strip"       },
    {7,  3, UINT32_MAX, FACE,        "polygon"              },
    {8,  4, 4,          PIXEL,       "pixel"                },
    {9,  4, 4,          FACE,        "quad"                 },
    {10, 4, 4,          TET,         "tetrahedron"          },
    {11, 0, 0,          UNSUPPORTED, "voxel"                },
    {12, 0, 0,          UNSUPPORTED, "hexahedron"           },
    {13, 0, 0,          UNSUPPORTED, "wedge"                },
    {14, 0, 0,          UNSUPPORTED, "pyramid"              },
    {22, 0, 0,          UNSUPPORTED, "quadratic triangle"   },
    {24, 0, 0,          UNSUPPORTED, "quadratic tetrahedron"},
    {42, 0, 0,          UNSUPPORTED, "polyhedron"           }
};

// The kind of a cell of `type` with `corners` corners, or a failure.
static fracas_status find_kind(const frc_values* in, const char* place, uint64_t cell, int64_t type,
                               uint64_t corners, const cell_kind** out) {
    const cell_kind* found = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type) found = &kinds[i];
    *out = found;
    if (!found || found->role == UNSUPPORTED)
        return frc_values_fail_unsupported(
            in, place,
            "cell %" PRIu64 " is of type %" PRId64
            " (%s), which is not read: lines, triangles, polygons and "
            "tetrahedra are; convert the mesh to these",
            cell, type, found ? found->name : "unknown");
    if (corners >= found->least && corners <= found->most) return FRACAS_OK;
    return frc_values_fail(
        in, place, "cell %" PRIu64 " is of type %" PRId64 " (%s) and has %" PRIu64 " corners", cell,
        type, found->name, corners);
}

fracas_status frc_vtk_read_types(frc_values* in, frc_value_type type, frc_vtk_cells* cells) {
    fracas_mesh_file* file = cells->file;
    uint64_t begin = 0;
    for (size_t i = 0; i < cells->ends.count; i++) {
        int64_t value = 0;
        const cell_kind* kind = NULL;
        uint64_t count = cells->ends.data[i] - begin;
        const char* place = frc_values_place(in);
        fracas_status status = frc_values_read(in, type, "type of cell", i, &value);
        if (status == FRACAS_OK) status = find_kind(in, place, i, value, count, &kind);
        const uint32_t* corners = count ? cells->corners.data + begin : NULL;
        if (status != FRACAS_OK) return status;
        switch (kind->role) {
        case EDGES:
            for (uint32_t k = 1; status == FRACAS_OK && k < count; k++)
                status = frc_mesh_file_add_edge(file, corners[k - 1], corners[k]);
            break;
        case FACE:
            status = frc_mesh_file_add_face(file, corners, (uint32_t)count);
            break;
        case PIXEL: {
            // The corners of a pixel are stored row by row.
            const uint32_t cycle[4] = {corners[0], corners[1], corners[3], corners[2]};
            status = frc_mesh_file_add_face(file, cycle, 4);
            break;
        }
        case TET:
            status = frc_mesh_file_add_tet(file, corners);
            break;
        default:
            status = frc_mesh_file_leave_out(file, frc_word_of(kind->name), 1);
        }
        if (status == FRACAS_OK) status = frc_source_progress(in->source);
        if (status != FRACAS_OK) return status;
        begin = cells->ends.data[i];
    }
    return FRACAS_OK;
}
