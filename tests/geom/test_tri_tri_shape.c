// Where triangles meet, compared with the clipping oracle in rationals: the same corners, rounded
// correctly, and the same distinction of touching and crossing. FRACAS_TRI_QUERIES sets the number
// of random queries (default 30,000).
#include "cmocka_all.h"
#include "fracas/elementary.h"
#include "geom/tri_tri_shape.h"
#include "oracle_tri.h"
#include "oracle_tri_random.h"
#include "share.h"
#include <math.h>
#include <string.h>

static uint32_t query_count(void) {
    const char* text = getenv("FRACAS_TRI_QUERIES");
    return text ? (uint32_t)atol(text) : share_of(30000);
}

static bool is_near(const double p[3], const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        // Below the normal numbers the quotient is rounded twice.
        const double slack = fabs(p[k]) < 0x1p-1021 ? 0x1p-1074 : 0;
        if (!(p[k] >= low[k] - slack && p[k] <= high[k] + slack)) return false;
    }
    return true;
}

static bool is_flat(const double p[3][3]) {
    for (int k = 0; k < 3; k++) {
        const int y = (k + 1) % 3;
        const double q[3][2] = {
            {p[0][k], p[0][y]},
            {p[1][k], p[1][y]},
            {p[2][k], p[2][y]}
        };
        if (oracle_orient2d(q[0], q[1], q[2])) return false;
    }
    return true;
}

static void shape_of(const double a[3][3], const double b[3][3], frc_tri_shape* out) {
    const double* const x[3] = {a[0], a[1], a[2]};
    const double* const y[3] = {b[0], b[1], b[2]};
    frc_tri_tri_shape(x, 3, y, 3, out);
}

// Each corner is one of the oracle's, and of triangles the other way round.
static void check(const double a[3][3], const double b[3][3], int* found) {
    double low[64][3], high[64][3];
    bool cross;
    const int count = oracle_tri_shape(a, b, low, high, &cross);
    frc_tri_shape s;
    shape_of(a, b, &s);
    assert_int_equal(s.meeting, count == 0 ? FRC_MEETING_NONE
                                : cross    ? FRC_MEETING_CROSS
                                           : FRC_MEETING_TOUCH);
    const bool flat = is_flat(a) || is_flat(b);
    uint64_t found_ours = 0, found_theirs = 0;
    for (int i = 0; i < s.count; i++)
        for (int j = 0; j < count; j++)
            if (is_near(s.points[i], low[j], high[j]))
                found_ours |= UINT64_C(1) << i, found_theirs |= UINT64_C(1) << j;
    assert_int_equal(found_ours, (UINT64_C(1) << s.count) - 1);
    if (flat)
        assert_true(s.count <= count && s.count >= (count < 2 ? count : 2));
    else
        assert_true(s.count == count && found_theirs == found_ours);
    found[s.count]++;
    found[7] += cross;
}

static void corners(void** state) {
    (void)state;
    tri_random r = {21};
    const uint32_t count = query_count();
    int found[8] = {0};
    for (uint32_t i = 0; i < count; i++) {
        double p[6][3];
        tri_random_points(&r, (int)(i % TRI_FAMILIES), p, 6);
        // Common corners, and repeated ones.
        const int same = tri_random_below(&r, 12);
        for (int k = 0; k < 3 && same < 3; k++)
            if (k <= same) memcpy(p[3 + (k + same) % 3], p[k], sizeof p[0]);
        if (same == 4) memcpy(p[1], p[0], sizeof p[0]);
        if (same == 5) memcpy(p[4], p[5], sizeof p[0]);
        check((const double(*)[3])p, (const double(*)[3])(p + 3), found);
    }
    print_message("corners 0 to 6: %d %d %d %d %d %d %d; %d cross\n", found[0], found[1], found[2],
                  found[3], found[4], found[5], found[6], found[7]);
    if (count < 10000) return;
    for (int n = 0; n < 8; n++) assert_true(found[n] > 0);
}

// Turned around and exchanged triangles have the same corners, bit by bit.
static void order_of_arguments(void** state) {
    (void)state;
    tri_random r = {22};
    for (uint32_t i = 0; i < share_of(5000); i++) {
        double p[6][3], a[3][3], b[3][3];
        frc_tri_shape first, second;
        tri_random_points(&r, (int)(i % TRI_FAMILIES), p, 6);
        for (int k = 0; k < 3; k++) {
            memcpy(a[k], p[2 - k], sizeof a[k]);
            memcpy(b[k], p[3 + (k + 1) % 3], sizeof b[k]);
        }
        shape_of((const double(*)[3])p, (const double(*)[3])(p + 3), &first);
        shape_of((const double(*)[3])b, (const double(*)[3])a, &second);
        assert_int_equal(first.meeting, second.meeting);
        assert_int_equal(first.count, second.count);
        for (int x = 0; x < first.count; x++) {
            bool same = false;
            for (int y = 0; y < second.count; y++)
                same = same || memcmp(first.points[x], second.points[y], sizeof a[0]) == 0;
            assert_true(same);
        }
    }
}

// Consecutive corners of a polygon turn the same way.
static void around(void** state) {
    (void)state;
    tri_random r = {23};
    int polygons = 0;
    for (uint32_t i = 0; i < share_of(20000); i++) {
        double p[6][3];
        for (int v = 0; v < 6; v++)
            for (int k = 0; k < 3; k++) p[v][k] = k == 2 ? 0.25 : tri_random_unit(&r);
        frc_tri_shape s;
        shape_of((const double(*)[3])p, (const double(*)[3])(p + 3), &s);
        if (s.count < 3) continue;
        double sides[2] = {INFINITY, -INFINITY};
        for (int v = 0; v < s.count; v++) {
            const double *x = s.points[v], *y = s.points[(v + 1) % s.count],
                         *z = s.points[(v + 2) % s.count];
            const double area = (y[0] - x[0]) * (z[1] - x[1]) - (y[1] - x[1]) * (z[0] - x[0]);
            sides[0] = fmin(sides[0], area), sides[1] = fmax(sides[1], area);
        }
        assert_true(sides[0] > -1e-15 || sides[1] < 1e-15);
        polygons++;
    }
    assert_true(polygons > 0);
}

// The public functions.
static void public_functions(void** state) {
    (void)state;
    static const double a[3][3] = {
        {0, 0, 0},
        {4, 0, 0},
        {0, 4, 0}
    };
    static const double through[3][3] = {
        {1, 1, -1},
        {1, 1, 1 },
        {1, 3, 0 }
    };
    static const double above[3][3] = {
        {0, 0, 1},
        {4, 0, 1},
        {0, 4, 1}
    };
    static const double flush[3][3] = {
        {1, 1,  0},
        {9, 1,  0},
        {1, -9, 0}
    };
    static const uint32_t va[3] = {0, 1, 2}, vb[3] = {3, 4, 5}, shared[3] = {0, 4, 5};
    fracas_intersection s;
    assert_true(fracas_triangles_find_intersection(a, through, &s));
    assert_true(s.meeting == FRACAS_MEETING_CROSS && s.count == 2);
    assert_true(s.points[0][0] == 1 && s.points[0][1] == 1 && s.points[0][2] == 0);
    assert_true(s.points[1][0] == 1 && s.points[1][1] == 3 && s.points[1][2] == 0);
    assert_true(fracas_mesh_triangles_find_intersection(a, va, flush, vb, &s));
    assert_true(s.meeting == FRACAS_MEETING_TOUCH && s.count == 4);
    assert_false(fracas_triangles_find_intersection(a, above, &s));
    assert_true(s.meeting == FRACAS_MEETING_NONE && s.count == 0);
    // Only the common vertex.
    static const double beside[3][3] = {
        {0,  0,  0},
        {-4, 0,  0},
        {0,  -4, 1}
    };
    assert_false(fracas_mesh_triangles_find_intersection(a, va, beside, shared, &s));
    assert_int_equal(s.count, 0);
    assert_true(fracas_mesh_triangles_find_intersection(a, va, beside, vb, &s));
    assert_true(s.meeting == FRACAS_MEETING_TOUCH && s.count == 1);
    const double bad[3][3] = {
        {NAN, 0, 0},
        {1,   0, 0},
        {0,   1, 0}
    };
    assert_false(fracas_triangles_find_intersection(a, bad, &s));
    assert_int_equal(s.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners), cmocka_unit_test(order_of_arguments), cmocka_unit_test(around),
        cmocka_unit_test(public_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
