// Spheres and cones against boxes: random ones compared with subdivision; contacts whose truth is
// known to the last bit; oriented boxes. Built without its error bounds the filter must fail.
#include "cmocka_all.h"
#include "geom/medial.h"
#include "oracle_medial.h"
#include "share.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef const double (*spheres)[4];

typedef struct query {
    double a[2][4], lo[3], hi[3];
    int na;
} query;

// General, axis-parallel, of length 0, without radius; flat boxes and boxes of size 0.
static void make_random(oracle_random* r, query* q) {
    static const double RADII[3] = {0.5, 0.1, 0};
    const int kind = oracle_below(r, 6);
    const double radius = RADII[oracle_below(r, 3)];
    q->na = 1 + oracle_below(r, 2);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) q->a[i][k] = oracle_real(r);
        q->a[i][3] = radius * fabs(oracle_real(r));
    }
    for (int k = 0; k < 3; k++) {
        q->hi[k] = (kind == 2 && k == 1 ? 0 : 0.4) * fabs(oracle_real(r));
        q->lo[k] = kind == 3 ? q->hi[k] : q->hi[k] - fabs(oracle_real(r));
    }
    if (kind == 1) q->a[1][0] = q->a[0][0], q->a[1][1] = q->a[0][1];
    if (kind == 4) memcpy(q->a[1], q->a[0], sizeof q->a[0]);
    if (kind == 5) q->a[1][3] = 1.5;
}

static void random_boxes(void** state) {
    (void)state;
    oracle_random r = {11};
    const uint32_t rounds = share_of(1000000);
    uint32_t apart = 0, overlapping = 0, wide = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        query q;
        double lower, upper;
        make_random(&r, &q);
        const int truth = oracle_medial_box((spheres)q.a, q.na, q.lo, q.hi);
        const bool found = frc_medial_overlaps_box((spheres)q.a, q.na, q.lo, q.hi);
        apart += truth > 0, overlapping += truth < 0;
        if (truth) assert_int_equal(found, truth < 0);
        if (round % 16) continue;
        const bool exact = frc_medial_overlaps_box_exact((spheres)q.a, q.na, q.lo, q.hi);
        assert_int_equal(exact, found);
        frc_medial_box_distance((spheres)q.a, q.na, q.lo, q.hi, &lower, &upper);
        assert_true(lower <= upper);
        if (lower > 0) assert_false(found);
        if (upper <= 0) assert_true(found);
        wide += upper > 1e-9 && upper - lower > 1e-12;
        // Radii that make the two almost touch, from both sides.
        for (int i = 0; i < 2; i++) q.a[i][3] += lower - 3e-9;
        if (lower > 0) assert_true(oracle_medial_box((spheres)q.a, q.na, q.lo, q.hi) >= 0);
        for (int i = 0; i < 2; i++) q.a[i][3] += upper - lower + 6e-9;
        if (lower > 0) assert_true(oracle_medial_box((spheres)q.a, q.na, q.lo, q.hi) <= 0);
    }
    if (apart < rounds / 8 || overlapping < rounds / 8)
        fail_msg("%u apart, %u overlapping", apart, overlapping);
    if (wide > rounds / 10000 + 1) fail_msg("%u intervals of %u are wide", wide, rounds);
}

static void contacts(void** state) {
    (void)state;
    oracle_random r = {3};
    const uint32_t rounds = share_of(100000);
    uint32_t wrong = 0, shrunk = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        const int na = 1 + oracle_below(&r, 2), gap = oracle_below(&r, 8) == 0;
        const int exponent = oracle_below(&r, 3) ? 0 : oracle_below(&r, 2050) - 1060;
        oracle_contact c;
        oracle_make_box_contact(&r, na, gap, &c);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 4; k++) c.a[i][k] = ldexp(c.a[i][k], exponent);
        for (int k = 0; k < 3; k++) {
            c.lo[k] = ldexp(c.lo[k], exponent), c.hi[k] = ldexp(c.hi[k], exponent);
            if (oracle_below(&r, 2)) continue;
            // Mirrored.
            const double lo = c.lo[k];
            c.lo[k] = -c.hi[k], c.hi[k] = -lo;
            for (int i = 0; i < 2; i++) c.a[i][k] = -c.a[i][k];
        }
        wrong += frc_medial_overlaps_box((spheres)c.a, na, c.lo, c.hi) != (gap == 0);
        const bool exact = frc_medial_overlaps_box_exact((spheres)c.a, na, c.lo, c.hi);
        assert_int_equal(exact, gap == 0);
        double lower, upper;
        const double truth = ldexp(gap * c.length, exponent);
        frc_medial_box_distance((spheres)c.a, na, c.lo, c.hi, &lower, &upper);
        wrong += !(lower <= truth && truth <= upper);
        if (gap || c.a[0][3] == 0 || c.a[na - 1][3] == 0) continue;
        shrunk++;
        for (int i = 0; i < na; i++) c.a[i][3] = nextafter(c.a[i][3], 0);
        wrong += frc_medial_overlaps_box((spheres)c.a, na, c.lo, c.hi);
        assert_false(frc_medial_overlaps_box_exact((spheres)c.a, na, c.lo, c.hi));
    }
    assert_true(shrunk > rounds / 20);
#ifdef EXPECT_WRONG
    assert_true(wrong > 0);
#else
    assert_int_equal(wrong, 0);
#endif
}

// Turned boxes: never a miss, no false contact at a distance; the axes are rows of a rotation.
static void oriented(void** state) {
    (void)state;
    oracle_random r = {17};
    const uint32_t rounds = share_of(100000);
    for (uint32_t round = 0; round < rounds; round++) {
        query q;
        frc_obb box;
        fracas_pose pose;
        const double zero[3] = {0, 0, 0}, turn[4] = {oracle_real(&r), oracle_real(&r),
                                                     oracle_real(&r), oracle_real(&r) + 1.5};
        make_random(&r, &q);
        const frc_rigid_motion motion = frc_rigid_motion_make(zero, turn, zero, turn);
        frc_rigid_motion_at(&motion, 0, &pose);
        for (int k = 0; k < 3; k++) {
            box.center[k] = 10 * oracle_real(&r);
            box.half[k] = 0.5 * (q.hi[k] - q.lo[k]);
            memcpy(box.axes[k], pose.rotation + 3 * k, sizeof box.axes[k]);
        }
        double x[2][4];
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 3; k++) {
                x[i][k] = box.center[k];
                for (int j = 0; j < 3; j++)
                    x[i][k] += box.axes[j][k] * (q.a[i][j] - 0.5 * (q.lo[j] + q.hi[j]));
            }
            x[i][3] = q.a[i][3];
        }
        const int truth = oracle_medial_box((spheres)q.a, q.na, q.lo, q.hi);
        if (truth) assert_int_equal(frc_medial_overlaps_obb((spheres)x, q.na, &box), truth < 0);
    }
    // Touching in the turned frame, where rounding decides: must be found.
    const frc_obb cube = {
        {0.1,           0.2,            0.3      },
        {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}},
        {1,             1,              1        }
    };
    const double touching[1][4] = {
        {0.1 + 1.3 * 0.6, 0.2 + 1.3 * 0.8, 0.3, 0.3}
    };
    assert_true(frc_medial_overlaps_obb(touching, 1, &cube));
}

static void extremes(void** state) {
    (void)state;
    const double huge = 1.7e308, tiny = 0x1p-1074;
    const double lo[3] = {-huge, -huge, -huge}, hi[3] = {huge, huge, 0};
    const double a[2][4] = {
        {0, 0, tiny, 0},
        {1, 1, 1,    0}
    };
    double lower, upper;
    assert_false(frc_medial_overlaps_box(a, 2, lo, hi));
    const double b[2][4] = {
        {0,    0,     tiny, tiny},
        {huge, -huge, huge, 0   }
    };
    assert_true(frc_medial_overlaps_box(b, 2, lo, hi));
    frc_medial_box_distance(b, 2, lo, hi, &lower, &upper);
    assert_true(lower <= 0 && upper >= 0);
    frc_medial_box_distance(a, 1, lo, hi, &lower, &upper);
    assert_true(lower <= tiny && upper >= tiny);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_boxes),
        cmocka_unit_test(contacts),
        cmocka_unit_test(oriented),
        cmocka_unit_test(extremes),
    };
#ifdef EXPECT_WRONG
    cmocka_set_test_filter("contacts");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
