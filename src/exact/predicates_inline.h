/// @file predicates_inline.h  frc_orient2d with an inlined floating-point filter, for inner loops.
///
/// Error bounds. u = 2^-53 is the unit roundoff, h = 2^-1075 the largest error of a product that
/// underflows; sums and differences are exact when they underflow.
#pragma once
#include "exact/exact_det.h"
#include <math.h>

/// Sign of det, or 0 when |det| does not exceed `bound`. Branch-free: the sign is unpredictable.
FRC_DEVICE static inline int frc_certain_sign(double det, double bound) {
    return (det > bound) - (det < -bound);
}

/// Computes p - q with p = (bx-ax)(cy-ay), q = (by-ay)(cx-ax). p and q carry three roundings each,
/// the last difference one more, so the error is at most 4u/(1-4u) (|p|+|q|) + 2h over the true
/// |p|+|q|; the computed |p|+|q| has a relative error of the same order. 8u (|p|+|q|) + 2^-1000
/// covers both with a margin of nearly a factor two. On overflow the bound is inf or NaN and no
/// comparison with it holds. So the filter is correct for all finite doubles; it never decides when
/// |det| <= 2^-1000.
FRC_DEVICE static inline int frc_orient2d_inline(const double a[2], const double b[2],
                                                 const double c[2]) {
    const double p = (b[0] - a[0]) * (c[1] - a[1]);
    const double q = (b[1] - a[1]) * (c[0] - a[0]);
    const int sign = frc_certain_sign(p - q, 0x1p-50 * (fabs(p) + fabs(q)) + 0x1p-1000);
    return sign ? sign : frc_exact_orient2d(a, b, c);
}
