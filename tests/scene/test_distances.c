// Closest points and distances of bodies: the same bits as loops over all triangles, on grids with
// equal distances, after edits, in every mode and with every number of workers.
#include "ball_kit.h"
#include "context_kit.h"
#include "geom/tri_tri.h"
#include "geom/triangle_distance.h"
#include "share.h"
#include "side_oracle.h"
#include <float.h>

enum { MOST = 400, BODIES = 4, MOST_PAIRS = BODIES * (BODIES - 1) };
static double given[MOST][3];
static fracas_closest_point found[MOST];

static double uniform(uint64_t* r) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    return (double)(*r >> 11) * 0x1p-53;
}

static kit create(uint32_t workers, uint32_t modes) {
    kit k = {kit_context(workers, NULL), NULL};
    fracas_scene_options options = fracas_scene_default_options();
    options.modes = modes;
    assert_int_equal(fracas_scene_create(k.context, &options, &k.scene), FRACAS_OK);
    return k;
}

static void snap(ball_mesh* m, double grid) {
    for (uint32_t i = 0; i < m->point_count; i++)
        for (int k = 0; k < 3; k++) m->points[i][k] = round(m->points[i][k] / grid) * grid;
}

static fracas_body add(kit* k, const ball_mesh* m) {
    const fracas_mesh_view mesh = ball_view(m);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

static void get_corners(const ball_mesh* m, uint32_t t, const double* out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m->points[m->triangles[t][i]];
}

// The scene makes 0 of -0.
static void expect_same_point(const double a[3], const double b[3]) {
    assert_true(a[0] == b[0] && a[1] == b[1] && a[2] == b[2]);
}

static void make_points(const ball_mesh* m, uint64_t* r, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t* t = m->triangles[(uint32_t)(uniform(r) * m->triangle_count)];
        const double off = uniform(r) < 0.5 ? 0 : pow(2, -50 * uniform(r));
        for (int k = 0; k < 3; k++)
            given[i][k] = uniform(r) < 0.3 ? 8 * uniform(r) - 4
                                           : m->points[t[0]][k] / 2 + m->points[t[1]][k] / 4 +
                                                 m->points[t[2]][k] / 4 + off * (uniform(r) - 0.5);
    }
}

// `gone`: removed triangles.
static void expect_closest(kit* k, fracas_body body, const ball_mesh* m, const bool* gone,
                           uint32_t count) {
    const fracas_points points = {.data = given, .count = count};
    KIT_OK(k->context, fracas_scene_find_closest_points(k->scene, body, &points, found));
    for (uint32_t i = 0; i < count; i++) {
        frc_triangle_closest best = {.distance = INFINITY};
        uint32_t face = FRACAS_NONE;
        for (uint32_t t = 0; t < m->triangle_count; t++) {
            const double* corners[3];
            frc_triangle_closest one;
            get_corners(m, t, corners);
            if (gone && gone[t]) continue;
            frc_point_triangle_closest(given[i], corners, &one);
            if (one.distance < best.distance) best = one, face = t;
        }
        assert_int_equal(found[i].triangle, face);
        assert_true(found[i].distance == best.distance);
        assert_true(found[i].u == best.u[0] && found[i].v == best.v[0]);
        expect_same_point(found[i].point, best.at[0]);
        assert_int_equal(found[i].side, FRACAS_SIDE_OUTSIDE);
    }
}

static void expect_signs(kit* k, fracas_body body, const ball_mesh* m, uint32_t count) {
    static fracas_closest_point without[MOST];
    const fracas_points points = {.data = given, .count = count};
    side_oracle o = oracle_create((const double(*)[3])m->points, m->point_count,
                                  (const uint32_t(*)[3])m->triangles, m->triangle_count);
    KIT_OK(k->context, fracas_scene_find_closest_points(k->scene, body, &points, without));
    KIT_OK(k->context, fracas_scene_find_signed_distances(k->scene, body, &points, found));
    for (uint32_t i = 0; i < count; i++) {
        const fracas_side side = oracle_side(&o, given[i]);
        const double d = found[i].distance;
        assert_int_equal(found[i].side, side);
        assert_int_equal((d > 0) - (d < 0), side == FRACAS_SIDE_SURFACE  ? 0
                                            : side == FRACAS_SIDE_INSIDE ? -1
                                                                         : 1);
        if (side != FRACAS_SIDE_SURFACE && without[i].distance > 0)
            assert_true(fabs(d) == without[i].distance);
        if (side == FRACAS_SIDE_SURFACE) expect_same_point(found[i].point, given[i]);
        assert_int_equal(found[i].triangle, without[i].triangle);
    }
    oracle_destroy(&o);
}

static void closest_points(void** state) {
    (void)state;
    static ball_mesh m;
    uint64_t r = 21;
    for (uint32_t round = 0; round < share_of(24); round++) {
        kit k = create(1 + round % 3, 1 + round % 3);
        m.point_count = m.triangle_count = 0;
        for (uint32_t part = 0; part < 1 + round % 3; part++)
            ball_add(&m, 3 * uniform(&r), 3 * uniform(&r), 3 * uniform(&r), 1 + uniform(&r));
        if (round % 2) snap(&m, round % 4 == 1 ? 0x1p-8 : 0.5);
        const fracas_body body = add(&k, &m);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        make_points(&m, &r, 100);
        expect_closest(&k, body, &m, NULL, 100);
        expect_signs(&k, body, &m, 100);
        // Some triangles are removed: leaves with empty slots.
        bool gone[BALL_PARTS * BALL_TRIANGLES] = {false};
        uint32_t removed[BALL_PARTS * BALL_TRIANGLES], count = 0;
        for (uint32_t t = 0; t < m.triangle_count; t++)
            if (uniform(&r) < 0.3) gone[t] = true, removed[count++] = t;
        fracas_split split = fracas_scene_default_split();
        split.removed_triangles = removed, split.removed_triangle_count = count;
        assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        expect_closest(&k, body, &m, gone, 100);
        kit_destroy(&k);
    }
}

// ---- bodies

static void expect_distance(const ball_mesh* a, const ball_mesh* b,
                            const fracas_body_distance* got) {
    frc_triangle_closest best = {.distance = INFINITY};
    uint32_t faces[2] = {FRACAS_NONE, FRACAS_NONE};
    for (uint32_t i = 0; i < a->triangle_count && best.distance > 0; i++)
        for (uint32_t j = 0; j < b->triangle_count && best.distance > 0; j++) {
            const double *v[3], *w[3];
            double x[3][3], y[3][3];
            frc_triangle_closest one = {.distance = 0};
            get_corners(a, i, v), get_corners(b, j, w);
            for (int c = 0; c < 3; c++) {
                memcpy(x[c], v[c], sizeof x[c]);
                memcpy(y[c], w[c], sizeof y[c]);
            }
            if (!frc_tri_tri((const double(*)[3])x, (const double(*)[3])y)) {
                frc_triangle_triangle_closest(v, w, &one);
                if (one.distance == 0) one.distance = DBL_TRUE_MIN;
            }
            if (one.distance < best.distance) best = one, faces[0] = i, faces[1] = j;
        }
    assert_true(got->distance == best.distance);
    if (best.distance == 0) {
        // Any pair that intersects, and a point on both up to the rounding of its coordinates.
        const ball_mesh* const meshes[2] = {a, b};
        const uint32_t triangles[2] = {got->triangle_a, got->triangle_b};
        double x[2][3][3];
        assert_memory_equal(got->point_a, got->point_b, sizeof got->point_a);
        for (int k = 0; k < 2; k++) {
            const double* corners[3];
            frc_triangle_closest one;
            get_corners(meshes[k], triangles[k], corners);
            for (int c = 0; c < 3; c++) memcpy(x[k][c], corners[c], sizeof x[k][c]);
            frc_point_triangle_closest(got->point_a, corners, &one);
            assert_true(one.distance <= 1e-14);
        }
        assert_true(frc_tri_tri((const double(*)[3])x[0], (const double(*)[3])x[1]));
        return;
    }
    assert_int_equal(got->triangle_a, faces[0]);
    assert_int_equal(got->triangle_b, faces[1]);
    assert_true(got->u_a == best.u[0] && got->v_a == best.v[0]);
    assert_true(got->u_b == best.u[1] && got->v_b == best.v[1]);
    expect_same_point(got->point_a, best.at[0]);
    expect_same_point(got->point_b, best.at[1]);
}

static void distances_of_bodies(void** state) {
    (void)state;
    static ball_mesh meshes[BODIES];
    fracas_body bodies[BODIES];
    uint64_t r = 22;
    uint32_t zeros = 0, others = 0;
    for (uint32_t round = 0; round < share_of(8); round++) {
        kit k = create(1 + round % 3, 1 + round % 3);
        for (uint32_t b = 0; b < BODIES; b++) {
            meshes[b].point_count = meshes[b].triangle_count = 0;
            ball_add(&meshes[b], 6 * uniform(&r), 6 * uniform(&r), 6 * uniform(&r),
                     0.5 + 2 * uniform(&r));
            if (round % 2) snap(&meshes[b], 0.25);
            bodies[b] = add(&k, &meshes[b]);
        }
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        fracas_body_pair pairs[MOST_PAIRS];
        fracas_body_distance distances[MOST_PAIRS];
        uint32_t count = 0;
        for (uint32_t a = 0; a < BODIES; a++)
            for (uint32_t b = 0; b < BODIES; b++)
                if (a != b) pairs[count++] = (fracas_body_pair){bodies[a], bodies[b]};
        KIT_OK(k.context, fracas_scene_find_distances(k.scene, pairs, count, distances));
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t a = pairs[i].a.index - 1, b = pairs[i].b.index - 1;
            expect_distance(&meshes[a], &meshes[b], &distances[i]);
            zeros += distances[i].distance == 0, others += distances[i].distance > 0;
        }
        kit_destroy(&k);
    }
    assert_true(others > 0 && (zeros > 0 || share_of(100) < 50));
}

// Parts that broke off have blocks of their own; a merge gives one body several.
static void edited_bodies(void** state) {
    (void)state;
    static ball_mesh m, other;
    uint64_t r = 23;
    kit k = create(2, FRACAS_MODE_BOTH);
    m.point_count = m.triangle_count = other.point_count = other.triangle_count = 0;
    ball_add(&m, 0, 0, 0, 1);
    ball_add(&m, 4, 0, 0, 1);
    ball_add(&other, 2, 2, 0, 0.7);
    fracas_body bodies[2] =
        {
            add(&k, &m), {0, 0}
    },
                merged;
    const fracas_body stranger = add(&k, &other);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    uint32_t labels[2 * BALL_TRIANGLES];
    for (uint32_t i = 0; i < 2 * BALL_TRIANGLES; i++) labels[i] = i >= BALL_TRIANGLES;
    fracas_split_plan* plan;
    KIT_OK(k.context,
           fracas_split_plan_create(k.scene, bodies[0], labels, 2 * BALL_TRIANGLES, &plan));
    KIT_OK(k.context,
           fracas_scene_split(k.scene, bodies[0], fracas_split_plan_get_split(plan), &bodies[1]));
    fracas_split_plan_destroy(plan);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_merge(k.scene, bodies, 2, NULL, &merged), FRACAS_OK);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    // Removed numbers are used no more: the second ball has the numbers after them.
    static ball_mesh now;
    bool gone[BALL_PARTS * BALL_TRIANGLES] = {false};
    now = m;
    memcpy(now.triangles[2 * BALL_TRIANGLES], m.triangles[BALL_TRIANGLES],
           BALL_TRIANGLES * sizeof *m.triangles);
    now.triangle_count = 3 * BALL_TRIANGLES;
    memset(gone + BALL_TRIANGLES, true, BALL_TRIANGLES * sizeof *gone);
    make_points(&m, &r, 100);
    expect_closest(&k, merged, &now, gone, 100);
    const fracas_body_pair pair = {merged, stranger};
    fracas_body_distance distance;
    KIT_OK(k.context, fracas_scene_find_distances(k.scene, &pair, 1, &distance));
    now.points[2 * BALL_POINTS][0] = 100;  // removed triangles are at one far vertex
    for (uint32_t i = 0; i < 3 * BALL_TRIANGLES; i++)
        for (int c = 0; c < 3 && gone[i]; c++) now.triangles[i][c] = 2 * BALL_POINTS;
    expect_distance(&now, &other, &distance);
    kit_destroy(&k);
}

static void workers_give_the_same(void** state) {
    (void)state;
    static ball_mesh m;
    static fracas_closest_point first[MOST];
    fracas_body_distance distances[2][2];
    uint64_t r = 24;
    m.point_count = m.triangle_count = 0;
    ball_add(&m, 0, 0, 0, 3);
    make_points(&m, &r, MOST);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        kit k = kit_create(workers);
        const fracas_body body = add(&k, &m), near = ball_body(&k, 5, 0, 0, 1),
                          inside = ball_body(&k, 0, 0, 0, 1);
        const fracas_body_pair pairs[2] = {
            {body, near  },
            {body, inside}
        };
        const fracas_points points = {.data = given, .count = MOST};
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        memset(distances[workers > 1], 0, sizeof distances[0]);
        KIT_OK(k.context, fracas_scene_find_signed_distances(k.scene, body, &points, found));
        KIT_OK(k.context, fracas_scene_find_distances(k.scene, pairs, 2, distances[workers > 1]));
        if (workers == 1) memcpy(first, found, sizeof first);
        assert_memory_equal(first, found, sizeof first);
        if (workers > 1) assert_memory_equal(distances[0], distances[1], sizeof distances[0]);
        kit_destroy(&k);
    }
}

// ---- bad input

static void refused(void** state) {
    (void)state;
    static ball_mesh m;
    kit k = kit_create(1);
    m.point_count = m.triangle_count = 0;
    ball_add(&m, 0, 0, 0, 2);
    const fracas_body a = add(&k, &m);
    m.triangle_count--;
    const fracas_body open = add(&k, &m);
    memset(given, 0, sizeof given);
    const uint32_t vertex[1] = {0};
    const fracas_mesh_view particle = {
        .points = {.data = given, .count = 1},
          .vertices = vertex, .vertex_count = 1
    };
    const fracas_body none = kit_add(&k, &particle, FRACAS_MOTION_STATIC);
    const fracas_points points = {.data = given, .count = 1};
    fracas_body_pair pairs[2] = {
        {a, open},
        {a, none}
    };
    fracas_body_distance distances[2] = {{.distance = 77}, {.distance = 77}};
    found[0].distance = 77;
    KIT_REFUSED(k.context, fracas_scene_find_closest_points(k.scene, a, &points, found),
                FRACAS_ERROR_INVALID_ARGUMENT, "call fracas_scene_update");
    KIT_REFUSED(k.context, fracas_scene_find_distances(k.scene, pairs, 1, distances),
                FRACAS_ERROR_INVALID_ARGUMENT, "call fracas_scene_update");
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    KIT_REFUSED(k.context, fracas_scene_find_signed_distances(k.scene, open, &points, found),
                FRACAS_ERROR_BAD_DATA, "is not closed");
    KIT_REFUSED(k.context, fracas_scene_find_closest_points(k.scene, none, &points, found),
                FRACAS_ERROR_BAD_DATA, "has no triangles");
    KIT_REFUSED(k.context, fracas_scene_find_distances(k.scene, pairs, 2, distances),
                FRACAS_ERROR_BAD_DATA, "has no triangles");
    pairs[1].b = a;
    KIT_REFUSED(k.context, fracas_scene_find_distances(k.scene, pairs, 2, distances),
                FRACAS_ERROR_BAD_DATA, "pair 1 is body 1 twice");
    pairs[1].b.generation++;
    KIT_REFUSED(k.context, fracas_scene_find_distances(k.scene, pairs, 2, distances),
                FRACAS_ERROR_STALE_HANDLE, "no body");
    fracas_context_cancel(k.context);
    KIT_REFUSED(k.context, fracas_scene_find_closest_points(k.scene, a, &points, found),
                FRACAS_ERROR_CANCELLED, "cancelled");
    KIT_REFUSED(k.context, fracas_scene_find_distances(k.scene, pairs, 1, distances),
                FRACAS_ERROR_CANCELLED, "cancelled");
    fracas_context_resume(k.context);
    assert_true(found[0].distance == 77 && distances[0].distance == 77);
    KIT_OK(k.context, fracas_scene_find_closest_points(k.scene, open, &points, found));
    KIT_OK(k.context, fracas_scene_find_distances(k.scene, pairs, 1, distances));
    assert_true(distances[0].distance == 0);
    kit_destroy(&k);
}

// These queries allocate nothing.
static void no_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    kit k = {kit_context(1, &memory), NULL};
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    const fracas_body_pair pair = {ball_body(&k, 0, 0, 0, 4), ball_body(&k, 9, 0, 0, 1)};
    fracas_body_distance distance;
    const fracas_points points = {.data = given, .count = 1};
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    test_allocator_fail_at(&memory, 1);
    KIT_OK(k.context, fracas_scene_find_closest_points(k.scene, pair.a, &points, found));
    KIT_OK(k.context, fracas_scene_find_distances(k.scene, &pair, 1, &distance));
    assert_int_equal(fracas_scene_find_signed_distances(k.scene, pair.a, &points, found),
                     FRACAS_ERROR_OUT_OF_MEMORY);
    test_allocator_fail_at(&memory, 0);
    KIT_OK(k.context, fracas_scene_find_signed_distances(k.scene, pair.a, &points, found));
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_points), cmocka_unit_test(distances_of_bodies),
        cmocka_unit_test(edited_bodies),  cmocka_unit_test(workers_give_the_same),
        cmocka_unit_test(refused),        cmocka_unit_test(no_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
