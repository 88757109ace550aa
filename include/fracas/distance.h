/// @file distance.h  Distances and containment at t = 1: closest points of a body, points inside a
/// body, distances of bodies, and how far bodies that overlap must move apart (docs/distance.md).
///
/// All functions read the trees that fracas_scene_update has made, run on all workers of the
/// context, and give the same bits for any number of them. Points are in world coordinates. Free
/// edges and free points of bodies are ignored, and so are groups and masks. A call that fails
/// because of its arguments leaves `out` unchanged; one that is cancelled may have written a part.
#pragma once
#include "fracas/scene.h"

/// Where a point is. Inside: its winding number is not zero, so a cavity whose surface faces into
/// it is outside. All three are exact for the given doubles.
typedef enum fracas_side {
    FRACAS_SIDE_OUTSIDE = 0,
    /// On a triangle, its edges and vertices included.
    FRACAS_SIDE_SURFACE = 1,
    FRACAS_SIDE_INSIDE = 2
} fracas_side;

/// Find out which points are inside a closed body: `out` receives a fracas_side for each point. A
/// body is closed when each edge is passed as often in both directions; its triangles may intersect
/// each other. Finding out whether the body is closed costs as much as reading it, once after each
/// edit of it.
/// @return FRACAS_ERROR_BAD_DATA for a point that is not finite, and for a body that is not closed:
/// the message names an edge.
FRACAS_API fracas_status fracas_scene_find_containment(const fracas_scene* scene, fracas_body body,
                                                       const fracas_points* points, uint8_t* out);

/// A point of a body that is closest to a given one.
typedef struct fracas_closest_point {
    /// The error is at most 2^-46 times the distance from the given point to the furthest corner of
    /// the triangle. Signed distances: negative inside, 0 exactly on the surface.
    double distance;
    /// (1-u-v) c0 + u c1 + v c2 with the corners of the triangle.
    double point[3];
    double u, v;
    /// The first of those with the same distance.
    uint32_t triangle;
    /// Of signed distances; otherwise FRACAS_SIDE_OUTSIDE.
    fracas_side side;
} fracas_closest_point;

/// The closest point of a body to each of the points. The body need not be closed.
/// @return FRACAS_ERROR_BAD_DATA for a point that is not finite and a body without triangles.
FRACAS_API fracas_status fracas_scene_find_closest_points(const fracas_scene* scene,
                                                          fracas_body body,
                                                          const fracas_points* points,
                                                          fracas_closest_point* out);

/// The same for a closed body, with the side of each point and the sign of its distance, which is
/// exact. Errors are those of fracas_scene_find_containment.
FRACAS_API fracas_status fracas_scene_find_signed_distances(const fracas_scene* scene,
                                                            fracas_body body,
                                                            const fracas_points* points,
                                                            fracas_closest_point* out);

typedef struct fracas_body_pair {
    fracas_body a, b;
} fracas_body_pair;

/// The distance of the triangles of two bodies, and the points where they are closest.
typedef struct fracas_body_distance {
    /// 0 exactly when triangles intersect; a body inside another has a positive distance. The error
    /// is at most 2^-46 times the largest distance between corners of the two triangles.
    double distance;
    /// Equal to each other at distance 0.
    double point_a[3], point_b[3];
    /// The points are (1-u-v) c0 + u c1 + v c2 with the corners of each triangle. Not set (0) at
    /// distance 0.
    double u_a, v_a, u_b, v_b;
    /// The first pair of those with the same distance; at distance 0 one that intersects.
    uint32_t triangle_a, triangle_b;
} fracas_body_distance;

/// The distances of `count` pairs of different bodies, which have triangles.
/// @return FRACAS_ERROR_BAD_DATA for a body without triangles.
FRACAS_API fracas_status fracas_scene_find_distances(const fracas_scene* scene,
                                                     const fracas_body_pair* pairs, size_t count,
                                                     fracas_body_distance* out);

/// A translation that separates the convex hulls of two bodies, and so the bodies.
typedef struct fracas_body_depth {
    /// The length of the translation: an upper bound of the least distance that body b must be
    /// moved so that it does not touch body a. 0 when the hulls are apart; positive where only the
    /// hulls overlap (see fracas_scene_find_distances).
    double depth;
    /// No translation that is shorter than depth - gap separates the hulls, up to rounding. At most
    /// a 2^-20 part of the size of both hulls together, unless the search for a better direction
    /// ended early. So depth is as accurate for convex bodies.
    double gap;
    /// Unit vector of the translation, from a to b; at depth 0 a direction in which the hulls are
    /// apart.
    double direction[3];
    /// Of body b. Adding it to the vertices of b in doubles separates the bodies, also after
    /// rounding.
    double translation[3];
} fracas_body_depth;

/// Penetration depths of `count` pairs of different bodies, which have triangles and need not be
/// closed.
/// @return FRACAS_ERROR_BAD_DATA for a body without triangles.
FRACAS_API fracas_status fracas_scene_find_depths(const fracas_scene* scene,
                                                  const fracas_body_pair* pairs, size_t count,
                                                  fracas_body_depth* out);
