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
// terms' magnitudes. BOUND_3D = 16u of the computed sum covers that. Underflow adds at most 2h to a
// component of n, so 2h (|dx|+|dy|+|dz|) + 3h in all; TINY_D and TINY_3D cover it. Every partial
// result of the determinant is at most one of the bound, so overflow again makes the bound inf or
// NaN. The filter may be asked with any finite doubles; it does not decide when |det| <= 2^-700.
#include "geom/predicates.h"
#include "geom/exact_det.h"
#include <math.h>

#define BOUND_2D 0x1p-50
#define TINY_2D 0x1p-1000
#define BOUND_3D 0x1p-49
#define TINY_3D 0x1p-700
#define TINY_D 0x1p-1000

/// Zero when not certain. Without a branch on the sign, which nobody could foresee.
static inline int certain_sign(double det, double bound) { return (det > bound) - (det < -bound); }

int frc_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double p = (b[0] - a[0]) * (c[1] - a[1]);
    const double q = (b[1] - a[1]) * (c[0] - a[0]);
    const double det = p - q;
    const double bound = BOUND_2D * (fabs(p) + fabs(q)) + TINY_2D;
    const int sign = certain_sign(det, bound);
    return sign ? sign : frc_exact_orient2d(a, b, c);
}

int frc_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
    const double byz = by * cz, bzy = bz * cy, bzx = bz * cx;
    const double bxz = bx * cz, bxy = bx * cy, byx = by * cx;
    const double det = (byz - bzy) * dx + (bzx - bxz) * dy + (bxy - byx) * dz;
    const double size = (fabs(byz) + fabs(bzy)) * fabs(dx) + (fabs(bzx) + fabs(bxz)) * fabs(dy) +
                        (fabs(bxy) + fabs(byx)) * fabs(dz);
    const double tiny = TINY_D * (fabs(dx) + fabs(dy) + fabs(dz)) + TINY_3D;
    const int sign = certain_sign(det, BOUND_3D * size + tiny);
    if (sign) return sign;
    // In a plane across an axis: the most common kind of flat.
    if ((bx == 0 && cx == 0 && dx == 0) || (by == 0 && cy == 0 && dy == 0) ||
        (bz == 0 && cz == 0 && dz == 0))
        return 0;
    return frc_exact_orient3d(a, b, c, d);
}
