/// @file tet.c  Point in tetrahedron: volumes in doubles with error bounds, then exact signs.
///
/// With the point as the origin and corners a, b, c, d, the four volumes
///     w0 = b.(c x d)   w1 = -a.(c x d)   w2 = d.(a x b)   w3 = -c.(a x b)
/// are those of the tetrahedron with one corner replaced by the point; their sum is the volume of
/// the tetrahedron itself. The point is outside when one is positive and another negative: then the
/// sum has the opposite sign of one of them, or it is zero and the point is not in the plane of the
/// flat tetrahedron. It is inside when all have the same sign. Zeros are left to exact signs.
///
/// Error bound of w = x.(y x z), with u = 2^-53, h = 2^-1075 and |x| the largest coordinate. A term
/// carries three differences, two products and three sums, so the error is at most 8u/(1-8u) times
/// the sum of the magnitudes of the six terms, which is at most 6 |x||y||z|: below 49u |x||y||z|.
/// BOUND = 2^-49 of 8 |x||y||z| is 128u of it. Underflow adds at most 2h to a component of y x z,
/// so 6h |x| + 3h in all, and reduces the bound by less; TINY_D |x| + TINY covers both. Every
/// partial result is at most 8 |y||z|, or 8 |y||z||x|: where one overflows the bound is inf or NaN,
/// and no comparison with it holds.
#include "geom/tet.h"
#include "exact/bigint.h"
#include "exact/predicates.h"
#include "geom/tri_tri_exact.h"
#include "geom/vec3.h"

#define BOUND 0x1p-49
#define TINY 0x1p-700
#define TINY_D 0x1p-1000

// The four volumes and the bounds of their errors.
typedef struct volumes {
    double w[4], error[4];
} volumes;

static double bound_of(double yz, double x) { return yz * x * BOUND + (TINY_D * x + TINY); }

static void measure(const double p[3], const double* const t[4], volumes* out) {
    double r[4][3], size[4];
    for (int i = 0; i < 4; i++) {
        frc_vec3_subtract(t[i], p, r[i]);
        size[i] = frc_vec3_largest(r[i]);
    }
    const double *a = r[0], *b = r[1], *c = r[2], *d = r[3];
    double cd[3], ab[3];
    frc_vec3_cross(c, d, cd);
    frc_vec3_cross(a, b, ab);
    out->w[0] = frc_vec3_dot(b, cd);
    out->w[1] = -frc_vec3_dot(a, cd);
    out->w[2] = frc_vec3_dot(d, ab);
    out->w[3] = -frc_vec3_dot(c, ab);
    const double cd_size = 8 * (size[2] * size[3]), ab_size = 8 * (size[0] * size[1]);
    out->error[0] = bound_of(cd_size, size[1]);
    out->error[1] = bound_of(cd_size, size[0]);
    out->error[2] = bound_of(ab_size, size[3]);
    out->error[3] = bound_of(ab_size, size[2]);
}

bool frc_tet_has_point_exact(const double p[3], const double* const t[4]) {
    const int side = frc_orient3d(t[0], t[1], t[2], t[3]);
    // A flat tetrahedron (a triangle, quadrilateral, segment or point) is the union of its faces.
    for (int skip = 0; side == 0 && skip < 4; skip++) {
        const double* const face[3] = {t[(skip + 1) & 3], t[(skip + 2) & 3], t[(skip + 3) & 3]};
        if (frc_point_in_hull(p, face, 3)) return true;
    }
    if (side == 0) return false;
    // With p in place of any corner the volume must not change its sign.
    return frc_orient3d(p, t[1], t[2], t[3]) != -side &&
           frc_orient3d(t[0], p, t[2], t[3]) != -side &&
           frc_orient3d(t[0], t[1], p, t[3]) != -side && frc_orient3d(t[0], t[1], t[2], p) != -side;
}

bool frc_tet_has_point(const double p[3], const double* const t[4], bool* exact) {
    volumes v;
    measure(p, t, &v);
    int positive = 0, negative = 0;
    for (int i = 0; i < 4; i++) {
        positive += v.w[i] > v.error[i];
        negative += v.w[i] < -v.error[i];
    }
    const bool inside = positive == 4 || negative == 4, outside = positive && negative;
    *exact = !inside && !outside;
    return inside || (!outside && frc_tet_has_point_exact(p, t));
}

// ---- weights

// Exact volumes, for tetrahedra so thin, so large or so small that doubles are not accurate enough.
//
// A finite double is an integer times 2^-1074, of 2,098 bits at most: 33 limbs, and two more during
// construction. In limbs, with one more for the carry of each sum: 15 numbers of 35, 12 differences
// of 34, 6 components of 2 products of 66 and a difference of 67, 4 volumes of 3 products of 100
// and 2 sums of 102, 3 sums of 104.
enum { LIMBS = 15 * 35 + 12 * 34 + 6 * (2 * 66 + 67) + 4 * (3 * 100 + 2 * 102) + 3 * 104 };

static void exact_weights(const double p[3], const double* const t[4], double out[4]) {
    uint64_t limbs[LIMBS];
    frc_big_arena arena = {limbs, limbs + LIMBS};
    frc_big r[4][3], cd[3], ab[3], w[4];
    for (int k = 0; k < 3; k++) {
        const frc_big origin = frc_big_from_double(&arena, p[k], -1074);
        for (int i = 0; i < 4; i++)
            r[i][k] = frc_big_subtract(&arena, frc_big_from_double(&arena, t[i][k], -1074), origin);
    }
    frc_big_cross3(&arena, r[2], r[3], cd);
    frc_big_cross3(&arena, r[0], r[1], ab);
    w[0] = frc_big_dot(&arena, r[1], cd);
    w[1] = frc_big_negate(frc_big_dot(&arena, r[0], cd));
    w[2] = frc_big_dot(&arena, r[3], ab);
    w[3] = frc_big_negate(frc_big_dot(&arena, r[2], ab));
    frc_big sum =
        frc_big_add(&arena, frc_big_add(&arena, w[0], w[1]), frc_big_add(&arena, w[2], w[3]));
    for (int i = 0; i < 4; i++) out[i] = sum.sign ? frc_big_ratio(w[i], sum) : 0;
}

void frc_tet_barycentric(const double p[3], const double* const t[4], double out[4]) {
    volumes v;
    measure(p, t, &v);
    const double sum = (v.w[0] + v.w[1]) + (v.w[2] + v.w[3]);
    const double error = (v.error[0] + v.error[1]) + (v.error[2] + v.error[3]);
    // Written so that it is also true after overflow (inf or NaN).
    if (!(fabs(sum) * 0x1p-20 > error)) {
        exact_weights(p, t, out);
        return;
    }
    for (int i = 0; i < 4; i++) out[i] = v.w[i] / sum;
}
