/// @file tri_tri_bound.h  The error bound of determinants (p x q).r of coordinate differences;
/// private to the filters of triangle pairs.
///
/// Let u = 2^-53 and h = 2^-1075. Let no component of p, q, r exceed s. A term carries
/// three differences, two products and three sums, so the error is at most 8u/(1-8u) times the sum
/// of the magnitudes of six terms: 48u s^3 (1 + O(u)). Where a determinant is the sum of two such
/// ones it is 2 * 48u s^3 and at most 12u s^3 for the last sum: 108u s^3 (1 + O(u)). frc_tri_bound
/// is 128u s^3, which covers both and the roundings of s and of itself. Underflowing products add
/// at most 6hs + 3h each time.
///
/// Range: while (8s)^3 is finite s is below 2^339, so FRC_TRI_TINY covers underflow, and nothing
/// overflows, as partial sums are at most 12s^3. When it is not finite the bound is infinite and
/// decides nothing. So the filters are correct for all finite doubles; they never decide
/// determinants below 2^-700.
#pragma once
#include "base/host_device.h"

#define FRC_TRI_TINY 0x1p-700

FRC_DEVICE static inline double frc_tri_bound(double s) {
    const double t = 8 * s;
    return 0x1p-55 * (t * t * t) + FRC_TRI_TINY;
}
