// Candidates against all pairs of features; kept candidates against full queries at many step
// lengths; thickness against queries of a larger distance; safe distances.
#include "context_kit.h"
#include "near_kit.h"
#include "scene/scene.h"
#include "share.h"

// ---- candidates

// All pairs of features, without boxes and trees.
static void find_all(const near_scene* s, near_list* out) {
    const frc_world world = frc_scene_world(s->k.scene);
    fracas_query query = fracas_scene_default_query();
    frc_contact_list list = {0};
    query.min_separation = 1e9;
    query.siblings = FRACAS_SIBLINGS_REPORT;
    assert_int_equal(
        frc_search_brute(&world, FRC_SEARCH_CANDIDATES, &query, &list, &out->statistics),
        FRACAS_OK);
    out->count = 0;
    for (size_t i = 0; i < list.count; i++) near_push(out, &list.data[i]);
    FRC_ARRAY_RELEASE(s->k.context, &list);
}

// Are the boxes of both sides over the step at most `reach` apart along each axis? Exact here.
static bool boxes_meet(const near_scene* s, const fracas_contact* c, double reach) {
    double lo[2][3], hi[2][3];
    for (int side = 0; side < 2; side++) {
        uint32_t corner[3];
        const int count = near_corners(s, c, side, corner);
        const near_body* body = &s->body[near_body_of(side ? c->body_b : c->body_a)];
        for (int k = 0; k < 3; k++) {
            lo[side][k] = INFINITY, hi[side][k] = -INFINITY;
            for (int i = 0; i < 2 * count; i++) {
                const double x = body->at[i % 2][corner[i / 2]][k];
                lo[side][k] = fmin(lo[side][k], x), hi[side][k] = fmax(hi[side][k], x);
            }
        }
    }
    for (int k = 0; k < 3; k++)
        if (lo[0][k] - hi[1][k] > reach || lo[1][k] - hi[0][k] > reach) return false;
    return true;
}

static void candidates_are_all_pairs_of_boxes(void** state) {
    (void)state;
    uint64_t random = 1;
    near_list all = {0}, got = {0};
    size_t found = 0, kept_apart = 0;
    for (uint32_t round = 0; round < 3 + share_of(20); round++) {
        near_scene* s = near_create(1 + round % 3, &random, 0.5);
        find_all(s, &all);
        for (int i = 0; i < 4; i++) {
            static const double DISTANCES[4] = {0, 1.0 / 1024, 0.125, 1};
            near_list wanted = {0};
            for (size_t k = 0; k < all.count; k++)
                if (boxes_meet(s, &all.data[k], DISTANCES[i])) near_push(&wanted, &all.data[k]);
            const fracas_sink sink = near_sink(&got);
            KIT_OK(s->k.context, fracas_scene_candidates(s->k.scene, DISTANCES[i], &sink));
            near_expect_same(&got, &wanted);
            fracas_candidates* kept;
            KIT_OK(s->k.context, fracas_candidates_create(s->k.scene, DISTANCES[i], &kept));
            assert_int_equal(fracas_candidates_get_count(kept), wanted.count);
            fracas_candidates_destroy(kept);
            found += wanted.count, kept_apart += all.count - wanted.count;
            free(wanted.data);
        }
        near_destroy(s);
    }
    assert_true(found > 1000 && kept_apart > 1000);
    free(all.data), free(got.data);
}

// ---- a line search

static void compare_at(near_scene* s, const fracas_candidates* kept, const fracas_query* query,
                       near_list* got, near_list* wanted) {
    fracas_sink sink = near_sink(got);
    double step = -1, wanted_step = -2;
    KIT_OK(s->k.context, fracas_candidates_detect(kept, query, &sink));
    KIT_OK(s->k.context, fracas_candidates_max_step(kept, query, &step));
    KIT_OK(s->k.context, fracas_scene_update(s->k.scene));
    sink = near_sink(wanted);
    KIT_OK(s->k.context, fracas_scene_detect(s->k.scene, query, &sink));
    KIT_OK(s->k.context, fracas_scene_max_step(s->k.scene, query, &wanted_step));
    near_expect_same(got, wanted);
    assert_true(step == wanted_step);
    assert_true(step <= query->t_max);
    assert_int_equal(got->statistics.contacts[FRACAS_CONTACT_EE],
                     wanted->statistics.contacts[FRACAS_CONTACT_EE]);
    // A limit keeps the first ones.
    fracas_query limited = *query;
    if (got->count < 2) return;
    limited.max_contacts = wanted->count = got->count / 2;
    sink = near_sink(got);
    KIT_OK(s->k.context, fracas_candidates_detect(kept, &limited, &sink));
    near_expect_same(got, wanted);
    assert_int_equal(got->statistics.limit_reached, 1);
}

static void line_search_equals_full_queries(void** state) {
    (void)state;
    uint64_t random = 2;
    near_list got = {0}, wanted = {0};
    size_t contacts = 0;
    for (uint32_t round = 0; round < 3 + share_of(25); round++) {
        near_scene* s = near_create(1 + round % 2, &random, 0.5);
        const double distance = round % 3 ? 0.0625 : 0;
        fracas_candidates* kept;
        KIT_OK(s->k.context, fracas_candidates_create(s->k.scene, distance, &kept));
        for (double fraction = 1; fraction > 0.01; fraction *= 0.5) {
            fracas_query query = fracas_scene_default_query();
            query.first = kit_random(&random) % 4 == 0;
            if (kit_random(&random) % 2) query.min_separation = distance / 2;
            if (kit_random(&random) % 2) query.t_max = kit_uniform(&random, 0.05, 1);
            near_move(s, fraction);
            compare_at(s, kept, &query, &got, &wanted);
            contacts += got.count;
        }
        // The end of the step as its start: every vertex is still in its box.
        near_move(s, 1);
        KIT_OK(s->k.context, fracas_scene_advance(s->k.scene));
        near_move(s, 0.25);
        const fracas_query query = fracas_scene_default_query();
        compare_at(s, kept, &query, &got, &wanted);
        fracas_candidates_destroy(kept);
        near_destroy(s);
    }
    assert_true(contacts > 100);
    free(got.data), free(wanted.data);
}

// t_max alone: the contacts of the whole step up to that time.
static void t_max_cuts_the_list(void** state) {
    (void)state;
    uint64_t random = 3;
    near_list whole = {0}, cut = {0}, wanted = {0};
    for (uint32_t round = 0; round < 3 + share_of(20); round++) {
        near_scene* s = near_create(1, &random, 0.75);
        fracas_query query = fracas_scene_default_query();
        fracas_sink sink = near_sink(&whole);
        KIT_OK(s->k.context, fracas_scene_detect(s->k.scene, &query, &sink));
        assert_true(whole.count > 4);
        // Exactly at the time of a contact, and anywhere.
        for (int turn = 0; turn < 2; turn++) {
            const size_t i = kit_random(&random) % whole.count;
            query.t_max =
                turn && whole.data[i].toi > 0 ? whole.data[i].toi : kit_uniform(&random, 0.01, 1);
            wanted.count = 0;
            for (size_t k = 0; k < whole.count; k++)
                if (whole.data[k].toi <= query.t_max) near_push(&wanted, &whole.data[k]);
            sink = near_sink(&cut);
            KIT_OK(s->k.context, fracas_scene_detect(s->k.scene, &query, &sink));
            near_expect_same(&cut, &wanted);
        }
        near_destroy(s);
    }
    free(whole.data), free(cut.data), free(wanted.data);
}

static void bad_candidates(void** state) {
    (void)state;
    uint64_t random = 4;
    near_scene* s = near_create(1, &random, 0.5);
    fracas_context* context = s->k.context;
    fracas_candidates* kept = NULL;
    const fracas_sink sink = {0};
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    KIT_REFUSED(context, fracas_candidates_create(s->k.scene, -1, &kept), misuse,
                "the distance is -1");
    assert_null(kept);
    KIT_REFUSED(context, fracas_scene_candidates(s->k.scene, NAN, &sink), misuse, "finite");
    KIT_OK(context, fracas_candidates_create(s->k.scene, 0.25, &kept));
    fracas_query query = fracas_scene_default_query();
    query.min_separation = 0.5;
    KIT_REFUSED(context, fracas_candidates_detect(kept, &query, &sink), misuse,
                "the minimum separation is 0.5, but the candidates were found for a distance of "
                "0.25");
    query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    KIT_REFUSED(context, fracas_candidates_detect(kept, &query, &sink), misuse,
                "continuous queries only");
    query = fracas_scene_default_query();
    query.t_max = 0;
    KIT_REFUSED(context, fracas_candidates_detect(kept, &query, &sink), misuse, "t_max");
    KIT_REFUSED(context, fracas_scene_detect(s->k.scene, &query, &sink), misuse, "t_max");
    // An eighth out of the box is allowed, more is not.
    query = fracas_scene_default_query();
    double* x = s->body[1].at[1][17];
    const double end = x[2], start = s->body[1].at[0][17][2];
    const double top = end > start ? end : start;
    x[2] = top + 0.125 - 0x1p-40;
    near_move(s, 1);
    KIT_OK(context, fracas_candidates_detect(kept, &query, &sink));
    x[2] = top + 0.125 + 0x1p-40;
    near_move(s, 1);
    KIT_REFUSED(context, fracas_candidates_detect(kept, &query, &sink), FRACAS_ERROR_BAD_DATA,
                "vertex 17 of body 2 has left the box");
    double step = 7;
    KIT_REFUSED(context, fracas_candidates_max_step(kept, &query, &step), FRACAS_ERROR_BAD_DATA,
                "vertex 17 of body 2 has left the box");
    assert_true(step == 7);
    x[2] = end;
    near_move(s, 1);
    KIT_OK(context, fracas_candidates_detect(kept, &query, &sink));
    fracas_candidates_destroy(kept);
    near_destroy(s);
}

// Thinner is allowed, thicker is not, nor is any edit.
static void candidates_end_with_edits(void** state) {
    (void)state;
    uint64_t random = 4;
    near_scene* s = near_create(1, &random, 0.5);
    fracas_context* context = s->k.context;
    fracas_candidates* kept = NULL;
    const fracas_sink sink = {0};
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    const fracas_query query = fracas_scene_default_query();
    KIT_OK(context, fracas_candidates_create(s->k.scene, 0.25, &kept));
    KIT_OK(context, fracas_scene_set_thickness(s->k.scene, s->body[0].handle, 0));
    KIT_OK(context, fracas_candidates_detect(kept, &query, &sink));
    KIT_OK(context, fracas_scene_set_thickness(s->k.scene, s->body[0].handle, 0.5));
    KIT_REFUSED(context, fracas_candidates_detect(kept, &query, &sink), misuse,
                "bodies of the scene have changed");
    fracas_candidates_destroy(kept);
    KIT_OK(context, fracas_scene_update(s->k.scene));
    KIT_OK(context, fracas_candidates_create(s->k.scene, 0.25, &kept));
    KIT_OK(context, fracas_scene_remove(s->k.scene, s->body[2].handle));
    KIT_REFUSED(context, fracas_candidates_detect(kept, &query, &sink), misuse,
                "bodies of the scene have changed");
    fracas_candidates_destroy(kept);
    // A filter that has been set has no table of neighbours before the next update.
    KIT_OK(context, fracas_scene_update(s->k.scene));
    KIT_OK(context, fracas_candidates_create(s->k.scene, 0.25, &kept));
    fracas_pair_filter filter = fracas_scene_default_filter();
    filter.rings = 2;
    KIT_OK(context, fracas_scene_set_filter(s->k.scene, &filter));
    KIT_REFUSED(context, fracas_candidates_detect(kept, NULL, &sink), misuse,
                "its filter has been set");
    fracas_candidates_destroy(kept);
    fracas_candidates_destroy(NULL);
    assert_int_equal(fracas_candidates_get_count(NULL), 0);
    near_destroy(s);
}

// ---- thickness

typedef fracas_status ask(const near_scene* s, double distance, const fracas_sink* sink);

static fracas_status ask_nearby(const near_scene* s, double distance, const fracas_sink* sink) {
    return fracas_scene_nearby(s->k.scene, distance, sink);
}

static fracas_status ask_candidates(const near_scene* s, double distance, const fracas_sink* sink) {
    return fracas_scene_candidates(s->k.scene, distance, sink);
}

static fracas_status ask_detect(const near_scene* s, double distance, const fracas_sink* sink) {
    fracas_query query = fracas_scene_default_query();
    query.min_separation = distance;
    return fracas_scene_detect(s->k.scene, &query, sink);
}

static void set_thickness(near_scene* s, const double thickness[NEAR_BODIES]) {
    for (int b = 0; b < NEAR_BODIES; b++)
        KIT_OK(s->k.context,
               fracas_scene_set_thickness(s->k.scene, s->body[b].handle, thickness[b]));
}

// What a query reports of two bodies is what it reports of them at a distance that is larger by
// their thickness.
static void thickness_adds_to_the_distance(void** state) {
    (void)state;
    static const double THICKNESS[3][NEAR_BODIES] = {
        {0.125, 0,      0.25},
        {0,     0,      0.5 },
        {0,     0.0625, 0   }
    };
    ask* const asks[3] = {ask_nearby, ask_candidates, ask_detect};
    uint64_t random = 5;
    near_list thick = {0}, thin = {0}, of_pair = {0};
    size_t more = 0;
    for (uint32_t round = 0; round < 3 + share_of(12); round++) {
        near_scene* s = near_create(1 + round % 2, &random, 0.25);
        const double *t = THICKNESS[round % 3], none[NEAR_BODIES] = {0};
        const double distance = round % 2 ? 0.03125 : 0;
        for (int q = 0; q < 3; q++) {
            set_thickness(s, t);
            fracas_sink sink = near_sink(&thick);
            KIT_OK(s->k.context, asks[q](s, distance, &sink));
            set_thickness(s, none);
            for (int a = 0; a < NEAR_BODIES; a++)
                for (int b = a; b < NEAR_BODIES; b++) {
                    const double reach = distance + (t[a] + t[b]);
                    near_list wanted = {0};
                    sink = near_sink(&thin);
                    KIT_OK(s->k.context, asks[q](s, reach, &sink));
                    of_pair.count = 0;
                    for (size_t i = 0; i < thick.count; i++)
                        if (near_body_of(thick.data[i].body_a) +
                                    near_body_of(thick.data[i].body_b) ==
                                a + b &&
                            (near_body_of(thick.data[i].body_a) == a ||
                             near_body_of(thick.data[i].body_b) == a))
                            near_push(&of_pair, &thick.data[i]);
                    for (size_t i = 0; i < thin.count; i++)
                        if (near_body_of(thin.data[i].body_a) + near_body_of(thin.data[i].body_b) ==
                                a + b &&
                            (near_body_of(thin.data[i].body_a) == a ||
                             near_body_of(thin.data[i].body_b) == a))
                            near_push(&wanted, &thin.data[i]);
                    near_expect_same(&of_pair, &wanted);
                    more += reach > distance && wanted.count > 0;
                    free(wanted.data);
                }
        }
        near_destroy(s);
    }
    assert_true(more > 3);
    free(thick.data), free(thin.data), free(of_pair.data);
}

static void thickness_is_checked_and_kept(void** state) {
    (void)state;
    uint64_t random = 6;
    near_scene* s = near_create(1, &random, 0.25);
    fracas_context* context = s->k.context;
    const double bad[3] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        KIT_REFUSED(context, fracas_scene_set_thickness(s->k.scene, s->body[0].handle, bad[i]),
                    FRACAS_ERROR_INVALID_ARGUMENT, "the thickness is ");
        fracas_body_options options = fracas_body_default_options();
        options.thickness = bad[i];
        fracas_body body;
        const double points[3][3] = {
            {0, 0, 0},
            {1, 0, 0},
            {0, 1, 0}
        };
        const uint32_t triangle[1][3] = {
            {0, 1, 2}
        };
        const fracas_mesh_view mesh = kit_mesh(points, 3, triangle, 1);
        KIT_REFUSED(context, fracas_scene_add(s->k.scene, &mesh, &options, &body),
                    FRACAS_ERROR_INVALID_ARGUMENT, "the thickness is ");
    }
    KIT_OK(context, fracas_scene_set_thickness(s->k.scene, s->body[0].handle, 0.5));
    assert_true(kit_info(&s->k, s->body[0].handle).thickness == 0.5);
    // A part has the thickness of its body.
    uint32_t labels[2 * NEAR_SIDE * NEAR_SIDE] = {0};
    for (int i = 0; i < NEAR_SIDE; i++) labels[i] = 1;
    fracas_split_plan* plan;
    fracas_body part;
    KIT_OK(context, fracas_split_plan_create(s->k.scene, s->body[0].handle, labels,
                                             2 * NEAR_SIDE * NEAR_SIDE, &plan));
    KIT_OK(context, fracas_scene_split(s->k.scene, s->body[0].handle,
                                       fracas_split_plan_get_split(plan), &part));
    assert_true(kit_info(&s->k, part).thickness == 0.5);
    fracas_split_plan_destroy(plan);
    near_destroy(s);
}

// ---- safe distances

static void find_safe(const near_scene* s, double distance, double out[][NEAR_POINTS]) {
    fracas_vertex_values values[NEAR_BODIES];
    for (int b = 0; b < NEAR_BODIES; b++)
        values[b] = (fracas_vertex_values){s->body[b].handle, NEAR_POINTS, out[b]};
    KIT_OK(s->k.context, fracas_scene_safe_distances(s->k.scene, distance, values, NEAR_BODIES));
}

// Half of the smallest distance of the nearby pairs of a vertex, but for rounding.
static void safe_distances_are_half_gaps(void** state) {
    (void)state;
    uint64_t random = 7;
    near_list near = {0};
    size_t limited = 0;
    for (uint32_t round = 0; round < 3 + share_of(20); round++) {
        near_scene* s = near_create(1, &random, 0.25);
        const double distance = 0.5, t[NEAR_BODIES] = {round % 2 ? 0.015625 : 0, 0, 0.03125};
        double safe[NEAR_BODIES][NEAR_POINTS], wanted[NEAR_BODIES][NEAR_POINTS];
        set_thickness(s, t);
        const fracas_sink sink = near_sink(&near);
        KIT_OK(s->k.context, fracas_scene_nearby(s->k.scene, distance, &sink));
        for (int b = 0; b < NEAR_BODIES; b++)
            for (int i = 0; i < NEAR_POINTS; i++) wanted[b][i] = distance / 2;
        for (size_t i = 0; i < near.count; i++)
            for (int side = 0; side < 2; side++) {
                const fracas_contact* c = &near.data[i];
                const int a = near_body_of(c->body_a), b = near_body_of(c->body_b);
                uint32_t corner[3];
                const int count = near_corners(s, c, side, corner);
                const double half = fmax(0, (c->distance - t[a] - t[b]) / 2);
                for (int k = 0; k < count; k++)
                    wanted[side ? b : a][corner[k]] = fmin(wanted[side ? b : a][corner[k]], half);
            }
        find_safe(s, distance, safe);
        for (int b = 0; b < NEAR_BODIES; b++)
            for (int i = 0; i < NEAR_POINTS; i++) {
                assert_true(safe[b][i] <= wanted[b][i] && safe[b][i] >= 0);
                assert_true(safe[b][i] >= wanted[b][i] * (1 - 1e-6) - 0x1p-40);
                limited += wanted[b][i] < distance / 2;
            }
        near_destroy(s);
    }
    assert_true(limited > 20);
    free(near.data);
}

// Vertices that move as far as they may, most of them towards another body, never touch.
static void safe_moves_touch_nothing(void** state) {
    (void)state;
    uint64_t random = 8;
    for (uint32_t round = 0; round < 3 + share_of(40); round++) {
        near_scene* s = near_create(1, &random, 0.25);
        double safe[NEAR_BODIES][NEAR_POINTS];
        KIT_OK(s->k.context, fracas_scene_advance(s->k.scene));
        KIT_OK(s->k.context, fracas_scene_update(s->k.scene));
        find_safe(s, 0.5, safe);
        for (int b = 0; b < NEAR_BODIES; b++) {
            double to[NEAR_POINTS][3];
            for (int i = 0; i < NEAR_POINTS; i++) {
                double d[3] = {0.1 * kit_uniform(&random, -1, 1), 0.1 * kit_uniform(&random, -1, 1),
                               b == 0 ? 1 : -1};
                const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                for (int k = 0; k < 3; k++)
                    to[i][k] = s->body[b].at[1][i][k] + safe[b][i] * (1 - 0x1p-30) * d[k] / length;
            }
            const fracas_points points = {.data = to, .count = NEAR_POINTS};
            KIT_OK(s->k.context, fracas_scene_move(s->k.scene, s->body[b].handle, &points));
        }
        KIT_OK(s->k.context, fracas_scene_update(s->k.scene));
        near_list at_start = {0}, got = {0};
        fracas_sink sink = near_sink(&got);
        KIT_OK(s->k.context, fracas_scene_detect(s->k.scene, NULL, &sink));
        // Only pairs that touch from the start on: their vertices may not move.
        for (size_t i = 0; i < got.count; i++) assert_true(got.data[i].toi == 0);
        near_move(s, 1);
        KIT_OK(s->k.context, fracas_scene_update(s->k.scene));
        sink = near_sink(&at_start);
        KIT_OK(s->k.context, fracas_scene_nearby(s->k.scene, 0, &sink));
        assert_true(got.count <= at_start.count);
        free(at_start.data), free(got.data);
        near_destroy(s);
    }
}

static void bad_safe_distances(void** state) {
    (void)state;
    uint64_t random = 9;
    near_scene* s = near_create(1, &random, 0.25);
    double room[NEAR_POINTS];
    for (int i = 0; i < NEAR_POINTS; i++) room[i] = 42;
    fracas_vertex_values values = {s->body[0].handle, NEAR_POINTS - 1, room};
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = s->k.context;
    KIT_REFUSED(context, fracas_scene_safe_distances(s->k.scene, 1, &values, 1), misuse,
                "there is room for 35 values of body 1, which has 36 vertex numbers");
    values.count = NEAR_POINTS;
    KIT_REFUSED(context, fracas_scene_safe_distances(s->k.scene, 0, &values, 1), misuse,
                "the distance is 0");
    values.values = NULL;
    KIT_REFUSED(context, fracas_scene_safe_distances(s->k.scene, 1, &values, 1), misuse, "values");
    values.values = room;
    values.body.generation++;
    KIT_REFUSED(context, fracas_scene_safe_distances(s->k.scene, 1, &values, 1),
                FRACAS_ERROR_STALE_HANDLE, "");
    for (int i = 0; i < NEAR_POINTS; i++) assert_true(room[i] == 42);
    near_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_all_pairs_of_boxes),
        cmocka_unit_test(line_search_equals_full_queries),
        cmocka_unit_test(t_max_cuts_the_list),
        cmocka_unit_test(bad_candidates),
        cmocka_unit_test(candidates_end_with_edits),
        cmocka_unit_test(thickness_adds_to_the_distance),
        cmocka_unit_test(thickness_is_checked_and_kept),
        cmocka_unit_test(safe_distances_are_half_gaps),
        cmocka_unit_test(safe_moves_touch_nothing),
        cmocka_unit_test(bad_safe_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
