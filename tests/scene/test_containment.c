// Points inside closed bodies: against rays along another axis, on grids where points are on faces,
// edges and vertices, after edits and moves, in every mode and with every number of workers.
#include "ball_kit.h"
#include "context_kit.h"
#include "share.h"
#include "side_oracle.h"

static double uniform(uint64_t* r) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    return (double)(*r >> 11) * 0x1p-53;
}

enum { MOST = 4000 };
static double given[MOST][3];
static uint8_t found[MOST];

static void expect_sides(kit* k, fracas_body body, const ball_mesh* m, uint32_t count,
                         uint32_t counts[3]) {
    const fracas_points points = {.data = given, .count = count};
    side_oracle o = oracle_create((const double(*)[3])m->points, m->point_count,
                                  (const uint32_t(*)[3])m->triangles, m->triangle_count);
    memset(found, 77, sizeof found);
    KIT_OK(k->context, fracas_scene_find_containment(k->scene, body, &points, found));
    for (uint32_t i = 0; i < count; i++) {
        const fracas_side wanted = oracle_side(&o, given[i]);
        if (found[i] != wanted)
            fail_msg("point %u (%.17g %.17g %.17g): %d, not %d", i, given[i][0], given[i][1],
                     given[i][2], found[i], (int)wanted);
        counts[wanted]++;
    }
    oracle_destroy(&o);
}

// Corners, points of edges and faces, as exactly as doubles have them, one unit in the last place
// beside them, and points of the box.
static void make_points(const ball_mesh* m, uint64_t* r, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t* t = m->triangles[(uint32_t)(uniform(r) * m->triangle_count)];
        const double *a = m->points[t[0]], *b = m->points[t[1]], *c = m->points[t[2]];
        const int kind = (int)(uniform(r) * 5);
        for (int k = 0; k < 3; k++) {
            const double weights[4] = {a[k], (a[k] + b[k]) / 2, a[k] / 2 + (b[k] + c[k]) / 4,
                                       a[k] / 2 + (b[k] + c[k]) / 4};
            given[i][k] = kind < 4 ? weights[kind] : 8 * uniform(r) - 4;
        }
        if (uniform(r) < 0.2) {
            const int k = (int)(uniform(r) * 3);
            given[i][k] = nextafter(given[i][k], uniform(r) < 0.5 ? INFINITY : -INFINITY);
        }
    }
}

// A ball whose coordinates are multiples of 2^-8, so that means of corners are exact.
static void snap(ball_mesh* m, double grid) {
    for (uint32_t i = 0; i < m->point_count; i++)
        for (int k = 0; k < 3; k++) m->points[i][k] = round(m->points[i][k] / grid) * grid;
}

static fracas_body add(kit* k, const ball_mesh* m) {
    const fracas_mesh_view mesh = ball_view(m);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

static void random_balls(void** state) {
    (void)state;
    static ball_mesh m;
    uint64_t r = 5;
    uint32_t counts[3] = {0, 0, 0};
    for (uint32_t round = 0; round < share_of(150); round++) {
        kit k = kit_create(1 + round % 3);
        m.point_count = m.triangle_count = 0;
        for (uint32_t part = 0; part < 1 + round % BALL_PARTS; part++)
            ball_add(&m, 3 * uniform(&r), 3 * uniform(&r), 3 * uniform(&r),
                     uniform(&r) < 0.2 ? -1.5 : 1 + uniform(&r));
        // On coarse grids triangles become flat, or points.
        if (round % 2) snap(&m, round % 4 == 1 ? 0x1p-8 : 0.5);
        const fracas_body body = add(&k, &m);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        make_points(&m, &r, 300);
        expect_sides(&k, body, &m, 300, counts);
        kit_destroy(&k);
    }
    assert_true(counts[0] > 0 && counts[1] > 0 && counts[2] > 0);
}

// The winding number counts: a cavity is outside, a ball inside out is inside, and so is the wall.
static void windings(void** state) {
    (void)state;
    static ball_mesh m;
    kit k = kit_create(2);
    ball_add(&m, 0, 0, 0, 4);
    ball_add(&m, 0, 0, 0, -2);
    ball_add(&m, 20, 0, 0, -1);
    const fracas_body body = add(&k, &m);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    static const float at[4][4] = {
        {0,  0, 0, 9},
        {3,  0, 0, 9},
        {20, 0, 0, 9},
        {9,  0, 0, 9}
    };
    const fracas_points points = {
        .data = at, .count = 4, .stride = sizeof at[0], .scalar = FRACAS_SCALAR_FLOAT};
    KIT_OK(k.context, fracas_scene_find_containment(k.scene, body, &points, found));
    assert_int_equal(found[0], FRACAS_SIDE_OUTSIDE);
    assert_int_equal(found[1], FRACAS_SIDE_INSIDE);
    assert_int_equal(found[2], FRACAS_SIDE_INSIDE);
    assert_int_equal(found[3], FRACAS_SIDE_OUTSIDE);
    kit_destroy(&k);
}

// The end of the step counts, with trees of each mode; then parts leave and come back.
static void moved_and_edited(void** state) {
    (void)state;
    static ball_mesh m, at_end;
    uint64_t r = 9;
    uint32_t counts[3] = {0, 0, 0};
    for (uint32_t modes = FRACAS_MODE_DISCRETE; modes <= FRACAS_MODE_BOTH; modes++) {
        kit k = {kit_context(2, NULL), NULL};
        fracas_scene_options options = fracas_scene_default_options();
        options.modes = modes;
        assert_int_equal(fracas_scene_create(k.context, &options, &k.scene), FRACAS_OK);
        m.point_count = m.triangle_count = at_end.point_count = at_end.triangle_count = 0;
        ball_add(&m, -3, 0, 0, 2);
        ball_add(&m, 0, 1, 0, 1);
        ball_add(&at_end, 2, 1, 0, 2);
        ball_add(&at_end, 0, 0, 0, 3);
        fracas_body body = add(&k, &m), both[2];
        const fracas_points end = {.data = at_end.points, .count = at_end.point_count};
        assert_int_equal(fracas_scene_move(k.scene, body, &end), FRACAS_OK);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        make_points(&at_end, &r, 200);
        expect_sides(&k, body, &at_end, 200, counts);
        // The second ball leaves.
        uint32_t labels[2 * BALL_TRIANGLES];
        for (uint32_t i = 0; i < 2 * BALL_TRIANGLES; i++) labels[i] = i >= BALL_TRIANGLES;
        fracas_split_plan* plan;
        KIT_OK(k.context,
               fracas_split_plan_create(k.scene, body, labels, 2 * BALL_TRIANGLES, &plan));
        both[0] = body;
        KIT_OK(k.context,
               fracas_scene_split(k.scene, body, fracas_split_plan_get_split(plan), &both[1]));
        fracas_split_plan_destroy(plan);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        at_end.triangle_count = BALL_TRIANGLES;
        expect_sides(&k, body, &at_end, 200, counts);
        at_end.triangle_count = 2 * BALL_TRIANGLES;
        assert_int_equal(fracas_scene_merge(k.scene, both, 2, NULL, &body), FRACAS_OK);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        expect_sides(&k, body, &at_end, 200, counts);
        kit_destroy(&k);
    }
}

static void workers_give_the_same(void** state) {
    (void)state;
    static ball_mesh m;
    static uint8_t first[MOST];
    uint64_t r = 11;
    ball_add(&m, 0, 0, 0, 3);
    make_points(&m, &r, MOST);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        kit k = kit_create(workers);
        const fracas_body body = add(&k, &m);
        const fracas_points points = {.data = given, .count = MOST};
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        KIT_OK(k.context, fracas_scene_find_containment(k.scene, body, &points, found));
        if (workers == 1) memcpy(first, found, sizeof first);
        assert_memory_equal(first, found, sizeof first);
        kit_destroy(&k);
    }
}

// ---- bad input

static void refused(void** state) {
    (void)state;
    static ball_mesh m;
    kit k = kit_create(1);
    ball_add(&m, 0, 0, 0, 2);
    const fracas_body body = add(&k, &m);
    m.triangle_count--;
    const fracas_body open = add(&k, &m);
    const uint32_t* last = m.triangles[m.triangle_count];
    fracas_points points = {.data = given, .count = 1};
    memset(given, 0, sizeof given);
    found[0] = 77;
    KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, body, &points, found),
                FRACAS_ERROR_INVALID_ARGUMENT, "call fracas_scene_update");
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    // The edge with the smallest numbers, twice: the second time from memory.
    uint32_t a = last[0], b = last[1], c = last[2], swap;
    if (a > b) swap = a, a = b, b = swap;
    if (b > c) swap = b, b = c, c = swap;
    if (a > b) swap = a, a = b, b = swap;
    char words[120];
    snprintf(words, sizeof words,
             "body 2 is not closed: its triangles do not pass the edge of the "
             "vertices %u and %u",
             a, b);
    for (int again = 0; again < 2; again++)
        KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, open, &points, found),
                    FRACAS_ERROR_BAD_DATA, words);
    // An edit closes it.
    const fracas_split split = {.struct_size = fracas_scene_default_split().struct_size,
                                .new_triangles = last,
                                .new_triangle_count = 1};
    assert_int_equal(fracas_scene_split(k.scene, open, &split, NULL), FRACAS_OK);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    KIT_OK(k.context, fracas_scene_find_containment(k.scene, open, &points, found));
    assert_int_equal(found[0], FRACAS_SIDE_INSIDE);
    found[0] = 77;
    const uint32_t vertex[1] = {0};
    const fracas_mesh_view particle = {
        .points = {.data = given, .count = 1},
          .vertices = vertex, .vertex_count = 1
    };
    const fracas_body none = kit_add(&k, &particle, FRACAS_MOTION_STATIC);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, none, &points, found),
                FRACAS_ERROR_BAD_DATA, "body 3 has no triangles");
    kit_destroy(&k);
}

// The state of `found` does not change.
static void refused_points_and_handles(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body body = ball_body(&k, 0, 0, 0, 2);
    fracas_points points = {.data = given, .count = 1};
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    memset(given, 0, sizeof given);
    found[0] = 77;
    given[0][1] = NAN;
    KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, body, &points, found),
                FRACAS_ERROR_BAD_DATA, "finite");
    given[0][1] = 0, points.stride = 1;
    KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, body, &points, found),
                FRACAS_ERROR_INVALID_ARGUMENT, "stride");
    points.stride = 0;
    fracas_body gone = body;
    gone.generation++;
    KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, gone, &points, found),
                FRACAS_ERROR_STALE_HANDLE, "no body");
    fracas_context_cancel(k.context);
    KIT_REFUSED(k.context, fracas_scene_find_containment(k.scene, body, &points, found),
                FRACAS_ERROR_CANCELLED, "cancelled");
    fracas_context_resume(k.context);
    assert_int_equal(found[0], 77);
    points.count = 0;
    KIT_OK(k.context, fracas_scene_find_containment(k.scene, body, &points, NULL));
    kit_destroy(&k);
}

static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    kit k = {kit_context(1, &memory), NULL};
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    const fracas_body body = ball_body(&k, 0, 0, 0, 4);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    const long blocks = (long)atomic_load(&memory.blocks);
    const fracas_points points = {.data = given, .count = 1};
    memset(given, 0, sizeof given);
    int failures = 0;
    for (size_t at = 1;; at++) {
        found[0] = 77;
        test_allocator_fail_at(&memory, at);
        const fracas_status status = fracas_scene_find_containment(k.scene, body, &points, found);
        test_allocator_fail_at(&memory, 0);
        assert_int_equal((long)atomic_load(&memory.blocks), blocks);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        assert_int_equal(found[0], 77);
        failures++;
    }
    assert_int_equal(found[0], FRACAS_SIDE_INSIDE);
    assert_int_equal(failures, 2);
    // It is known now: a query allocates nothing.
    test_allocator_fail_at(&memory, 1);
    KIT_OK(k.context, fracas_scene_find_containment(k.scene, body, &points, found));
    test_allocator_fail_at(&memory, 0);
    kit_destroy(&k);
    assert_int_equal((long)atomic_load(&memory.blocks), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_balls),
        cmocka_unit_test(windings),
        cmocka_unit_test(moved_and_edited),
        cmocka_unit_test(workers_give_the_same),
        cmocka_unit_test(refused),
        cmocka_unit_test(refused_points_and_handles),
        cmocka_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
