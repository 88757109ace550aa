// Bad input and failed allocations leave the state unchanged; edits compared with a new structure.
#include "../scene/test_allocator.h"
#include "fracas/penetrations.h"
#include "tets_kit.h"
#include <math.h>

static void expect_message(const fracas_context* context, const char* part) {
    char message[1200];
    fracas_context_get_message(context, message, sizeof message);
    if (!strstr(message, part)) fail_msg("'%s' is not in: %s", part, message);
}

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    fracas_tets* tets;
    fracas_body bodies[8];
    kit_body meshes[8];
    uint32_t count;
    uint64_t random;
    kit_options options;
    kit_list list;
} world;

static void create_world(world* w, kit_method method, uint32_t workers) {
    memset(w, 0, sizeof *w);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &w->memory};
    assert_int_equal(fracas_context_create(&options, &w->context), FRACAS_OK);
    w->options = kit_default_options(method);
    w->options.tets.depth = true;
    w->random = 77;
}

static void destroy_world(world* w) {
    fracas_tets_destroy(w->tets);
    fracas_context_destroy(w->context);
    for (uint32_t i = 0; i < w->count; i++) kit_free(&w->meshes[i]);
    free(w->list.data);
    assert_int_equal(w->memory.live, 0);
}

// ---- calls that allocate

typedef fracas_status act(world* w);

static fracas_status create(world* w) { return kit_create(w->context, &w->options, &w->tets); }

static fracas_status add(world* w) {
    const uint32_t n[3] = {2, 2, 1 + w->count % 2};
    const double at[3] = {0.4 * w->count, 0.3 * w->count, 0.1};
    uint64_t random = 5 + w->count;
    kit_body mesh = kit_lattice(n, at, 1, 0.2, &random);
    fracas_tet_view view = kit_view(&mesh);
    fracas_body body;
    const fracas_status status = fracas_tets_add(w->tets, &view, &body);
    if (status != FRACAS_OK) {
        assert_int_equal(body.index, 0);
        kit_free(&mesh);
        return status;
    }
    w->bodies[w->count] = body;
    w->meshes[w->count++] = mesh;
    return FRACAS_OK;
}

static fracas_status move(world* w) {
    kit_body* mesh = &w->meshes[w->count - 1];
    for (uint32_t v = 0; v < mesh->point_count; v++)
        for (int k = 0; k < 3; k++) mesh->points[v][k] *= 0.9375;
    fracas_points points = {.data = mesh->points, .count = mesh->point_count};
    return fracas_tets_move(w->tets, w->bodies[w->count - 1], &points);
}

static fracas_status update(world* w) { return fracas_tets_update(w->tets); }

static fracas_status detect(world* w) {
    fracas_tets_query query = fracas_tets_default_query();
    query.depth = true;
    fracas_tets_sink sink = {kit_collect, &w->list, NULL};
    w->list.count = 0;
    const fracas_status status = fracas_tets_detect(w->tets, &query, &sink);
    if (status != FRACAS_OK) assert_int_equal(w->list.count, 0);
    return status;
}

static fracas_status remove_body(world* w) {
    const fracas_status status = fracas_tets_remove(w->tets, w->bodies[0]);
    assert_int_equal(status, FRACAS_OK);
    kit_free(&w->meshes[0]);
    w->count--;
    memmove(&w->bodies[0], &w->bodies[1], w->count * sizeof *w->bodies);
    memmove(&w->meshes[0], &w->meshes[1], w->count * sizeof *w->meshes);
    return status;
}

static act* const CALLS[] = {create,      add,         add, update, detect, move,
                             update,      detect,      add, update, detect, remove_body,
                             update,      detect,      add, move,   update, detect,
                             remove_body, remove_body, add, update, detect};

static void every_allocation(void** state) {
    (void)state;
    for (int m = 0; m < 2 * KIT_METHOD_COUNT; m++) {
        world never, victim;
        size_t failures = 0;
        create_world(&never, (kit_method)(m / 2), m % 2 ? 3 : 1);
        create_world(&victim, (kit_method)(m / 2), m % 2 ? 3 : 1);
        for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
            for (size_t n = 1;; n++) {
                test_allocator_fail_at(&victim.memory, n);
                const fracas_status status = CALLS[i](&victim);
                test_allocator_fail_at(&victim.memory, 0);
                if (status == FRACAS_OK) break;
                assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
                expect_message(victim.context, "out of memory");
                failures++;
            }
            assert_int_equal(CALLS[i](&never), FRACAS_OK);
            kit_require_same(&never.list, &victim.list, "after failures");
        }
        assert_true(failures > 40);
        assert_true(never.list.count > 0);
        destroy_world(&never);
        destroy_world(&victim);
    }
}

// ---- edits

static void require_same_as_new(const world* w) {
    fracas_tets_query query = fracas_tets_default_query();
    query.depth = true;
    kit_list fresh = kit_find(w->meshes, w->count, &w->options, &query, 1, NULL);
    assert_int_equal(fresh.count, w->list.count);
    for (size_t i = 0; i < fresh.count; i++) {
        // Handles differ, bodies correspond. Indices of bodies are reused, so the order of reports
        // may differ, but all must be found.
        const fracas_penetration* f = &fresh.data[i];
        size_t j = 0;
        for (; j < w->list.count; j++) {
            fracas_penetration g = w->list.data[j];
            if (g.vertex_body.index != w->bodies[f->vertex_body.index - 1].index) continue;
            if (g.tet_body.index != w->bodies[f->tet_body.index - 1].index) continue;
            g.vertex_body = f->vertex_body, g.tet_body = f->tet_body;
            if (memcmp(f, &g, sizeof g) == 0) break;
        }
        assert_true(j < w->list.count);
    }
    free(fresh.data);
}

static void edits(void** state) {
    (void)state;
    for (int m = 0; m < KIT_METHOD_COUNT; m++) {
        world w;
        create_world(&w, (kit_method)m, 2);
        assert_int_equal(create(&w), FRACAS_OK);
        for (int step = 0; step < 60; step++) {
            const uint64_t what = kit_random(&w.random) % 4;
            if (w.count < 2 || (what == 0 && w.count < 6))
                assert_int_equal(add(&w), FRACAS_OK);
            else if (what == 1)
                assert_int_equal(remove_body(&w), FRACAS_OK);
            else
                assert_int_equal(move(&w), FRACAS_OK);
            if (step % 3) continue;
            assert_int_equal(update(&w), FRACAS_OK);
            assert_int_equal(detect(&w), FRACAS_OK);
            kit_require_order(&w.list);
            require_same_as_new(&w);
        }
        destroy_world(&w);
    }
}

// ---- bad input

static void bad_options(void** state) {
    (void)state;
    world w;
    create_world(&w, KIT_METHOD_SORTED_CELLS, 1);
    fracas_tets_options bad = w.options.tets;
    fracas_tets* none;
    bad.struct_size = 0;
    assert_int_equal(fracas_tets_create(w.context, &bad, &none), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    expect_message(w.context, "fracas_tets_default_options()");
    bad = w.options.tets, bad.cell_size = -1;
    assert_int_equal(fracas_tets_create(w.context, &bad, &none), FRACAS_ERROR_INVALID_ARGUMENT);
    bad.cell_size = NAN;
    assert_int_equal(fracas_tets_create(w.context, &bad, &none), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "cell size");
    destroy_world(&w);
}

static void expect_published_refused(world* w, const fracas_published_tets_options* bad,
                                     const char* message) {
    fracas_tets* none = (fracas_tets*)w;
    assert_int_equal(fracas_published_tets_create(w->context, NULL, bad, &none),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    expect_message(w->context, message);
}

static void bad_published_options(void** state) {
    (void)state;
    world w;
    create_world(&w, KIT_METHOD_TESCHNER, 1);
    fracas_published_tets_options bad = w.options.published;
    bad.struct_size = 0;
    expect_published_refused(&w, &bad, "fracas_published_tets_default_options()");
    bad = w.options.published, bad.method = (fracas_published_tets_method)9;
    expect_published_refused(&w, &bad, "method 9");
    bad = w.options.published, bad.hash = (fracas_published_tets_hash)3;
    expect_published_refused(&w, &bad, "hash 3");
    bad = w.options.published, bad.test = (fracas_published_tets_test)3;
    expect_published_refused(&w, &bad, "test 3");
    fracas_tets_options cells = w.options.tets;
    cells.cell_size = INFINITY;
    assert_int_equal(fracas_published_tets_create(w.context, &cells, NULL, &w.tets),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "cell size");
    assert_null(w.tets);
    destroy_world(&w);
}

// Each failure has its own message, not that of an earlier failure.
static void null_arguments(void** state) {
    (void)state;
    world w;
    fracas_body body;
    create_world(&w, KIT_METHOD_SORTED_CELLS, 1);
    assert_int_equal(fracas_tets_create(w.context, NULL, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_create: out is NULL");
    assert_int_equal(fracas_published_tets_create(w.context, NULL, NULL, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_published_tets_create: out is NULL");
    assert_int_equal(create(&w), FRACAS_OK);
    assert_int_equal(fracas_tets_add(w.tets, NULL, &body), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_add: view is NULL");
    assert_int_equal(body.index, 0);
    const fracas_tet_view view = {0};
    assert_int_equal(fracas_tets_add(w.tets, &view, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_add: out is NULL");
    assert_int_equal(fracas_tets_move(w.tets, body, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_move: points is NULL");
    assert_int_equal(fracas_tets_detect(w.tets, NULL, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_detect: sink is NULL");
    assert_int_equal(fracas_tets_get_update_statistics(w.tets, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_get_update_statistics: out is NULL");
    assert_int_equal(fracas_tets_update(NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    destroy_world(&w);
}

// Statistics of the last update that did any work.
static void update_statistics(void** state) {
    (void)state;
    world w;
    fracas_tets_update_statistics s, zero = {0};
    create_world(&w, KIT_METHOD_SORTED_CELLS, 1);
    w.options.tets.cell_size = 0.5;
    assert_int_equal(create(&w), FRACAS_OK);
    assert_int_equal(fracas_tets_get_update_statistics(w.tets, &s), FRACAS_OK);
    assert_memory_equal(&s, &zero, sizeof s);
    assert_int_equal(add(&w), FRACAS_OK);
    assert_int_equal(add(&w), FRACAS_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(update(&w), FRACAS_OK);
        assert_int_equal(fracas_tets_get_update_statistics(w.tets, &s), FRACAS_OK);
        assert_int_equal(s.vertices, w.meshes[0].point_count + w.meshes[1].point_count);
        assert_int_equal(s.tets, w.meshes[0].tet_count + w.meshes[1].tet_count);
        assert_true(s.cell_size == 0.5 && s.ms_update > 0);
    }
    assert_int_equal(remove_body(&w), FRACAS_OK);
    assert_int_equal(update(&w), FRACAS_OK);
    assert_int_equal(fracas_tets_get_update_statistics(w.tets, &s), FRACAS_OK);
    assert_int_equal(s.tets, w.meshes[0].tet_count);
    destroy_world(&w);
}

static void bad_input(void** state) {
    (void)state;
    world w;
    create_world(&w, KIT_METHOD_SORTED_CELLS, 1);
    assert_int_equal(create(&w), FRACAS_OK);
    assert_int_equal(add(&w), FRACAS_OK);
    assert_int_equal(add(&w), FRACAS_OK);
    assert_int_equal(detect(&w), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "fracas_tets_update");
    assert_int_equal(update(&w), FRACAS_OK);
    assert_int_equal(detect(&w), FRACAS_OK);
    kit_list before = {0};
    for (size_t i = 0; i < w.list.count; i++) kit_collect(&w.list.data[i], &before);

    kit_body broken = kit_make(4, 1);
    broken.points[1][0] = broken.points[2][1] = broken.points[3][2] = 1;
    for (uint32_t i = 0; i < 4; i++) broken.tets[0][i] = i;
    fracas_tet_view view = kit_view(&broken);
    fracas_body body;
    broken.points[2][1] = NAN;
    assert_int_equal(fracas_tets_add(w.tets, &view, &body), FRACAS_ERROR_BAD_DATA);
    expect_message(w.context, "vertex 2 has y = nan");
    assert_int_equal(body.index, 0);
    broken.points[2][1] = 1, broken.tets[0][3] = 4;
    assert_int_equal(fracas_tets_add(w.tets, &view, &body), FRACAS_ERROR_BAD_DATA);
    expect_message(w.context, "tetrahedron 0 refers to vertex 4");
    view.tets = NULL;
    assert_int_equal(fracas_tets_add(w.tets, &view, &body), FRACAS_ERROR_INVALID_ARGUMENT);
    fracas_points points = {.data = broken.points, .count = 4};
    assert_int_equal(fracas_tets_move(w.tets, w.bodies[0], &points), FRACAS_ERROR_BAD_DATA);
    points = (fracas_points){.data = w.meshes[0].points, .count = w.meshes[0].point_count};
    w.meshes[0].points[1][2] = INFINITY;
    assert_int_equal(fracas_tets_move(w.tets, w.bodies[0], &points), FRACAS_ERROR_BAD_DATA);
    fracas_body stale = w.bodies[0];
    stale.generation++;
    assert_int_equal(fracas_tets_move(w.tets, stale, &points), FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(fracas_tets_remove(w.tets, stale), FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(fracas_tets_remove(w.tets, (fracas_body){0, 0}), FRACAS_ERROR_STALE_HANDLE);
    // Nothing has changed: no update is needed.
    assert_int_equal(detect(&w), FRACAS_OK);
    kit_require_same(&before, &w.list, "after bad input");
    stale = w.bodies[0];
    assert_int_equal(remove_body(&w), FRACAS_OK);
    assert_int_equal(fracas_tets_remove(w.tets, stale), FRACAS_ERROR_STALE_HANDLE);
    expect_message(w.context, "there is no body 1");
    kit_free(&broken);
    free(before.data);
    destroy_world(&w);
}

static void depth_must_be_prepared(void** state) {
    (void)state;
    world w;
    create_world(&w, KIT_METHOD_SORTED_CELLS, 1);
    w.options.tets.depth = false;
    assert_int_equal(create(&w), FRACAS_OK);
    assert_int_equal(add(&w), FRACAS_OK);
    assert_int_equal(update(&w), FRACAS_OK);
    assert_int_equal(detect(&w), FRACAS_ERROR_INVALID_ARGUMENT);
    expect_message(w.context, "set depth");
    destroy_world(&w);
}

// ---- queries

static bool stop_at_two(const fracas_penetration* p, void* user) {
    (void)p;
    return ++*(int*)user < 2;
}

static void self_inter_and_stop(void** state) {
    (void)state;
    for (int m = 0; m < KIT_METHOD_COUNT; m++) {
        world w;
        create_world(&w, (kit_method)m, 2);
        assert_int_equal(create(&w), FRACAS_OK);
        for (int i = 0; i < 3; i++) assert_int_equal(add(&w), FRACAS_OK);
        // Folded onto itself.
        for (uint32_t v = 0; v < w.meshes[2].point_count; v++)
            w.meshes[2].points[v][0] = fabs(w.meshes[2].points[v][0] - 1.5);
        assert_int_equal(move(&w), FRACAS_OK);
        assert_int_equal(update(&w), FRACAS_OK);
        size_t counts[4];
        for (int which = 0; which < 4; which++) {
            fracas_tets_query query = fracas_tets_default_query();
            fracas_tets_statistics statistics;
            query.self = which & 1, query.inter = which & 2;
            kit_list list = {0};
            kit_detect(w.tets, &query, &list, &statistics);
            counts[which] = list.count;
            for (size_t i = 0; i < list.count; i++)
                assert_true(list.data[i].vertex_body.index == list.data[i].tet_body.index
                                ? query.self
                                : query.inter);
            // Counting without reporting gives the same count.
            fracas_tets_sink counting = {NULL, NULL, &statistics};
            assert_int_equal(fracas_tets_detect(w.tets, &query, &counting), FRACAS_OK);
            assert_int_equal(statistics.penetrations, list.count);
            free(list.data);
        }
        assert_int_equal(counts[0], 0);
        assert_true(counts[1] > 0 && counts[2] > 0);
        assert_int_equal(counts[1] + counts[2], counts[3]);
        int reports = 0;
        fracas_tets_sink sink = {stop_at_two, &reports, NULL};
        assert_int_equal(fracas_tets_detect(w.tets, NULL, &sink), FRACAS_OK);
        assert_int_equal(reports, 2);
        destroy_world(&w);
    }
}

static void cancelled(void** state) {
    (void)state;
    for (int m = 0; m < KIT_METHOD_COUNT; m++) {
        world w;
        create_world(&w, (kit_method)m, 1 + (uint32_t)m % 2);
        assert_int_equal(create(&w), FRACAS_OK);
        assert_int_equal(add(&w), FRACAS_OK);
        assert_int_equal(add(&w), FRACAS_OK);
        fracas_context_cancel(w.context);
        assert_int_equal(update(&w), FRACAS_ERROR_CANCELLED);
        fracas_context_resume(w.context);
        assert_int_equal(update(&w), FRACAS_OK);
        fracas_context_cancel(w.context);
        assert_int_equal(detect(&w), FRACAS_ERROR_CANCELLED);
        fracas_context_resume(w.context);
        assert_int_equal(detect(&w), FRACAS_OK);
        require_same_as_new(&w);
        destroy_world(&w);
    }
}

// ---- empty input, and known answers

static void empty(void** state) {
    (void)state;
    for (int m = 0; m < KIT_METHOD_COUNT; m++) {
        kit_body nothing = kit_make(0, 0), points_only = kit_make(5, 0);
        const kit_body bodies[2] = {nothing, points_only};
        const kit_options options = kit_default_options((kit_method)m);
        for (uint32_t count = 0; count <= 2; count++) {
            kit_list list = kit_find(bodies, count, &options, NULL, 1, NULL);
            assert_int_equal(list.count, 0);
        }
        kit_free(&nothing), kit_free(&points_only);
    }
}

// A point in a box at a known depth; float coordinates with a stride.
static void depth_by_hand(void** state) {
    (void)state;
    const uint32_t n[3] = {4, 4, 4};
    const double at[3] = {0, 0, 0};
    kit_body boxes = kit_lattice(n, at, 1, 0, NULL), probe = kit_make(4, 1);
    const double tip[3] = {2.25, 1.75, 3.5};
    for (uint32_t i = 0; i < 4; i++) {
        probe.tets[0][i] = i;
        for (int k = 0; k < 3; k++)
            probe.points[i][k] = tip[k] + (i ? 10.0 * (i == 1 + (uint32_t)k) : 0);
    }
    kit_options options = kit_default_options(KIT_METHOD_SORTED_CELLS);
    fracas_tets_query query = fracas_tets_default_query();
    options.tets.depth = query.depth = true;
    query.self = false;
    const kit_body bodies[2] = {boxes, probe};
    kit_list list = kit_find(bodies, 2, &options, &query, 1, NULL);
    size_t hits = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (list.data[i].vertex_body.index != 2) continue;
        hits++;
        assert_int_equal(list.data[i].vertex, 0);
        assert_true(list.data[i].depth == 0.5);
        assert_true(list.data[i].direction[0] == 0 && list.data[i].direction[1] == 0);
        assert_true(list.data[i].direction[2] == 1);
        const double* b = list.data[i].barycentric;
        assert_true(fabs(b[0] + b[1] + b[2] + b[3] - 1) < 1e-12);
    }
    assert_true(hits >= 1);
    kit_free(&boxes), kit_free(&probe);
    free(list.data);
}

// A list has what a callback gets. When memory ends the query fails, and the list is empty.
static void lists(void** state) {
    (void)state;
    world w;
    create_world(&w, KIT_METHOD_SORTED_CELLS, 1);
    for (act* const* call = (act* const[]){create, add, add, update, detect, NULL}; *call; call++)
        assert_int_equal((*call)(&w), FRACAS_OK);
    fracas_penetrations* list;
    assert_int_equal(fracas_penetrations_create(w.context, &list), FRACAS_OK);
    fracas_tets_query query = fracas_tets_default_query();
    query.depth = true;
    size_t failures = 0, count;
    for (size_t n = 1;; n++, failures++) {
        const fracas_tets_sink sink = fracas_penetrations_get_sink(list);
        test_allocator_fail_at(&w.memory, n);
        const fracas_status status = fracas_tets_detect(w.tets, &query, &sink);
        test_allocator_fail_at(&w.memory, 0);
        const fracas_penetration* data = fracas_penetrations_get_data(list, &count);
        if (status == FRACAS_OK) {
            assert_true(count > 0);
            assert_int_equal(count, w.list.count);
            assert_memory_equal(data, w.list.data, count * sizeof *data);
            break;
        }
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        assert_int_equal(count, 0);
    }
    assert_true(failures >= 3);
    assert_int_equal(fracas_penetrations_get_statistics(list)->penetrations, count);
    assert_non_null(fracas_penetrations_get_sink(list).report);
    fracas_penetrations_get_data(list, &count);
    assert_int_equal(count, 0);
    fracas_penetrations_destroy(list);
    destroy_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(edits),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_published_options),
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(update_statistics),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(depth_must_be_prepared),
        cmocka_unit_test(self_inter_and_stop),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(empty),
        cmocka_unit_test(depth_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
