// Merges one by one.
#include "fracas/published.h"
#include "scene_kit.h"

static void maps_and_numbers(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body a = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_body b = kit_add_strip(&k, 1, 1, FRACAS_MOTION_DEFORMING);
    fracas_body c = kit_add_strip(&k, 1, 2, FRACAS_MOTION_DEFORMING);
    // An element of the second body is removed beforehand.
    const uint32_t removed = 0;
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = &removed, split.removed_triangle_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, b, &split, NULL), FRACAS_OK);
    const fracas_body bodies[3] = {a, b, c};
    const fracas_weld_pair welds[2] = {
        {0, 2, 1, 0},
        {0, 3, 1, 1}
    };
    uint32_t vertex_map[12], triangle_map[6];
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = welds, merge.weld_count = 2;
    merge.vertex_map = vertex_map, merge.triangle_map = triangle_map;
    fracas_body out;
    assert_int_equal(fracas_scene_merge(k.scene, bodies, 3, &merge, &out), FRACAS_OK);
    assert_true(kit_same_body(out, a));
    const uint32_t vertices[12] = {0, 1, 2, 3, 2, 3, 6, 7, 8, 9, 10, 11};
    const uint32_t triangles[6] = {0, 1, FRACAS_NONE, 3, 4, 5};
    assert_memory_equal(vertex_map, vertices, sizeof vertices);
    assert_memory_equal(triangle_map, triangles, sizeof triangles);
    kit_expect_triangle(&k, a, 3, 3, 6, 7);
    kit_expect_vertex(&k, a, 2, 1, 0, 0, 1, 0, 0);
    fracas_body_info info = kit_info(&k, a);
    assert_int_equal(info.vertex_numbers, 12);
    assert_int_equal(info.vertices, 10);
    assert_int_equal(info.triangles, 5);
    assert_int_equal(fracas_scene_get_body(k.scene, b, &info), FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(fracas_scene_get_body(k.scene, c, &info), FRACAS_ERROR_STALE_HANDLE);
    kit_destroy(&k);
}

// Of two welded vertices the one named first remains, whichever body it belongs to, as documented
// in scene.h. Regression: the one of the earlier body remained.
static void first_named_vertex_remains(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body a = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_body b = kit_add_strip(&k, 1, 9, FRACAS_MOTION_DEFORMING);
    const fracas_body bodies[2] = {a, b};
    const fracas_weld_pair weld = {1, 0, 0, 2};
    uint32_t vertex_map[8];
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = &weld, merge.weld_count = 1;
    merge.vertex_map = vertex_map;
    fracas_body out;
    assert_int_equal(fracas_scene_merge(k.scene, bodies, 2, &merge, &out), FRACAS_OK);
    assert_int_equal(vertex_map[2], 4);
    assert_int_equal(vertex_map[4], 4);
    kit_expect_triangle(&k, a, 0, 0, 4, 1);
    kit_expect_vertex(&k, a, 4, 0, 0, 9, 0, 0, 9);
    assert_int_equal(fracas_scene_get_vertex(k.scene, a, 2, NULL, NULL), FRACAS_ERROR_BAD_DATA);
    kit_destroy(&k);
}

static void chains_of_welds(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body a = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING), out;
    // All within the first body; the last weld joins two chains, the fifth is redundant.
    const fracas_weld_pair welds[5] = {
        {0, 1, 0, 2},
        {0, 0, 0, 1},
        {0, 4, 0, 5},
        {0, 2, 0, 5},
        {0, 4, 0, 0}
    };
    uint32_t vertex_map[6];
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = welds, merge.weld_count = 5;
    merge.vertex_map = vertex_map;
    assert_int_equal(fracas_scene_merge(k.scene, &a, 1, &merge, &out), FRACAS_OK);
    const uint32_t wanted[6] = {0, 0, 0, 3, 0, 0};
    assert_memory_equal(vertex_map, wanted, sizeof wanted);
    assert_int_equal(kit_info(&k, a).vertices, 2);
    kit_expect_triangle(&k, a, 0, 0, 0, 0);
    kit_expect_triangle(&k, a, 1, 0, 0, 3);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 5, a, 0);
    kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    kit_destroy(&k);
}

// A free edge whose ends are welded has no length and is removed. Regression: the remaining point
// was kept in its tree and was in contact with triangles, although nothing refers to it.
static void free_edge_with_welded_ends(void** state) {
    (void)state;
    kit k = kit_create(1);
    const double points[2][3] = {
        {0.25, 0.25, 0},
        {0.5,  0.25, 0}
    };
    const uint32_t edge[2] = {0, 1};
    fracas_mesh_view mesh = kit_mesh(points, 2, NULL, 0);
    mesh.edges = edge, mesh.edge_count = 1;
    fracas_body wire = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING), out;
    kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(s.contacts[FRACAS_CONTACT_VF], 2);
    assert_int_equal(s.contacts[FRACAS_CONTACT_ET], 1);
    const fracas_weld_pair weld = {0, 0, 0, 1};
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = &weld, merge.weld_count = 1;
    assert_int_equal(fracas_scene_merge(k.scene, &wire, 1, &merge, &out), FRACAS_OK);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(s.contacts[FRACAS_CONTACT_VF] + s.contacts[FRACAS_CONTACT_ET], 0);
    assert_int_equal(kit_info(&k, wire).free_edges, 0);
    assert_int_equal(kit_info(&k, wire).vertices, 1);
    kit_destroy(&k);
}

static void invalid_merges(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body soft = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_body rigid = kit_add_strip(&k, 1, 0, FRACAS_MOTION_RIGID);
    fracas_body other = kit_add_strip(&k, 1, 0, FRACAS_MOTION_RIGID), out;
    const fracas_status bad = FRACAS_ERROR_BAD_DATA;
    const fracas_body twice[3] = {soft, soft, soft}, mixed[2] = {soft, rigid};
    const fracas_body stale[2] = {
        soft, {soft.index, soft.generation + 1}
    };
    const fracas_body rigids[2] = {rigid, other};
    assert_int_equal(fracas_scene_merge(k.scene, twice, 2, NULL, &out), bad);
    assert_int_equal(fracas_scene_merge(k.scene, mixed, 2, NULL, &out), bad);
    assert_int_equal(fracas_scene_merge(k.scene, stale, 2, NULL, &out), FRACAS_ERROR_STALE_HANDLE);
    fracas_pose pose = fracas_pose_make_identity();
    pose.translation[1] = 1;
    assert_int_equal(fracas_scene_pose(k.scene, other, &pose, &pose), FRACAS_OK);
    assert_int_equal(fracas_scene_merge(k.scene, rigids, 2, NULL, &out), bad);
    kit_expect_message(&k, "common pose");
    const fracas_weld_pair welds[] = {
        {0, 4, 0, 0},
        {0, 0, 0, 4},
        {1, 0, 0, 0},
        {0, 0, 1, 0}
    };
    for (int i = 0; i < 4; i++) {
        fracas_merge merge = fracas_scene_default_merge();
        merge.welds = &welds[i], merge.weld_count = 1;
        assert_int_equal(fracas_scene_merge(k.scene, &soft, 1, &merge, &out), bad);
    }
    fracas_merge merge = fracas_scene_default_merge();
    merge.weld_count = 1;
    assert_int_equal(fracas_scene_merge(k.scene, &soft, 1, &merge, &out),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(kit_info(&k, soft).vertices, 4);
    assert_int_equal(fracas_scene_merge(k.scene, &soft, 1, NULL, &out), FRACAS_OK);
    kit_destroy(&k);
}

// Moved and unmoved bodies are merged within a step.
static void merge_keeps_motion(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body a = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_body b = kit_add_strip(&k, 1, 5, FRACAS_MOTION_DEFORMING);
    double points[4][3] = {{0}};
    fracas_points view = {.data = points, .count = 4};
    assert_int_equal(fracas_scene_move(k.scene, b, &view), FRACAS_OK);
    const fracas_body bodies[2] = {a, b};
    fracas_body out;
    assert_int_equal(fracas_scene_merge(k.scene, bodies, 2, NULL, &out), FRACAS_OK);
    kit_expect_vertex(&k, a, 7, 1, 1, 5, 0, 0, 0);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    kit_expect_vertex(&k, a, 7, 0, 0, 0, 0, 0, 0);
    kit_expect_vertex(&k, a, 3, 1, 1, 0, 1, 1, 0);
    kit_destroy(&k);
}

enum { SIDE = 8, SHEET_POINTS = (SIDE + 1) * (SIDE + 1), SHEET_FACES = 2 * SIDE * SIDE };

// A sheet that is flat or, from the middle on, folded back through itself.
static fracas_mesh_view sheet(bool folded) {
    static double points[SHEET_POINTS][3];
    static uint32_t corners[SHEET_FACES][3];
    kit_sheet(SIDE, corners);
    for (uint32_t i = 0; i < SHEET_POINTS; i++) {
        const double x = i % (SIDE + 1), y = i / (SIDE + 1);
        points[i][0] = folded && x > SIDE / 2 ? SIDE - x + 0.25 : x;
        points[i][1] = y;
        points[i][2] = folded && x > SIDE / 2 ? 0.1 * (y - 3.3) : 0;
    }
    return kit_mesh((const double(*)[3])points, SHEET_POINTS, (const uint32_t(*)[3])corners,
                    SHEET_FACES);
}

static void join(kit* k, fracas_body to, fracas_body from) {
    const fracas_body bodies[2] = {to, from};
    fracas_body out;
    assert_int_equal(fracas_scene_merge(k->scene, bodies, 2, NULL, &out), FRACAS_OK);
}

static void expect_without_culling(const kit* k, const fracas_statistics* with) {
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.modes = FRACAS_MODE_BOTH, query.query.siblings = FRACAS_SIBLINGS_REPORT;
    query.no_cull = true;
    fracas_statistics without;
    const fracas_sink sink = {.statistics = &without};
    assert_int_equal(fracas_published_scene_detect(k->scene, &query, &sink, NULL), FRACAS_OK);
    assert_memory_equal(without.contacts, with->contacts, sizeof without.contacts);
}

// Bodies without self-collision are not certified. Regression: such a body kept the old marks of a
// body merged into it, and these were used after it was merged into a body with self-collision.
static void stale_marks_are_not_used(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body_options aloof = fracas_body_default_options();
    aloof.self_collision = false;
    const double far[3][3] = {
        {50, 0, 0},
        {51, 0, 0},
        {50, 1, 0}
    };
    const uint32_t face[1][3] = {
        {0, 1, 2}
    };
    const fracas_mesh_view flat = sheet(false), one = kit_mesh(far, 3, face, 1);
    const fracas_body body = kit_add(&k, &flat, FRACAS_MOTION_DEFORMING);
    const fracas_body other = kit_add(&k, &one, FRACAS_MOTION_DEFORMING);
    fracas_body between;
    assert_int_equal(fracas_scene_add(k.scene, &one, &aloof, &between), FRACAS_OK);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    fracas_update_statistics update;
    assert_int_equal(fracas_scene_get_update_statistics(k.scene, &update), FRACAS_OK);
    assert_true(update.cull_certified > 0);
    join(&k, between, body);
    double points[3 + SHEET_POINTS][3];
    const fracas_points view = {.data = points, .count = 3 + SHEET_POINTS};
    memcpy(points, far, sizeof far);
    memcpy(points[3], sheet(true).points.data, SHEET_POINTS * sizeof *points);
    assert_int_equal(fracas_scene_move(k.scene, between, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    join(&k, other, between);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_TT] > 0 && s.contacts[FRACAS_CONTACT_VF] > 0 &&
                s.contacts[FRACAS_CONTACT_EE] > 0);
    expect_without_culling(&k, &s);
    kit_destroy(&k);
}

// A wall across strips, at x = 0.5, from z = -1 to 1.
static void add_wall(kit* k) {
    const double points[4][3] = {
        {0.5, -1, -1},
        {0.5, 3,  -1},
        {0.5, -1, 1 },
        {0.5, 3,  1 }
    };
    const uint32_t triangles[2][3] = {
        {0, 1, 2},
        {1, 3, 2}
    };
    const fracas_mesh_view mesh = kit_mesh(points, 4, triangles, 2);
    kit_add(k, &mesh, FRACAS_MOTION_STATIC);
}

// The trees of a body that has moved are refitted although the body no longer exists.
static void moved_body_is_found_after_a_merge(void** state) {
    (void)state;
    kit k = kit_create(1);
    add_wall(&k);
    const fracas_body to = kit_add_strip(&k, 1, 9, FRACAS_MOTION_DEFORMING);
    const fracas_body from = kit_add_strip(&k, 1, 5, FRACAS_MOTION_DEFORMING);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 0);
    const double points[4][3] = {
        {0, 0, 0.1},
        {0, 1, 0.1},
        {1, 0, 0.1},
        {1, 1, 0.1}
    };
    const fracas_points view = {.data = points, .count = 4};
    assert_int_equal(fracas_scene_move(k.scene, from, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    join(&k, to, from);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_TT] > 0);
    kit_destroy(&k);
}

// The elements have the mask of the body that they are in now.
static void merged_elements_have_the_mask_of_the_body(void** state) {
    (void)state;
    kit k = kit_create(1);
    add_wall(&k);
    fracas_body_options alone = fracas_body_default_options();
    alone.mask = 0;
    const double points[3][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0}
    };
    const uint32_t triangle[1][3] = {
        {0, 1, 2}
    };
    const fracas_mesh_view mesh = kit_mesh(points, 3, triangle, 1);
    const fracas_body to = kit_add_strip(&k, 1, 9, FRACAS_MOTION_DEFORMING);
    fracas_body from;
    assert_int_equal(fracas_scene_add(k.scene, &mesh, &alone, &from), FRACAS_OK);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 0);
    join(&k, to, from);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_TT] > 0);
    kit_destroy(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moved_body_is_found_after_a_merge),
        cmocka_unit_test(merged_elements_have_the_mask_of_the_body),
        cmocka_unit_test(maps_and_numbers),
        cmocka_unit_test(first_named_vertex_remains),
        cmocka_unit_test(chains_of_welds),
        cmocka_unit_test(free_edge_with_welded_ends),
        cmocka_unit_test(invalid_merges),
        cmocka_unit_test(merge_keeps_motion),
        cmocka_unit_test(stale_marks_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
