/// @file tet_faces.h  The faces of tetrahedra, so ordered that equal ones follow each other.
#pragma once
#include "base/context.h"
#include "fracas/mesh.h"

/// Face 4 t + k is that of tetrahedron t without its corner k.
typedef struct frc_tet_face {
    uint32_t vertex[3];  // rising
    uint32_t opposite;
} frc_tet_face;

frc_tet_face frc_tet_face_of(const fracas_tet_view* view, size_t face);

static inline bool frc_tet_repeats(const uint32_t tet[4]) {
    return tet[0] == tet[1] || tet[0] == tet[2] || tet[0] == tet[3] || tet[1] == tet[2] ||
           tet[1] == tet[3] || tet[2] == tet[3];
}

/// All faces of tetrahedra without a repeated index, sorted by their vertices, then by the opposite
/// one, then by number. The view is valid. To be released; `count` of `room`.
typedef struct frc_tet_faces {
    size_t* order;
    size_t count, room;
} frc_tet_faces;

fracas_status frc_tet_faces_sort(fracas_context* context, const fracas_tet_view* view,
                                 frc_tet_faces* out);
void frc_tet_faces_release(fracas_context* context, frc_tet_faces* faces);

/// Where the faces that equal the one at `begin` end.
size_t frc_tet_faces_group(const fracas_tet_view* view, const frc_tet_faces* faces, size_t begin);
