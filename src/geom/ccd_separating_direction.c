/// @file ccd_separating_direction.c  Stage 3: bisect the step into time intervals, each with one
/// direction that separates the two features throughout. For planar, parallel and degenerate
/// misses, which the cubic cannot decide. Everything is inlined for 3 and for 4 vectors, so that a
/// GPU has them in registers.
#include "exact/double_parts.h"
#include "geom/ccd_stages.h"
#include "geom/closest_points_inline.h"
#include "geom/vec3.h"

#define INLINE FRC_DEVICE static inline __attribute__((always_inline))

typedef struct scaled {
    double d[4][3], v[4][3];  // D_i = d + t v, extents at most 2
    double extent[3];
} scaled;

// Scale by a power of two so that the largest extent lies in [1, 2). Small components may be
// flushed towards 0: an error of 2^-1074 at most, which the constant in the bound covers.
INLINE bool scale(const frc_ccd_query* q, int count, scaled* s) {
    const double most = frc_vec3_largest(q->extent);
    if (!(most >= 0x1p-1000 && most <= 0x1p1000)) return false;
    const double factor = frc_power_of_two(-frc_exponent(most));
    FRC_UNROLL
    for (int k = 0; k < 3; k++) {
        s->extent[k] = q->extent[k] * factor;
        FRC_UNROLL
        for (int i = 0; i < count; i++) {
            s->d[i][k] = q->d[i][k][0] * factor;
            s->v[i][k] = q->d[i][k][1] * factor - s->d[i][k];
        }
    }
    return true;
}

INLINE void positions(const scaled* s, int count, double t, double x[4][3]) {
    FRC_UNROLL
    for (int i = 0; i < count; i++) FRC_UNROLL
    for (int k = 0; k < 3; k++) x[i][k] = s->d[i][k] + t * s->v[i][k];
}

// The point of the hull of the D_i at time t that is closest to the origin: the shortest vector
// from one feature to the other.
INLINE void shortest(const scaled* s, int count, double t, double out[3]) {
    double x[4][3], u, v, a[3], b[3];
    positions(s, count, t, x);
    if (count == 3) {
        const double(*const triangle)[3] = (const double(*)[3])x;
        frc_closest_triangle_inline(triangle, &u, &v);
        FRC_UNROLL
        for (int k = 0; k < 3; k++) out[k] = (1 - u - v) * x[0][k] + u * x[1][k] + v * x[2][k];
        return;
    }
    frc_vec3_subtract(x[0], x[2], a);
    frc_vec3_subtract(x[1], x[0], b);
    frc_closest_segments_inline(x[0], a, b, &u, &v);
    FRC_UNROLL
    for (int k = 0; k < 3; k++) out[k] = x[0][k] + v * b[k] - u * a[k];
}

// True if all D_i are certainly above the plane through the origin with normal n at time t. D(t)
// has an error of 8 u L (ccd_roots.c), the scalar product adds 3 u: 11 u sum |n_k| L_k; 16 u covers
// the second order, and 2^-1000 any underflow.
INLINE bool beyond(const scaled* s, int count, const double n[3], double t) {
    double x[4][3], bound = 0;
    bool all = true;
    positions(s, count, t, x);
    FRC_UNROLL
    for (int k = 0; k < 3; k++) bound += (n[k] < 0 ? -n[k] : n[k]) * s->extent[k];
    bound = 16 * FRC_CCD_UNIT * bound + 0x1p-1000;
    FRC_UNROLL
    for (int i = 0; i < count; i++) all = all && frc_vec3_dot(n, x[i]) > bound;
    return all;
}

enum { DEEPEST = 10 };  // shorter intervals are not bisected

// The intervals [m, m + 1] / 2^k are visited in order of time.
INLINE bool separated(const frc_ccd_query* q, int count, int budget) {
    scaled s;
    if (!scale(q, count, &s)) return false;
    uint32_t m = 0;
    int k = 0;
    FRC_UNROLL_NOT
    for (int i = 0; i < budget; i++) {
        const double length = frc_power_of_two(-k), l = m * length, h = l + length;
        const double middle = 0.5 * (l + h);
        double n[3];
        shortest(&s, count, middle, n);
        // If the shortest vector at a time does not separate at that time, no direction does.
        if (k > DEEPEST || !beyond(&s, count, n, middle)) return false;
        // n . D_i is linear in time: positive at both ends implies positive in between.
        if (beyond(&s, count, n, l) && beyond(&s, count, n, h)) {
            for (m++; k > 0 && (m & 1) == 0; k--) m /= 2;
            if (k == 0) return true;
            continue;
        }
        m *= 2;
        k++;
    }
    return false;
}

FRC_DEVICE bool frc_ccd_separated(const frc_ccd_query* q, int budget) {
    return q->count == 3 ? separated(q, 3, budget) : separated(q, 4, budget);
}
