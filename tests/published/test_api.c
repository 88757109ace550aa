// The interface fracas/published.h: valid and invalid options, queries, and the scenes they apply
// to.
#include "cmocka_all.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include <math.h>
#include <string.h>

static fracas_context* make_context(void) {
    fracas_context* context;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 2;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

// Two intersecting triangles in one body.
static void add_cross(fracas_scene* scene) {
    static const double points[6][3] = {
        {0,    0,   0 },
        {1,    0,   0 },
        {0,    1,   0 },
        {0.25, 0.2, -1},
        {0.25, 0.2, 1 },
        {0.25, 0.3, 1 }
    };
    static const uint32_t corners[2][3] = {
        {0, 1, 2},
        {3, 4, 5}
    };
    const fracas_mesh_view mesh = {
        .points = {.data = points, .count = 6},
          .triangles = corners[0], .triangle_count = 2
    };
    fracas_body body;
    assert_int_equal(fracas_scene_add(scene, &mesh, NULL, &body), FRACAS_OK);
    assert_int_equal(fracas_scene_update(scene), FRACAS_OK);
}

static void expect_message(const fracas_context* context, const char* text) {
    char message[512];
    fracas_context_get_message(context, message, sizeof message);
    if (!strstr(message, text)) fail_msg("'%s' does not contain '%s'", message, text);
}

static void refuse(fracas_context* context, const fracas_published_scene_options* options,
                   const char* text) {
    fracas_scene* scene = (fracas_scene*)context;
    assert_int_equal(fracas_published_scene_create(context, options, &scene),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_null(scene);
    expect_message(context, text);
}

static void options_are_checked(void** state) {
    (void)state;
    fracas_context* context = make_context();
    fracas_scene* scene;
    const fracas_published_scene_options good = fracas_published_scene_default_options();
    fracas_published_scene_options o = {0};
    refuse(context, &o, "fracas_published_scene_default_options");
#define REFUSE(field, value, text) o = good, o.field = (value), refuse(context, &o, text)
    REFUSE(struct_size, 4, "published scene options");
    REFUSE(builder, (fracas_published_builder)3, "published scene options");
    REFUSE(rebuild, (fracas_published_builder)3, "published scene options");
    REFUSE(restructure, (fracas_published_restructure)7, "published scene options");
    REFUSE(metric, (fracas_published_metric)2, "published scene options");
    REFUSE(cull, (fracas_published_cull)7, "published scene options");
    REFUSE(broad, (fracas_published_broad)2, "published scene options");
    REFUSE(scheduler, (fracas_published_scheduler)4, "published scene options");
    REFUSE(grid_levels, 0, "grid_levels");
    REFUSE(grid_levels, 5, "grid_levels");
    REFUSE(grid_stop, 0, "grid_stop");
    REFUSE(restructure_share, -1, "restructure_share");
    REFUSE(restructure_share, (double)NAN, "restructure_share");
    REFUSE(cell_size, -1, "cell_size");
    REFUSE(cell_size, (double)INFINITY, "cell_size");
    REFUSE(scene.struct_size, 0, "scene options");
    REFUSE(scene.modes, 0, "scene options");
    REFUSE(scene.quality, (fracas_build_quality)2, "scene options");
    REFUSE(restructure, FRACAS_PUBLISHED_RESTRUCTURE_LAZY, "FRACAS_PUBLISHED_CULL_NONE");
    assert_int_equal(fracas_published_scene_create(NULL, &good, &scene),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_published_scene_create(context, &good, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_published_scene_create(context, NULL, &scene), FRACAS_OK);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

// The defaults of both headers create the same scene.
static void defaults_are_the_defaults(void** state) {
    (void)state;
    fracas_context* context = make_context();
    fracas_scene *plain, *published, *fast;
    assert_int_equal(fracas_scene_create(context, NULL, &plain), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(context, NULL, &published), FRACAS_OK);
    const frc_scene_settings *a = &plain->options, *b = &published->options;
    assert_int_equal(a->modes, b->modes);
    assert_int_equal(a->builder, b->builder);
    assert_int_equal(a->rebuild, b->rebuild);
    assert_int_equal(a->inherit, b->inherit);
    assert_int_equal(a->grid_levels, b->grid_levels);
    assert_int_equal(a->grid_stop, b->grid_stop);
    assert_ptr_equal(a->policy, b->policy);
    assert_true(a->rebuild_share == b->rebuild_share);
    assert_ptr_equal(a->search, b->search);
    assert_ptr_equal(a->cull, b->cull);
    assert_ptr_equal(plain->options.search, &frc_search_trees);
    assert_ptr_equal(plain->options.cull, &frc_cull_certificate);
    fracas_scene_options options = fracas_scene_default_options();
    options.quality = FRACAS_BUILD_QUALITY_FAST_BUILD;
    assert_int_equal(fracas_scene_create(context, &options, &fast), FRACAS_OK);
    assert_int_equal(plain->options.builder, FRC_BUILD_SAH);
    assert_int_equal(fast->options.builder, FRC_BUILD_GRID);
    fracas_scene_destroy(plain);
    fracas_scene_destroy(published);
    fracas_scene_destroy(fast);
    fracas_context_destroy(context);
}

static void queries_are_checked(void** state) {
    (void)state;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = make_context();
    fracas_scene* scene;
    assert_int_equal(fracas_published_scene_create(context, NULL, &scene), FRACAS_OK);
    const fracas_published_query good = fracas_published_scene_default_query();
    fracas_statistics found;
    fracas_published_statistics pccd;
    const fracas_sink sink = {.statistics = &found};
    fracas_published_query q = good;
    assert_int_equal(fracas_published_scene_detect(scene, &q, &sink, NULL), misuse);
    expect_message(context, "before fracas_published_scene_detect");
    add_cross(scene);
    assert_int_equal(fracas_published_scene_detect(NULL, &q, &sink, NULL), misuse);
    assert_int_equal(fracas_published_scene_detect(scene, &q, NULL, NULL), misuse);
    assert_int_equal(fracas_published_scene_detect_lazy(NULL, &q, &sink, NULL), misuse);
    assert_int_equal(fracas_published_scene_detect_lazy(scene, &q, NULL, NULL), misuse);
    q.struct_size = 0;
    assert_int_equal(fracas_published_scene_detect(scene, &q, &sink, NULL), misuse);
    expect_message(context, "fracas_published_scene_default_query");
    q = good, q.filter = (fracas_published_filter)3;
    assert_int_equal(fracas_published_scene_detect(scene, &q, &sink, NULL), misuse);
    q = good, q.query.tolerance = 0;
    assert_int_equal(fracas_published_scene_detect(scene, &q, &sink, NULL), misuse);
    expect_message(context, "tolerance");
    // Queries change only scenes created for it.
    assert_int_equal(fracas_published_scene_detect_lazy(scene, &good, &sink, NULL), misuse);
    expect_message(context, "FRACAS_PUBLISHED_RESTRUCTURE_LAZY");
    q = good, q.query.modes = FRACAS_MODE_BOTH;
    assert_int_equal(fracas_published_scene_detect(scene, &q, &sink, &pccd), FRACAS_OK);
    assert_int_equal(found.contacts[FRACAS_CONTACT_TT], 1);
    assert_true(pccd.requests == 0 && pccd.locks == 0 && pccd.ms_low == 0);
    assert_int_equal(fracas_published_scene_detect(scene, NULL, &sink, NULL), FRACAS_OK);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

// Every combination of scheduler, broad phase and criterion finds the contact.
static void every_method_works(void** state) {
    (void)state;
    fracas_context* context = make_context();
    for (int i = 0; i < 4 * 2 * 6 * 3; i++) {
        fracas_published_scene_options how = fracas_published_scene_default_options();
        how.scheduler = (fracas_published_scheduler)(i % 4);
        how.broad = (fracas_published_broad)(i / 4 % 2);
        how.cull = (fracas_published_cull)(i / 8 % 6);
        fracas_published_query query = fracas_published_scene_default_query();
        query.query.modes = FRACAS_MODE_BOTH;
        query.filter = (fracas_published_filter)(i / 48);
        fracas_scene* scene;
        fracas_statistics found;
        const fracas_sink sink = {.statistics = &found};
        assert_int_equal(fracas_published_scene_create(context, &how, &scene), FRACAS_OK);
        add_cross(scene);
        query.no_cull = true;
        assert_int_equal(fracas_published_scene_detect(scene, &query, &sink, NULL), FRACAS_OK);
        assert_int_equal(found.contacts[FRACAS_CONTACT_TT], 1);
        double step;
        assert_int_equal(fracas_scene_max_step(scene, NULL, &step), FRACAS_OK);
        assert_int_equal(fracas_scene_nearby(scene, 1, &sink), FRACAS_OK);
        assert_true(found.contacts[FRACAS_CONTACT_VF] > 0);
        fracas_scene_destroy(scene);
    }
    fracas_context_destroy(context);
}

// One large triangle and many small ones across it, all in one cell of a coarse level: cells with
// more entries of finer levels than are listed at a time.
static void hash_with_many_small_triangles(void** state) {
    (void)state;
    enum { SIDE = 80, SMALL = SIDE * SIDE };
    static double points[3 * SMALL + 3][3] = {
        {0,    0,    0},
        {1000, 0,    0},
        {0,    1000, 0}
    };
    static uint32_t corners[SMALL + 1][3] = {
        {0, 1, 2}
    };
    for (uint32_t i = 0; i < SMALL; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const double at[3] = {100 + 2 * (i % SIDE), 100 + 2 * (i / SIDE) + 0.5 * k, k - 0.5};
            memcpy(points[3 * i + 3 + k], at, sizeof at);
            corners[i + 1][k] = 3 * i + 3 + k;
        }
    for (uint32_t i = 0; i < SMALL; i++) points[3 * i + 5][0] += 0.5;
    fracas_context* context = make_context();
    const fracas_mesh_view mesh = {
        .points = {.data = points, .count = 3 * SMALL + 3},
        .triangles = corners[0],
        .triangle_count = SMALL + 1
    };
    for (int broad = 0; broad < 2; broad++) {
        fracas_published_scene_options how = fracas_published_scene_default_options();
        how.broad = (fracas_published_broad)broad;
        fracas_scene* scene;
        fracas_body body;
        fracas_statistics found;
        const fracas_sink sink = {.statistics = &found};
        fracas_query query = fracas_scene_default_query();
        query.modes = FRACAS_MODE_DISCRETE;
        assert_int_equal(fracas_published_scene_create(context, &how, &scene), FRACAS_OK);
        assert_int_equal(fracas_scene_add(scene, &mesh, NULL, &body), FRACAS_OK);
        assert_int_equal(fracas_scene_update(scene), FRACAS_OK);
        assert_int_equal(fracas_scene_detect(scene, &query, &sink), FRACAS_OK);
        assert_int_equal(found.contacts[FRACAS_CONTACT_TT], SMALL);
        fracas_scene_destroy(scene);
    }
    fracas_context_destroy(context);
}

static void an_update_has_statistics(void** state) {
    (void)state;
    fracas_context* context = make_context();
    fracas_scene* scene;
    fracas_update_statistics s;
    memset(&s, 0xff, sizeof s);
    assert_int_equal(fracas_scene_create(context, NULL, &scene), FRACAS_OK);
    assert_int_equal(fracas_scene_get_update_statistics(NULL, &s), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_scene_get_update_statistics(scene, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_scene_get_update_statistics(scene, &s), FRACAS_OK);
    assert_true(s.cull_tried == 0 && s.ms_cull == 0 && s.ms_refit == 0 && s.ms_restructure == 0);
    add_cross(scene);
    assert_int_equal(fracas_scene_get_update_statistics(scene, &s), FRACAS_OK);
    assert_true(s.ms_restructure > 0);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(defaults_are_the_defaults),
        cmocka_unit_test(queries_are_checked),
        cmocka_unit_test(every_method_works),
        cmocka_unit_test(an_update_has_statistics),
        cmocka_unit_test(hash_with_many_small_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
