/// @file exact_det.h  Signs of orientation determinants in integer arithmetic, for all finite
/// doubles.
#pragma once

/// frc_orient2d and frc_orient3d without the floating-point filter.
int frc_exact_orient2d(const double a[2], const double b[2], const double c[2]);
int frc_exact_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);
