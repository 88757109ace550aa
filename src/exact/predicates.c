/// @file predicates.c  Orientation predicates: a certified floating-point filter, then integers.
///
/// Error bound of orient3d, with u = 2^-53 and h = 2^-1075 the largest error of a product that
/// underflows. It computes n.d with n = (b-a) x (c-a) and d the third difference. A term carries
/// three differences, two products and three sums: the error is at most 8u/(1-8u) times the sum of
/// the six terms' magnitudes. BOUND = 16u of the computed sum covers that. Underflow adds at most
/// 2h to a component of n, so 2h (|dx|+|dy|+|dz|) + 3h in all; TINY_D and TINY cover it. Every
/// partial result of the determinant has a counterpart in the bound that is at least as large, so
/// on overflow the bound is inf or NaN, and no comparison with it holds. So the filter is correct
/// for all finite doubles; it never decides when |det| <= 2^-700.
#include "exact/predicates.h"
#include "exact/predicates_inline.h"

#define BOUND 0x1p-49
#define TINY 0x1p-700
#define TINY_D 0x1p-1000

FRC_DEVICE int frc_orient2d(const double a[2], const double b[2], const double c[2]) {
    return frc_orient2d_inline(a, b, c);
}

FRC_DEVICE int frc_orient3d(const double a[3], const double b[3], const double c[3],
                            const double d[3]) {
    const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
    const double byz = by * cz, bzy = bz * cy, bzx = bz * cx;
    const double bxz = bx * cz, bxy = bx * cy, byx = by * cx;
    const double det = (byz - bzy) * dx + (bzx - bxz) * dy + (bxy - byx) * dz;
    const double size = (fabs(byz) + fabs(bzy)) * fabs(dx) + (fabs(bzx) + fabs(bxz)) * fabs(dy) +
                        (fabs(bxy) + fabs(byx)) * fabs(dz);
    const double tiny = TINY_D * (fabs(dx) + fabs(dy) + fabs(dz)) + TINY;
    const int sign = frc_certain_sign(det, BOUND * size + tiny);
    if (sign) return sign;
    // All points in a plane perpendicular to an axis: the most common degenerate case.
    if ((bx == 0 && cx == 0 && dx == 0) || (by == 0 && cy == 0 && dy == 0) ||
        (bz == 0 && cz == 0 && dz == 0))
        return 0;
    return frc_exact_orient3d(a, b, c, d);
}
