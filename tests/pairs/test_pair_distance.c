// Distances of single pairs: against the smallest of the candidate points in long double, by
// definition (weights, points, normal), and where nothing may be found.
#include "cmocka_all.h"
#include "common_kit.h"
#include "fracas/elementary.h"
#include "share.h"
#include <math.h>
#include <string.h>

typedef double triple[3];
typedef long double wide;

static wide dot(const wide a[3], const wide b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const triple a, const triple b, wide out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (wide)a[k] - (wide)b[k];
}

static wide length2_at(const wide w[3], const wide e[3], wide u, const wide f[3], wide v) {
    wide x[3];
    for (int k = 0; k < 3; k++) x[k] = w[k] + u * e[k] + v * f[k];
    return dot(x, x);
}

// From p to a segment: the ends, and the foot between them.
static wide to_segment(const triple p, const triple a, const triple b) {
    wide w[3], e[3];
    const wide zero[3] = {0};
    subtract(a, p, w);
    subtract(b, a, e);
    const wide t = dot(e, e) > 0 ? -dot(w, e) / dot(e, e) : 0;
    wide best = fminl(length2_at(w, e, 0, zero, 0), length2_at(w, e, 1, zero, 0));
    if (t > 0 && t < 1) best = fminl(best, length2_at(w, e, t, zero, 0));
    return best;
}

// |w + u e + v f| at its stationary point, if `triangle` or the square has it inside.
static wide inside(const wide w[3], const wide e[3], const wide f[3], bool triangle) {
    const wide ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), we = dot(w, e), wf = dot(w, f);
    const wide det = ee * ff - ef * ef;
    if (!(det > 0)) return INFINITY;
    const wide u = (ef * wf - ff * we) / det, v = (ef * we - ee * wf) / det;
    if (u < 0 || v < 0 || u > 1 || v > (triangle ? 1 - u : 1)) return INFINITY;
    return length2_at(w, e, u, f, v);
}

static wide face_distance(const triple p, const triple face[3]) {
    wide w[3], e[3], f[3], best = INFINITY;
    subtract(face[0], p, w);
    subtract(face[1], face[0], e);
    subtract(face[2], face[0], f);
    for (int i = 0; i < 3; i++) best = fminl(best, to_segment(p, face[i], face[(i + 1) % 3]));
    return sqrtl(fminl(best, inside(w, e, f, true)));
}

static wide edge_distance(const triple ab[2], const triple cd[2]) {
    wide w[3], e[3], f[3], best = INFINITY;
    subtract(cd[0], ab[0], w);
    subtract(ab[0], ab[1], e);
    subtract(cd[1], cd[0], f);
    for (int i = 0; i < 2; i++) {
        best = fminl(best, to_segment(ab[i], cd[0], cd[1]));
        best = fminl(best, to_segment(cd[i], ab[0], ab[1]));
    }
    return sqrtl(fminl(best, inside(w, e, f, false)));
}

// The numbers belong together; `split` vertices are those of the first feature.
static void check(const fracas_distance* d, const triple* x, int count, int split, wide truth) {
    assert_true(fabsl(truth - (wide)d->distance) <= 1e-13L);
    double sum[2] = {0, 0}, apart = 0, points[2][3] = {{0}};
    for (int i = 0; i < count; i++) {
        assert_true(d->weights[i] >= 0 && d->weights[i] <= 1);
        sum[i >= split] += d->weights[i];
        for (int k = 0; k < 3; k++) points[i >= split][k] += d->weights[i] * x[i][k];
    }
    for (int i = count; i < 4; i++) assert_true(d->weights[i] == 0);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(points[0][k] - d->points[0][k]) < 1e-14);
        assert_true(fabs(points[1][k] - d->points[1][k]) < 1e-14);
        const double expected = d->points[0][k] - d->points[1][k];
        apart += expected * expected;
        if (d->distance > 1e-3) assert_true(fabs(expected / d->distance - d->normal[k]) < 1e-9);
    }
    assert_true(fabs(sum[0] - 1) < 1e-15 && fabs(sum[1] - 1) < 1e-15);
    assert_true(fabs(sqrt(apart) - d->distance) < 1e-13);
}

static void check_type(const fracas_distance* d, int split, bool edges) {
    int used[2] = {0, 0};
    for (int i = 0; i < 4; i++) used[i >= split] += d->weights[i] > 0;
    if (d->type == FRACAS_CLOSEST_PARALLEL_EDGES) {
        assert_true(edges);
        return;
    }
    const int both = used[0] + used[1];
    assert_int_equal(d->type, both == 2   ? FRACAS_CLOSEST_POINT_POINT
                              : both == 3 ? FRACAS_CLOSEST_POINT_EDGE
                              : edges     ? FRACAS_CLOSEST_EDGE_EDGE
                                          : FRACAS_CLOSEST_POINT_FACE);
}

static void test_random(void** unused) {
    (void)unused;
    uint64_t state = 77;
    int types[6] = {0};
    for (uint32_t turn = 0; turn < share_of(20000); turn++) {
        triple x[4];
        // On a coarse grid in one of four rounds: parallel, touching and degenerate features.
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                x[i][k] = kit_uniform(&state, -1, 1);
                if (turn % 4 == 0) x[i][k] = round(x[i][k] * 2);
            }
        const triple* const y = (const triple*)x;
        fracas_distance d;
        assert_true(fracas_vertex_face_find_distance(y[0], y + 1, INFINITY, &d));
        check(&d, y, 4, 1, face_distance(y[0], y + 1));
        if (turn % 4) check_type(&d, 1, false);
        types[d.type]++;
        assert_true(fracas_edge_edge_find_distance(y, y + 2, INFINITY, &d));
        check(&d, y, 4, 2, edge_distance(y, y + 2));
        if (turn % 4) check_type(&d, 2, true);
        types[d.type]++;
        assert_true(fracas_vertex_edge_find_distance(y[0], y + 1, INFINITY, &d));
        check(&d, y, 3, 1, sqrtl(to_segment(y[0], y[1], y[2])));
        assert_true(d.type == FRACAS_CLOSEST_POINT_EDGE || d.type == FRACAS_CLOSEST_POINT_POINT);
        assert_true(fracas_vertex_vertex_find_distance(y[0], y[1], INFINITY, &d));
        check(&d, y, 2, 1, sqrtl(to_segment(y[0], y[1], y[1])));
        assert_int_equal(d.type, FRACAS_CLOSEST_POINT_POINT);
        // The limit.
        const double limit = d.distance, nearer = limit * (1 - 0x1p-30);
        assert_true(fracas_vertex_vertex_find_distance(y[0], y[1], limit * (1 + 0x1p-30), NULL));
        if (limit > 0) {
            d.distance = -7;
            assert_false(fracas_vertex_vertex_find_distance(y[0], y[1], nearer * 0.999, &d));
            assert_true(d.distance == -7);
        }
    }
    for (int i = 1; i < 6; i++) assert_true(types[i] > 0);
}

static void test_refused(void** unused) {
    (void)unused;
    const triple x[4] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0},
        {0, 0, 1}
    };
    triple bad[3] = {
        {0, 0, 0  },
        {1, 0, 0  },
        {0, 1, NAN}
    };
    assert_false(fracas_vertex_face_find_distance(NULL, x, INFINITY, NULL));
    assert_false(fracas_vertex_face_find_distance(x[0], NULL, INFINITY, NULL));
    assert_false(fracas_vertex_face_find_distance(x[0], (const triple*)bad, INFINITY, NULL));
    assert_false(fracas_vertex_face_find_distance(x[0], x, -1, NULL));
    assert_false(fracas_vertex_face_find_distance(x[0], x, NAN, NULL));
    assert_true(fracas_vertex_face_find_distance(x[0], x, 0, NULL));
    assert_false(fracas_edge_edge_find_distance(x, NULL, INFINITY, NULL));
    assert_false(fracas_vertex_edge_find_distance(x[0], NULL, INFINITY, NULL));
    assert_false(fracas_vertex_vertex_find_distance(x[0], NULL, INFINITY, NULL));
    assert_false(fracas_vertex_vertex_find_approach(x[0], x[1], x[0], NULL, 0, 0, NULL));
    assert_false(fracas_vertex_edge_find_approach(x[0], x + 1, x[0], x + 1, -1, 0, NULL));
    assert_false(fracas_vertex_edge_find_approach(x[0], x + 1, x[0], x + 1, INFINITY, 0, NULL));
    assert_true(fracas_vertex_edge_find_approach(x[0], x + 1, x[0], x + 1, 1, 0, NULL));
    assert_false(fracas_edge_edge_find_approach(x, x + 2, x, NULL, 0, 0, NULL));
    assert_false(fracas_vertex_face_find_approach(x[0], NULL, x[0], x + 1, 0, 0, NULL));
}

// Two points that meet half way, with and without a distance.
static void test_vertices(void** unused) {
    (void)unused;
    const triple a0 = {0, 0, 0}, a1 = {1, 0, 0}, b0 = {1, 0, 0}, b1 = {0, 0, 0};
    fracas_impact at;
    assert_true(fracas_vertex_vertex_find_approach(a0, b0, a1, b1, 0, 1e-9, &at));
    assert_true(at.toi <= 0.5 && at.toi > 0.5 - 1.1e-9);
    assert_true(at.u == 0 && at.v == 0);
    assert_true(fracas_vertex_vertex_find_approach(a0, b0, a1, b1, 0.5, 1e-9, &at));
    assert_true(at.toi <= 0.25 && at.toi > 0.25 - 1e-5);
    assert_true(at.normal[0] == -1);
    const triple edge0[2] = {
        {1, -1, 0},
        {1, 3,  0}
    };
    assert_true(fracas_vertex_edge_find_approach(a0, edge0, a1, edge0, 0, 1e-9, &at));
    assert_true(at.toi <= 1 && at.toi > 1 - 1.1e-9);
    assert_true(fabs(at.u - 0.25) < 1e-6 && at.v == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_vertices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
