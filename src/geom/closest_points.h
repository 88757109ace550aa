/// @file closest_points.h  Approximate closest points of a triangle and the origin, and of two
/// segments: floating point without error bounds on coordinates of magnitude about 1, for
/// directions and parameters on whose accuracy no decision depends. Never NaN.
#pragma once
#include "base/host_device.h"

FRC_DEVICE static inline double frc_unit_clamp(double t) { return t > 0 ? (t < 1 ? t : 1) : 0; }

/// Parameter of the point of a + t (b - a), 0 <= t <= 1, closest to the origin.
FRC_DEVICE double frc_closest_segment(const double a[3], const double b[3]);

/// The point (1-u-v) x[0] + u x[1] + v x[2] of the triangle closest to the origin.
FRC_DEVICE void frc_closest_triangle(const double x[3][3], double* u, double* v);

/// u along a, v along b such that w + v b - u a is shortest, 0 <= u, v <= 1.
FRC_DEVICE void frc_closest_segments(const double w[3], const double a[3], const double b[3],
                                     double* u, double* v);
