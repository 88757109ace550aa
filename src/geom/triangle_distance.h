/// @file triangle_distance.h  Closest points of a point and a triangle, and of two triangles, in
/// doubles with a bound on the error.
///
/// For all finite doubles, flat triangles and triangles that are points included. The results are
/// points of the triangles, up to rounding, so no distance is too small by more than rounding; none
/// is too large by more than FRC_TRIANGLE_DISTANCE_ERROR times the largest distance between two of
/// the given points of which one belongs to each side (docs/distance.md has the reason). Subnormal
/// distances may become 0.
#pragma once

#define FRC_TRIANGLE_DISTANCE_ERROR 0x1p-46

typedef struct frc_triangle_closest {
    double distance;
    double u[2], v[2];  // (1-u-v) c0 + u c1 + v c2 of triangles a and b
    double at[2][3];
} frc_triangle_closest;

/// Side 0 is the triangle, side 1 the point.
void frc_point_triangle_closest(const double p[3], const double* const triangle[3],
                                frc_triangle_closest* out);

/// Triangles that do not intersect; else a distance of 0 is not certain.
void frc_triangle_triangle_closest(const double* const a[3], const double* const b[3],
                                   frc_triangle_closest* out);
