/// @file medial_classify.c  Primitives that are the union of smaller ones.
///
/// Based on: li2023. The published rule collapses every slab without two tangent planes to the cone
/// of its two largest spheres; the exact rule keeps the hull.
///
/// With the vectors E_ij = (c_j - c_i, r_j - r_i) and <E, F> = E_xyz . F_xyz - E_r F_r:
///   one of the spheres i, j contains the other   <=>   <E_ij, E_ij> <= 0.
/// Suppose that none contains another. The three have two common tangent planes, and the slab is
/// proper, exactly when the product is positive definite on the plane of the vectors (Gram
/// determinant > 0). Otherwise the plane has a direction F with <F, F> <= 0 and F_r > 0. The sphere
/// of a point of the triangle lies in all spheres that are reached from it along F, so the hull is
/// the union of those edges that face along F: one or two. Whether the edge ik does, seen from j,
/// is the sign of the radius part of the vector from j to the line ik that is orthogonal to E_ik:
///   <E_ik, E_ik> (r_i - r_j) - <E_ji, E_ik> (r_k - r_i).
/// It is 0 for all edges only when the vectors are collinear; then the longest edge remains.
///
/// Filter. Let m be the largest of the differences, with relative errors u = 2^-53. A product has
/// four terms of three factors 1 + u and three sums, so an error below 24.1u m^2 and a magnitude of
/// at most 4 m^2. The determinant has errors of two products, 2 (2 * 4 * 24.1 + 16) u m^4, and of
/// their difference, 32u m^4: below 450u m^4. The sign of an edge: 2 (24.1 + 4 + 4) + 8, below 73u
/// m^3.
#include "geom/medial.h"
#include "geom/medial_exact.h"
#include <float.h>
#include <math.h>

#ifndef FRC_MEDIAL_UNIT
#define FRC_MEDIAL_UNIT 0x1p-53  // 0: a filter without bounds, which tests must catch
#endif

typedef frc_big big;
typedef frc_big_arena arena;

// ---- signs, in doubles where certain, else in integers

static int sign_within(double value, double bound) {
    return value > bound ? 1 : value < -bound ? -1 : 0;
}

static double product(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - a[3] * b[3];
}

// b - a; adds to the largest magnitude.
static void subtract(const double a[4], const double b[4], double out[4], double* largest) {
    for (int k = 0; k < 4; k++) {
        out[k] = b[k] - a[k];
        if (!(fabs(out[k]) <= *largest)) *largest = fabs(out[k]);
    }
}

// Whether products of four such numbers neither overflow nor lose bits that the bounds do not
// cover.
static bool is_ordinary(double m) { return m < 0x1p200 && m > 0x1p-200; }

static int exact_square(arena s, const big (*x)[4], const void* unused) {
    big e[4];
    (void)unused;
    frc_medial_subtract(&s, x[1], x[0], e);
    return frc_medial_product(&s, e, e).sign;
}

// Sign of <E_ij, E_ij>.
static int sign_of_square(const double i[4], const double j[4]) {
    double e[4], m = 0;
    subtract(i, j, e, &m);
    const int r = sign_within(product(e, e), 25 * FRC_MEDIAL_UNIT * m * m);
    if (r && is_ordinary(m)) return r;
    double x[2][4];
    for (int k = 0; k < 4; k++) x[0][k] = i[k], x[1][k] = j[k];
    return frc_medial_run_exact(exact_square, (const double(*)[4])x, 2, NULL);
}

static int exact_gram(arena s, const big (*x)[4], const void* unused) {
    big e[4], f[4];
    (void)unused;
    frc_medial_subtract(&s, x[1], x[0], e);
    frc_medial_subtract(&s, x[2], x[0], f);
    const big ee = frc_medial_product(&s, e, e), ff = frc_medial_product(&s, f, f);
    const big ef = frc_medial_product(&s, e, f);
    return frc_big_cross(&s, ee, ff, ef, ef).sign;
}

// Sign of the Gram determinant of E_01 and E_02.
static int sign_of_gram(const double (*a)[4]) {
    double e[4], f[4], m = 0;
    subtract(a[0], a[1], e, &m);
    subtract(a[0], a[2], f, &m);
    const double ef = product(e, f), det = product(e, e) * product(f, f) - ef * ef;
    const int r = sign_within(det, 450 * FRC_MEDIAL_UNIT * m * m * m * m);
    return r && is_ordinary(m) ? r : frc_medial_run_exact(exact_gram, a, 3, NULL);
}

// The spheres are j, i, k.
static int exact_facing(arena s, const big (*x)[4], const void* unused) {
    big e[4], f[4];
    (void)unused;
    frc_medial_subtract(&s, x[2], x[1], e);
    frc_medial_subtract(&s, x[1], x[0], f);
    const big ee = frc_medial_product(&s, e, e), fe = frc_medial_product(&s, f, e);
    return frc_big_cross(&s, ee, f[3], fe, e[3]).sign;
}

// Whether the edge ik faces along F, seen from j: 1 or -1; 0 for collinear vectors.
static int sign_of_facing(const double (*a)[4], int i, int k) {
    const int j = 3 - i - k;
    double e[4], f[4], m = 0;
    subtract(a[i], a[k], e, &m);
    subtract(a[j], a[i], f, &m);
    const double value = product(e, e) * f[3] - product(f, e) * e[3];
    const int r = sign_within(value, 73 * FRC_MEDIAL_UNIT * m * m * m);
    if (r && is_ordinary(m)) return r;
    double x[3][4];
    for (int c = 0; c < 4; c++) x[0][c] = a[j][c], x[1][c] = a[i][c], x[2][c] = a[k][c];
    return frc_medial_run_exact(exact_facing, (const double(*)[4])x, 3, NULL);
}

// The vectors are collinear and j is neither of the ends i and k of an edge.
static int exact_between(arena s, const big (*x)[4], const void* unused) {
    big e[4], f[4];
    (void)unused;
    frc_medial_subtract(&s, x[1], x[0], e);
    frc_medial_subtract(&s, x[2], x[0], f);
    return frc_medial_product(&s, e, f).sign < 0;
}

// ---- the rules

// Whether sphere i makes sphere j redundant.
static bool contains(const double (*a)[4], int i, int j) {
    if (a[i][3] < a[j][3] || (a[i][3] == a[j][3] && i > j)) return false;
    return sign_of_square(a[i], a[j]) <= 0;
}

static void add_part(frc_medial_parts* out, const int* spheres, int size) {
    out->size[out->count] = size;
    for (int i = 0; i < size; i++) out->spheres[out->count][i] = spheres[i];
    out->count++;
}

static void add_cone(frc_medial_parts* out, int without) {
    const int cone[2] = {without == 0, 2 - (without == 2)};
    add_part(out, cone, 2);
}

// The sphere with the smallest radius; of equal ones that with the highest index.
static int find_smallest(const double (*a)[4]) {
    int r = 2;
    for (int i = 1; i >= 0; i--)
        if (a[i][3] < a[r][3]) r = i;
    return r;
}

// A slab without two tangent planes, in which no sphere contains another.
static void split_slab(const double (*a)[4], frc_medial_parts* out) {
    for (int j = 2; j >= 0; j--)
        if (sign_of_facing(a, j == 0, 2 - (j == 2)) > 0) add_cone(out, j);
    if (out->count > 0) return;
    for (int j = 0; j < 3; j++) {
        double x[3][4];
        for (int k = 0; k < 4; k++)
            x[0][k] = a[j][k], x[1][k] = a[j == 0][k], x[2][k] = a[2 - (j == 2)][k];
        if (frc_medial_run_exact(exact_between, (const double(*)[4])x, 3, NULL)) add_cone(out, j);
    }
}

void frc_medial_classify(const double (*a)[4], int na, frc_medial_rule rule,
                         frc_medial_parts* out) {
    *out = (frc_medial_parts){.count = 0};
    int kept[3], count = 0;
    for (int j = 0; j < na; j++) {
        bool redundant = false;
        for (int i = 0; i < na && !redundant; i++) redundant = i != j && contains(a, i, j);
        if (!redundant) kept[count++] = j;
    }
    if (count < 3 || sign_of_gram(a) > 0)
        add_part(out, kept, count);
    else if (rule == FRC_MEDIAL_PUBLISHED)
        add_cone(out, find_smallest(a));
    else
        split_slab(a, out);
}
