// Distances of points and triangles, and of two triangles, against exact rational numbers: thin,
// flat and tiny triangles far away among them.
#include "cmocka_all.h"
#include "geom/tri_tri.h"
#include "geom/triangle_distance.h"
#include "share.h"
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double uniform(uint64_t* r) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    return (double)(*r >> 11) * 0x1p-53;
}

// ---- exact squares of distances

typedef mpq_t vec[3];

static void vec_init(vec* v, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) mpq_init(v[i][k]);
}
static void vec_clear(vec* v, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) mpq_clear(v[i][k]);
}
static void vec_between(const double from[3], const double to[3], vec out) {
    mpq_t at;
    mpq_init(at);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(out[k], to[k]);
        mpq_set_d(at, from[k]);
        mpq_sub(out[k], out[k], at);
    }
    mpq_clear(at);
}
static void vec_dot(vec a, vec b, mpq_t out) {
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(term, a[k], b[k]);
        mpq_add(out, out, term);
    }
    mpq_clear(term);
}

static void keep_smaller(mpq_t best, const mpq_t square) {
    if (mpq_sgn(best) < 0 || mpq_cmp(square, best) < 0) mpq_set(best, square);
}

// The square of |x + u e + v f| at its smallest, where it is the smallest for u and v inside of the
// triangle (or of the unit square): Cramer's rule. The boundary has other candidates.
static void try_inner(vec x, vec e, vec f, bool triangle, mpq_t best) {
    mpq_t n[11];
    for (int i = 0; i < 11; i++) mpq_init(n[i]);
    vec_dot(e, e, n[0]), vec_dot(e, f, n[1]), vec_dot(f, f, n[2]);
    vec_dot(e, x, n[3]), vec_dot(f, x, n[4]), vec_dot(x, x, n[10]);
    mpq_mul(n[5], n[0], n[2]), mpq_mul(n[6], n[1], n[1]), mpq_sub(n[5], n[5], n[6]);
    if (mpq_sgn(n[5]) > 0) {
        // u = (ef fx - ff ex) / det, v = (ef ex - ee fx) / det
        mpq_mul(n[6], n[1], n[4]), mpq_mul(n[8], n[2], n[3]), mpq_sub(n[6], n[6], n[8]);
        mpq_mul(n[7], n[1], n[3]), mpq_mul(n[8], n[0], n[4]), mpq_sub(n[7], n[7], n[8]);
        mpq_div(n[6], n[6], n[5]), mpq_div(n[7], n[7], n[5]);
        mpq_add(n[8], n[6], n[7]);
        const bool in = mpq_sgn(n[6]) >= 0 && mpq_sgn(n[7]) >= 0 &&
                        (triangle ? mpq_cmp_ui(n[8], 1, 1) <= 0
                                  : mpq_cmp_ui(n[6], 1, 1) <= 0 && mpq_cmp_ui(n[7], 1, 1) <= 0);
        // |x + u e + v f|^2 = xx + u ex + v fx at the solution
        mpq_mul(n[8], n[6], n[3]), mpq_mul(n[9], n[7], n[4]);
        mpq_add(n[10], n[10], n[8]), mpq_add(n[10], n[10], n[9]);
        if (in) keep_smaller(best, n[10]);
    }
    for (int i = 0; i < 11; i++) mpq_clear(n[i]);
}

static void try_segment(const double p[3], const double a[3], const double b[3], mpq_t best) {
    vec v[3];
    mpq_t ee, t, xx;
    vec_init(v, 3), mpq_init(ee), mpq_init(t), mpq_init(xx);
    vec_between(p, a, v[0]), vec_between(a, b, v[1]), vec_between(p, b, v[2]);
    vec_dot(v[0], v[0], xx), keep_smaller(best, xx);
    vec_dot(v[2], v[2], xx), keep_smaller(best, xx);
    vec_dot(v[1], v[1], ee), vec_dot(v[0], v[1], t), mpq_neg(t, t);
    if (mpq_sgn(ee) > 0 && mpq_sgn(t) > 0 && mpq_cmp(t, ee) < 0) {
        vec_dot(v[0], v[0], xx);
        mpq_mul(t, t, t), mpq_div(t, t, ee), mpq_sub(xx, xx, t);
        keep_smaller(best, xx);
    }
    vec_clear(v, 3), mpq_clear(ee), mpq_clear(t), mpq_clear(xx);
}

static void try_point(const double p[3], const double t[3][3], mpq_t best) {
    vec v[3];
    vec_init(v, 3);
    vec_between(p, t[0], v[0]), vec_between(t[0], t[1], v[1]), vec_between(t[0], t[2], v[2]);
    try_inner(v[0], v[1], v[2], true, best);
    for (int i = 0; i < 3; i++) try_segment(p, t[i], t[(i + 1) % 3], best);
    vec_clear(v, 3);
}

static void try_triangles(const double a[3][3], const double b[3][3], mpq_t best) {
    vec v[3];
    vec_init(v, 3);
    for (int i = 0; i < 3; i++) try_point(a[i], b, best), try_point(b[i], a, best);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            vec_between(b[j], a[i], v[0]);
            vec_between(a[i], a[(i + 1) % 3], v[1]);
            vec_between(b[(j + 1) % 3], b[j], v[2]);
            try_inner(v[0], v[1], v[2], false, best);
        }
    vec_clear(v, 3);
}

// |found - sqrt(square)| / size, with 300 bits.
static double relative_error(double found, const mpq_t square, double size) {
    mpf_t exact, given;
    mpf_init2(exact, 300), mpf_init2(given, 300);
    mpf_set_q(exact, square);
    mpf_sqrt(exact, exact);
    mpf_set_d(given, found);
    mpf_sub(exact, exact, given);
    mpf_set_d(given, size);
    if (size > 0) mpf_div(exact, exact, given);
    const double error = fabs(mpf_get_d(exact));
    mpf_clear(exact), mpf_clear(given);
    return error;
}

// ---- random triangles

// Ordinary, thin, flat, tiny beside their distance, far from the origin, and on a coarse grid.
static void make_triangle(uint64_t* r, double out[3][3]) {
    const int kind = (int)(uniform(r) * 7);
    const double size = kind == 4 ? pow(2, -40 * uniform(r)) : 1;
    const double far = kind == 5 ? 1e6 : 0;
    const double at[3] = {uniform(r), uniform(r), uniform(r)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i][k] = far + at[k] + size * (uniform(r) - 0.5);
    const double t = uniform(r), off = kind == 1 ? pow(2, -50 * uniform(r)) : 0;
    if (kind == 1 || kind == 2)
        for (int k = 0; k < 3; k++)
            out[2][k] = (1 - t) * out[0][k] + t * out[1][k] + off * (uniform(r) - 0.5);
    if (kind == 3) memcpy(out[2], out[uniform(r) < 0.5], sizeof out[2]);
    if (kind == 6)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) out[i][k] = round(4 * out[i][k]) / 4;
}

static double distance_of(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double largest_distance(const double (*a)[3], int a_count, const double (*b)[3]) {
    double largest = 0;
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < 3; j++) largest = fmax(largest, distance_of(a[i], b[j]));
    return largest;
}

static double worst;

static void expect(double found, const mpq_t square, double size) {
    const double error = relative_error(found, square, size);
    worst = fmax(worst, error);
    if (error > FRC_TRIANGLE_DISTANCE_ERROR / 2)
        fail_msg("the distance %.17g has an error of 2^%g of the size", found, log2(error));
}

static void points_and_triangles(void** state) {
    (void)state;
    uint64_t r = 3;
    mpq_t square;
    mpq_init(square);
    for (uint32_t round = 0; round < share_of(10000); round++) {
        double t[3][3], p[3];
        frc_triangle_closest found;
        make_triangle(&r, t);
        const double weights[2] = {uniform(&r), uniform(&r)};
        const double off = uniform(&r) < 0.5 ? pow(2, -52 * uniform(&r)) : 1;
        // Near the plane, inside and outside; or exactly a corner.
        for (int k = 0; k < 3; k++)
            p[k] = t[0][k] + weights[0] * (t[1][k] - t[0][k]) + weights[1] * (t[2][k] - t[0][k]) +
                   off * (uniform(&r) - 0.5);
        if (uniform(&r) < 0.05) memcpy(p, t[1], sizeof p);
        const double* const corners[3] = {t[0], t[1], t[2]};
        frc_point_triangle_closest(p, corners, &found);
        mpq_set_si(square, -1, 1);
        try_point(p, (const double(*)[3])t, square);
        const double size = largest_distance((const double(*)[3]) & p, 1, (const double(*)[3])t);
        expect(found.distance, square, size);
        // The point has these parameters, and this distance.
        assert_true(found.u[0] >= 0 && found.v[0] >= 0 && found.u[0] + found.v[0] <= 1);
        double largest = 0;
        for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(p[k]) + size);
        assert_true(fabs(distance_of(found.at[0], p) - found.distance) <= 1e-14 * largest);
    }
    mpq_clear(square);
}

static void pairs_of_triangles(void** state) {
    (void)state;
    uint64_t r = 4;
    uint32_t tested = 0;
    mpq_t square;
    mpq_init(square);
    for (uint32_t round = 0; round < share_of(2500); round++) {
        double t[2][3][3];
        frc_triangle_closest found;
        make_triangle(&r, t[0]);
        make_triangle(&r, t[1]);
        // Next to each other, often by little.
        const double shift = uniform(&r) < 0.5 ? pow(2, -50 * uniform(&r)) : 1.5 * uniform(&r);
        for (int k = 0; k < 3; k++) {
            const double move = t[0][round % 3][k] - t[1][0][k] + shift * (uniform(&r) - 0.3);
            for (int i = 0; i < 3; i++) t[1][i][k] += move;
        }
        if (frc_tri_tri((const double(*)[3])t[0], (const double(*)[3])t[1])) continue;
        const double* const a[3] = {t[0][0], t[0][1], t[0][2]};
        const double* const b[3] = {t[1][0], t[1][1], t[1][2]};
        frc_triangle_triangle_closest(a, b, &found);
        mpq_set_si(square, -1, 1);
        try_triangles((const double(*)[3])t[0], (const double(*)[3])t[1], square);
        const double size = largest_distance((const double(*)[3])t[0], 3, (const double(*)[3])t[1]);
        expect(found.distance, square, size);
        double largest = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(t[0][i][k]) + size);
        assert_true(fabs(distance_of(found.at[0], found.at[1]) - found.distance) <=
                    1e-14 * largest);
        for (int side = 0; side < 2; side++)
            assert_true(found.u[side] >= 0 && found.v[side] >= 0 &&
                        found.u[side] + found.v[side] <= 1 + 0x1p-52);
        tested++;
    }
    mpq_clear(square);
    assert_true(tested > 0);
}

// Coordinates whose squares or differences leave the range of doubles.
static void huge_and_tiny(void** state) {
    (void)state;
    static const double sizes[] = {1e-320, 1e-300, 1e-160, 1, 1e160, 8e307};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double s = sizes[i];
        const double t[3][3] = {
            {s, 0, 0},
            {s, s, 0},
            {s, 0, s}
        };
        const double far[3][3] = {
            {-s, 0, 0},
            {-s, s, 0},
            {-s, 0, s}
        };
        const double p[3] = {-s, s / 4, s / 4};
        const double* const a[3] = {t[0], t[1], t[2]};
        const double* const b[3] = {far[0], far[1], far[2]};
        frc_triangle_closest found;
        frc_point_triangle_closest(p, a, &found);
        if (s < 1e300) assert_true(fabs(found.distance - 2 * s) <= 1e-14 * s);
        frc_triangle_triangle_closest(a, b, &found);
        if (s < 1e300) assert_true(fabs(found.distance - 2 * s) <= 1e-14 * s);
        assert_true(found.at[0][0] == s && found.at[1][0] == -s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_triangles),
        cmocka_unit_test(pairs_of_triangles),
        cmocka_unit_test(huge_and_tiny),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest error: 2^%.1f of the largest distance\n", log2(worst));
    return failed;
}
