/// @file elementary.h  The exact pair tests, for applications with their own broad phase.
///
/// All are pure functions on finite doubles: no context, no allocation, no state, callable from any
/// thread. Shapes are closed (touching counts) and may be degenerate: a triangle of zero area is
/// the convex hull of its corners. The result is that of exact arithmetic on the given doubles. It
/// is false for a NULL pointer and for input that is not finite.
#pragma once
#include "fracas/base.h"

/// True if the triangles intersect.
FRACAS_API bool fracas_triangles_intersect(const double a[3][3], const double b[3][3]);

/// The same for two triangles of one mesh, with their vertex indices: corners with equal indices
/// are the same vertex, and the pair counts only if it intersects beyond the hull of the common
/// vertices (folded flat onto each other, pierced). Two triangles with the same three vertices
/// count.
FRACAS_API bool fracas_mesh_triangles_intersect(const double a[3][3], const uint32_t a_vertices[3],
                                                const double b[3][3], const uint32_t b_vertices[3]);

/// How two triangles meet.
typedef enum fracas_meeting {
    FRACAS_MEETING_NONE = 0,
    /// Neither passes through the other, also when they overlap in one plane.
    FRACAS_MEETING_TOUCH = 1,
    /// Points inside both meet, and each triangle has corners on both sides of the other. A
    /// triangle without area is a segment, which crosses when it passes through the inside.
    FRACAS_MEETING_CROSS = 2
} fracas_meeting;

/// The intersection of two triangles: a point, a segment, or a convex polygon in their plane.
typedef struct fracas_intersection {
    fracas_meeting meeting;
    /// 0: none; 1: a point; 2: a segment; 3 to 6: the corners of a polygon, in their order.
    uint32_t count;
    /// The exact coordinates, rounded to less than one unit in the last place. The first point is
    /// the smallest by x, then y, then z.
    double points[6][3];
} fracas_intersection;

/// True if the triangles intersect; `out` is where.
FRACAS_API bool fracas_triangles_find_intersection(const double a[3][3], const double b[3][3],
                                                   fracas_intersection* out);

/// The same for two triangles of one mesh, as fracas_mesh_triangles_intersect. What they share
/// belongs to the intersection, if there is more.
FRACAS_API bool fracas_mesh_triangles_find_intersection(const double a[3][3],
                                                        const uint32_t a_vertices[3],
                                                        const double b[3][3],
                                                        const uint32_t b_vertices[3],
                                                        fracas_intersection* out);

/// True if the point is in the closed tetrahedron, of either orientation.
FRACAS_API bool fracas_point_is_in_tetrahedron(const double p[3], const double tetrahedron[4][3]);

/// Time and place of the first contact of two moving features.
typedef struct fracas_impact {
    /// In [0, 1]; never later than the true first time, at most `tolerance` earlier.
    double toi;
    /// Vertex and face: the point is (1-u-v) a + u b + v c. Two edges: the points are a + u (b - a)
    /// and c + v (d - c).
    double u, v;
    /// Unit vector, from the face to the side on which the vertex starts, or from edge cd to edge
    /// ab; zero where no direction is defined.
    double normal[3];
} fracas_impact;

/// True if the vertex touches the closed triangle while all points move in straight lines from t0
/// to t1. The reported time is at most `tolerance` too early, as a fraction of the step (0: 1e-6).
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
