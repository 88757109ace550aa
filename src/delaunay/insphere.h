/// @file insphere.h  Orientation and in-sphere determinants of points on the grid, exact.
///
/// Coordinates are in [0, 2^20], so differences are at most 2^20 in magnitude.
///   2 x 2 minors of differences: at most 2 * 2^40 = 2^41
///   orientation, three products of a difference and a minor: at most 3 * 2^61 < 2^63, 64 bits
///   squared distances: at most 3 * 2^40 < 2^42
///   in-sphere, four products of those: below 4 * 2^42 * 2^62.6 < 2^107, 128 bits
/// Four multiplications of 64 by 64 bits cost less than a floating-point filter would save.
#pragma once
#include <stdint.h>

__extension__ typedef __int128 frc_int128;

static inline int64_t frc_grid_det(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static inline void frc_grid_subtract(const int32_t a[3], const int32_t b[3], int64_t out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (int64_t)a[k] - b[k];
}

/// Six times the volume of a, b, c, d: det(b - a, c - a, d - a).
static inline int64_t frc_grid_orient(const int32_t a[3], const int32_t b[3], const int32_t c[3],
                                      const int32_t d[3]) {
    int64_t x[3], y[3], z[3];
    frc_grid_subtract(b, a, x), frc_grid_subtract(c, a, y), frc_grid_subtract(d, a, z);
    return frc_grid_det(x, y, z);
}

/// Is e inside (1), on (0) or outside (-1) the sphere of a, b, c, d of positive volume? `part`
/// are the volumes with e instead of each point in turn; their sum is that of a, b, c, d.
static inline int frc_grid_insphere(const int32_t* const corner[4], const int32_t e[3],
                                    int64_t part[4]) {
    int64_t x[4][3], square[4];
    for (int i = 0; i < 4; i++) {
        frc_grid_subtract(corner[i], e, x[i]);
        square[i] = x[i][0] * x[i][0] + x[i][1] * x[i][1] + x[i][2] * x[i][2];
    }
    part[0] = frc_grid_det(x[1], x[2], x[3]);
    part[1] = -frc_grid_det(x[0], x[2], x[3]);
    part[2] = frc_grid_det(x[0], x[1], x[3]);
    part[3] = -frc_grid_det(x[0], x[1], x[2]);
    // Sum of part * (square - r^2), relative to the circumcentre; the sphere itself cancels out.
    frc_int128 sum = 0;
    for (int i = 0; i < 4; i++) sum += (frc_int128)part[i] * square[i];
    return (sum > 0) - (sum < 0);
}
