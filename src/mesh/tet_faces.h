/// @file tet_faces.h  The faces of tetrahedra, sorted so that equal ones are consecutive.
#pragma once
#include "base/context.h"
#include "fracas/mesh.h"

/// Face 4 t + k is the face of tetrahedron t opposite corner k.
typedef struct frc_tet_face {
    uint32_t vertex[3];  // ascending
    uint32_t opposite;   // the fourth vertex of the tetrahedron
} frc_tet_face;

frc_tet_face frc_tet_face_of(const fracas_tet_view* view, size_t face);

/// Has the tetrahedron a repeated index?
static inline bool frc_tet_repeats(const uint32_t tet[4]) {
    return tet[0] == tet[1] || tet[0] == tet[2] || tet[0] == tet[3] || tet[1] == tet[2] ||
           tet[1] == tet[3] || tet[2] == tet[3];
}

/// Numbers of all faces of tetrahedra without a repeated index, sorted by their vertices, then by
/// the opposite vertex, then by number.
typedef struct frc_tet_faces {
    size_t* order;
    size_t count, capacity;
} frc_tet_faces;

/// The view is valid. The caller releases `out`.
fracas_status frc_tet_faces_sort(fracas_context* context, const fracas_tet_view* view,
                                 frc_tet_faces* out);
void frc_tet_faces_release(fracas_context* context, frc_tet_faces* faces);

/// The end of the group of equal faces that begins at `begin`.
size_t frc_tet_faces_group(const fracas_tet_view* view, const frc_tet_faces* faces, size_t begin);
