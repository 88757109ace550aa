/// @file tri_tri_exact.h  The exact parts of the triangle–triangle test, for all finite doubles;
/// private to tri_tri*.c and tet.c.
#pragma once
#include "base/host_device.h"
#include <stdbool.h>

/// True if p is in the closed convex hull of the `count` points (0 to 3) of t.
FRC_DEVICE bool frc_point_in_hull(const double* p, const double* const t[], int count);

/// True if the points are on one line.
FRC_DEVICE bool frc_collinear(const double* p, const double* q, const double* r);
/// The axis along which two segments are projected to cross in a point inside both; -1 if they do
/// not cross, or are collinear.
FRC_DEVICE int frc_segments_cross(const double* p, const double* q, const double* r,
                                  const double* s);
/// True if the segment passes through the interior of the triangle from one side to the other.
FRC_DEVICE bool frc_segment_pierces(const double* p, const double* q, const double* const t[3]);

/// The rule of tri_tri.h for hulls of 1 to 3 points each, of which the first `shared` are the same
/// vertices in a and b: true if some point of both hulls is not in the hull of the shared vertices.
/// Handles any degeneracy; slow, the fallback of the functions below.
FRC_DEVICE bool frc_hulls_meet_beyond(const double* const a[], int a_count, const double* const b[],
                                      int b_count, int shared);

/// The same for three distinct vertices each, by the shared vertices: none; a[0] = b[0]; a[0] =
/// b[0] and a[1] = b[1].
FRC_DEVICE bool frc_tri_tri_nonadjacent(const double* const a[3], const double* const b[3]);
FRC_DEVICE bool frc_tri_tri_at_vertex(const double* const a[3], const double* const b[3]);
FRC_DEVICE bool frc_tri_tri_at_edge(const double* const a[3], const double* const b[3]);
