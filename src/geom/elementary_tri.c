/// @file elementary_tri.c  The public triangle and tetrahedron tests: check the arguments, then
/// decide.
#include "fracas/elementary.h"
#include "geom/tet.h"
#include "geom/tri_tri.h"
#include "geom/tri_tri_shape.h"
#include <math.h>
#include <string.h>

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

static void find_intersection(const double a[3][3], const double b[3][3],
                              fracas_intersection* out) {
    const double* const x[3] = {a[0], a[1], a[2]};
    const double* const y[3] = {b[0], b[1], b[2]};
    frc_tri_shape shape;
    frc_tri_tri_shape(x, 3, y, 3, &shape);
    out->meeting = (fracas_meeting)shape.meeting;
    out->count = (uint32_t)shape.count;
    memcpy(out->points, shape.points, sizeof out->points);
}

bool fracas_triangles_find_intersection(const double a[3][3], const double b[3][3],
                                        fracas_intersection* out) {
    if (!out) return false;
    *out = (fracas_intersection){.meeting = FRACAS_MEETING_NONE};
    if (!fracas_triangles_intersect(a, b)) return false;
    find_intersection(a, b, out);
    return true;
}

bool fracas_mesh_triangles_find_intersection(const double a[3][3], const uint32_t a_vertices[3],
                                             const double b[3][3], const uint32_t b_vertices[3],
                                             fracas_intersection* out) {
    if (!out) return false;
    *out = (fracas_intersection){.meeting = FRACAS_MEETING_NONE};
    if (!fracas_mesh_triangles_intersect(a, a_vertices, b, b_vertices)) return false;
    find_intersection(a, b, out);
    return true;
}

bool fracas_point_is_in_tetrahedron(const double p[3], const double tetrahedron[4][3]) {
    if (!p || !tetrahedron || !finite_points(tetrahedron, 4)) return false;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) return false;
    const double* const corners[4] = {tetrahedron[0], tetrahedron[1], tetrahedron[2],
                                      tetrahedron[3]};
    bool exact;
    return frc_tet_has_point(p, corners, &exact);
}
