/// @file surface.c  The surface of the tetrahedra of a file as its faces.
#include "fracas/contact.h"
#include "io/mesh_file.h"
#include "mesh/tet_faces.h"

// Is the triangle a face of a tetrahedron? Binary search in the sorted faces.
static bool is_tet_face(const fracas_tet_view* view, const frc_tet_faces* faces,
                        const uint32_t* face) {
    const uint32_t tet[4] = {face[0], face[1], face[2], UINT32_MAX};
    const fracas_tet_view one = {.tets = tet, .tet_count = 1};
    const frc_tet_face wanted = frc_tet_face_of(&one, 3);
    size_t begin = 0, end = faces->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        const frc_tet_face here = frc_tet_face_of(view, faces->order[middle]);
        int i = 0;
        while (i < 3 && here.vertex[i] == wanted.vertex[i]) i++;
        if (i == 3) return true;
        if (here.vertex[i] < wanted.vertex[i])
            begin = middle + 1;
        else
            end = middle;
    }
    return false;
}

// Set the faces of `kept`: the boundary of the tetrahedra, then the faces of `file` that are not
// faces of tetrahedra.
static fracas_status collect_faces(const fracas_mesh_file* file, const fracas_tet_view* view,
                                   fracas_mesh_file* kept) {
    fracas_context* context = kept->context;
    uint64_t count = 0;
    fracas_status status = fracas_tet_find_boundary(context, view, NULL, NULL, &count);
    if (status != FRACAS_OK) return status;
    if (3 * count > FRC_MAX_ELEMENTS)
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "%s: the surface has more than %u triangles, which is the limit; split it",
                        kept->name, (unsigned)(FRC_MAX_ELEMENTS / 3));
    if (!FRC_ARRAY_RESERVE(context, &kept->face_vertices, 3 * count) ||
        !FRC_ARRAY_RESERVE(context, &kept->face_tets, count) ||
        !FRC_ARRAY_RESERVE(context, &kept->face_offsets, count + 1))
        return frc_fail_memory(context, 3 * count * sizeof(uint32_t));
    if (count > 0)
        status = fracas_tet_find_boundary(context, view, kept->face_vertices.data,
                                          kept->face_tets.data, &count);
    if (status != FRACAS_OK) return status;
    for (uint64_t i = 0; i <= count; i++) kept->face_offsets.data[i] = (uint32_t)(3 * i);
    kept->face_vertices.count = 3 * count;
    kept->face_tets.count = count;
    kept->face_offsets.count = count + 1;

    // The other faces of the file.
    const uint32_t *offsets = file->face_offsets.data, *corners = file->face_vertices.data;
    const size_t file_count = frc_mesh_file_face_count(file);
    if (file_count == 0) return FRACAS_OK;
    frc_tet_faces faces;
    status = frc_tet_faces_sort(context, view, &faces);
    if (status != FRACAS_OK) return status;
    for (size_t f = 0; status == FRACAS_OK && f < file_count; f++) {
        uint32_t size = offsets[f + 1] - offsets[f];
        if (size == 3 && is_tet_face(view, &faces, corners + offsets[f])) continue;
        status = frc_mesh_file_add_face(kept, corners + offsets[f], size);
        if (status == FRACAS_OK && !FRC_ARRAY_PUSH(context, &kept->face_tets, FRACAS_NONE))
            status = frc_fail_memory(context, kept->face_tets.count * sizeof(uint32_t));
    }
    frc_tet_faces_release(context, &faces);
    return status;
}

fracas_status frc_mesh_file_extract_surface(fracas_mesh_file* file) {
    if (file->tets.count == 0) return FRACAS_OK;
    const fracas_tet_view view = fracas_mesh_file_get_tets(file);
    fracas_mesh_file kept = {.context = file->context, .name = file->name};
    fracas_status status = collect_faces(file, &view, &kept);
    // Swap, so that the old arrays are released with `kept`.
    if (status == FRACAS_OK) {
        frc_indices none = file->face_tets;
        file->face_tets = kept.face_tets, kept.face_tets = none;
        frc_indices offsets = file->face_offsets, vertices = file->face_vertices;
        file->face_offsets = kept.face_offsets, kept.face_offsets = offsets;
        file->face_vertices = kept.face_vertices, kept.face_vertices = vertices;
    }
    FRC_ARRAY_RELEASE(file->context, &kept.face_offsets);
    FRC_ARRAY_RELEASE(file->context, &kept.face_vertices);
    FRC_ARRAY_RELEASE(file->context, &kept.edges);
    FRC_ARRAY_RELEASE(file->context, &kept.face_tets);
    return status;
}
