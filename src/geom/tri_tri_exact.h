/// @file tri_tri_exact.h  The pieces of the triangle–triangle test; private to tri_tri*.c and
/// elementary_tri.c. All are exact for all finite doubles.
#pragma once
#include <stdbool.h>

/// Is p in the closed convex hull of the `count` points (1 to 3) of t?
bool frc_point_in_hull(const double* p, const double* const t[], int count);

/// The rule itself, for hulls of 1 to 3 points each, of which the first `shared` are one vertex in
/// a and b: is there a point common to both hulls that is not in the hull of the shared vertices?
/// Any degeneracy; slow, and the fall-back of the functions below.
bool frc_hulls_meet_beyond(const double* const a[], int a_count, const double* const b[],
                           int b_count, int shared);

/// The same for three distinct vertices each, by how many the triangles share: none; a[0] = b[0];
/// a[0] = b[0] and a[1] = b[1].
bool frc_tri_tri_nonadjacent(const double* const a[3], const double* const b[3]);
bool frc_tri_tri_at_vertex(const double* const a[3], const double* const b[3]);
bool frc_tri_tri_at_edge(const double* const a[3], const double* const b[3]);
