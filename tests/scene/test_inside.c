// Bodies inside others: known ones, and random ones against solid angles.
#include "ball_kit.h"
#include "context_kit.h"
#include "fracas/fracas.h"
#include "share.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 200 };

typedef struct found {
    fracas_inside data[MOST];
    size_t count, stop_at;  // 0: never
} found;

static bool keep(const fracas_inside* inside, void* user) {
    found* f = user;
    assert_true(f->count < MOST);
    f->data[f->count++] = *inside;
    return f->count != f->stop_at;
}

static fracas_contacts* contacts_of(kit* k) {
    fracas_contacts* list;
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_contacts_create(k->context, &list), FRACAS_OK);
    const fracas_sink sink = fracas_contacts_get_sink(list);
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
    assert_int_equal(fracas_scene_detect(k->scene, &query, &sink), FRACAS_OK);
    return list;
}

static found find(kit* k) {
    found f = {.count = 0};
    fracas_contacts* list = contacts_of(k);
    size_t count;
    const fracas_contact* contacts = fracas_contacts_get_data(list, &count);
    assert_int_equal(fracas_scene_find_inside(k->scene, contacts, count, keep, &f), FRACAS_OK);
    fracas_contacts_destroy(list);
    return f;
}

static void expect(const found* f, size_t i, fracas_body inner, fracas_body outer, uint32_t vertex,
                   uint32_t parts) {
    assert_true(i < f->count);
    assert_int_equal(f->data[i].inner.index, inner.index);
    assert_int_equal(f->data[i].outer.index, outer.index);
    assert_int_equal(f->data[i].inner.generation, inner.generation);
    assert_int_equal(f->data[i].vertex, vertex);
    assert_int_equal(f->data[i].parts, parts);
}

static fracas_body add(kit* k, const ball_mesh* m) {
    const fracas_mesh_view mesh = ball_view(m);
    return kit_add(k, &mesh, FRACAS_MOTION_DEFORMING);
}

// ---- known ones

static void nested(void** state) {
    (void)state;
    kit k = kit_create(2);
    const fracas_body large = ball_body(&k, 0, 0, 0, 4), small = ball_body(&k, 0.5, 0, 0, 1),
                      turned = ball_body(&k, 20, 0, 0, -4), guest = ball_body(&k, 20, 1, 0, 0.5);
    ball_body(&k, 4, 0, 0, 0.7);   // it crosses the large one
    ball_body(&k, 0, 0, 10, 0.5);  // above everything
    ball_body(&k, 0, 0, -10, 1);   // below everything
    const found f = find(&k);
    assert_int_equal(f.count, 2);
    expect(&f, 0, small, large, 0, 1);
    expect(&f, 1, guest, turned, 0, 1);
    // The points of a body that has been removed belong to no part.
    assert_int_equal(fracas_scene_remove(k.scene, large), FRACAS_OK);
    const found left = find(&k);
    assert_int_equal(left.count, 1);
    expect(&left, 0, guest, turned, 0, 1);
    kit_destroy(&k);
}

// What is in a cavity is outside; what is in the wall is inside.
static void cavity(void** state) {
    (void)state;
    kit k = kit_create(1);
    ball_mesh hollow = {.point_count = 0}, two = {.point_count = 0};
    ball_add(&hollow, 0, 0, 0, 5);
    ball_add(&hollow, 0, 0, 0, -2);
    const fracas_body shell = add(&k, &hollow);
    ball_body(&k, 0, 0, 0, 1);
    ball_add(&two, 30, 0, 0, 1);  // the second and third part are in the wall, the first is not
    ball_add(&two, 3.3, 0, 0, 0.4);
    ball_add(&two, 0, 3.3, 0, 0.4);
    const fracas_body walled = add(&k, &two);
    const found f = find(&k);
    assert_int_equal(f.count, 1);
    expect(&f, 0, walled, shell, BALL_POINTS, 2);
    kit_destroy(&k);
}

// A ball without one triangle contains nothing, neither does one that is turned in part. Wires and
// particles can be inside.
static void open_ones(void** state) {
    (void)state;
    for (int k_round = 0; k_round < 3; k_round++) {
        kit k = kit_create(1);
        ball_mesh m = {.point_count = 0};
        ball_add(&m, 0, 0, 0, 3);
        if (k_round == 0) m.triangle_count--;
        if (k_round == 1) {
            const uint32_t kept = m.triangles[5][0];
            m.triangles[5][0] = m.triangles[5][1], m.triangles[5][1] = kept;
        }
        const fracas_body ball = add(&k, &m);
        static const double points[3][3] = {
            {0,   0,   0  },
            {0.5, 0.5, 0  },
            {0,   0,   0.7}
        };
        static const uint32_t edge[2] = {0, 1}, vertex[1] = {2};
        const fracas_mesh_view wire = {
            .points = {.data = points, .count = 3},
            .edges = edge,
            .edge_count = 1,
            .vertices = vertex,
            .vertex_count = 1
        };
        const fracas_body inner = kit_add(&k, &wire, FRACAS_MOTION_DEFORMING);
        const found f = find(&k);
        assert_int_equal(f.count, k_round == 2);
        if (k_round == 2) expect(&f, 0, inner, ball, 0, 2);
        kit_destroy(&k);
    }
}

// The end of the step counts; a pair whose masks exclude each other does not.
static void moved_and_masked(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body large = ball_body(&k, 0, 0, 0, 4);
    ball_mesh m = {.point_count = 0}, at_end = {.point_count = 0};
    ball_add(&m, 9, 0, 0, 1);
    ball_add(&at_end, 1, 0, 0, 1);
    const fracas_body small = add(&k, &m);
    fracas_body_options options = fracas_body_default_options();
    options.mask = 0;
    const fracas_mesh_view mesh = ball_view(&at_end);
    fracas_body ghost;
    assert_int_equal(fracas_scene_add(k.scene, &mesh, &options, &ghost), FRACAS_OK);
    assert_int_equal(find(&k).count, 0);
    const fracas_points end = {.data = at_end.points, .count = at_end.point_count};
    assert_int_equal(fracas_scene_move(k.scene, small, &end), FRACAS_OK);
    const found f = find(&k);
    assert_int_equal(f.count, 1);
    expect(&f, 0, small, large, 0, 1);
    kit_destroy(&k);
}

static void stops(void** state) {
    (void)state;
    kit k = kit_create(1);
    ball_body(&k, 0, 0, 0, 4);
    for (int i = 0; i < 5; i++) ball_body(&k, 0.6 * i - 1.2, 0, 0, 0.2);
    assert_int_equal(find(&k).count, 5);
    found f = {.stop_at = 2};
    assert_int_equal(fracas_scene_find_inside(k.scene, NULL, 0, keep, &f), FRACAS_OK);
    assert_int_equal(f.count, 2);
    kit_destroy(&k);
}

// ---- random ones

// The angle of a triangle seen from p, with the sign of its side (van Oosterom and Strackee).
static double solid_angle(const double p[3], const double(*corners[3])) {
    double v[3][3], length[3];
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) v[i][c] = corners[i][c] - p[c];
        length[i] = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
    }
    double dots[3];
    for (int i = 0; i < 3; i++) {
        const double *a = v[(i + 1) % 3], *b = v[(i + 2) % 3];
        dots[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    const double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                       v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                       v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    return 2 * atan2(det, length[0] * length[1] * length[2] + dots[2] * length[2] +
                              dots[0] * length[0] + dots[1] * length[1]);
}

static int winding_by_angles(const double p[3], const ball_mesh* m) {
    double sum = 0;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const double* corners[3];
        for (int i = 0; i < 3; i++) corners[i] = m->points[m->triangles[t][i]];
        sum += solid_angle(p, corners);
    }
    return (int)lround(sum / (4 * 3.141592653589793));
}

enum { BODIES = 6 };

static double uniform(uint64_t* r) {
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    return (double)(*r >> 11) * 0x1p-53;
}

// How many parts of body a are in body b, without a contact between them.
static uint32_t slow_parts(const ball_mesh* meshes, const uint32_t* handles, uint32_t a, uint32_t b,
                           const fracas_contact* contacts, size_t count) {
    uint32_t inside = 0;
    for (uint32_t part = 0; part < meshes[a].point_count / BALL_POINTS; part++) {
        bool touches = false;
        for (size_t i = 0; i < count && !touches; i++) {
            const fracas_contact* c = &contacts[i];
            touches = (c->body_a.index == handles[a] && c->body_b.index == handles[b] &&
                       c->a[0] / BALL_TRIANGLES == part) ||
                      (c->body_b.index == handles[a] && c->body_a.index == handles[b] &&
                       c->b[0] / BALL_TRIANGLES == part);
        }
        inside += !touches && winding_by_angles(meshes[a].points[part * BALL_POINTS], &meshes[b]);
    }
    return inside;
}

static void random_balls(void** state) {
    (void)state;
    static ball_mesh meshes[BODIES];
    uint32_t handles[BODIES];
    uint64_t r = 7;
    size_t all = 0;
    for (uint32_t round = 0; round < share_of(200); round++) {
        kit k = kit_create(1 + round % 3);
        for (uint32_t b = 0; b < BODIES; b++) {
            meshes[b].point_count = meshes[b].triangle_count = 0;
            const uint32_t parts = 1 + (uint32_t)(uniform(&r) * BALL_PARTS);
            for (uint32_t part = 0; part < parts; part++) {
                const double radius = exp(4 * uniform(&r) - 3), x = uniform(&r), y = uniform(&r);
                ball_add(&meshes[b], 4 * x, 4 * y, 4 * uniform(&r),
                         uniform(&r) < 0.2 ? -radius : radius);
            }
            handles[b] = add(&k, &meshes[b]).index;
        }
        fracas_contacts* list = contacts_of(&k);
        size_t count, at = 0;
        const fracas_contact* contacts = fracas_contacts_get_data(list, &count);
        found f = {.count = 0};
        assert_int_equal(fracas_scene_find_inside(k.scene, contacts, count, keep, &f), FRACAS_OK);
        for (uint32_t a = 0; a < BODIES; a++)
            for (uint32_t b = 0; b < BODIES; b++) {
                const bool told = at < f.count && f.data[at].inner.index == handles[a] &&
                                  f.data[at].outer.index == handles[b];
                const uint32_t parts =
                    a == b ? 0 : slow_parts(meshes, handles, a, b, contacts, count);
                assert_int_equal(told ? f.data[at].parts : 0, parts);
                at += told;
            }
        assert_int_equal(at, f.count);
        all += at;
        fracas_contacts_destroy(list);
        kit_destroy(&k);
    }
    assert_true(all > 0);
}

// ---- bad input

static void refused(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body a = ball_body(&k, 0, 0, 0, 4);
    const fracas_body b = ball_body(&k, 0, 0, 0, 1);
    found f = {.count = 0};
    assert_int_equal(fracas_scene_find_inside(k.scene, NULL, 0, keep, &f),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "call fracas_scene_update before fracas_scene_find_inside");
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    fracas_contact c = {.kind = FRACAS_CONTACT_TT, .body_a = a, .body_b = b};
    c.b[0] = BALL_TRIANGLES;
    assert_int_equal(fracas_scene_find_inside(k.scene, &c, 1, keep, &f),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "contact 0 is of features that are not in the scene");
    c.body_b.generation++;
    assert_int_equal(fracas_scene_find_inside(k.scene, &c, 1, keep, &f), FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(f.count, 0);
    kit_destroy(&k);
}

static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    kit k = {kit_context(1, &memory), NULL};
    assert_int_equal(fracas_scene_create(k.context, NULL, &k.scene), FRACAS_OK);
    ball_body(&k, 0, 0, 0, 4);
    ball_body(&k, 0, 0, 0, 1);
    assert_int_equal(find(&k).count, 1);
    const long blocks = (long)atomic_load(&memory.blocks);
    int failures = 0;
    for (size_t at = 1;; at++) {
        found f = {.count = 0};
        test_allocator_fail_at(&memory, at);
        const fracas_status status = fracas_scene_find_inside(k.scene, NULL, 0, keep, &f);
        test_allocator_fail_at(&memory, 0);
        assert_int_equal((long)atomic_load(&memory.blocks), blocks);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        assert_int_equal(f.count, 0);
        failures++;
    }
    assert_true(failures >= 2);
    kit_destroy(&k);
    assert_int_equal((long)atomic_load(&memory.blocks), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested),    cmocka_unit_test(cavity),
        cmocka_unit_test(open_ones), cmocka_unit_test(moved_and_masked),
        cmocka_unit_test(stops),     cmocka_unit_test(random_balls),
        cmocka_unit_test(refused),   cmocka_unit_test(failed_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
