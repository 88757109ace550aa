/// @file describe_tets.c  fracas_tet_describe: counts of elements and defects of a volume.
#include "base/array.h"
#include "exact/predicates.h"
#include "mesh/tet_faces.h"
#include "mesh/union_find.h"
#include "mesh/validate.h"
#include "mesh/view.h"

static fracas_status count_components(fracas_context* context, const fracas_tet_view* view,
                                      fracas_tet_info* out) {
    const size_t points = view->points.count;
    bool ok = true;
    uint32_t* parents = frc_allocate_array(context, points, sizeof *parents, &ok);
    uint8_t* used = frc_allocate_array(context, points, sizeof *used, &ok);
    for (uint32_t v = 0; ok && v < points; v++) parents[v] = v, used[v] = 0;
    for (size_t i = 0; ok && i < 4 * (size_t)view->tet_count; i++) {
        used[view->tets[i]] = 1;
        frc_union_find_join(parents, view->tets[i], view->tets[i / 4 * 4]);
    }
    for (uint32_t v = 0; ok && v < points; v++) {
        out->components += used[v] && parents[v] == v;
        out->unused_vertices += !used[v];
    }
    frc_release(context, parents, frc_array_size(points, sizeof *parents));
    frc_release(context, used, frc_array_size(points, sizeof *used));
    return ok ? FRACAS_OK : frc_fail_memory(context, points * sizeof *parents);
}

fracas_status fracas_tet_describe(fracas_context* context, const fracas_tet_view* view,
                                  fracas_tet_info* out) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!view) return frc_fail_null(context, "fracas_tet_describe", "view");
    if (!out) return frc_fail_null(context, "fracas_tet_describe", "out");
    fracas_status status = fracas_tet_validate(context, view);
    if (status != FRACAS_OK) return status;
    fracas_tet_info info = {.vertices = view->points.count, .tets = view->tet_count};
    frc_tet_faces faces;
    status = count_components(context, view, &info);
    if (status == FRACAS_OK) status = frc_tet_faces_sort(context, view, &faces);
    if (status != FRACAS_OK) return status;
    for (size_t i = 0, end; i < faces.count; i = end) {
        end = frc_tet_faces_group(view, &faces, i);
        info.faces++;
        info.boundary_triangles += end - i == 1;
        info.nonmanifold_triangles += end - i > 2;
        // Equal tetrahedra share the face without the largest vertex, and that vertex. In a group
        // of equal faces they are consecutive.
        for (size_t j = i + 1; j < end; j++) {
            frc_tet_face before = frc_tet_face_of(view, faces.order[j - 1]);
            frc_tet_face here = frc_tet_face_of(view, faces.order[j]);
            info.duplicate_tets +=
                before.opposite == here.opposite && here.opposite > here.vertex[2];
        }
    }
    frc_tet_faces_release(context, &faces);
    for (size_t t = 0; t < view->tet_count; t++) {
        const uint32_t* tet = view->tets + 4 * t;
        double p[4][3];
        for (int i = 0; i < 4; i++) frc_view_point(&view->points, tet[i], p[i]);
        const int sign = frc_orient3d(p[0], p[1], p[2], p[3]);
        info.inverted += sign < 0;
        info.flat += sign == 0;
        info.repeated_index_tets += frc_tet_repeats(tet);
    }
    frc_view_box(&view->points, info.box_min, info.box_max);
    *out = info;
    return FRACAS_OK;
}
