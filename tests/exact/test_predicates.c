// Orientations compared with rational arithmetic. FRACAS_TRI_QUERIES sets the number of random ones
// (default 100,000).
#include "cmocka_all.h"
#include "exact/exact_det.h"
#include "exact/predicates.h"
#include "geom/oracle_tri.h"
#include "geom/oracle_tri_random.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static long query_count(void) {
    const char* text = getenv("FRACAS_TRI_QUERIES");
    return text ? atol(text) : 100000;
}

static void check3(double p[4][3]) {
    const int sign = oracle_orient3d(p[0], p[1], p[2], p[3]);
    assert_int_equal(frc_orient3d(p[0], p[1], p[2], p[3]), sign);
    assert_int_equal(frc_exact_orient3d(p[0], p[1], p[2], p[3]), sign);
    assert_int_equal(frc_orient3d(p[1], p[0], p[2], p[3]), -sign);
    assert_int_equal(frc_orient3d(p[0], p[1], p[3], p[2]), -sign);
    assert_int_equal(frc_orient3d(p[2], p[3], p[0], p[1]), sign);
}

static void check2(double p[3][3]) {
    const int sign = oracle_orient2d(p[0], p[1], p[2]);
    assert_int_equal(frc_orient2d(p[0], p[1], p[2]), sign);
    assert_int_equal(frc_exact_orient2d(p[0], p[1], p[2]), sign);
    assert_int_equal(frc_orient2d(p[1], p[2], p[0]), sign);
    assert_int_equal(frc_orient2d(p[1], p[0], p[2]), -sign);
}

static void test_random(void** unused) {
    (void)unused;
    tri_random random = {1};
    const long count = query_count();
    for (long i = 0; i < count; i++) {
        double p[4][3];
        tri_random_points(&random, (int)(i % TRI_FAMILIES), p, 4);
        check3(p);
        check2(p);
    }
    print_message("%ld random orientations\n", count);
}

/// The fourth point is the double nearest to a point in the plane of the others: the sign is that
/// of a rounding error.
static void test_nearly_flat(void** unused) {
    (void)unused;
    tri_random random = {2};
    for (long i = 0; i < query_count() / 4; i++) {
        double p[4][3];
        tri_random_points(&random, 8, p, 3);
        const double s = tri_random_unit(&random), t = tri_random_unit(&random);
        for (int k = 0; k < 3; k++)
            p[3][k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]);
        check3(p);
        for (int k = 0; k < 3; k++) p[2][k] = p[0][k] + s * (p[1][k] - p[0][k]);
        check2(p);
    }
}

static void test_limits(void** unused) {
    (void)unused;
    const double values[] = {0,       -0.0,    0x1p-1074, -0x1p-1074,
                             DBL_MIN, DBL_MAX, -DBL_MAX,  1e300,
                             -1e-300, 1,       1e-160,    0x1.fffffffffffffp1023};
    tri_random random = {3};
    const int count = sizeof values / sizeof *values;
    for (long i = 0; i < 20000; i++) {
        double p[4][3];
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++) p[j][k] = values[tri_random_below(&random, count)];
        check3(p);
        check2(p);
    }
}

/// Differences just below and above the sizes at which the integer code changes its method.
static void test_sizes(void** unused) {
    (void)unused;
    tri_random random = {4};
    for (int bits = 35; bits < 135; bits++)
        for (int i = 0; i < 200; i++) {
            double p[4][3];
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 3; k++) {
                    const uint64_t top = (uint64_t)1 << 52 | tri_random_next(&random) >> 12;
                    p[j][k] = (double)top * (tri_random_below(&random, 2) ? 1 : -1);
                    for (int e = 52; e < bits; e++) p[j][k] *= 2;
                    for (int e = 52; e > bits; e--) p[j][k] *= 0.5;
                    if (tri_random_below(&random, 3) == 0) p[j][k] = tri_random_below(&random, 3);
                }
            check3(p);
            check2(p);
        }
}

/// Integers of up to 53 bits, at random and near the corners of a cube, where determinants are
/// largest: 128 bits hold them up to differences of 41 bits.
static void test_integers(void** unused) {
    (void)unused;
    tri_random random = {5};
    for (int bits = 20; bits < 54; bits++)
        for (int i = 0; i < 200; i++) {
            const double size = ldexp(1, bits - 1);
            double p[4][3];
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 3; k++) {
                    const double inside =
                        floor(fabs(tri_random_unit(&random)) * size * (i % 2 ? 1 : 1e-3));
                    p[j][k] = tri_random_below(&random, 2) ? size - 1 - inside : inside - size + 1;
                }
            check3(p);
            check2(p);
        }
}

static void test_meaning(void** unused) {
    (void)unused;
    const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    assert_int_equal(frc_orient2d(o, x, y), 1);
    assert_int_equal(frc_orient3d(o, x, y, z), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meaning),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_integers),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_nearly_flat), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
