/// @file vector.h  Vectors of three numbers; rotations as unit quaternions (real part first) and as
/// matrices (rows first).
#pragma once
#include <math.h>

static inline double vector_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vector_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void vector_subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline void vector_add_scaled(double to[3], const double a[3], double scale) {
    for (int k = 0; k < 3; k++) to[k] += scale * a[k];
}

static inline double vector_length(const double a[3]) { return sqrt(vector_dot(a, a)); }

/// Normalise to length 1. @return the old length; a zero vector is not changed
static inline double vector_normalise(double a[3]) {
    double length = vector_length(a);
    if (length > 0)
        for (int k = 0; k < 3; k++) a[k] /= length;
    return length;
}

static inline void vector_rotate(const double m[9], const double a[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
}

static inline void vector_rotate_back(const double m[9], const double a[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = m[k] * a[0] + m[3 + k] * a[1] + m[6 + k] * a[2];
}

static inline void quaternion_matrix(const double q[4], double m[9]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = 1 - 2 * (x * x + z * z), m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = 1 - 2 * (x * x + y * y);
}

/// Rotate by a small rotation vector: normalises q + r q / 2, which needs no sine.
static inline void quaternion_rotate(double q[4], const double r[3]) {
    double next[4] = {q[0] - 0.5 * (r[0] * q[1] + r[1] * q[2] + r[2] * q[3]),
                      q[1] + 0.5 * (r[0] * q[0] + r[1] * q[3] - r[2] * q[2]),
                      q[2] + 0.5 * (r[1] * q[0] + r[2] * q[1] - r[0] * q[3]),
                      q[3] + 0.5 * (r[2] * q[0] + r[0] * q[2] - r[1] * q[1])};
    double length =
        sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
    for (int k = 0; k < 4; k++) q[k] = next[k] / length;
}
