// Where discrete contacts are: curves and places of bodies whose intersections are known, and for
// random ones the same grouping as by comparing all pairs of corners.
#include "ball_kit.h"
#include "context_kit.h"
#include "fracas/fracas.h"
#include "scene_kit.h"
#include "share.h"
#include <math.h>
#include <stdlib.h>

typedef struct found {
    fracas_contacts* list;
    const fracas_contact* contacts;
    size_t count;
    fracas_intersections* all;
    fracas_intersections_view view;
} found;

static found find(kit* k) {
    found f = {NULL, NULL, 0, NULL, {0}};
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_contacts_create(k->context, &f.list), FRACAS_OK);
    const fracas_sink sink = fracas_contacts_get_sink(f.list);
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
    assert_int_equal(fracas_scene_detect(k->scene, &query, &sink), FRACAS_OK);
    f.contacts = fracas_contacts_get_data(f.list, &f.count);
    assert_int_equal(fracas_intersections_create(k->scene, f.contacts, f.count, &f.all), FRACAS_OK);
    f.view = fracas_intersections_get_view(f.all);
    assert_int_equal(f.view.count, f.count);
    return f;
}

static void forget(found* f) {
    fracas_intersections_destroy(f->all);
    fracas_contacts_destroy(f->list);
}

static bool equal(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_closed(const fracas_intersections_view* v, uint32_t curve) {
    return equal(v->curve_points[v->curve_offsets[curve]],
                 v->curve_points[v->curve_offsets[curve + 1] - 1]);
}

// ---- known curves

static void balls(void** state) {
    (void)state;
    kit k = kit_create(2);
    ball_body(&k, 0, 0, 0, 1);
    ball_body(&k, 1.1, 0.2, 0.1, 1);  // one ring
    ball_body(&k, 10, 0, 0, 1);
    ball_body(&k, 10.2, 0.1, 0, 0.5);  // inside
    ball_body(&k, 20, 0, 0, 1);
    ball_body(&k, 21.2, 0.1, 0.3, 0.9);  // another ring
    ball_body(&k, 20.1, 1.3, 0.1, 0.8);  // and one more
    found f = find(&k);
    const fracas_intersections_view* v = &f.view;
    assert_int_equal(v->place_count, 3);
    assert_int_equal(v->curve_count, 3);
    size_t segments = 0;
    for (size_t i = 0; i < f.count; i++) {
        assert_int_equal(v->data[i].meeting, FRACAS_MEETING_CROSS);
        assert_int_equal(v->data[i].count, 2);
        assert_true(v->places[i] < v->place_count);
        segments++;
    }
    for (uint32_t c = 0; c < v->curve_count; c++) {
        assert_true(is_closed(v, c));
        segments -= v->curve_offsets[c + 1] - v->curve_offsets[c] - 1;
    }
    assert_int_equal(segments, 0);
    forget(&f);
    kit_destroy(&k);
}

// A triangle that ends inside a larger one: an open curve of one segment. One that stands on it: a
// point without a curve. One that lies on it: a polygon.
static void open_ends(void** state) {
    (void)state;
    static const double floor[3][3] = {
        {0,  0,  0},
        {90, 0,  0},
        {0,  90, 0}
    };
    static const double others[3][3][3] = {
        {{1, 1, -1},  {1, 1, 1},   {1, 3, 0.5}},
        {{20, 20, 0}, {20, 21, 1}, {21, 20, 1}},
        {{40, 9, 0},  {42, 9, 0},  {40, 12, 0}}
    };
    static const uint32_t corners[1][3] = {
        {0, 1, 2}
    };
    kit k = kit_create(1);
    fracas_mesh_view mesh = kit_mesh(floor, 3, corners, 1);
    kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    for (int i = 0; i < 3; i++) {
        mesh = kit_mesh(others[i], 3, corners, 1);
        kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    }
    found f = find(&k);
    assert_int_equal(f.count, 3);
    assert_int_equal(f.view.place_count, 3);
    assert_int_equal(f.view.curve_count, 1);
    assert_int_equal(f.view.curve_offsets[1], 2);
    static const uint32_t counts[3] = {2, 1, 3};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(f.view.data[i].count, counts[i]);
        assert_int_equal(f.view.data[i].meeting,
                         i == 0 ? FRACAS_MEETING_CROSS : FRACAS_MEETING_TOUCH);
        assert_int_equal(f.view.places[i], i);
        fracas_intersection one;
        assert_int_equal(fracas_scene_find_intersection(k.scene, &f.contacts[i], &one), FRACAS_OK);
        assert_memory_equal(&one, &f.view.data[i], sizeof one);
    }
    forget(&f);
    kit_destroy(&k);
}

// ---- random ones

static bool have_common_corner(const fracas_intersection* a, const fracas_intersection* b) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            if (equal(a->points[i], b->points[j])) return true;
    return false;
}

// Places by comparing all pairs, numbered by the first contact.
static uint32_t slow_places(const found* f, uint32_t* out) {
    uint32_t count = 0;
    for (size_t i = 0; i < f->count; i++) out[i] = FRACAS_NONE;
    for (size_t first = 0; first < f->count; first++) {
        if (out[first] != FRACAS_NONE) continue;
        out[first] = count;
        for (bool grown = true; grown;) {
            grown = false;
            for (size_t i = first; i < f->count; i++)
                for (size_t j = first; j < f->count && out[i] == count; j++)
                    if (out[j] == FRACAS_NONE &&
                        have_common_corner(&f->view.data[i], &f->view.data[j])) {
                        out[j] = count;
                        grown = true;
                    }
        }
        count++;
    }
    return count;
}

static void check_curves(const found* f) {
    const fracas_intersections_view* v = &f->view;
    size_t in_curves = 0;
    for (uint32_t c = 0; c < v->curve_count; c++) {
        const uint32_t begin = v->curve_offsets[c], end = v->curve_offsets[c + 1];
        assert_true(end >= begin + 2);
        for (uint32_t p = begin; p + 1 < end; p++) {
            // The step is a segment of a contact of this place.
            bool is_one = false;
            for (size_t i = 0; i < f->count && !is_one; i++) {
                const fracas_intersection* s = &v->data[i];
                is_one = s->count == 2 && v->places[i] == v->curve_places[c] &&
                         ((equal(s->points[0], v->curve_points[p]) &&
                           equal(s->points[1], v->curve_points[p + 1])) ||
                          (equal(s->points[1], v->curve_points[p]) &&
                           equal(s->points[0], v->curve_points[p + 1])));
            }
            assert_true(is_one);
            in_curves++;
        }
    }
    // Different segments, each once.
    size_t different = 0;
    for (size_t i = 0; i < f->count; i++) {
        const fracas_intersection* s = &v->data[i];
        bool is_new = s->count == 2 && !equal(s->points[0], s->points[1]);
        for (size_t j = 0; j < i && is_new; j++)
            is_new = !(v->data[j].count == 2 && equal(v->data[j].points[0], s->points[0]) &&
                       equal(v->data[j].points[1], s->points[1]));
        different += is_new;
    }
    assert_int_equal(in_curves, different);
}

static double coordinate(uint64_t* r, int lattice) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    const double x = (double)(*r >> 11) * 0x1p-53;
    return lattice ? floor(3 * x) : x;
}

// Triangles in a cube, or with corners on a small lattice, where much is flush.
static void random_triangles(void** state) {
    (void)state;
    enum { MANY = 14 };
    uint64_t r = 3;
    size_t several = 0;
    for (uint32_t round = 0; round < share_of(200); round++) {
        double points[3 * MANY][3];
        uint32_t triangles[MANY][3], places[MANY * MANY];
        for (uint32_t i = 0; i < 3 * MANY; i++) {
            for (int c = 0; c < 3; c++) points[i][c] = coordinate(&r, round % 2);
            triangles[i / 3][i % 3] = i;
        }
        kit k = kit_create(1 + round % 3);
        const fracas_mesh_view mesh =
            kit_mesh((const double(*)[3])points, 3 * MANY, (const uint32_t(*)[3])triangles, MANY);
        kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
        found f = find(&k);
        assert_true(f.count <= MANY * MANY);
        assert_int_equal(f.view.place_count, slow_places(&f, places));
        assert_memory_equal(f.view.places, places, f.count * sizeof *places);
        check_curves(&f);
        several += f.view.place_count > 1;
        forget(&f);
        kit_destroy(&k);
    }
    assert_true(several > 0);
}

static void refused(void** state) {
    (void)state;
    kit k = kit_create(2);
    const fracas_body a = ball_body(&k, 0, 0, 0, 1);
    ball_body(&k, 1.1, 0, 0, 1);
    found f = find(&k);
    fracas_contact c = f.contacts[0];
    fracas_intersection one;
    fracas_intersections* all = f.all;
    c.kind = FRACAS_CONTACT_VF;
    assert_int_equal(fracas_scene_find_intersection(k.scene, &c, &one),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "kind 2");
    c.kind = FRACAS_CONTACT_TT;
    c.a[0] = 100000;
    assert_int_equal(fracas_intersections_create(k.scene, &c, 1, &all), FRACAS_ERROR_BAD_DATA);
    assert_null(all);
    kit_expect_message(&k, "has no triangle 100000");
    assert_int_equal(fracas_intersections_create(k.scene, NULL, 1, &all),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_intersections_create(k.scene, NULL, 0, &all), FRACAS_OK);
    assert_int_equal(fracas_intersections_get_view(all).place_count, 0);
    fracas_intersections_destroy(all);
    assert_int_equal(fracas_scene_remove(k.scene, a), FRACAS_OK);
    assert_int_equal(fracas_intersections_create(k.scene, f.contacts, f.count, &all),
                     FRACAS_ERROR_STALE_HANDLE);
    assert_null(all);
    forget(&f);
    kit_destroy(&k);
}

// An allocation that fails: a status, and nothing is left.
static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    kit k = {kit_context(1, &memory), NULL};
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    ball_body(&k, 0, 0, 0, 1);
    ball_body(&k, 1.1, 0.2, 0.1, 1);
    found f = find(&k);
    fracas_intersections* all = NULL;
    const long blocks = (long)atomic_load(&memory.blocks);
    int failures = 0;
    for (size_t at = 1; !all; at++) {
        test_allocator_fail_at(&memory, at);
        const fracas_status status =
            fracas_intersections_create(k.scene, f.contacts, f.count, &all);
        test_allocator_fail_at(&memory, 0);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        assert_null(all);
        assert_int_equal((long)atomic_load(&memory.blocks), blocks);
        failures++;
    }
    assert_true(failures >= 3);
    fracas_intersections_destroy(all);
    forget(&f);
    kit_destroy(&k);
    assert_int_equal((long)atomic_load(&memory.blocks), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls), cmocka_unit_test(open_ends), cmocka_unit_test(random_triangles),
        cmocka_unit_test(refused), cmocka_unit_test(failed_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
