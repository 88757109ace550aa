// Outward rounding compared with nextafterf, over all exponents and next to every kind of boundary.
#include "cmocka_all.h"
#include "geom/box.h"
#include <float.h>
#include <math.h>

static uint64_t state = 1;
static uint64_t next_random(void) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/// The definition: no float lies between the bound and d.
static void check(double d) {
    const float lo = frc_round_down(d), hi = frc_round_up(d);
    assert_true((double)lo <= d && d <= (double)hi);
    assert_true((double)nextafterf(lo, INFINITY) > d);
    assert_true((double)nextafterf(hi, -INFINITY) < d);
}

static void check_around(double d) {
    check(d);
    check(nextafter(d, INFINITY));
    check(nextafter(d, -INFINITY));
    check(-d);
    check(-nextafter(d, INFINITY));
    check(-nextafter(d, -INFINITY));
}

static void test_boundaries(void** unused) {
    (void)unused;
    const double cases[] = {0.0,
                            1.0,
                            0x1p-1074,  // smallest double
                            0x1p-1022,
                            0x1p-150,  // half of the smallest float: a tie with zero
                            0x1p-149,
                            0x1.8p-149,
                            FLT_MIN,
                            FLT_MIN - 0x1p-150,
                            (double)FLT_MAX,
                            0x1.ffffffp127,  // tie between FLT_MAX and infinity
                            0x1p128,
                            1e300,
                            nextafter(DBL_MAX, 0)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_around(cases[i]);
}

static void test_beyond_float(void** unused) {
    (void)unused;
    assert_true(frc_round_down(1e300) == FLT_MAX && frc_round_up(1e300) == INFINITY);
    assert_true(frc_round_down(-1e300) == -INFINITY && frc_round_up(-1e300) == -FLT_MAX);
    assert_true(frc_round_down(DBL_MAX) == FLT_MAX && frc_round_up(DBL_MAX) == INFINITY);
    assert_true(frc_round_down(0x1p-1074) == 0 && frc_round_up(0x1p-1074) == 0x1p-149f);
    assert_true(frc_round_down(-0x1p-1074) == -0x1p-149f && frc_round_up(-0x1p-1074) == 0);
}

static void test_random_doubles(void** unused) {
    (void)unused;
    for (int i = 0; i < 2000000; i++) {
        uint64_t bits = next_random();
        // Half of them in the range of floats, subnormals included.
        if (i & 1) bits = (bits & ~(0x7ffull << 52)) | (1023 - 151 + next_random() % 282) << 52;
        double d;
        memcpy(&d, &bits, sizeof d);
        if (isfinite(d)) check(d);
    }
}

static void test_floats_stay(void** unused) {
    (void)unused;
    for (int i = 0; i < 1000000; i++) {
        const uint32_t bits = (uint32_t)next_random();
        float f;
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(f)) continue;
        assert_true(frc_round_down(f) == f && frc_round_up(f) == f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boundaries),
        cmocka_unit_test(test_beyond_float),
        cmocka_unit_test(test_random_doubles),
        cmocka_unit_test(test_floats_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
