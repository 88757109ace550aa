/// @file elementary.h  The exact pair tests alone, for applications with a broad phase of their
/// own.
///
/// All are pure functions on finite doubles: no context, no memory, no state, any thread. Shapes
/// are closed (touching counts) and may be degenerate: a triangle of zero area is the convex hull
/// of its corners. The answer is that of exact arithmetic on the given doubles. For input that is
/// not finite it is false.
#pragma once
#include "fracas/base.h"

/// Do the triangles intersect?
FRACAS_API bool fracas_triangles_intersect(const double a[3][3], const double b[3][3]);

/// The same for two triangles of one mesh, with their vertex indices: corners with equal indices
/// are one vertex, and the pair counts only when it intersects beyond the common vertices (folded
/// flat onto each other, pierced). Two triangles with the same three vertices count.
FRACAS_API bool fracas_mesh_triangles_intersect(const double a[3][3], const uint32_t a_vertices[3],
                                                const double b[3][3], const uint32_t b_vertices[3]);

/// Is the point in the closed tetrahedron, of either orientation?
FRACAS_API bool fracas_point_is_in_tetrahedron(const double p[3], const double tetrahedron[4][3]);

/// Time and place of the first contact of two moving features.
typedef struct fracas_impact {
    /// In [0, 1]; never later than the true first time, at most `tolerance` earlier.
    double toi;
    /// Vertex and face: the point is (1-u-v) a + u b + v c. Two edges: the points are a + u (b - a)
    /// and c + v (d - c).
    double u, v;
    /// Unit vector, from the face to the side of the vertex at the start, or from edge cd to edge
    /// ab; zero where no direction is defined.
    double normal[3];
} fracas_impact;

/// Does the vertex collide with the closed triangle while all points move in straight lines from t0
/// to t1? `tolerance` bounds how early the time may be, as a fraction of the step (0: 1e-6).
/// `impact` may be NULL.
FRACAS_API bool fracas_vertex_face_find_impact(const double vertex_t0[3],
                                               const double face_t0[3][3],
                                               const double vertex_t1[3],
                                               const double face_t1[3][3], double tolerance,
                                               fracas_impact* impact);

/// The same for two closed edges.
FRACAS_API bool fracas_edge_edge_find_impact(const double ab_t0[2][3], const double cd_t0[2][3],
                                             const double ab_t1[2][3], const double cd_t1[2][3],
                                             double tolerance, fracas_impact* impact);
