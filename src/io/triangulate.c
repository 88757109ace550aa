/// @file triangulate.c  Triangulate all faces of a file.
///
/// Polygons of up to SMALL_CORNERS have a budget that is always enough. Larger ones share a budget
/// that is enough for one of some thousand corners: only a file made to be slow uses it up.
#include "io/mesh_file.h"
#include "io/polygon.h"

enum { SMALL_CORNERS = 1000, SHARED_BUDGET = 1 << 24, TESTS_PER_REPORT = 1 << 22 };

static fracas_status triangulate_faces(fracas_mesh_file* file, frc_polygon_work* work) {
    const uint32_t *offsets = file->face_offsets.data, *vertices = file->face_vertices.data;
    uint32_t *out = file->triangles.data, *owner = file->triangle_faces.data;
    const uint32_t faces = (uint32_t)frc_mesh_file_face_count(file);
    uint64_t shared = SHARED_BUDGET, tests = 0;  // since the last report of progress
    for (uint32_t f = 0; f < faces; f++) {
        const uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners < 3) continue;
        const bool large = corners > SMALL_CORNERS;
        const uint64_t budget = large ? shared : 4 * (uint64_t)corners * corners;
        work->budget = budget;
        if (!frc_polygon_triangulate(file->context, work, file->points.data, vertices + offsets[f],
                                     corners, out))
            return frc_fail_memory(file->context, (size_t)corners * 2 * sizeof(double));
        if (large) shared = work->budget;
        out += 3 * (size_t)(corners - 2);
        for (uint32_t i = 2; i < corners; i++) *owner++ = f;
        tests += corners + budget - work->budget;
        if (tests < TESTS_PER_REPORT) continue;
        tests = 0;
        if (!frc_progress(file->context, 1.0))
            return frc_fail(file->context, FRACAS_ERROR_CANCELLED, "%s: reading was cancelled",
                            file->name);
    }
    return FRACAS_OK;
}

fracas_status frc_mesh_file_triangulate(fracas_mesh_file* file) {
    const uint32_t* offsets = file->face_offsets.data;
    size_t triangles = 0, faces = frc_mesh_file_face_count(file);
    for (size_t f = 0; f < faces; f++) {
        uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners > 2) triangles += corners - 2;
    }
    if (!FRC_ARRAY_RESERVE(file->context, &file->triangles, 3 * triangles) ||
        !FRC_ARRAY_RESERVE(file->context, &file->triangle_faces, triangles))
        return frc_fail_memory(file->context, 3 * triangles * sizeof(uint32_t));
    frc_polygon_work work = {0};
    fracas_status status = triangulate_faces(file, &work);
    frc_polygon_work_release(file->context, &work);
    file->triangles.count = 3 * triangles;
    file->triangle_faces.count = triangles;
    return status;
}
