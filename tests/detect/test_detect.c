// Queries compared bit for bit with loops over all pairs: those of the model
// (tests/scene/api_model.h), which has no blocks and candidates, and frc_search_brute, which shares
// the tests of candidates with the query. With each builder and with spatial hashing, on 1 to 8
// threads.
#include "api_model.h"
#include "cmocka_all.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include "share.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct variant {
    fracas_context* context;
    fracas_scene* scene;
} variant;

// Three builders of trees, then spatial hashing; each with 1 to WORKERS workers.
enum { WORKERS = 8, TREES = 3 * WORKERS, VARIANTS = TREES + WORKERS };

static void create_variants(variant variants[VARIANTS], double cell_size) {
    for (uint32_t i = 0; i < VARIANTS; i++) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = 1 + i % WORKERS;
        assert_int_equal(fracas_context_create(&options, &variants[i].context), FRACAS_OK);
        fracas_published_scene_options how = fracas_published_scene_default_options();
        if (i < TREES)
            how.builder = (fracas_published_builder)(i / WORKERS);
        else
            how.broad = FRACAS_PUBLISHED_BROAD_HASH;
        // Various cell sizes; the first variant uses the default.
        if (i > TREES) how.cell_size = cell_size * (i - TREES);
        assert_int_equal(
            fracas_published_scene_create(variants[i].context, &how, &variants[i].scene),
            FRACAS_OK);
    }
}

static void destroy_variants(variant variants[VARIANTS]) {
    for (uint32_t i = 0; i < VARIANTS; i++) {
        fracas_scene_destroy(variants[i].scene);
        fracas_context_destroy(variants[i].context);
    }
}

static void add_body(variant variants[VARIANTS], model* m, model_source* source, uint32_t triangles,
                     double scale) {
    model_mesh* arrays = malloc(sizeof *arrays);
    fracas_mesh_view mesh = model_random_mesh(source, triangles, scale, arrays);
    fracas_body_options options = fracas_body_default_options();
    options.motion = (fracas_motion)model_pick(source, 3);
    if (model_pick(source, 2)) {
        options.group = 1 + model_pick(source, 3);
        options.mask = model_pick(source, 4);
    }
    options.self_collision = model_pick(source, 4) != 0;
    if (options.motion == FRACAS_MOTION_RIGID) options.pose = model_random_pose(source, scale);
    fracas_body body = {0, 0};
    for (uint32_t i = 0; i < VARIANTS; i++)
        assert_int_equal(fracas_scene_add(variants[i].scene, &mesh, &options, &body), FRACAS_OK);
    model_add(m, model_free_place(m), &mesh, &options, body);
    free(arrays);
}

static void move_body(variant variants[VARIANTS], model* m, uint32_t place, model_source* source,
                      double scale) {
    const model_body* b = &m->bodies[place];
    double points[MODEL_VERTICES][3];
    fracas_pose pose = model_random_pose(source, scale);
    for (uint32_t v = 0; v < b->vertex_count; v++)
        for (int k = 0; k < 3; k++) points[v][k] = ((int)model_pick(source, 5) - 1) * scale;
    fracas_points view = {.data = points, .count = b->vertex_count};
    for (uint32_t i = 0; i < VARIANTS; i++) {
        if (b->options.motion == FRACAS_MOTION_DEFORMING)
            assert_int_equal(fracas_scene_move(variants[i].scene, b->handle, &view), FRACAS_OK);
        if (b->options.motion == FRACAS_MOTION_RIGID)
            assert_int_equal(fracas_scene_pose(variants[i].scene, b->handle, &b->pose[0], &pose),
                             FRACAS_OK);
    }
    if (b->options.motion == FRACAS_MOTION_DEFORMING)
        model_move(m, place, (const double(*)[3])points);
    if (b->options.motion == FRACAS_MOTION_RIGID) {
        fracas_pose start = b->pose[0];
        model_pose(m, place, &start, &pose);
    }
}

// ---- one scene under all variants

static void collect(const variant* t, const fracas_query* query, fracas_contacts** out) {
    assert_int_equal(fracas_contacts_create(t->context, out), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(*out);
    assert_int_equal(fracas_scene_detect(t->scene, query, &sink), FRACAS_OK);
}

static fracas_statistics work_within(const variant* t, const fracas_query* query, double share) {
    fracas_query other = *query;
    other.min_separation *= share;
    fracas_contacts* contacts;
    collect(t, &other, &contacts);
    const fracas_statistics work = *fracas_contacts_get_statistics(contacts);
    fracas_contacts_destroy(contacts);
    return work;
}

// Candidates are decided by the boxes of the features, not by the tree. Exception: leaves of two
// bodies that do not touch during the step (src/detect/leaf_separation.h), where the result depends
// on how features are grouped into leaves. So trees by one builder have equal numbers of
// candidates, and no tree has more than spatial hashing. Boxes whose distance equals the reach up
// to the last bit may count or not, depending on which of the two is enlarged. So numbers lie
// between those with a slightly smaller and a slightly larger reach.
static void require_equal_work(variant variants[VARIANTS], const fracas_statistics all[VARIANTS],
                               const fracas_query* query) {
    const bool touching = !(query->min_separation > 0);
    const fracas_statistics lower = work_within(&variants[TREES], query, 1 - 0x1p-20),
                            upper = work_within(&variants[TREES], query, 1 + 0x1p-20);
    const fracas_statistics* hashed = &all[TREES];
    for (uint32_t i = 0; i < VARIANTS; i++) {
        const fracas_statistics *s = &all[i], *same_builder = &all[i / WORKERS * WORKERS];
        assert_true(s->siblings_left_out == hashed->siblings_left_out);
        assert_true(s->tt_candidates == hashed->tt_candidates);
        assert_true(s->vf_candidates == same_builder->vf_candidates &&
                    s->ee_candidates == same_builder->ee_candidates);
        assert_true(s->vf_candidates <= upper.vf_candidates &&
                    s->ee_candidates <= upper.ee_candidates);
        assert_true(touching || (s->vf_candidates >= lower.vf_candidates &&
                                 s->ee_candidates >= lower.ee_candidates));
    }
}

static void require_equal_variants(variant variants[VARIANTS], const fracas_query* query) {
    fracas_contacts *first, *other;
    fracas_statistics all[VARIANTS];
    size_t count, other_count;
    collect(&variants[0], query, &first);
    all[0] = *fracas_contacts_get_statistics(first);
    const fracas_contact* data = fracas_contacts_get_data(first, &count);
    for (size_t i = 1; i < count; i++)
        assert_true(frc_compare_contacts(&data[i - 1], &data[i]) < 0);  // sorted, no duplicates
    for (uint32_t i = 1; i < VARIANTS; i++) {
        collect(&variants[i], query, &other);
        const fracas_contact* other_data = fracas_contacts_get_data(other, &other_count);
        model_require_same(data, count, other_data, other_count, "threads and builders");
        all[i] = *fracas_contacts_get_statistics(other);
        fracas_contacts_destroy(other);
    }
    require_equal_work(variants, all, query);
    fracas_contacts_destroy(first);
}

static void require_equal_brute(const variant* t, const fracas_query* query) {
    frc_world world = frc_scene_world(t->scene);
    frc_contact_list list = {0};
    fracas_statistics statistics = {0};
    for (int mode = 0; mode < 2; mode++)
        if (query->modes & (mode ? FRACAS_MODE_CONTINUOUS : FRACAS_MODE_DISCRETE))
            assert_int_equal(frc_search_brute(&world,
                                              mode ? FRC_SEARCH_CONTINUOUS : FRC_SEARCH_DISCRETE,
                                              query, &list, &statistics),
                             FRACAS_OK);
    fracas_contacts* got;
    size_t count;
    collect(t, query, &got);
    const fracas_contact* data = fracas_contacts_get_data(got, &count);
    model_require_same(data, count, list.data, list.count, "scene and brute force");
    fracas_contacts_destroy(got);
    FRC_ARRAY_RELEASE(t->context, &list);
}

static void update_variants(variant variants[VARIANTS]) {
    for (uint32_t i = 0; i < VARIANTS; i++) {
        assert_int_equal(fracas_scene_update(variants[i].scene), FRACAS_OK);
        if (i < TREES) model_check_blocks(variants[i].scene);
    }
}

static void check_all_modes(variant variants[VARIANTS], const model* m) {
    for (uint32_t modes = FRACAS_MODE_DISCRETE; modes <= FRACAS_MODE_BOTH; modes++)
        for (int first = 0; first < 2; first++) {
            fracas_query query = fracas_scene_default_query();
            query.modes = modes;
            query.first = first;
            model_check_query(m, variants[modes].scene, &query, false);
            model_check_query(m, variants[TREES + modes].scene, &query, false);
            require_equal_variants(variants, &query);
            if (!first) require_equal_brute(&variants[modes], &query);
        }
    fracas_query query = fracas_scene_default_query();
    for (uint32_t i = 0; i < VARIANTS; i += 5) model_check_max_step(variants[i].scene, &query);
    query.tolerance = 0.25;
    model_check_max_step(variants[3].scene, &query);
    query.tolerance = 1e-300;
    model_check_max_step(variants[3].scene, &query);
}

static void random_scenes(double scale, uint64_t seed, uint32_t rounds) {
    model_source source = {.state = seed};
    for (uint32_t round = 0; round < share_of(rounds); round++) {
        variant variants[VARIANTS];
        model* m = model_create();
        create_variants(variants, round % 2 ? 0.3 * scale : 1e-3);
        uint32_t bodies = 1 + model_pick(&source, 4);
        for (uint32_t i = 0; i < bodies; i++)
            add_body(variants, m, &source, model_pick(&source, 20), scale);
        update_variants(variants);
        check_all_modes(variants, m);
        for (uint32_t i = 0; i < bodies; i++) move_body(variants, m, i, &source, scale);
        update_variants(variants);
        check_all_modes(variants, m);
        destroy_variants(variants);
        model_destroy(m);
    }
}

// Pairs at distances between d and d (1 + 2^-20) may be candidates or not, but contacts are the
// same for all searches. Pairs whose boxes are further apart than d are rejected by the exact
// tests, so a search may reach exactly d.
static void separations(void** state) {
    (void)state;
    static const double scales[] = {1, 1 + 0x1p-21, 1 + 0x1p-22, 0.1, 0x1p-1074, 0x1p1018};
    static const double distances[] = {1, 1, 1, 0.05, 0x1p-1074, 0x1p1018};
    model_source source = {.state = 41};
    for (int round = 0; round < 6; round++) {
        variant variants[VARIANTS];
        model* m = model_create();
        create_variants(variants, scales[round]);
        for (uint32_t i = 0; i < 3; i++)
            add_body(variants, m, &source, model_pick(&source, 10), scales[round]);
        for (uint32_t i = 0; i < 3; i++) move_body(variants, m, i, &source, scales[round]);
        update_variants(variants);
        fracas_query query = fracas_scene_default_query();
        query.min_separation = distances[round];
        model_check_query(m, variants[round].scene, &query, false);
        require_equal_variants(variants, &query);
        require_equal_brute(&variants[round], &query);
        model_check_max_step(variants[round].scene, &query);
        model_check_nearby(m, variants[round].scene, distances[round], false);
        model_check_nearby(m, variants[round].scene, 0, false);
        model_check_max_step(variants[TREES + round].scene, &query);
        model_check_nearby(m, variants[TREES + round].scene, distances[round], false);
        model_check_nearby(m, variants[TREES + round].scene, 0, false);
        destroy_variants(variants);
        model_destroy(m);
    }
}

static void integer_coordinates(void** state) {
    (void)state;
    random_scenes(1, 21, 6);
}

static void tiny_coordinates(void** state) {
    (void)state;
    random_scenes(0x1p-1074, 22, 3);
    random_scenes(1e-300, 23, 2);
}

static void huge_coordinates(void** state) {
    (void)state;
    random_scenes(0x1p1019, 24, 3);
    random_scenes(1e300, 25, 2);
}

static void rounded_coordinates(void** state) {
    (void)state;
    random_scenes(0.1, 26, 4);
}

// ---- large enough that the work is divided among workers

// A sheet whose heights rise and fall, and which is turned over during the step.
static void crumpled_sheets(void** state) {
    (void)state;
    enum { SIDE = 12, POINTS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
    static double points[2][POINTS][3];
    static uint32_t corners[TRIANGLES][3];
    model_source source = {.state = 31};
    uint32_t count = 0;
    for (uint32_t i = 0; i < POINTS; i++)
        for (int end = 0; end < 2; end++) {
            points[end][i][0] = i % SIDE;
            points[end][i][1] = i / SIDE;
            points[end][i][2] = 0.37 * ((int)model_pick(&source, 41) - 20);
        }
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t a = y * SIDE + x;
            const uint32_t pair[2][3] = {
                {a,     a + 1,        a + SIDE},
                {a + 1, a + SIDE + 1, a + SIDE}
            };
            memcpy(corners[count], pair, sizeof pair);
            count += 2;
        }
    fracas_mesh_view mesh = {
        .points = {.data = points[0], .count = POINTS},
        .triangles = corners[0],
        .triangle_count = TRIANGLES
    };
    fracas_points end = {.data = points[1], .count = POINTS};
    variant variants[VARIANTS];
    create_variants(variants, 0.5);
    for (uint32_t i = 0; i < VARIANTS; i++) {
        fracas_body a, b;
        assert_int_equal(fracas_scene_add(variants[i].scene, &mesh, NULL, &a), FRACAS_OK);
        assert_int_equal(fracas_scene_add(variants[i].scene, &mesh, NULL, &b), FRACAS_OK);
        assert_int_equal(fracas_scene_move(variants[i].scene, a, &end), FRACAS_OK);
    }
    update_variants(variants);
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    require_equal_variants(variants, &query);
    require_equal_brute(&variants[0], &query);
    require_equal_brute(&variants[TREES - 1], &query);
    model_check_max_step(variants[2].scene, &query);
    destroy_variants(variants);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_coordinates), cmocka_unit_test(tiny_coordinates),
        cmocka_unit_test(huge_coordinates),    cmocka_unit_test(rounded_coordinates),
        cmocka_unit_test(separations),         cmocka_unit_test(crumpled_sheets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
