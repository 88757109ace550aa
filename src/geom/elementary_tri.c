// The public triangle and tetrahedron tests: check that the numbers are finite, then decide.
#include "fracas/elementary.h"
#include "geom/predicates.h"
#include "geom/tri_tri.h"
#include "geom/tri_tri_parts.h"
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

/// A flat tetrahedron is the union of its four faces, whatever its shape: triangle, quadrilateral,
/// segment or point.
static bool point_in_flat(const double* p, const double t[4][3]) {
    for (int skip = 0; skip < 4; skip++) {
        const double* const face[3] = {t[(skip + 1) & 3], t[(skip + 2) & 3], t[(skip + 3) & 3]};
        if (frc_point_in_hull(p, face, 3)) return true;
    }
    return false;
}

bool fracas_point_in_tetrahedron(const double p[3], const double tetrahedron[4][3]) {
    if (!p || !tetrahedron || !finite_points(tetrahedron, 4)) return false;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) return false;
    const double(*t)[3] = tetrahedron;
    const int side = frc_orient3d(t[0], t[1], t[2], t[3]);
    if (!side) return point_in_flat(p, t);
    // p replaces each corner in turn: the volume must not change its sign.
    return frc_orient3d(p, t[1], t[2], t[3]) != -side &&
           frc_orient3d(t[0], p, t[2], t[3]) != -side &&
           frc_orient3d(t[0], t[1], p, t[3]) != -side && frc_orient3d(t[0], t[1], t[2], p) != -side;
}
