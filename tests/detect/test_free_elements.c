// Thousands of free edges and free points together with triangles: every query compared with all
// pairs of features, with trees and with spatial hashing, on one thread and on several. Every kind
// of contact occurs.
//
// frc_search_brute shares the tests of candidates with the scene; errors in these are detected with
// smaller bodies by the model (tests/scene/api_model.h). Built a second time with assertions in the
// sources that collect candidates (CMakeLists.txt): a buffer that overflows into the next member of
// its struct is not detected by an allocator or a sanitizer.
#include "api_model.h"
#include "cmocka_all.h"
#include "fracas/published.h"
#include "scene/scene.h"
#include "share.h"
#include "test_allocator.h"
#include <math.h>
#include <stdlib.h>

typedef double place[3];
enum { POINTS = 6000, ELEMENTS = 3000, BODIES = 4, SCENES = 4 };

typedef struct mesh {
    place at[2][POINTS];
    uint32_t triangles[ELEMENTS][3], edges[ELEMENTS][2], vertices[ELEMENTS];
    fracas_mesh_view view;
} mesh;

// Distribution of random elements: `size` cells along each axis, each element within `reach` of its
// first corner; on integer coordinates, or anywhere.
typedef struct layout {
    uint32_t triangles, edges, points, size, reach;
    bool whole;
} layout;

static double coordinate(model_source* s, const layout* l, double from, uint32_t below) {
    const double off = model_pick(s, below + 1);
    return from + off + (l->whole ? 0 : model_pick(s, 1000) * 0.00097);
}

static void corner(model_source* s, const layout* l, mesh* m, uint32_t first, uint32_t n) {
    for (int k = 0; k < 3; k++) {
        m->at[0][n][k] = n == first ? coordinate(s, l, 0, l->size)
                                    : coordinate(s, l, floor(m->at[0][first][k]), l->reach);
        m->at[1][n][k] = coordinate(s, l, floor(m->at[0][n][k]) - 1, 2);
    }
}

static void fill(model_source* s, const layout* l, mesh* m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->triangles; i++)
        for (uint32_t first = n, k = 0; k < 3; k++, n++)
            corner(s, l, m, first, m->triangles[i][k] = n);
    for (uint32_t i = 0; i < l->edges; i++)
        for (uint32_t first = n, k = 0; k < 2; k++, n++) corner(s, l, m, first, m->edges[i][k] = n);
    for (uint32_t i = 0; i < l->points; i++, n++) corner(s, l, m, n, m->vertices[i] = n);
    // Some elements share vertices: chains of edges, free points at their ends.
    for (uint32_t i = 0; i < l->edges / 4; i++) m->edges[i][0] = m->edges[i + 1][1];
    for (uint32_t i = 0; i < l->points / 8 && i < l->edges; i++) m->vertices[i] = m->edges[i][0];
    for (uint32_t i = 0; i < l->edges / 8 && i < l->triangles; i++)
        m->edges[l->edges - 1 - i][0] = m->triangles[i][0];
    assert_true(n <= POINTS);
    m->view = (fracas_mesh_view){
        .points = {.data = m->at[0], .count = n},
        .triangles = m->triangles[0],
        .triangle_count = l->triangles,
        .edges = m->edges[0],
        .edge_count = l->edges,
        .vertices = m->vertices,
        .vertex_count = l->points
    };
}

// ---- the same scene with trees and with spatial hashing, on one thread and on three

typedef struct scenes {
    test_allocator memory[SCENES];
    fracas_context* context[SCENES];
    fracas_scene* scene[SCENES];
} scenes;

static void create(scenes* all, uint32_t bodies, const layout* l, model_source* source, model* m) {
    mesh* one = malloc(sizeof *one);
    assert_non_null(one);
    memset(all, 0, sizeof *all);
    for (int i = 0; i < SCENES; i++) {
        fracas_context_options options = fracas_context_default_options();
        fracas_published_scene_options how = fracas_published_scene_default_options();
        options.worker_count = i % 2 ? 3 : 1;
        options.allocator =
            (fracas_allocator){test_allocator_allocate, test_allocator_release, &all->memory[i]};
        how.broad = i < 2 ? FRACAS_PUBLISHED_BROAD_TREE : FRACAS_PUBLISHED_BROAD_HASH;
        assert_int_equal(fracas_context_create(&options, &all->context[i]), FRACAS_OK);
        assert_int_equal(fracas_published_scene_create(all->context[i], &how, &all->scene[i]),
                         FRACAS_OK);
    }
    for (uint32_t b = 0; b < bodies; b++) {
        fill(source, l, one);
        const fracas_points end = {.data = one->at[1], .count = one->view.points.count};
        const fracas_body_options options = fracas_body_default_options();
        fracas_body body = {0, 0};
        for (int i = 0; i < SCENES; i++) {
            assert_int_equal(fracas_scene_add(all->scene[i], &one->view, &options, &body),
                             FRACAS_OK);
            assert_int_equal(fracas_scene_move(all->scene[i], body, &end), FRACAS_OK);
        }
        if (m) model_add(m, b, &one->view, &options, body);
        if (m) model_move(m, b, (const double(*)[3])one->at[1]);
    }
    for (int i = 0; i < SCENES; i++)
        assert_int_equal(fracas_scene_update(all->scene[i]), FRACAS_OK);
    free(one);
}

static void destroy(scenes* all) {
    for (int i = 0; i < SCENES; i++) {
        fracas_scene_destroy(all->scene[i]);
        fracas_context_destroy(all->context[i]);
        assert_int_equal(all->memory[i].live, 0);
    }
}

// ---- queries

// For `kind` NEARBY only the distance of `query` is used.
static void brute(const fracas_scene* scene, frc_search_kind kind, const fracas_query* query,
                  frc_contact_list* out) {
    const frc_world world = frc_scene_world(scene);
    fracas_statistics statistics = {0};
    assert_int_equal(frc_search_brute(&world, kind, query, out, &statistics), FRACAS_OK);
}

static void require_scenes(const scenes* all, bool nearby, const fracas_query* query,
                           const fracas_contact* wanted, size_t wanted_count) {
    for (int i = 0; i < SCENES; i++) {
        fracas_contacts* got;
        size_t count;
        assert_int_equal(fracas_contacts_create(all->context[i], &got), FRACAS_OK);
        const fracas_sink sink = fracas_contacts_get_sink(got);
        assert_int_equal(nearby ? fracas_scene_nearby(all->scene[i], query->min_separation, &sink)
                                : fracas_scene_detect(all->scene[i], query, &sink),
                         FRACAS_OK);
        const fracas_contact* data = fracas_contacts_get_data(got, &count);
        model_require_same(data, count, wanted, wanted_count, i < 2 ? "trees" : "cells");
        fracas_contacts_destroy(got);
    }
}

static double earliest(const frc_contact_list* list) {
    double toi = 1;
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].kind >= FRACAS_CONTACT_VF && list->data[i].toi < toi)
            toi = list->data[i].toi;
    return toi;
}

// The first of equally early contacts in the order of the report.
static const fracas_contact* earliest_of(const frc_contact_list* list) {
    const fracas_contact* best = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const fracas_contact* c = &list->data[i];
        if (!best || c->toi < best->toi ||
            (c->toi == best->toi && frc_compare_contacts(c, best) < 0))
            best = c;
    }
    return best;
}

static void require_step(const scenes* all, const fracas_query* query, double wanted) {
    for (int i = 0; i < SCENES; i++) {
        double step = -1;
        assert_int_equal(fracas_scene_max_step(all->scene[i], query, &step), FRACAS_OK);
        assert_true(step == wanted);
    }
}

static void check_modes(const scenes* all, uint64_t* kinds) {
    frc_contact_list list = {0};
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    brute(all->scene[0], FRC_SEARCH_DISCRETE, &query, &list);
    require_scenes(all, false, &query, list.data, list.count);
    brute(all->scene[0], FRC_SEARCH_CONTINUOUS, &query, &list);
    for (size_t i = 0; i < list.count; i++) kinds[list.data[i].kind]++;
    query.modes = FRACAS_MODE_BOTH;
    require_scenes(all, false, &query, list.data, list.count);
    query.modes = FRACAS_MODE_CONTINUOUS;
    const double step = earliest(&list);
    size_t at = 0;
    while (at < list.count && list.data[at].kind < FRACAS_CONTACT_VF) at++;
    frc_contact_list timed = {.data = list.data + at, .count = list.count - at};
    require_scenes(all, false, &query, timed.data, timed.count);
    query.first = true;
    const fracas_contact* first = earliest_of(&timed);
    require_scenes(all, false, &query, first, first != NULL);
    query.first = false;
    require_step(all, &query, step);
    FRC_ARRAY_RELEASE(all->context[0], &list);
}

static void check_distances(const scenes* all, double distance) {
    frc_contact_list list = {0};
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_CONTINUOUS;
    query.min_separation = distance;
    brute(all->scene[0], FRC_SEARCH_CONTINUOUS, &query, &list);
    require_scenes(all, false, &query, list.data, list.count);
    require_step(all, &query, earliest(&list));
    list.count = 0;
    query.siblings = FRACAS_SIBLINGS_REPORT;
    brute(all->scene[0], FRC_SEARCH_NEARBY, &query, &list);
    require_scenes(all, true, &query, list.data, list.count);
    FRC_ARRAY_RELEASE(all->context[0], &list);
}

static void check(uint64_t seed, uint32_t bodies, const layout* l, uint64_t* kinds) {
    model_source source = {.state = seed};
    scenes all;
    create(&all, bodies, l, &source, NULL);
    check_modes(&all, kinds);
    check_distances(&all, 0.1);
    destroy(&all);
}

static void require_all_kinds(const uint64_t* kinds) {
    for (int kind = 0; kind < 6; kind++) {
        print_message("kind %d: %llu contacts\n", kind, (unsigned long long)kinds[kind]);
        assert_true(kinds[kind] > 0);
    }
}

// ---- thousands of elements, far from each other

static void thousands_in_one_body(void** state) {
    (void)state;
    uint64_t kinds[6] = {0};
    check(1, 1, &(layout){300, 1200, 1500, 24, 2, true}, kinds);
    require_all_kinds(kinds);
}

static void thousands_in_several_bodies(void** state) {
    (void)state;
    uint64_t kinds[6] = {0};
    check(3, BODIES, &(layout){40, 120, 150, 14, 2, true}, kinds);
    check(4, BODIES, &(layout){40, 100, 60, 8, 1, false}, kinds);
    check(5, 2, &(layout){0, 250, 250, 12, 2, true}, kinds);
    require_all_kinds(kinds);
}

// ---- all elements intersect: leaves add the maximum number of candidates

static void all_elements_intersect(void** state) {
    (void)state;
    uint64_t kinds[6] = {0};
    for (uint32_t round = 0; round < share_of(1); round++) {
        check(10 + round, 1, &(layout){66, 70, 30, 0, 5, true}, kinds);
        check(20 + round, 2, &(layout){16, 16, 20, 1, 4, true}, kinds);
        check(30 + round, 3, &(layout){8, 30, 0, 0, 9, false}, kinds);
    }
    require_all_kinds(kinds);
}

// ---- against the model

static void same_as_model(void** state) {
    (void)state;
    for (uint32_t round = 0; round < share_of(6); round++) {
        const layout l = {12, 30, 30, 3, 2, round % 3 != 0};
        model_source source = {.state = 40 + round};
        scenes all;
        model* m = model_create();
        create(&all, 1 + round % BODIES, &l, &source, m);
        fracas_query query = fracas_scene_default_query();
        for (int i = 0; i < SCENES; i++) {
            query.modes = FRACAS_MODE_BOTH;
            query.min_separation = 0;
            model_check_query(m, all.scene[i], &query, true);
            model_check_max_step(all.scene[i], &query);
            query.min_separation = 0.1;
            model_check_query(m, all.scene[i], &query, true);
            model_check_nearby(m, all.scene[i], 0.5, true);
        }
        destroy(&all);
        model_destroy(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_in_one_body),
        cmocka_unit_test(thousands_in_several_bodies),
        cmocka_unit_test(all_elements_intersect),
        cmocka_unit_test(same_as_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
