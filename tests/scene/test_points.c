// Points are stored along a space-filling curve, independent of their numbers; contacts do not
// depend on the order.
#include "hash.h"
#include "scene/scene.h"
#include "scene_kit.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 20, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

typedef double place[3];

static double noise(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static void scatter(uint64_t seed, double size, place* out) {
    for (uint32_t i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) out[i][k] = size * noise(&seed);
}

// A sheet that is folded over itself, with every point displaced by up to `off`.
static void crumple(uint64_t seed, double off, place* out) {
    for (uint32_t i = 0; i < POINTS; i++) {
        const double x = i % (SIDE + 1), y = i / (SIDE + 1);
        const place at = {x < SIDE / 2 ? x : SIDE - x, y, x < SIDE / 2 ? 0 : 0.5};
        for (int k = 0; k < 3; k++) out[i][k] = at[k] + off * noise(&seed);
    }
}

static fracas_mesh_view mesh_of(const place* points) {
    static uint32_t corners[TRIANGLES][3];
    static const uint32_t edges[8] = {400, 5, 33, 7, 91, 300, 12, 220}, vertices[3] = {3, 60, 200};
    kit_sheet(SIDE, corners);
    fracas_mesh_view mesh = kit_mesh(points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    mesh.edges = edges, mesh.edge_count = 4;
    mesh.vertices = vertices, mesh.vertex_count = 3;
    return mesh;
}

static void move(kit* k, fracas_body body, const place* to) {
    fracas_points points = {.data = to, .count = POINTS};
    assert_int_equal(fracas_scene_move(k->scene, body, &points), FRACAS_OK);
}

// Each point refers to its body and vertex number, which the exact tests use to order points.
static void check_names(const fracas_scene* scene) {
    const frc_topology* t = &scene->topology;
    for (size_t i = 0; i < t->points.count; i++) {
        const uint32_t* tag = t->points.data[i].tag;
        if (tag[FRC_TAG_BODY] != FRACAS_NONE)
            assert_int_equal(scene->bodies.data[tag[FRC_TAG_BODY]].points.data[tag[FRC_TAG_NUMBER]],
                             i);
    }
}

// Two sheets, added at some positions and moved to the common start positions.
static uint64_t contact_hash(const place* added, const place* from, const place* to, bool hole,
                             double reach, uint64_t* pairs_of_edges) {
    kit k = kit_create(2);
    fracas_mesh_view mesh = mesh_of(added);
    fracas_body first = {0, 0}, body[2];
    if (hole) first = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    body[0] = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    // Reused ids are assigned in another order.
    if (hole) assert_int_equal(fracas_scene_remove(k.scene, first), FRACAS_OK);
    body[1] = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    check_names(k.scene);
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < 2; i++) move(&k, body[i], step ? to : from);
        if (step == 0) assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    }
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    fracas_contacts* contacts;
    assert_int_equal(fracas_contacts_create(k.context, &contacts), FRACAS_OK);
    fracas_sink sink = fracas_contacts_get_sink(contacts);
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_CONTINUOUS;
    query.min_separation = reach;
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
    size_t count;
    const fracas_contact* data = fracas_contacts_get_data(contacts, &count);
    *pairs_of_edges = 0;
    for (size_t i = 0; i < count; i++) *pairs_of_edges += data[i].kind == FRACAS_CONTACT_EE;
    uint64_t hash = bench_hash_word(bench_hash_contacts(BENCH_HASH_START, data, count), count);
    fracas_contacts_destroy(contacts);
    kit_destroy(&k);
    return hash;
}

static void contacts_do_not_depend_on_point_order(void** state) {
    (void)state;
    static place from[POINTS], to[POINTS], elsewhere[POINTS];
    crumple(1, 0.6, from);
    crumple(2, 1.2, to);
    for (int reach = 0; reach < 2; reach++) {
        uint64_t edges, same;
        uint64_t wanted = contact_hash(from, from, to, false, 0.02 * reach, &edges);
        assert_true(edges > 500);
        for (uint64_t seed = 3; seed < 7; seed++) {
            scatter(seed, 10, elsewhere);
            assert_int_equal(contact_hash(elsewhere, from, to, false, 0.02 * reach, &same), wanted);
            assert_int_equal(same, edges);
        }
        // All at the same position: no order along the curve.
        scatter(9, 0, elsewhere);
        assert_int_equal(contact_hash(elsewhere, from, to, false, 0.02 * reach, &same), wanted);
    }
}

// Also with a gap in the ids, filled by the second body.
static void nor_after_removing_a_body(void** state) {
    (void)state;
    static place from[POINTS], to[POINTS], elsewhere[POINTS];
    crumple(1, 0.6, from);
    crumple(2, 1.2, to);
    uint64_t edges;
    uint64_t wanted = contact_hash(from, from, to, true, 0, &edges);
    for (uint64_t seed = 3; seed < 7; seed++) {
        scatter(seed, 10, elsewhere);
        assert_int_equal(contact_hash(elsewhere, from, to, true, 0, &edges), wanted);
    }
}

// A sheet whose points are numbered at random: both ends of an edge are stored near each other.
static void neighbours_are_close_in_memory(void** state) {
    (void)state;
    static place points[POINTS];
    static uint32_t corners[TRIANGLES][3], number[POINTS];
    uint64_t random = 5;
    for (uint32_t i = 0; i < POINTS; i++) number[i] = i;
    for (uint32_t i = POINTS - 1; i > 0; i--) {
        uint32_t j = (uint32_t)((noise(&random) + 0.5) * (i + 1)), t = number[i];
        number[i] = number[j], number[j] = t;
    }
    for (uint32_t i = 0; i < POINTS; i++) {
        const place at = {i % (SIDE + 1), i / (SIDE + 1), 0};
        memcpy(points[number[i]], at, sizeof at);
    }
    kit_sheet(SIDE, corners);
    for (uint32_t i = 0; i < TRIANGLES; i++)
        for (int c = 0; c < 3; c++) corners[i][c] = number[corners[i][c]];
    fracas_mesh_view mesh =
        kit_mesh((const place*)points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    kit k = kit_create(1);
    fracas_body body = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    const frc_ids* ids = &k.scene->bodies.data[body.index - 1].points;
    double given = 0, lie = 0;
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t a = corners[i][0], b = corners[i][1];
        given += fabs((double)a - (double)b);
        lie += fabs((double)ids->data[a] - (double)ids->data[b]);
    }
    print_message("%.1f places apart, %.1f as numbered\n", lie / TRIANGLES, given / TRIANGLES);
    assert_true(lie < given / 5);
    check_names(k.scene);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_do_not_depend_on_point_order),
        cmocka_unit_test(nor_after_removing_a_body),
        cmocka_unit_test(neighbours_are_close_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
