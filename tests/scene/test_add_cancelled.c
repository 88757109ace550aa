// Adding a large body, and the update after it, are cancelled: the scene is as it was.
#include "ball_kit.h"
#include "context_kit.h"
#include "fracas/fracas.h"
#include <stdlib.h>

enum { SIDE = 300, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static fracas_mesh_view make_sheet(void) {
    double(*points)[3] = malloc(POINTS * sizeof *points);
    uint32_t(*corners)[3] = malloc(TRIANGLES * sizeof *corners);
    assert_true(points && corners);
    for (uint32_t i = 0; i < POINTS; i++) {
        const double p[3] = {(double)(i % (SIDE + 1)) / 64, (double)(i / (SIDE + 1)) / 64, 0};
        memcpy(points[i], p, sizeof p);
    }
    kit_sheet(SIDE, corners);
    return kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
}

static uint64_t count_contacts(const kit* k) {
    fracas_statistics statistics;
    const fracas_sink sink = {.statistics = &statistics};
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_scene_detect(k->scene, &query, &sink), FRACAS_OK);
    return statistics.contacts[FRACAS_CONTACT_TT];
}

// The update of a large body is cancelled after each of its steps.
static void update_is_cancelled(const kit* k, kit_progress* progress, const fracas_mesh_view* sheet,
                                uint64_t before) {
    fracas_body body;
    for (uint32_t at = 1; at <= 4; at++) {
        *progress = (kit_progress){.cancel_at = at};
        assert_int_equal(fracas_scene_update(k->scene), FRACAS_ERROR_CANCELLED);
        assert_int_equal(progress->calls, at);
        kit_expect_message(k, "update it again later");
    }
    *progress = (kit_progress){.last = 0};
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
    assert_int_equal(progress->calls, 4);
    // Nothing has changed.
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
    assert_int_equal(progress->calls, 4);
    *progress = (kit_progress){.last = 0};
    const uint64_t after = count_contacts(k);
    assert_true(after > before);
    // Updates that were cancelled leave no trace in the contacts.
    kit fresh = kit_create(1);
    ball_body(&fresh, 0, 0, 0, 1);
    ball_body(&fresh, 1.1, 0.2, 0.1, 1);
    assert_int_equal(fracas_scene_add(fresh.scene, sheet, NULL, &body), FRACAS_OK);
    assert_int_equal(fracas_scene_update(fresh.scene), FRACAS_OK);
    assert_int_equal(count_contacts(&fresh), after);
    kit_destroy(&fresh);
}

static void cancelled(void** state) {
    (void)state;
    kit_progress progress = {.last = 0};
    test_allocator memory = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.progress = kit_report;
    options.progress_user = &progress;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &memory};
    kit k = {NULL, NULL};
    assert_int_equal(fracas_context_create(&options, &k.context), FRACAS_OK);
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    const fracas_mesh_view sheet = make_sheet();
    ball_body(&k, 0, 0, 0, 1);
    ball_body(&k, 1.1, 0.2, 0.1, 1);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    progress = (kit_progress){.last = 0};
    const uint64_t before = count_contacts(&k);
    assert_true(before > 0);
    for (uint32_t at = 1; at <= 2; at++) {
        progress = (kit_progress){.cancel_at = at};
        fracas_body body;
        assert_int_equal(fracas_scene_add(k.scene, &sheet, NULL, &body), FRACAS_ERROR_CANCELLED);
        assert_int_equal(progress.calls, at);
        assert_int_equal(body.index, 0);
        kit_expect_message(&k, "the scene is as it was");
        // No update is needed.
        progress = (kit_progress){.last = 0};
        assert_int_equal(count_contacts(&k), before);
    }
    progress = (kit_progress){.last = 0};
    fracas_body body;
    assert_int_equal(fracas_scene_add(k.scene, &sheet, NULL, &body), FRACAS_OK);
    assert_int_equal(progress.calls, 2);
    fracas_body_info info;
    assert_int_equal(fracas_scene_get_body(k.scene, body, &info), FRACAS_OK);
    assert_int_equal(info.triangles, TRIANGLES);
    update_is_cancelled(&k, &progress, &sheet, before);
    kit_destroy(&k);
    assert_int_equal((long)atomic_load(&memory.blocks), 0);
    free((void*)(uintptr_t)sheet.points.data), free((void*)(uintptr_t)sheet.triangles);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
