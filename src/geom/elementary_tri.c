/// @file elementary_tri.c  The public triangle and tetrahedron tests: check the arguments, then
/// decide.
#include "fracas/elementary.h"
#include "geom/tet.h"
#include "geom/tri_tri.h"
#include <math.h>

static bool finite_points(const double p[][3], int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(p[i][0]) || !isfinite(p[i][1]) || !isfinite(p[i][2])) return false;
    return true;
}

bool fracas_triangles_intersect(const double a[3][3], const double b[3][3]) {
    if (!a || !b || !finite_points(a, 3) || !finite_points(b, 3)) return false;
    return frc_tri_tri(a, b);
}

bool fracas_mesh_triangles_intersect(const double a[3][3], const uint32_t a_vertices[3],
                                     const double b[3][3], const uint32_t b_vertices[3]) {
    if (!a || !b || !a_vertices || !b_vertices) return false;
    if (!finite_points(a, 3) || !finite_points(b, 3)) return false;
    return frc_tri_tri_mesh(a, a_vertices, b, b_vertices);
}

bool fracas_point_is_in_tetrahedron(const double p[3], const double tetrahedron[4][3]) {
    if (!p || !tetrahedron || !finite_points(tetrahedron, 4)) return false;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) return false;
    const double* const corners[4] = {tetrahedron[0], tetrahedron[1], tetrahedron[2],
                                      tetrahedron[3]};
    bool exact;
    return frc_tet_has_point(p, corners, &exact);
}
