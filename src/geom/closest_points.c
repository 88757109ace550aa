/// @file closest_points.c  The functions of closest_points_inline.h, to be called.
#include "geom/closest_points_inline.h"

FRC_DEVICE double frc_closest_segment(const double a[3], const double b[3]) {
    return frc_closest_segment_inline(a, b);
}

FRC_DEVICE void frc_closest_triangle(const double x[3][3], double* u, double* v) {
    frc_closest_triangle_inline(x, u, v);
}

FRC_DEVICE void frc_closest_segments(const double w[3], const double a[3], const double b[3],
                                     double* u, double* v) {
    frc_closest_segments_inline(w, a, b, u, v);
}
