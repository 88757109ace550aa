/// @file tet.h  Is a point in a tetrahedron? A filter on whole numbers for many pairs, one on
/// doubles, and the exact answer for all finite doubles.
///
/// A tetrahedron is closed: the convex hull of its corners, whichever way it is oriented, flat or
/// not.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The answer of exact arithmetic. `*exact` is set when doubles did not decide.
bool frc_tet_has_point(const double p[3], const double* const t[4], bool* exact);

/// The same by one plane at a time, until one parts them: signs of at most five determinants.
bool frc_tet_has_point_exact(const double p[3], const double* const t[4]);

/// Weights of the corners that give p: a function of the five points alone, right to about 2^-20
/// of a weight of 1 at worst, all zero when the tetrahedron is flat.
void frc_tet_barycentric(const double p[3], const double* const t[4], double out[4]);

/// Pairs of a vertex and a tetrahedron. Both lists have room for three more.
typedef struct frc_tet_pairs {
    uint32_t *vertices, *tets;
    uint32_t count;
} frc_tet_pairs;

/// Of some pairs keep those that are not decided, in order, and add those that are certainly one in
/// the other to `inside`. Every number of a spot but the fourth, which is not looked at, is a
/// coordinate times one common factor, rounded; the difference of two is off by 1.001 at most, and
/// is below 2^31. `corners` has four vertices for each tetrahedron.
void frc_tet_filter(const int32_t (*spots)[4], const uint32_t (*corners)[4], frc_tet_pairs* pairs,
                    frc_tet_pairs* inside);
