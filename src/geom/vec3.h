/// @file vec3.h  Vectors of three doubles. Operations must be evaluated in the order written here:
/// results depend on their rounding.
#pragma once
#include "base/host_device.h"
#include <math.h>

FRC_DEVICE static inline double frc_vec3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

FRC_DEVICE static inline void frc_vec3_cross(const double a[3], const double b[3], double out[3]) {
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                 z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

FRC_DEVICE static inline void frc_vec3_subtract(const double a[3], const double b[3],
                                                double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

/// a * factor
FRC_DEVICE static inline void frc_vec3_scale(const double a[3], double factor, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] * factor;
}

/// The largest magnitude of a component; no component is NaN.
FRC_DEVICE static inline double frc_vec3_largest(const double a[3]) {
    const double m = fabs(a[0]) > fabs(a[1]) ? fabs(a[0]) : fabs(a[1]);
    return fabs(a[2]) > m ? fabs(a[2]) : m;
}
