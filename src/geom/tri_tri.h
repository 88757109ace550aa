/// @file tri_tri.h  Exact intersection test of two closed triangles, including degenerate and
/// coplanar ones.
///
/// The mesh rules. A triangle is the closed convex hull of its distinct vertices: a triangle, or a
/// segment or point when indices repeat or positions coincide. Two vertices are the same when their
/// indices are equal; equal positions do not matter. Let S be the hull of the vertices that A and B
/// share (empty when they share none). The pair counts when some point of both A and B is not in S,
/// and when both have the same three vertices (duplicate faces). So a segment face (a, a, b) and a
/// triangle (a, b, c) never count.
#pragma once
#include "geom/point.h"
#include <stdbool.h>
#include <stddef.h>

/// A candidate: the corners of triangle a, then of triangle b, as indices into an array of points.
/// Equal indices are the same vertex; indices may repeat within a triangle, which then is a segment
/// or a point.
typedef struct frc_tri_pair {
    uint32_t a[3], b[3];
} frc_tri_pair;

typedef struct frc_tri_counts {
    uint64_t filtered;  ///< decided by certified floating point alone
    uint64_t exact;     ///< decided by the exact functions
} frc_tri_counts;

/// Decide `count` candidates at the end positions (t = 1). Writes the indices of the candidates
/// that intersect, ascending, to `hits`, which has capacity `count`; returns their number. `counts`
/// may be NULL; otherwise it is added to.
size_t frc_tri_tri_batch(const frc_point* points, const frc_tri_pair* pairs, size_t count,
                         uint32_t* hits, frc_tri_counts* counts);

/// One pair of triangles without common vertices.
FRC_DEVICE bool frc_tri_tri(const double a[3][3], const double b[3][3]);

/// One pair by the mesh rules: corners with equal `va`, `vb` are the same vertex.
FRC_DEVICE bool frc_tri_tri_mesh(const double a[3][3], const uint32_t va[3], const double b[3][3],
                                 const uint32_t vb[3]);
