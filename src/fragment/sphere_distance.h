/// @file sphere_distance.h  Upper bounds of distances, for radii.
#pragma once
#include "geom/vec3.h"
#include <float.h>

/// Exceeds the rounding errors of a distance, or of the sum of two.
static inline double frc_round_distance_up(double distance) {
    return distance * (1 + 8 * DBL_EPSILON);
}

/// The same if squares overflow or underflow; `d` is the difference of the points.
static inline double frc_length_above_scaled(double d[3]) {
    const double largest = frc_vec3_largest(d);
    if (!(largest > 0 && largest < INFINITY)) return largest;
    int exponent;
    frexp(largest, &exponent);
    for (int k = 0; k < 3; k++) d[k] = ldexp(d[k], -exponent);
    // A subnormal result loses bits.
    return ldexp(frc_round_distance_up(sqrt(frc_vec3_dot(d, d))), exponent) + DBL_TRUE_MIN;
}

/// An upper bound of |a - b|, too large by a few roundings. 0 if the points are equal; infinite if
/// a - b overflows.
static inline double frc_distance_above(const double a[3], const double b[3]) {
    double d[3];
    frc_vec3_subtract(a, b, d);
    const double square = frc_vec3_dot(d, d);
    if (square > 1e-280 && square < 1e300) return frc_round_distance_up(sqrt(square));
    return square == 0 && frc_vec3_largest(d) == 0 ? 0 : frc_length_above_scaled(d);
}
