/// @file ccd_separating_direction.c  Stage 3: bisect the step into time intervals, each with one
/// direction that separates the two features throughout. For planar, parallel and degenerate
/// misses, which the cubic cannot decide.
#include "exact/double_parts.h"
#include "geom/ccd_stages.h"
#include "geom/closest_points.h"
#include "geom/vec3.h"

typedef struct scaled {
    int count;
    double d[4][3], v[4][3];  // D_i = d + t v, extents at most 2
    double extent[3];
} scaled;

// Scale by a power of two so that the largest extent lies in [1, 2). Small components may be
// flushed towards 0: an error of 2^-1074 at most, which the constant in the bound covers.
FRC_DEVICE static bool scale(const frc_ccd_query* q, scaled* s) {
    const double most = frc_vec3_largest(q->extent);
    if (!(most >= 0x1p-1000 && most <= 0x1p1000)) return false;
    const double factor = frc_power_of_two(-frc_exponent(most));
    s->count = q->count;
    for (int k = 0; k < 3; k++) {
        s->extent[k] = q->extent[k] * factor;
        for (int i = 0; i < q->count; i++) {
            s->d[i][k] = q->d[i][k][0] * factor;
            s->v[i][k] = q->d[i][k][1] * factor - s->d[i][k];
        }
    }
    return true;
}

FRC_DEVICE static void positions(const scaled* s, double t, double x[4][3]) {
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) x[i][k] = s->d[i][k] + t * s->v[i][k];
}

// The point of the hull of the D_i at time t that is closest to the origin: the shortest vector
// from one feature to the other.
FRC_DEVICE static void shortest(const scaled* s, double t, double out[3]) {
    double x[4][3], u, v, a[3], b[3];
    positions(s, t, x);
    if (s->count == 3) {
        const double(*const triangle)[3] = (const double(*)[3])x;
        frc_closest_triangle(triangle, &u, &v);
        for (int k = 0; k < 3; k++) out[k] = (1 - u - v) * x[0][k] + u * x[1][k] + v * x[2][k];
        return;
    }
    frc_vec3_subtract(x[0], x[2], a);
    frc_vec3_subtract(x[1], x[0], b);
    frc_closest_segments(x[0], a, b, &u, &v);
    for (int k = 0; k < 3; k++) out[k] = x[0][k] + v * b[k] - u * a[k];
}

// True if all D_i are certainly above the plane through the origin with normal n at time t. D(t)
// has an error of 8 u L (ccd_roots.c), the scalar product adds 3 u: 11 u sum |n_k| L_k; 16 u covers
// the second order, and 2^-1000 any underflow.
FRC_DEVICE static bool beyond(const scaled* s, const double n[3], double t) {
    double x[4][3], bound = 0;
    positions(s, t, x);
    for (int k = 0; k < 3; k++) bound += (n[k] < 0 ? -n[k] : n[k]) * s->extent[k];
    bound = 16 * FRC_CCD_UNIT * bound + 0x1p-1000;
    for (int i = 0; i < s->count; i++)
        if (!(frc_vec3_dot(n, x[i]) > bound)) return false;
    return true;
}

enum { BUDGET = 31 };                               // maximum number of intervals tested
FRC_DEVICE static const double SHORTEST = 0x1p-10;  // intervals shorter than this are not bisected

FRC_DEVICE bool frc_ccd_separated(const frc_ccd_query* q) {
    scaled s;
    if (!scale(q, &s)) return false;
    double stack[BUDGET + 1][2] = {
        {0, 1}
    };
    int count = 1;
    for (int i = 0; count && i < BUDGET; i++) {
        const double l = stack[count - 1][0], h = stack[count - 1][1], middle = 0.5 * (l + h);
        double n[3];
        shortest(&s, middle, n);
        // If the shortest vector at a time does not separate at that time, no direction does.
        if (h - l < SHORTEST || !beyond(&s, n, middle)) return false;
        // n . D_i is linear in time: positive at both ends implies positive in between.
        if (beyond(&s, n, l) && beyond(&s, n, h)) {
            count--;
            continue;
        }
        stack[count - 1][0] = middle;  // push the later half, then the earlier half
        stack[count][0] = l;
        stack[count][1] = middle;
        count++;
    }
    return count == 0;
}
