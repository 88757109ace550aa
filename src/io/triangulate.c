/// @file triangulate.c  Triangulate all faces of a file.
///
/// A polygon of up to SMALL_CORNERS corners has its own budget, which is always sufficient. Larger
/// polygons share a budget that is sufficient for one of several thousand corners; it bounds the
/// time for malicious files.
#include "io/mesh_file.h"
#include "io/polygon.h"

enum { SMALL_CORNERS = 1000, SHARED_BUDGET = 1 << 24, TESTS_PER_REPORT = 1 << 22 };

fracas_status frc_mesh_file_triangulate(fracas_mesh_file* file) {
    fracas_context* context = file->context;
    const uint32_t *offsets = file->face_offsets.data, *vertices = file->face_vertices.data;
    const uint32_t faces = (uint32_t)frc_mesh_file_face_count(file);
    size_t triangles = 0;
    for (size_t f = 0; f < faces; f++) {
        uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners > 2) triangles += corners - 2;
    }
    if (!FRC_ARRAY_RESERVE(context, &file->triangles, 3 * triangles) ||
        !FRC_ARRAY_RESERVE(context, &file->triangle_faces, triangles))
        return frc_fail_memory(context, 3 * triangles * sizeof(uint32_t));

    frc_polygon_work work = {0};
    fracas_status status = FRACAS_OK;
    uint32_t *out = file->triangles.data, *owner = file->triangle_faces.data;
    uint64_t shared = SHARED_BUDGET, tests = 0;  // since the last progress report
    for (uint32_t f = 0; status == FRACAS_OK && f < faces; f++) {
        const uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners < 3) continue;
        const bool large = corners > SMALL_CORNERS;
        const uint64_t budget = large ? shared : 4 * (uint64_t)corners * corners;
        work.budget = budget;
        if (!frc_polygon_triangulate(context, &work, file->points.data, vertices + offsets[f],
                                     corners, out)) {
            status = frc_fail_memory(context, (size_t)corners * 2 * sizeof(double));
            break;
        }
        if (large) shared = work.budget;
        out += 3 * (size_t)(corners - 2);
        for (uint32_t i = 2; i < corners; i++) *owner++ = f;
        tests += corners + budget - work.budget;
        if (tests < TESTS_PER_REPORT) continue;
        tests = 0;
        if (!frc_progress(context, 1.0))
            status =
                frc_fail(context, FRACAS_ERROR_CANCELLED, "%s: reading was cancelled", file->name);
    }
    frc_polygon_work_release(context, &work);
    file->triangles.count = 3 * triangles;
    file->triangle_faces.count = triangles;
    return status;
}
