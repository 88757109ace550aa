/// @file find_surface.c  The faces that belong to exactly one tetrahedron.
#include "mesh/tet_faces.h"
#include "tets/tets.h"
#include <string.h>

// Copies the faces that belong to exactly one tetrahedron to `out`, unless it is NULL; returns
// their number.
static size_t copy_boundary(const fracas_tet_view* view, const frc_tet_faces* faces,
                            frc_face* out) {
    size_t count = 0;
    for (size_t i = 0, end; i < faces->count; i = end) {
        end = frc_tet_faces_group(view, faces, i);
        if (end - i != 1) continue;
        const frc_tet_face face = frc_tet_face_of(view, faces->order[i]);
        if (out) memcpy(out[count].corner, face.vertex, sizeof face.vertex);
        count++;
    }
    return count;
}

bool frc_surface_find(fracas_context* context, const uint32_t* tets, uint32_t tet_count,
                      uint32_t vertex_count, frc_surface* out) {
    fracas_tet_view view = {.tets = tets, .tet_count = tet_count};
    view.points.count = vertex_count;
    frc_tet_faces faces;
    *out = (frc_surface){0};
    if (frc_tet_faces_sort(context, &view, &faces) != FRACAS_OK) return false;
    const size_t count = copy_boundary(&view, &faces, NULL);
    bool ok = count < UINT32_MAX;
    out->faces = frc_allocate_array(context, count, sizeof *out->faces, &ok);
    if (ok) {
        out->count = out->capacity = (uint32_t)count;
        copy_boundary(&view, &faces, out->faces);
    }
    frc_tet_faces_release(context, &faces);
    return ok;
}
