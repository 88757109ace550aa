/// @file elementary.h  The exact pair tests on their own, for people who have their own broad
/// phase.
///
/// Everything here is a pure function on finite doubles: no context, no memory, no state, any
/// thread. Shapes are closed (touching counts) and may be degenerate: a triangle of zero area is
/// the hull of its corners. The answer is the one of exact arithmetic on the given doubles. Input
/// that is not finite is a misuse: the answer is then false.
#pragma once
#include "fracas/base.h"

/// Does the triangle a meet the triangle b?
FRACAS_API bool fracas_triangles_intersect(const double a[3][3], const double b[3][3]);

/// The same for two triangles of one mesh, given the vertex indices: corners with equal indices are
/// one vertex, and the pair counts only when it meets beyond what it shares (folded flat onto each
/// other, pierced). Two triangles with the same three vertices count.
FRACAS_API bool fracas_mesh_triangles_intersect(const double a[3][3], const uint32_t a_vertices[3],
                                                const double b[3][3], const uint32_t b_vertices[3]);

/// Is the point p inside the closed tetrahedron, whichever way it is oriented?
FRACAS_API bool fracas_point_is_in_tetrahedron(const double p[3], const double tetrahedron[4][3]);

/// When and where two moving features first touch.
typedef struct fracas_impact {
    double toi;  ///< in [0, 1]; never later than the true first time, at most `tolerance` earlier
    double u, v;  ///< vertex–face: the point is (1-u-v) a + u b + v c; edge–edge: a + u (b - a) and
                  ///< c + v (d - c)
    double normal[3];  ///< unit, from the face to the vertex's side at the start, or from edge cd
                       ///< to edge ab; zero where no direction is defined
} fracas_impact;

/// Does the vertex meet the closed triangle while all move in straight lines from t0 to t1?
/// `tolerance` bounds how early the time may be, as a fraction of the step (0: 1e-6). `impact` may
/// be NULL.
FRACAS_API bool fracas_vertex_face_find_impact(const double vertex_t0[3],
                                               const double face_t0[3][3],
                                               const double vertex_t1[3],
                                               const double face_t1[3][3], double tolerance,
                                               fracas_impact* impact);

/// The same for two closed edges.
FRACAS_API bool fracas_edge_edge_find_impact(const double ab_t0[2][3], const double cd_t0[2][3],
                                             const double ab_t1[2][3], const double cd_t1[2][3],
                                             double tolerance, fracas_impact* impact);
