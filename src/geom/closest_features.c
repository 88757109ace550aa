/// @file closest_features.c  The type of the closest parts of two features, from the weights of
/// their corners: a part is the hull of the corners whose weight is not zero.
#include "geom/closest_features.h"
#include "exact/double_parts.h"
#include "geom/vec3.h"
#include <string.h>

// Parameters of boundary points are exact but for the rounding of sums: 1 - u - v of a point on the
// side opposite to corner 0 may be off by 2^-53.
static const double SMALLEST_WEIGHT = 0x1p-50;

// Edges count as parallel when the square of the sine of their angle is at most this.
static const double PARALLEL = 0x1p-60;

static void set_edge_weights(double t, double out[2]) {
    if (!(t > SMALLEST_WEIGHT)) t = 0;
    if (!(t < 1 - SMALLEST_WEIGHT)) t = 1;
    out[0] = 1 - t;
    out[1] = t;
}

static void set_face_weights(double u, double v, double out[3]) {
    const double w[3] = {1 - u - v, u, v};
    int largest = 0;
    for (int i = 0; i < 3; i++) {
        out[i] = w[i] > SMALLEST_WEIGHT ? w[i] : 0;
        if (w[i] > w[largest]) largest = i;
    }
    if (out[(largest + 1) % 3] == 0 && out[(largest + 2) % 3] == 0) out[largest] = 1;
}

static bool is_same(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// The number of different positions among the corners with a weight.
static int count_corners(const double points[][3], const double* weights, int count) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (weights[i] == 0) continue;
        int j = 0;
        while (j < i && (weights[j] == 0 || !is_same(points[j], points[i]))) j++;
        n += j == i;
    }
    return n;
}

// out = b - a times a power of two that makes the largest component about 1; halved first, because
// the difference may overflow. False: the points coincide, or nearly so at the subnormal numbers.
static bool set_direction(const double a[3], const double b[3], double out[3], int* exponent) {
    for (int k = 0; k < 3; k++) out[k] = 0.5 * b[k] - 0.5 * a[k];
    const double most = frc_vec3_largest(out);
    if (!(most >= 0x1p-1000)) return false;
    *exponent = frc_exponent(most);
    // In two steps: the inverse of the largest powers of two is subnormal.
    frc_vec3_scale(out, frc_power_of_two(-(*exponent / 2)), out);
    frc_vec3_scale(out, frc_power_of_two(*exponent / 2 - *exponent), out);
    return true;
}

// Where x lies along the edge from a in direction e, in lengths of the edge.
static double project(const double a[3], const double e[3], int exponent, const double x[3]) {
    double d[3];
    int scale;
    if (!set_direction(a, x, d, &scale)) return 0;
    const double ratio = frc_vec3_dot(d, e) / frc_vec3_dot(e, e);
    const int shift = scale - exponent;
    // Beyond 2^60 lengths only the side matters.
    return ratio * frc_power_of_two(shift > 60 ? 60 : shift < -1000 ? -1000 : shift);
}

// Two edges that are parallel and beside each other over some length.
static bool is_parallel(const double points[4][3]) {
    double e[3], f[3], n[3];
    int exponent, unused;
    if (!set_direction(points[0], points[1], e, &exponent)) return false;
    if (!set_direction(points[2], points[3], f, &unused)) return false;
    frc_vec3_cross(e, f, n);
    if (frc_vec3_dot(n, n) > PARALLEL * (frc_vec3_dot(e, e) * frc_vec3_dot(f, f))) return false;
    const double c = project(points[0], e, exponent, points[2]);
    const double d = project(points[0], e, exponent, points[3]);
    const double low = c < d ? c : d, high = c < d ? d : c;
    return (high < 1 ? high : 1) - (low > 0 ? low : 0) >
           0x1p-40 * (high - low < 1 ? high - low : 1);
}

void frc_closest_features_find(frc_ccd_kind kind, const double points[4][3], double u, double v,
                               frc_closest_features* out) {
    memset(out, 0, sizeof *out);
    if (kind == FRC_CCD_VF) {
        out->weights[0] = 1;
        set_face_weights(u, v, out->weights + 1);
        const int corners = count_corners(points + 1, out->weights + 1, 3);
        out->type = corners == 1   ? FRACAS_CLOSEST_POINT_POINT
                    : corners == 2 ? FRACAS_CLOSEST_POINT_EDGE
                                   : FRACAS_CLOSEST_POINT_FACE;
        return;
    }
    set_edge_weights(u, out->weights);
    set_edge_weights(v, out->weights + 2);
    const int a = count_corners(points, out->weights, 2);
    const int b = count_corners(points + 2, out->weights + 2, 2);
    out->type = is_parallel(points) ? FRACAS_CLOSEST_PARALLEL_EDGES
                : a + b == 2        ? FRACAS_CLOSEST_POINT_POINT
                : a + b == 3        ? FRACAS_CLOSEST_POINT_EDGE
                                    : FRACAS_CLOSEST_EDGE_EDGE;
}
