// Splits one by one.
#include "scene_kit.h"
#include <float.h>
#include <math.h>

static fracas_body plan_and_split(kit* k, fracas_body body, const uint32_t* labels,
                                  uint32_t count) {
    fracas_split_plan* plan = NULL;
    assert_int_equal(fracas_split_plan_create(k->scene, body, labels, count, &plan), FRACAS_OK);
    const fracas_split* split = fracas_split_plan_get_split(plan);
    assert_int_equal(split->part_count, 1);
    fracas_body part;
    assert_int_equal(fracas_scene_split(k->scene, body, split, &part), FRACAS_OK);
    fracas_split_plan_destroy(plan);
    return part;
}

// Strips of two squares: triangles 0, 1 left of x = 1 and 2, 3 right of it, with vertices 2 and 3
// in between.
static const uint32_t HALVES[4] = {0, 0, 1, 1};

static void numbers_of_parts(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    fracas_body part = plan_and_split(&k, body, HALVES, 4);
    // The rest keeps its numbers; vertices 4 and 5 and the copies 6 and 7 of 2 and 3 are in the
    // part.
    fracas_body_info info = kit_info(&k, body);
    assert_int_equal(info.vertex_numbers, 8);
    assert_int_equal(info.vertices, 4);
    assert_int_equal(info.triangle_numbers, 4);
    assert_int_equal(info.triangles, 2);
    kit_expect_triangle(&k, body, 1, 1, 2, 3);
    uint32_t corners[3];
    assert_int_equal(fracas_scene_get_triangle(k.scene, body, 2, corners), FRACAS_ERROR_BAD_DATA);
    assert_int_equal(fracas_scene_get_vertex(k.scene, body, 4, NULL, NULL), FRACAS_ERROR_BAD_DATA);
    // The part: 0, 1 were 4, 5; 2, 3 are the copies.
    info = kit_info(&k, part);
    assert_int_equal(info.vertex_numbers, 4);
    assert_int_equal(info.vertices, 4);
    assert_int_equal(info.triangles, 2);
    kit_expect_triangle(&k, part, 0, 2, 0, 3);
    kit_expect_triangle(&k, part, 1, 3, 0, 1);
    kit_expect_vertex(&k, part, 1, 2, 1, 0, 2, 1, 0);
    kit_expect_vertex(&k, part, 3, 1, 1, 0, 1, 1, 0);
    kit_destroy(&k);
}

static void triangles_as_listed(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 3, 0, FRACAS_MOTION_DEFORMING), parts[2];
    const uint32_t removed[2] = {2, 3}, offsets[3] = {0, 2, 4}, listed[4] = {5, 4, 1, 0};
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = removed, split.removed_triangle_count = 2;
    split.part_offsets = offsets, split.part_triangles = listed, split.part_count = 2;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, parts), FRACAS_OK);
    kit_expect_triangle(&k, parts[0], 0, 1, 2, 3);  // was 5: vertices 5, 6, 7
    kit_expect_triangle(&k, parts[0], 1, 0, 2, 1);  // was 4: 4, 6, 5
    kit_expect_triangle(&k, parts[1], 0, 1, 2, 3);
    kit_expect_triangle(&k, parts[1], 1, 0, 2, 1);
    // The body is empty, but still exists and can be filled again.
    assert_int_equal(kit_info(&k, body).triangles, 0);
    assert_int_equal(kit_info(&k, body).vertices, 0);
    const fracas_new_vertex vertex = {.parent_a = FRACAS_NONE, .parent_b = FRACAS_NONE};
    const uint32_t triangle[3] = {8, 8, 8};
    split = fracas_scene_default_split();
    split.new_vertices = &vertex, split.new_vertex_count = 1;
    split.new_triangles = triangle, split.new_triangle_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    kit_expect_triangle(&k, body, 6, 8, 8, 8);
    kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    kit_destroy(&k);
}

// A tear that detaches nothing, closed by a crack face; before and after a move.
static void cut_in_place(void** state) {
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        kit k = kit_create(1);
        fracas_body body = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
        double points[7][3] = {{0}};
        for (uint32_t i = 0; i < 6; i++) {
            double z[3];
            assert_int_equal(fracas_scene_get_vertex(k.scene, body, i, points[i], z), FRACAS_OK);
            points[i][2] = 4.0 * (i == 3) + 8.0 * (i == 5);
        }
        fracas_points view = {.data = points, .count = 6};
        if (moved) assert_int_equal(fracas_scene_move(k.scene, body, &view), FRACAS_OK);
        const fracas_new_vertex vertices[2] = {
            {.parent_a = 3,  .parent_b = FRACAS_NONE},
            { .parent_a = 3, .parent_b = 5,          .weight = 0.25}
        };
        const fracas_repoint repoints[2] = {
            {2, 2, 6},
            {3, 0, 6}
        };
        const uint32_t face[3] = {6, 3, 7};
        fracas_split split = fracas_scene_default_split();
        split.new_vertices = vertices, split.new_vertex_count = 2;
        split.repoints = repoints, split.repoint_count = 2;
        split.new_triangles = face, split.new_triangle_count = 1;
        assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
        kit_expect_triangle(&k, body, 2, 2, 4, 6);
        kit_expect_triangle(&k, body, 3, 6, 4, 5);
        kit_expect_triangle(&k, body, 4, 6, 3, 7);
        kit_expect_vertex(&k, body, 6, 1, 1, 0, 1, 1, moved ? 4 : 0);
        kit_expect_vertex(&k, body, 7, 1.25, 1, 0, 1.25, 1, moved ? 5 : 0);
        assert_int_equal(kit_info(&k, body).vertices, 8);
        kit_destroy(&k);
    }
}

// A corner that a split moves far away takes its triangle through a wall there.
static void repointed_triangle_is_found(void** state) {
    (void)state;
    kit k = kit_create(1);
    const double points[4][3] = {
        {10, -5, -1},
        {10, 5,  -1},
        {10, -5, 1 },
        {10, 5,  1 }
    };
    const uint32_t triangles[2][3] = {
        {0, 1, 2},
        {1, 3, 2}
    };
    const fracas_mesh_view wall = kit_mesh(points, 4, triangles, 2);
    kit_add(&k, &wall, FRACAS_MOTION_STATIC);
    const fracas_body body = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 0);
    const fracas_new_vertex vertex = {
        FRACAS_NONE, FRACAS_NONE, 0, {20, 0.5, 0},
           {20, 0.5, 0}
    };
    const fracas_repoint repoint = {3, 2, 6};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &vertex, split.new_vertex_count = 1;
    split.repoints = &repoint, split.repoint_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_TT] > 0);
    kit_destroy(&k);
}

// A new vertex with its own two positions moves, although its body did not. Regression: it was
// missing in the list that an advance processes, and kept its old start.
static void moving_new_vertex_comes_to_rest(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    const fracas_new_vertex vertex = {
        FRACAS_NONE, FRACAS_NONE, 0, {0, 0, 1},
           {0, 0, 2}
    };
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &vertex, split.new_vertex_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    kit_expect_vertex(&k, body, 4, 0, 0, 1, 0, 0, 2);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    kit_expect_vertex(&k, body, 4, 0, 0, 2, 0, 0, 2);
    kit_destroy(&k);
}

static void static_bodies_stay(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_STATIC);
    fracas_new_vertex vertex = {
        FRACAS_NONE, FRACAS_NONE, 0, {0, 0, 1},
           {0, 0, 2}
    };
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &vertex, split.new_vertex_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_ERROR_BAD_DATA);
    kit_expect_message(&k, "static");
    vertex.t1[2] = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    kit_destroy(&k);
}

// A finite position in a rigid body's frame that its pose makes infinite. Regression: only the
// numbers in the frame were checked, and the scene got infinite coordinates.
static void poses_of_new_vertices_are_checked(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_RIGID);
    fracas_pose pose = fracas_pose_make_identity();
    pose.translation[0] = 2;
    pose.rotation[0] = 2;
    assert_int_equal(fracas_scene_pose(k.scene, body, &pose, &pose), FRACAS_OK);
    fracas_new_vertex vertex = {
        FRACAS_NONE, FRACAS_NONE, 0, {DBL_MAX, 0, 0},
           {0,       0, 0}
    };
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &vertex, split.new_vertex_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_ERROR_BAD_DATA);
    assert_int_equal(kit_info(&k, body).vertex_numbers, 4);
    vertex.t0[0] = 3;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    kit_expect_vertex(&k, body, 4, 8, 0, 0, 8, 0, 0);
    vertex = (fracas_new_vertex){.parent_a = 0, .parent_b = 4, .weight = 0.5};
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
    kit_expect_vertex(&k, body, 5, 5, 0, 0, 5, 0, 0);
    kit_destroy(&k);
}

// ---- invalid splits, which change nothing

static void expect_refusal(kit* k, fracas_body body, const fracas_split* split) {
    fracas_body parts[4] = {
        {0, 0}
    };
    fracas_body_info before = kit_info(k, body), after;
    assert_int_equal(fracas_scene_split(k->scene, body, split, parts), FRACAS_ERROR_BAD_DATA);
    after = kit_info(k, body);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(parts[0].index, 0);
}

static void shared_vertices_are_refused(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 3, 0, FRACAS_MOTION_DEFORMING);
    const uint32_t offsets[3] = {0, 2, 4}, right[2] = {4, 5}, two[4] = {0, 1, 2, 3};
    fracas_split split = fracas_scene_default_split();
    split.part_offsets = offsets, split.part_triangles = right, split.part_count = 1;
    expect_refusal(&k, body, &split);
    kit_expect_message(&k, "shares with what stays");
    const uint32_t removed[2] = {4, 5};
    split.part_triangles = two, split.part_count = 2;
    split.removed_triangles = removed, split.removed_triangle_count = 2;
    expect_refusal(&k, body, &split);
    kit_expect_message(&k, "shares with another part");
    kit_destroy(&k);
}

static void free_elements_stay(void** state) {
    (void)state;
    const double points[4][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0},
        {5, 5, 5}
    };
    const uint32_t triangles[1][3] = {
        {0, 1, 2}
    };
    const uint32_t edge[2] = {2, 3}, point = 1, offsets[2] = {0, 1}, all = 0, label = 1;
    for (int which = 0; which < 2; which++) {
        kit k = kit_create(1);
        fracas_mesh_view mesh = kit_mesh(points, 4, triangles, 1);
        if (which) mesh.edges = edge, mesh.edge_count = 1;
        if (!which) mesh.vertices = &point, mesh.vertex_count = 1;
        fracas_body body = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
        fracas_split split = fracas_scene_default_split();
        split.part_offsets = offsets, split.part_triangles = &all, split.part_count = 1;
        expect_refusal(&k, body, &split);
        // A plan leaves the vertex to the free element and gives the part a copy.
        fracas_body part = plan_and_split(&k, body, &label, 1);
        assert_int_equal(kit_info(&k, part).vertices, 3);
        assert_int_equal(kit_info(&k, body).vertices, 2);
        assert_int_equal(fracas_scene_get_vertex(k.scene, body, which ? 2 : 1, NULL, NULL),
                         FRACAS_OK);
        kit_destroy(&k);
    }
}

static void malformed_vertices_and_corners_are_refused(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    const uint32_t none = FRACAS_NONE;
    const fracas_new_vertex vertices[] = {
        {none, none, 0,    {NAN, 0, 0}, {0, 0, 0}       },
        {none, none, 0,    {0, 0, 0},   {INFINITY, 0, 0}},
        {none, 0,    0,    {0, 0, 0},   {0, 0, 0}       },
        {4,    none, 0,    {0, 0, 0},   {0, 0, 0}       },
        {0,    4,    0,    {0, 0, 0},   {0, 0, 0}       },
        {0,    1,    -0.1, {0, 0, 0},   {0, 0, 0}       },
        {0,    1,    1.1,  {0, 0, 0},   {0, 0, 0}       },
        {0,    1,    NAN,  {0, 0, 0},   {0, 0, 0}       }
    };
    for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++) {
        fracas_split split = fracas_scene_default_split();
        split.new_vertices = &vertices[i], split.new_vertex_count = 1;
        expect_refusal(&k, body, &split);
    }
    const fracas_repoint repoints[] = {
        {2,           0, 0},
        {0,           3, 0},
        {0,           0, 4},
        {FRACAS_NONE, 0, 0}
    };
    for (size_t i = 0; i < 4; i++) {
        fracas_split split = fracas_scene_default_split();
        split.repoints = &repoints[i], split.repoint_count = 1;
        expect_refusal(&k, body, &split);
    }
    kit_destroy(&k);
}

static void malformed_triangles_and_parts_are_refused(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING), out;
    const uint32_t face[3] = {0, 1, 4}, twice[2] = {0, 0}, missing[1] = {2};
    fracas_split split = fracas_scene_default_split();
    split.new_triangles = face, split.new_triangle_count = 1;
    expect_refusal(&k, body, &split);
    split = fracas_scene_default_split();
    split.removed_triangles = twice, split.removed_triangle_count = 2;
    expect_refusal(&k, body, &split);
    split.removed_triangles = missing, split.removed_triangle_count = 1;
    expect_refusal(&k, body, &split);
    const uint32_t offsets[][3] = {
        {0, 0, 2},
        {0, 2, 1},
        {1, 2, 2},
        {0, 1, 2}
    };
    const uint32_t lists[][2] = {
        {0, 1},
        {0, 1},
        {0, 1},
        {0, 0}
    };
    for (int i = 0; i < 4; i++) {
        split = fracas_scene_default_split();
        split.part_offsets = offsets[i], split.part_triangles = lists[i], split.part_count = 2;
        expect_refusal(&k, body, &split);
    }
    // Listed in a part and as removed.
    split = fracas_scene_default_split();
    const uint32_t one[2] = {0, 2}, both[2] = {0, 1};
    split.part_offsets = one, split.part_triangles = both, split.part_count = 1;
    split.removed_triangles = both, split.removed_triangle_count = 1;
    expect_refusal(&k, body, &split);
    // A count without its list is a misuse.
    split = fracas_scene_default_split();
    split.repoint_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, &out),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    split = fracas_scene_default_split();
    split.part_offsets = one, split.part_triangles = both, split.part_count = 1;
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    kit_destroy(&k);
}

static void plans_check_labels(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    fracas_split_plan* plan = (fracas_split_plan*)1;
    const uint32_t gap[4] = {0, 0, 2, 2}, large[4] = {0, 0, 0, 5}, nothing[4] = {0};
    assert_int_equal(fracas_split_plan_create(k.scene, body, HALVES, 3, &plan),
                     FRACAS_ERROR_BAD_DATA);
    assert_null(plan);
    assert_int_equal(fracas_split_plan_create(k.scene, body, gap, 4, &plan), FRACAS_ERROR_BAD_DATA);
    assert_int_equal(fracas_split_plan_create(k.scene, body, large, 4, &plan),
                     FRACAS_ERROR_BAD_DATA);
    assert_int_equal(fracas_split_plan_create(k.scene, body, nothing, 4, &plan), FRACAS_OK);
    const fracas_split* split = fracas_split_plan_get_split(plan);
    assert_int_equal(split->part_count + split->new_vertex_count + split->repoint_count, 0);
    assert_int_equal(fracas_scene_split(k.scene, body, split, NULL), FRACAS_OK);
    fracas_split_plan_destroy(plan);
    kit_destroy(&k);
}

// ---- siblings

static uint64_t continuous(const fracas_statistics* s) {
    return s->contacts[FRACAS_CONTACT_VF] + s->contacts[FRACAS_CONTACT_EE];
}

// A vertex is not a sibling of itself. Regression: it was treated as one, so neighbours at the end
// of a crack were counted as excluded, and with `ignore` they were not reported even when folded
// onto each other.
static void vertex_is_not_its_own_sibling(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    plan_and_split(&k, body, HALVES, 4);
    double points[8][3] = {{0}};
    points[2][0] = points[1][1] = 1;
    points[3][0] = points[3][1] = 0.25;  // triangle 1 now lies on triangle 0
    fracas_points view = {.data = points, .count = 8};
    assert_int_equal(fracas_scene_move(k.scene, body, &view), FRACAS_OK);
    for (int siblings = 0; siblings < 3; siblings++) {
        fracas_statistics s = kit_detect(&k, FRACAS_MODE_DISCRETE, (fracas_siblings)siblings);
        assert_true(s.contacts[FRACAS_CONTACT_TT] >= 1);
        if (siblings == FRACAS_SIBLINGS_IGNORE) assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 1);
    }
    kit_destroy(&k);
}

// Two siblings that stay together may be corners of one triangle. Regression: the correspondence of
// corners depended on the order of corners and triangles, so one of two such coincident faces was
// missed or not by chance.
static void siblings_within_a_triangle(void** state) {
    (void)state;
    static const uint32_t orders[6][3] = {
        {0, 1, 4},
        {0, 4, 1},
        {1, 0, 4},
        {1, 4, 0},
        {4, 0, 1},
        {4, 1, 0}
    };
    for (int i = 0; i < 36; i++) {
        kit k = kit_create(1);
        fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
        const fracas_new_vertex copy = {.parent_a = 1, .parent_b = FRACAS_NONE};
        const uint32_t removed[2] = {0, 1};
        uint32_t faces[2][3];
        memcpy(faces[0], orders[i % 6], sizeof faces[0]);
        memcpy(faces[1], orders[i / 6], sizeof faces[1]);
        fracas_split split = fracas_scene_default_split();
        split.new_vertices = &copy, split.new_vertex_count = 1;
        split.new_triangles = faces[0], split.new_triangle_count = 2;
        split.removed_triangles = removed, split.removed_triangle_count = 2;
        assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), FRACAS_OK);
        // One segment twice, by the rules for meshes; three common vertices without siblings.
        fracas_statistics s = kit_detect(&k, FRACAS_MODE_DISCRETE, FRACAS_SIBLINGS_UNTIL_SEPARATED);
        assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 0);
        assert_int_equal(s.siblings_left_out, 1);
        s = kit_detect(&k, FRACAS_MODE_DISCRETE, FRACAS_SIBLINGS_REPORT);
        assert_int_equal(s.contacts[FRACAS_CONTACT_TT], 1);
        kit_destroy(&k);
    }
}

static void siblings_are_excluded_until_they_separate(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    fracas_body part = plan_and_split(&k, body, HALVES, 4);
    // At rest both sides of the crack coincide: only `report` reports contacts.
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_UNTIL_SEPARATED);
    assert_int_equal(continuous(&s) + s.contacts[FRACAS_CONTACT_TT], 0);
    uint64_t left_out = s.siblings_left_out;
    assert_true(left_out > 0);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_int_equal(continuous(&s) + s.contacts[FRACAS_CONTACT_TT], left_out);
    assert_int_equal(s.siblings_left_out, 0);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_IGNORE);
    assert_int_equal(continuous(&s) + s.contacts[FRACAS_CONTACT_TT], 0);
    // The part moves away: they touch at t = 0 and never again.
    double points[4][3];
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(fracas_scene_get_vertex(k.scene, part, i, points[i], NULL), FRACAS_OK);
        points[i][0] += 1;
    }
    fracas_points view = {.data = points, .count = 4};
    assert_int_equal(fracas_scene_move(k.scene, part, &view), FRACAS_OK);
    s = kit_detect(&k, FRACAS_MODE_CONTINUOUS, FRACAS_SIBLINGS_UNTIL_SEPARATED);
    assert_int_equal(continuous(&s), 0);
    assert_true(s.siblings_left_out > 0);
    s = kit_detect(&k, FRACAS_MODE_CONTINUOUS, FRACAS_SIBLINGS_REPORT);
    assert_true(continuous(&s) > 0);
    assert_true(s.earliest_toi == 0);
    // Once separated they are not siblings any more: contacts are reported.
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    for (uint32_t i = 0; i < 4; i++) points[i][0] -= 1.5;
    assert_int_equal(fracas_scene_move(k.scene, part, &view), FRACAS_OK);
    s = kit_detect(&k, FRACAS_MODE_CONTINUOUS, FRACAS_SIBLINGS_UNTIL_SEPARATED);
    assert_true(continuous(&s) > 0);
    assert_int_equal(s.siblings_left_out, 0);
    s = kit_detect(&k, FRACAS_MODE_CONTINUOUS, FRACAS_SIBLINGS_IGNORE);
    assert_true(s.siblings_left_out > 0);
    kit_destroy(&k);
}

enum { SHEET = 4, SHEETS_POINTS = 2 * (SHEET + 1) * (SHEET + 1), SHEETS_FACES = 4 * SHEET * SHEET };

// Two adjacent sheets at a height.
static fracas_mesh_view two_sheets(double z) {
    static double points[SHEETS_POINTS][3];
    static uint32_t corners[SHEETS_FACES][3];
    kit_sheet(SHEET, corners);
    for (uint32_t i = 0; i < SHEETS_POINTS; i++) {
        const uint32_t n = i % (SHEETS_POINTS / 2);
        points[i][0] = n % (SHEET + 1) + 10 * (i / (SHEETS_POINTS / 2));
        points[i][1] = n / (SHEET + 1);
        points[i][2] = z;
    }
    for (uint32_t i = SHEETS_FACES / 2; i < SHEETS_FACES; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = corners[i - SHEETS_FACES / 2][k] + SHEETS_POINTS / 2;
    return kit_mesh((const double(*)[3])points, SHEETS_POINTS, (const uint32_t(*)[3])corners,
                    SHEETS_FACES);
}

static void lift_sheets(kit* k, fracas_body body, double z) {
    const fracas_mesh_view there = two_sheets(z);
    assert_int_equal(fracas_scene_move(k->scene, body, &there.points), FRACAS_OK);
}

// Detach one of the two.
static fracas_body part_sheets(kit* k, fracas_body body) {
    uint32_t labels[SHEETS_FACES];
    for (uint32_t t = 0; t < SHEETS_FACES; t++) labels[t] = t >= SHEETS_FACES / 2;
    return plan_and_split(k, body, labels, SHEETS_FACES);
}

static uint64_t count_contacts(const kit* k) {
    const fracas_statistics s = kit_detect(k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_IGNORE);
    assert_true(s.contacts[FRACAS_CONTACT_TT] > 0 && continuous(&s) > 0);
    return s.contacts[FRACAS_CONTACT_TT] + continuous(&s);
}

// Both sheets move to another place, corners to rest, and one is detached, all before the next
// update. It has no new vertex and keeps its place in the tree. Regression: it kept its old boxes.
static void parts_of_moved_bodies_are_found(void** state) {
    (void)state;
    uint64_t found[2];
    for (int between = 0; between < 2; between++) {
        kit k = kit_create(1);
        const fracas_mesh_view above = two_sheets(10);
        kit_add(&k, &above, FRACAS_MOTION_STATIC);
        const fracas_mesh_view below = two_sheets(0);
        const fracas_body body = kit_add(&k, &below, FRACAS_MOTION_DEFORMING);
        lift_sheets(&k, body, 5);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        lift_sheets(&k, body, 10);
        assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
        if (between) assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        part_sheets(&k, body);
        found[between] = count_contacts(&k);
        kit_destroy(&k);
    }
    assert_int_equal(found[0], found[1]);
}

// Some triangles are removed and as many added, with the same corners.
static void exchange(kit* k, fracas_body body) {
    const uint32_t removed[4] = {0, 1, 2, 3};
    uint32_t corners[4][3];
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(fracas_scene_get_triangle(k->scene, body, removed[i], corners[i]),
                         FRACAS_OK);
    fracas_split s = fracas_scene_default_split();
    s.removed_triangles = removed, s.removed_triangle_count = 4;
    s.new_triangles = corners[0], s.new_triangle_count = 4;
    assert_int_equal(fracas_scene_split(k->scene, body, &s, NULL), FRACAS_OK);
}

// A part that has as many triangles as when it was detached need not have the same ones.
static void parts_that_lose_and_gain_are_found(void** state) {
    (void)state;
    uint64_t found[2];
    for (int between = 0; between < 2; between++) {
        kit k = kit_create(1);
        const fracas_mesh_view sheets = two_sheets(0);
        kit_add(&k, &sheets, FRACAS_MOTION_STATIC);
        const fracas_body body = kit_add(&k, &sheets, FRACAS_MOTION_DEFORMING);
        assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        const fracas_body part = part_sheets(&k, body);
        if (between) assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
        exchange(&k, part);
        found[between] = count_contacts(&k);
        kit_destroy(&k);
    }
    assert_int_equal(found[0], found[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_parts),
        cmocka_unit_test(triangles_as_listed),
        cmocka_unit_test(cut_in_place),
        cmocka_unit_test(repointed_triangle_is_found),
        cmocka_unit_test(moving_new_vertex_comes_to_rest),
        cmocka_unit_test(static_bodies_stay),
        cmocka_unit_test(poses_of_new_vertices_are_checked),
        cmocka_unit_test(shared_vertices_are_refused),
        cmocka_unit_test(free_elements_stay),
        cmocka_unit_test(malformed_vertices_and_corners_are_refused),
        cmocka_unit_test(malformed_triangles_and_parts_are_refused),
        cmocka_unit_test(plans_check_labels),
        cmocka_unit_test(vertex_is_not_its_own_sibling),
        cmocka_unit_test(siblings_within_a_triangle),
        cmocka_unit_test(siblings_are_excluded_until_they_separate),
        cmocka_unit_test(parts_of_moved_bodies_are_found),
        cmocka_unit_test(parts_that_lose_and_gain_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
