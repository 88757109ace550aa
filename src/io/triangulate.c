/// @file triangulate.c  All faces of a file into triangles.
///
/// Polygons of up to PLAIN_CORNERS are cut with all the patience they may need. Larger ones share
/// what is enough for one of some thousand corners: only a file made to be slow uses it up.
#include "io/mesh_file.h"
#include "io/polygon.h"

enum { PLAIN_CORNERS = 1000, SHARED_PATIENCE = 1 << 24, TOLD_EVERY = 1 << 22 };

static size_t count_triangles(const fracas_mesh_file* file) {
    const uint32_t* offsets = file->face_offsets.data;
    size_t triangles = 0, faces = frc_mesh_file_face_count(file);
    for (size_t f = 0; f < faces; f++) {
        uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners > 2) triangles += corners - 2;
    }
    return triangles;
}

typedef struct cutter {
    fracas_mesh_file* file;
    frc_polygon_work work;
    uint64_t shared;  // patience for large polygons
    uint64_t looks;   // at corners, since progress was told
} cutter;

static fracas_status cut_face(cutter* c, uint32_t face, uint32_t* out) {
    fracas_mesh_file* file = c->file;
    const uint32_t* offsets = file->face_offsets.data;
    uint32_t corners = offsets[face + 1] - offsets[face];
    bool large = corners > PLAIN_CORNERS;
    uint64_t patience = large ? c->shared : 4 * (uint64_t)corners * corners;
    c->work.patience = patience;
    if (!frc_polygon_triangulate(file->context, &c->work, file->points.data,
                                 file->face_vertices.data + offsets[face], corners, out))
        return frc_fail_memory(file->context, (size_t)corners * 2 * sizeof(double));
    if (large) c->shared = c->work.patience;
    c->looks += corners + patience - c->work.patience;
    if (c->looks < TOLD_EVERY) return FRACAS_OK;
    c->looks = 0;
    if (frc_progress(file->context, 1.0)) return FRACAS_OK;
    return frc_fail(file->context, FRACAS_ERROR_CANCELLED, "%s: reading was cancelled", file->name);
}

static fracas_status cut_faces(cutter* c) {
    const uint32_t* offsets = c->file->face_offsets.data;
    uint32_t *out = c->file->triangles.data, *owner = c->file->triangle_faces.data;
    uint32_t faces = (uint32_t)frc_mesh_file_face_count(c->file);
    for (uint32_t f = 0; f < faces; f++) {
        uint32_t corners = offsets[f + 1] - offsets[f];
        if (corners < 3) continue;
        fracas_status status = cut_face(c, f, out);
        if (status != FRACAS_OK) return status;
        out += 3 * (size_t)(corners - 2);
        for (uint32_t i = 2; i < corners; i++) *owner++ = f;
    }
    return FRACAS_OK;
}

fracas_status frc_mesh_file_triangulate(fracas_mesh_file* file) {
    size_t triangles = count_triangles(file);
    if (!FRC_ARRAY_RESERVE(file->context, &file->triangles, 3 * triangles) ||
        !FRC_ARRAY_RESERVE(file->context, &file->triangle_faces, triangles))
        return frc_fail_memory(file->context, 3 * triangles * sizeof(uint32_t));
    cutter c = {.file = file, .shared = SHARED_PATIENCE};
    fracas_status status = cut_faces(&c);
    frc_polygon_work_release(file->context, &c.work);
    file->triangles.count = 3 * triangles;
    file->triangle_faces.count = triangles;
    return status;
}
