// Triangle–triangle intersection compared with the clipping oracle; invariances; hand-made cases of
// the mesh rules; the known number of pairs of a frame of a cloth simulation. FRACAS_TRI_QUERIES
// sets the number of random queries (default 30,000).
#include "cmocka_all.h"
#include "data.h"
#include "fracas/elementary.h"
#include "oracle_tri.h"
#include "oracle_tri_random.h"
#include "test_tri_tri_mesh.h"
#include <math.h>

static long query_count(void) {
    const char* text = getenv("FRACAS_TRI_QUERIES");
    return text ? atol(text) : 30000;
}

typedef struct query {
    double a[3][3], b[3][3];
    uint32_t va[3], vb[3];
} query;

static bool ask(const query* q) { return frc_tri_tri_mesh(q->a, q->va, q->b, q->vb); }

/// Corners 0 to 2 and 3 to 5 of six points, some of b's replaced by a's, sometimes with a repeated
/// index.
static query make_query(tri_random* r, int family) {
    double p[6][3];
    tri_random_points(r, family, p, 6);
    uint32_t v[6] = {0, 1, 2, 3, 4, 5};
    const int shared = tri_random_below(r, 16);
    const int share_count = shared < 8 ? 0 : shared < 12 ? 1 : shared < 15 ? 2 : 3;
    const uint32_t turn = (uint32_t)tri_random_below(r, 3);
    for (int i = 0; i < share_count; i++) v[3 + i] = ((uint32_t)i + turn) % 3;
    if (!tri_random_below(r, 12)) v[tri_random_below(r, 3)] = v[tri_random_below(r, 3)];
    if (!tri_random_below(r, 12)) v[3 + tri_random_below(r, 3)] = v[3 + tri_random_below(r, 3)];
    query q;
    for (int i = 0; i < 6; i++) {
        const int j = i < 3 ? i : 3 + (i + (int)turn) % 3;
        (i < 3 ? q.va : q.vb)[i % 3] = v[j];
        memcpy((i < 3 ? q.a : q.b)[i % 3], p[v[j]], sizeof p[0]);
    }
    return q;
}

static void print_query(const query* q, int family) {
    print_error("family %s\n", tri_family_name[family]);
    for (int i = 0; i < 6; i++) {
        const double* p = i < 3 ? q->a[i] : q->b[i - 3];
        print_error("%u: %a %a %a\n", (i < 3 ? q->va : q->vb)[i % 3], p[0], p[1], p[2]);
    }
}

static void test_oracle(void** unused) {
    (void)unused;
    tri_random random = {11};
    const long count = query_count();
    long hits[TRI_FAMILIES] = {0};
    for (long i = 0; i < count; i++) {
        const int family = (int)(i % TRI_FAMILIES);
        const query q = make_query(&random, family);
        const bool expected = oracle_tri_tri(q.a, q.va, q.b, q.vb);
        if (ask(&q) != expected) print_query(&q, family);
        assert_int_equal(ask(&q), expected);
        hits[family] += expected;
    }
    for (int f = 0; f < TRI_FAMILIES; f++)
        print_message("%-12s %ld of %ld meet\n", tri_family_name[f], hits[f], count / TRI_FAMILIES);
}

// ---- invariances

static query swapped(const query* q) {
    query r;
    memcpy(r.a, q->b, sizeof r.a), memcpy(r.b, q->a, sizeof r.b);
    memcpy(r.va, q->vb, sizeof r.va), memcpy(r.vb, q->va, sizeof r.vb);
    return r;
}

static query permuted(const query* q, int x, int y, int z) {
    const int order[3] = {x, y, z};
    query r = *q;
    for (int i = 0; i < 3; i++) {
        memcpy(r.a[i], q->a[order[i]], sizeof r.a[i]);
        r.va[i] = q->va[order[i]];
    }
    return r;
}

/// Axes permuted and one mirrored.
static query mirrored(const query* q, int x, int y, int z) {
    query r = *q;
    for (int i = 0; i < 3; i++) {
        r.a[i][0] = q->a[i][x], r.a[i][1] = -q->a[i][y], r.a[i][2] = q->a[i][z];
        r.b[i][0] = q->b[i][x], r.b[i][1] = -q->b[i][y], r.b[i][2] = q->b[i][z];
    }
    return r;
}

/// Each axis multiplied by a power of two; false when that is not exact.
static bool scaled(const query* q, const int e[3], query* out) {
    *out = *q;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out->a[i][k] = ldexp(q->a[i][k], e[k]);
            out->b[i][k] = ldexp(q->b[i][k], e[k]);
            if (ldexp(out->a[i][k], -e[k]) != q->a[i][k] ||
                ldexp(out->b[i][k], -e[k]) != q->b[i][k])
                return false;
        }
    return true;
}

static void test_invariance(void** unused) {
    (void)unused;
    tri_random random = {12};
    static const int orders[6][3] = {
        {0, 1, 2},
        {1, 2, 0},
        {2, 0, 1},
        {0, 2, 1},
        {2, 1, 0},
        {1, 0, 2}
    };
    for (long i = 0; i < query_count(); i++) {
        query q = make_query(&random, (int)(i % TRI_FAMILIES)), r;
        const bool expected = ask(&q);
        r = swapped(&q);
        assert_int_equal(ask(&r), expected);
        for (int k = 0; k < 6; k++) {
            const int* o = orders[k];
            r = permuted(&q, o[0], o[1], o[2]);
            assert_int_equal(ask(&r), expected);
            r = mirrored(&q, o[0], o[1], o[2]);
            assert_int_equal(ask(&r), expected);
        }
        int e[3];
        for (int k = 0; k < 3; k++) e[k] = tri_random_below(&random, 400) - 200;
        if (scaled(&q, e, &r)) assert_int_equal(ask(&r), expected);
    }
}

/* ---- the batch */

enum { BATCH = 3000 };

/// One array of points and pairs of all families; expected answers by single calls.
static void fill_batch(tri_random* r, frc_point* points, frc_tri_pair* pairs, bool* expected) {
    for (uint32_t i = 0; i < BATCH; i++) {
        const query q = make_query(r, tri_random_below(r, TRI_FAMILIES));
        for (int k = 0; k < 3; k++) {
            pairs[i].a[k] = 6 * i + q.va[k];
            pairs[i].b[k] = 6 * i + q.vb[k];
            points[pairs[i].a[k]] = (frc_point){
                .x = {NAN, q.a[k][0]},
                  .y = {NAN, q.a[k][1]},
                  .z = {NAN, q.a[k][2]}
            };
            points[pairs[i].b[k]] = (frc_point){
                .x = {NAN, q.b[k][0]},
                  .y = {NAN, q.b[k][1]},
                  .z = {NAN, q.b[k][2]}
            };
        }
        expected[i] = ask(&q);
    }
}

static void test_batch(void** unused) {
    (void)unused;
    tri_random random = {13};
    static frc_point points[6 * BATCH];
    static frc_tri_pair pairs[BATCH];
    static bool expected[BATCH];
    static uint32_t hits[BATCH];
    for (long round = 0; round < 1 + query_count() / BATCH; round++) {
        fill_batch(&random, points, pairs, expected);
        // Any size, so that every remainder of a block is covered.
        const size_t count = round ? (size_t)tri_random_below(&random, BATCH + 1) : BATCH;
        frc_tri_counts counts = {0, 0};
        const size_t found = frc_tri_tri_batch(points, pairs, count, hits, &counts);
        assert_true(counts.filtered + counts.exact == count);
        size_t next = 0;
        for (uint32_t i = 0; i < count; i++) {
            const bool hit = next < found && hits[next] == i;
            if (hit != expected[i]) print_error("pair %u of %zu\n", i, count);
            assert_int_equal(hit, expected[i]);
            next += hit;
        }
        assert_true(next == found);
    }
    assert_true(frc_tri_tri_batch(points, pairs, 0, hits, NULL) == 0);
}

/* ---- hand-made cases of the mesh rules */

static bool mesh_case(const double p[][3], uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                      uint32_t e, uint32_t f) {
    query q = {
        .va = {a, b, c},
          .vb = {d, e, f}
    };
    for (int i = 0; i < 3; i++) {
        memcpy(q.a[i], p[q.va[i]], sizeof q.a[i]);
        memcpy(q.b[i], p[q.vb[i]], sizeof q.b[i]);
    }
    assert_int_equal(ask(&q), oracle_tri_tri(q.a, q.va, q.b, q.vb));
    assert_int_equal(fracas_mesh_triangles_intersect(q.a, q.va, q.b, q.vb), ask(&q));
    return ask(&q);
}

static void test_shared(void** unused) {
    (void)unused;
    const double p[][3] = {
        {0,  0,  0 }, // 0
        {4,  0,  0 }, // 1
        {0,  4,  0 }, // 2
        {4,  4,  0 }, // 3
        {1,  1,  0 }, // 4: inside 0 1 2
        {0,  0,  4 }, // 5
        {1,  1,  1 }, // 6
        {1,  1,  -1}, // 7
        {0,  0,  0 }, // 8: at 0
        {-4, -4, 0 }, // 9
        {-4, 0,  0 }, // 10
        {2,  0,  0 }, // 11: on the edge 0 1
        {0,  -4, 0 }, // 12
        {0,  4,  0 }, // 13: at 2
    };
    // A common edge: flat, folded, hinged; the same corner under two numbers.
    assert_false(mesh_case(p, 0, 1, 2, 1, 3, 2));
    assert_true(mesh_case(p, 0, 1, 2, 0, 1, 4));
    assert_true(mesh_case(p, 0, 1, 2, 0, 1, 3));
    assert_false(mesh_case(p, 0, 1, 2, 0, 1, 5));
    assert_false(mesh_case(p, 0, 1, 2, 0, 1, 12));
    assert_true(mesh_case(p, 0, 1, 2, 0, 1, 13));
    assert_false(mesh_case(p, 0, 1, 2, 0, 1, 11));  // the second lies entirely on the common edge
    // A common vertex: pierced, opposite, flat and overlapping, flat along an edge.
    assert_true(mesh_case(p, 0, 1, 2, 0, 6, 7));
    assert_false(mesh_case(p, 0, 1, 2, 0, 9, 5));
    assert_true(mesh_case(p, 0, 1, 2, 0, 3, 9));
    assert_false(mesh_case(p, 0, 1, 2, 0, 9, 10));
    assert_true(mesh_case(p, 0, 1, 2, 0, 11, 12));
    assert_true(mesh_case(p, 0, 1, 2, 8, 9, 10));  // the same without a common number
    assert_true(mesh_case(p, 0, 1, 2, 0, 13, 10));
    assert_false(mesh_case(p, 0, 1, 2, 0, 8, 9));  // a flat one that shares only the vertex
    // Duplicates, with either orientation; parts of each other.
    assert_true(mesh_case(p, 0, 1, 2, 0, 1, 2));
    assert_true(mesh_case(p, 0, 1, 2, 2, 1, 0));
    assert_false(mesh_case(p, 0, 0, 1, 0, 1, 2));
    assert_false(mesh_case(p, 0, 0, 1, 1, 0, 1));
    assert_false(mesh_case(p, 0, 0, 0, 0, 0, 0));
    assert_false(mesh_case(p, 0, 0, 0, 0, 1, 2));
    // Segments and points by repeated numbers.
    assert_true(mesh_case(p, 6, 7, 7, 0, 1, 2));
    assert_true(mesh_case(p, 4, 4, 4, 0, 1, 2));
    assert_true(mesh_case(p, 8, 8, 8, 0, 1, 2));
    assert_true(mesh_case(p, 0, 0, 4, 0, 1, 2));
    assert_false(mesh_case(p, 0, 0, 9, 0, 1, 2));
    // Two segments that cross at the vertex they share, which is not an end of either.
    assert_false(mesh_case(p, 0, 1, 10, 0, 2, 12));
    assert_true(mesh_case(p, 8, 1, 10, 0, 2, 12));
}

static void test_point_in_tetrahedron(void** unused) {
    (void)unused;
    tri_random random = {14};
    long inside = 0;
    for (long i = 0; i < query_count() / 4; i++) {
        double p[5][3];
        tri_random_points(&random, (int)(i % TRI_FAMILIES), p, 5);
        const double(*t)[3] = (const double(*)[3])p;
        const bool expected = oracle_point_in_tetrahedron(p[4], t);
        assert_int_equal(fracas_point_is_in_tetrahedron(p[4], t), expected);
        inside += expected;
    }
    print_message("%ld points inside\n", inside);
}

static void test_not_finite(void** unused) {
    (void)unused;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    const uint32_t va[3] = {0, 1, 2}, vb[3] = {3, 4, 5};
    for (int i = 0; i < 54; i++) {
        double p[6][3] = {
            {0, 0, 0},
            {1, 0, 0},
            {0, 1, 0},
            {0, 0, 0},
            {1, 0, 0},
            {0, 0, 1}
        };
        const double(*a)[3] = (const double(*)[3])p, (*b)[3] = a + 3;
        assert_true(fracas_triangles_intersect(a, b));
        p[i % 6][i / 6 % 3] = bad[i / 18];
        assert_false(fracas_triangles_intersect(a, b));
        assert_false(fracas_mesh_triangles_intersect(a, va, b, vb));
        if (i % 6 < 5) assert_false(fracas_point_is_in_tetrahedron(p[4], a));
    }
}

/* ---- a frame of a simulation, counted by CGAL's self_intersections */

static void test_cloth_ball(void** unused) {
    (void)unused;
    const char* data = fracas_test_data();
    if (!data) skip();
    char path[4096];
    snprintf(path, sizeof path, "%s/ccd/cloth-ball/frames/cloth_ball92.ply", data);
    tri_mesh mesh;
    assert_true(tri_mesh_read(path, &mesh));
    assert_true(mesh.point_count == 46598 && mesh.face_count == 92230);
    size_t count;
    face_pair* faces = overlapping_pairs(&mesh, &count);
    frc_tri_pair* pairs = malloc(count * sizeof *pairs);
    uint32_t* hits = malloc(count * sizeof *hits);
    assert_true(faces && pairs && hits);
    for (size_t i = 0; i < count; i++) pairs[i] = tri_pair_of(&mesh, faces[i]);
    const size_t found = frc_tri_tri_batch(mesh.points, pairs, count, hits, NULL);
    size_t apart = 0;
    for (size_t i = 0; i < found; i++) apart += shared_vertices(&pairs[hits[i]]) == 0;
    print_message("%zu pairs of boxes, %zu of triangles, %zu without a common vertex\n", count,
                  found, apart);
    assert_true(found == 63602 && apart == 61530);
    free(faces), free(pairs), free(hits);
    tri_mesh_free(&mesh);
}

/// `test_tri_tri` runs the tests without data; `test_tri_tri data` the rest, so that CTest shows it
/// as skipped when the data is missing.
int main(int argc, char** argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared), cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_oracle), cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_batch),  cmocka_unit_test(test_point_in_tetrahedron),
    };
    const struct CMUnitTest data_tests[] = {cmocka_unit_test(test_cloth_ball)};
    if (argc > 1 && !strcmp(argv[1], "data")) {
        if (!fracas_test_data()) return FRACAS_TEST_SKIP;
        return cmocka_run_group_tests(data_tests, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
