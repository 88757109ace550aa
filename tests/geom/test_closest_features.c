// The type and the weights of the closest parts: each type by hand, all corners and sides, scales,
// degenerate features; the exact distance function supplies u and v.
#include "cmocka_all.h"
#include "geom/closest_features.h"
#include "geom/separation.h"
#include <math.h>
#include <string.h>

static frc_closest_features find(frc_ccd_kind kind, const double x[4][3], double scale) {
    frc_point points[4] = {0};
    double scaled[4][3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) scaled[i][k] = x[i][k] * scale;
        points[i].x[0] = points[i].x[1] = scaled[i][0];
        points[i].y[0] = points[i].y[1] = scaled[i][1];
        points[i].z[0] = points[i].z[1] = scaled[i][2];
    }
    frc_closest closest;
    assert_true(frc_separation_static(kind, points, 100 * scale, &closest));
    frc_closest_features out;
    frc_closest_features_find(kind, scaled, closest.u, closest.v, &out);
    // The weights are those of points at the distance.
    double d2 = 0;
    for (int k = 0; k < 3; k++) {
        double d = 0;
        const int split = kind == FRC_CCD_VF ? 1 : 2;
        for (int i = 0; i < 4; i++) d += (i < split ? 1 : -1) * out.weights[i] * x[i][k];
        d2 += d * d;
    }
    assert_true(fabs(sqrt(d2) - closest.distance / scale) < 1e-12);
    return out;
}

static void check(frc_ccd_kind kind, const double x[4][3], fracas_closest_type type,
                  const double weights[4]) {
    for (int e = -900; e <= 900; e += 300) {
        const frc_closest_features out = find(kind, x, ldexp(1, e));
        assert_int_equal(out.type, type);
        for (int i = 0; i < 4; i++) {
            assert_true(fabs(out.weights[i] - weights[i]) < 1e-14);
            assert_int_equal(out.weights[i] == 0, weights[i] == 0);
        }
    }
}

// A triangle with its corners rotated: every corner and side takes every place.
static void check_face(const double p[3], fracas_closest_type type, const double weights[3]) {
    const double face[3][3] = {
        {0,   0, 0},
        {1,   0, 0},
        {0.3, 1, 0}
    };
    for (int r = 0; r < 3; r++) {
        double x[4][3], w[4] = {1};
        memcpy(x[0], p, sizeof x[0]);
        for (int i = 0; i < 3; i++) {
            memcpy(x[1 + i], face[(i + r) % 3], sizeof x[0]);
            w[1 + i] = weights[(i + r) % 3];
        }
        check(FRC_CCD_VF, x, type, w);
    }
}

static void test_vertex_face(void** unused) {
    (void)unused;
    check_face((double[]){0.3, 0.25, 2}, FRACAS_CLOSEST_POINT_FACE, (double[]){0.525, 0.225, 0.25});
    check_face((double[]){0.3, 0.25, 0}, FRACAS_CLOSEST_POINT_FACE, (double[]){0.525, 0.225, 0.25});
    check_face((double[]){0.7, -1, 1}, FRACAS_CLOSEST_POINT_EDGE, (double[]){1 - 0.7, 0.7, 0});
    // The foot is 0.65, 0.5, in the middle of the side.
    check_face((double[]){1.65, 1.2, 3}, FRACAS_CLOSEST_POINT_EDGE, (double[]){0, 0.5, 0.5});
    check_face((double[]){-3, -1, 1}, FRACAS_CLOSEST_POINT_POINT, (double[]){1, 0, 0});
    check_face((double[]){0.3, 7, 1}, FRACAS_CLOSEST_POINT_POINT, (double[]){0, 0, 1});
    check_face((double[]){1, 0, 0}, FRACAS_CLOSEST_POINT_POINT, (double[]){0, 1, 0});
}

// Both edges in both directions, and swapped.
static void check_edges(const double x[4][3], fracas_closest_type type, double u, double v) {
    for (int r = 0; r < 8; r++) {
        double y[4][3], w[4];
        const double from[4] = {1 - u, u, 1 - v, v};
        for (int i = 0; i < 4; i++) {
            const int end = (i & 1) ^ (i / 2 ? r >> 1 & 1 : r & 1), edge = i / 2 ^ r >> 2;
            memcpy(y[i], x[2 * edge + end], sizeof y[i]);
            w[i] = from[2 * edge + end];
        }
        if (isnan(u))
            assert_int_equal(find(FRC_CCD_EE, y, 1).type, type);
        else
            check(FRC_CCD_EE, y, type, w);
    }
}

static void test_edge_edge(void** unused) {
    (void)unused;
    const double ab[2][3] = {
        {0, 0, 0},
        {2, 0, 0}
    };
    const struct {
        double cd[2][3];
        fracas_closest_type type;
        double u, v;
    } cases[] = {
        {{{0.5, -1, 1}, {0.5, 3, 1}},      FRACAS_CLOSEST_EDGE_EDGE,      0.25, 0.25},
        {{{0.5, -1, 0}, {0.5, 3, 0}},      FRACAS_CLOSEST_EDGE_EDGE,      0.25, 0.25},
        {{{0.5, 1, 1}, {0.5, 3, 1}},       FRACAS_CLOSEST_POINT_EDGE,     0.25, 0   },
        {{{-1, -1, 1}, {-1, 3, 1}},        FRACAS_CLOSEST_POINT_EDGE,     0,    0.25},
        {{{-1, 1, 1}, {-1, 3, 1}},         FRACAS_CLOSEST_POINT_POINT,    0,    0   },
 // Parallel: beside each other, one after the other, collinear, touching at an end.
        {{{0.5, 1, 0}, {5, 1, 0}},         FRACAS_CLOSEST_PARALLEL_EDGES, NAN,  NAN },
        {{{0, 1, 1}, {2, 1, 1}},           FRACAS_CLOSEST_PARALLEL_EDGES, NAN,  NAN },
        {{{0, 1, 1}, {2, 1 + 0x1p-32, 1}}, FRACAS_CLOSEST_PARALLEL_EDGES, NAN,  NAN },
        {{{0, 1, 1}, {2, 1 + 0x1p-25, 1}}, FRACAS_CLOSEST_POINT_POINT,    0,    0   },
        {{{3, 1, 0}, {5, 1, 0}},           FRACAS_CLOSEST_POINT_POINT,    1,    0   },
        {{{1, 0, 0}, {5, 0, 0}},           FRACAS_CLOSEST_PARALLEL_EDGES, NAN,  NAN },
        {{{2, 0, 0}, {5, 0, 0}},           FRACAS_CLOSEST_POINT_POINT,    1,    0   },
 // Of length zero.
        {{{0.5, 1, 0}, {0.5, 1, 0}},       FRACAS_CLOSEST_POINT_EDGE,     NAN,  NAN },
        {{{-1, 1, 0}, {-1, 1, 0}},         FRACAS_CLOSEST_POINT_POINT,    NAN,  NAN },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[4][3];
        memcpy(x, ab, sizeof ab);
        memcpy(x[2], cases[i].cd, sizeof ab);
        check_edges(x, cases[i].type, cases[i].u, cases[i].v);
    }
}

static void test_degenerate_faces(void** unused) {
    (void)unused;
    const double edge[4][3] = {
        {0.5, 1, 0},
        {0,   0, 0},
        {1,   0, 0},
        {1,   0, 0}
    };
    assert_int_equal(find(FRC_CCD_VF, edge, 1).type, FRACAS_CLOSEST_POINT_EDGE);
    const double end[4][3] = {
        {3, 1, 0},
        {0, 0, 0},
        {1, 0, 0},
        {1, 0, 0}
    };
    assert_int_equal(find(FRC_CCD_VF, end, 1).type, FRACAS_CLOSEST_POINT_POINT);
    const double point[4][3] = {
        {3, 1, 0},
        {1, 0, 0},
        {1, 0, 0},
        {1, 0, 0}
    };
    assert_int_equal(find(FRC_CCD_VF, point, 1).type, FRACAS_CLOSEST_POINT_POINT);
    // Equal positions, whatever the weights.
    frc_closest_features out;
    frc_closest_features_find(FRC_CCD_VF, point, 0.25, 0.5, &out);
    assert_int_equal(out.type, FRACAS_CLOSEST_POINT_POINT);
    frc_closest_features_find(FRC_CCD_VF, edge, 0.25, 0.5, &out);
    assert_int_equal(out.type, FRACAS_CLOSEST_POINT_EDGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vertex_face),
                                       cmocka_unit_test(test_edge_edge),
                                       cmocka_unit_test(test_degenerate_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
