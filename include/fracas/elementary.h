/// @file elementary.h  The exact pair tests, for applications with their own broad phase.
///
/// The tests of one pair are pure functions on finite doubles: no context, no allocation, no state,
/// callable from any thread. Those of many pairs give the same bits for each pair. Shapes are
/// closed (touching counts) and may be degenerate: a triangle of zero area is the convex hull of
/// its corners. The result is that of exact arithmetic on the given doubles. It is false for a NULL
/// pointer and for input that is not finite.
#pragma once
#include "fracas/contact.h"
#include "fracas/mesh.h"

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

// ---- pairs that come within a distance

/// The same for pairs that come within `min_separation` instead of touching (0: that touch), as
/// fracas_query.min_separation defines it. u, v and normal are those of the closest points at that
/// time. False for a distance that is negative or not finite.
FRACAS_API bool fracas_vertex_face_find_approach(const double vertex_t0[3],
                                                 const double face_t0[3][3],
                                                 const double vertex_t1[3],
                                                 const double face_t1[3][3], double min_separation,
                                                 double tolerance, fracas_impact* impact);
FRACAS_API bool fracas_edge_edge_find_approach(const double ab_t0[2][3], const double cd_t0[2][3],
                                               const double ab_t1[2][3], const double cd_t1[2][3],
                                               double min_separation, double tolerance,
                                               fracas_impact* impact);
/// The closest point of the edge is (1-u) a + u b.
FRACAS_API bool fracas_vertex_edge_find_approach(const double vertex_t0[3],
                                                 const double edge_t0[2][3],
                                                 const double vertex_t1[3],
                                                 const double edge_t1[2][3], double min_separation,
                                                 double tolerance, fracas_impact* impact);
FRACAS_API bool fracas_vertex_vertex_find_approach(const double a_t0[3], const double b_t0[3],
                                                   const double a_t1[3], const double b_t1[3],
                                                   double min_separation, double tolerance,
                                                   fracas_impact* impact);

// ---- distances

/// The closest points of two features.
typedef struct fracas_distance {
    /// Within 2^-45 of the extent of the pair, and within a few units in the last place when it is
    /// below 2^-16 of the extent. 0 exactly when they touch.
    double distance;
    /// The closest points are weighted sums of the vertices, in the order of the arguments; those
    /// of one feature sum to 1. Unused: 0.
    double weights[4];
    /// The closest points of the first and of the second feature.
    double points[2][3];
    /// Unit vector from the second to the first; zero at distance 0.
    double normal[3];
    fracas_closest_type type;
} fracas_distance;

/// True if the distance is at most `max_distance` (INFINITY: always), as
/// fracas_query.min_separation defines it; `out`, which may be NULL, is set only then.
FRACAS_API bool fracas_vertex_face_find_distance(const double vertex[3], const double face[3][3],
                                                 double max_distance, fracas_distance* out);
FRACAS_API bool fracas_edge_edge_find_distance(const double ab[2][3], const double cd[2][3],
                                               double max_distance, fracas_distance* out);
FRACAS_API bool fracas_vertex_edge_find_distance(const double vertex[3], const double edge[2][3],
                                                 double max_distance, fracas_distance* out);
FRACAS_API bool fracas_vertex_vertex_find_distance(const double a[3], const double b[3],
                                                   double max_distance, fracas_distance* out);

// ---- many pairs

/// Pairs of one kind, in the caller's memory. Start from fracas_pairs_default_batch().
typedef struct fracas_pair_batch {
    /// Filled in by fracas_pairs_default_batch; detects an uninitialised batch.
    uint32_t struct_size;
    /// VF (default), EE, VE or VV.
    fracas_contact_kind kind;
    /// As many of each. Only points that pairs refer to have to be finite. Distances are those of
    /// points_t1; points_t0 is not read then.
    fracas_points points_t0, points_t1;
    /// For each pair its points: VF vertex and corners of the face, EE both edges (4 each), VE
    /// vertex and edge (3), VV both vertices (2). Indices may repeat.
    const uint32_t* indices;
    size_t count;
    /// Impacts: the pairs that come within this distance; default 0, those that touch.
    double min_separation;
    /// Impacts: how early a time may be, as a fraction of the step; default 1e-6.
    double tolerance;
    /// Distances: the pairs whose distance is at most this; default INFINITY, all.
    double max_distance;
} fracas_pair_batch;

FRACAS_API fracas_pair_batch fracas_pairs_default_batch(void);

/// What a batch found.
typedef struct fracas_pairs_result {
    /// Pairs that touch, or are within the distance.
    size_t hits;
    /// Of all impacts; INFINITY when there is none, and for distances.
    double earliest_toi;
    /// FRACAS_ERROR_BAD_DATA: the first pair with an index out of range or a point that is not
    /// finite. Otherwise SIZE_MAX.
    size_t bad_pair;
} fracas_pairs_result;

/// The impacts of all pairs, in SIMD and on all workers of the context: for each pair the same bits
/// as fracas_vertex_face_find_impact and its siblings. `hits` has one byte for each pair, 1 where
/// there is an impact, otherwise 0. `impacts` has one entry for each pair, which is set where there
/// is an impact. Each of `hits`, `impacts` and `result` may be NULL. Without a context (NULL) it
/// runs on the calling thread, allocates nothing, and `result->bad_pair` is all that is known of
/// bad data. With one it copies the points (64 bytes each) when they are at most four times as many
/// as the pairs. On any error `hits` and `impacts` are unchanged, except that some are set when the
/// call is cancelled.
FRACAS_API fracas_status fracas_pairs_find_impacts(fracas_context* context,
                                                   const fracas_pair_batch* batch, uint8_t* hits,
                                                   fracas_impact* impacts,
                                                   fracas_pairs_result* result);

/// The same for the distances of all pairs: fracas_vertex_face_find_distance and its siblings.
FRACAS_API fracas_status fracas_pairs_find_distances(fracas_context* context,
                                                     const fracas_pair_batch* batch, uint8_t* hits,
                                                     fracas_distance* distances,
                                                     fracas_pairs_result* result);
