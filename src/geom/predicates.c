// Orientation predicates: a floating-point filter that is right whenever it decides, then integers.
//
// Error bounds. u = 2^-53 is the unit roundoff, h = 2^-1075 the largest error of a product that
// underflows; sums and differences are exact when they underflow.
//
// orient2d computes p - q with p = (bx-ax)(cy-ay), q = (by-ay)(cx-ax). p and q carry three
// roundings each, the last difference a fourth, so the error is at most 4u/(1-4u) (|p|+|q|) + 2h
// over the true |p|+|q|, which the computed one misses by the same relative order. BOUND_2D = 8u
// and TINY_2D cover it with nearly a factor two to spare. When something overflows the bound is inf
// or NaN and no comparison with it holds. So the filter may be asked with any finite doubles; it
// does not decide when |det| <= 2^-1000.
//
// orient3d computes n.d with n = (b-a) x (c-a) and d the third difference. A term carries three
// differences, two products and three sums: the error is at most 8u/(1-8u) times the sum of the six
// terms' magnitudes, which is at most 6 mx my mz, with mx the largest |difference| along x and so
// on. 48u (1 + O(u)) is covered by BOUND_3D = 64u, the roundings of mx my mz included. Underflow
// adds at most 2h per component of n, so 6h max(mx, my, mz) + 3h in all, below 2^-770 while no m
// exceeds 2^300; TINY_3D covers it, and within that range nothing overflows (6 * 2^900). Beyond the
// range the filter does not decide.
#include "geom/predicates.h"
#include "geom/exact_det.h"
#include <math.h>

#define BOUND_2D 0x1p-50
#define TINY_2D 0x1p-1000
#define BOUND_3D 0x1p-47
#define TINY_3D 0x1p-700
#define RANGE_3D 0x1p300

int frc_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double p = (b[0] - a[0]) * (c[1] - a[1]);
    const double q = (b[1] - a[1]) * (c[0] - a[0]);
    const double det = p - q;
    const double bound = BOUND_2D * (fabs(p) + fabs(q)) + TINY_2D;
    if (det > bound) return 1;
    if (det < -bound) return -1;
    return frc_exact_orient2d(a, b, c);
}

static double max3(double a, double b, double c) {
    const double ab = a > b ? a : b;
    return ab > c ? ab : c;
}

int frc_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
    const double nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
    const double det = nx * dx + ny * dy + nz * dz;
    const double mx = max3(fabs(bx), fabs(cx), fabs(dx));
    const double my = max3(fabs(by), fabs(cy), fabs(dy));
    const double mz = max3(fabs(bz), fabs(cz), fabs(dz));
    const double bound = BOUND_3D * (mx * my * mz) + TINY_3D;
    if (max3(mx, my, mz) <= RANGE_3D) {
        if (det > bound) return 1;
        if (det < -bound) return -1;
    }
    // In a plane across an axis: the most common kind of flat.
    if (mx == 0 || my == 0 || mz == 0) return 0;
    return frc_exact_orient3d(a, b, c, d);
}
