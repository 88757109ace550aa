/// @file tet.h  Point in tetrahedron: a filter on integer coordinates for many pairs, a filter on
/// doubles, and the exact result for all finite doubles.
///
/// A tetrahedron is the convex hull of its corners: closed, of either orientation, possibly flat.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The result of exact arithmetic. `*exact` is set to whether exact arithmetic was needed.
bool frc_tet_has_point(const double p[3], const double* const t[4], bool* exact);

/// The same by exact orientation signs, one face plane at a time until one separates the two: at
/// most five determinants unless the tetrahedron is flat.
bool frc_tet_has_point_exact(const double p[3], const double* const t[4]);

/// Barycentric coordinates of p: a function of the five points alone, with an error of at most
/// about 2^-20, all zero when the tetrahedron is flat.
void frc_tet_barycentric(const double p[3], const double* const t[4], double out[4]);

/// Pairs of a vertex and a tetrahedron. Both lists have capacity for three more than `count`.
typedef struct frc_tet_pairs {
    uint32_t *vertices, *tets;
    uint32_t count;
} frc_tet_pairs;

/// Removes the decided pairs from `pairs`, which keeps its order, and appends those in which the
/// vertex is certainly inside to `inside`. The first three numbers of a spot are the coordinates
/// times one common factor, rounded; the fourth is ignored. A difference of two such numbers has an
/// error of at most 1.001 and is below 2^31. `corners` has four vertices for each tetrahedron.
void frc_tet_filter(const int32_t (*spots)[4], const uint32_t (*corners)[4], frc_tet_pairs* pairs,
                    frc_tet_pairs* inside);
