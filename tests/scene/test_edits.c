// Edits one by one: every rule of scene.h about them.
#include "scene_kit.h"
#include <float.h>
#include <math.h>

static const fracas_body NO_BODY = {0, 0};

// ---- adding, moving, removing

static void add_and_remove(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body a = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    fracas_body b = kit_add_strip(&k, 1, 1, FRACAS_MOTION_STATIC);
    fracas_body_info info = kit_info(&k, a);
    assert_int_equal(info.vertices, 6);
    assert_int_equal(info.triangles, 4);
    assert_int_equal(info.motion, FRACAS_MOTION_DEFORMING);
    assert_int_equal(kit_info(&k, b).motion, FRACAS_MOTION_STATIC);
    assert_int_equal(fracas_scene_remove(k.scene, a), FRACAS_OK);
    assert_int_equal(fracas_scene_remove(k.scene, a), FRACAS_ERROR_STALE_HANDLE);
    kit_expect_message(&k, "there is no body 1");
    // The index is reused, the handle is not.
    fracas_body c = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    assert_false(kit_same_body(a, c));
    assert_int_equal(fracas_scene_get_body(k.scene, a, &info), FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(fracas_scene_get_body(k.scene, NO_BODY, &info), FRACAS_ERROR_STALE_HANDLE);
    assert_int_equal(fracas_scene_get_body(k.scene, (fracas_body){99, 1}, &info),
                     FRACAS_ERROR_STALE_HANDLE);
    kit_destroy(&k);
}

static void free_elements_are_listed_once(void** state) {
    (void)state;
    kit k = kit_create(1);
    const double points[4][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 1, 0},
        {5, 5, 5}
    };
    const uint32_t triangles[1][3] = {
        {0, 1, 2}
    };
    const uint32_t edges[] = {0, 3, 3, 0, 1, 1, 0, 1}, vertices[] = {3, 3, 2};
    fracas_mesh_view mesh = kit_mesh(points, 4, triangles, 1);
    mesh.edges = edges, mesh.edge_count = 4;
    mesh.vertices = vertices, mesh.vertex_count = 3;
    fracas_body body = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    assert_int_equal(kit_info(&k, body).free_edges, 2);  // 0-3 and 0-1; 1-1 has no length
    assert_int_equal(kit_info(&k, body).free_vertices, 2);
    kit_destroy(&k);
}

static void move_and_advance(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    float points[4][5] = {
        {0, 0, 1, 7, 7},
        {0, 1, 1, 7, 7},
        {1, 0, 1, 7, 7},
        {1, 1, 2, 7, 7}
    };
    fracas_points view = {points, 4, sizeof points[0], FRACAS_SCALAR_FLOAT};
    assert_int_equal(fracas_scene_move(k.scene, body, &view), FRACAS_OK);
    kit_expect_vertex(&k, body, 3, 1, 1, 0, 1, 1, 2);
    // Moving again does not change the start.
    points[3][2] = 3;
    assert_int_equal(fracas_scene_move(k.scene, body, &view), FRACAS_OK);
    kit_expect_vertex(&k, body, 3, 1, 1, 0, 1, 1, 3);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    kit_expect_vertex(&k, body, 3, 1, 1, 3, 1, 1, 3);
    kit_destroy(&k);
}

static void poses(void** state) {
    (void)state;
    kit k = kit_create(1);
    const double points[3][3] = {
        {1, 0, 0},
        {0, 2, 0},
        {0, 0, 3}
    };
    const uint32_t triangles[1][3] = {
        {0, 1, 2}
    };
    fracas_mesh_view mesh = kit_mesh(points, 3, triangles, 1);
    fracas_body_options options = fracas_body_default_options();
    options.motion = FRACAS_MOTION_RIGID;
    options.pose = (fracas_pose){
        {0,  -1, 0, 1, 0, 0, 0, 0, 1},
        {10, 0,  0 }
    };
    fracas_body body;
    assert_int_equal(fracas_scene_add(k.scene, &mesh, &options, &body), FRACAS_OK);
    kit_expect_vertex(&k, body, 0, 10, 1, 0, 10, 1, 0);
    fracas_pose end = fracas_pose_make_identity();
    end.translation[2] = 5;
    assert_int_equal(fracas_scene_pose(k.scene, body, &options.pose, &end), FRACAS_OK);
    kit_expect_vertex(&k, body, 1, 8, 0, 0, 0, 2, 5);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    kit_expect_vertex(&k, body, 1, 0, 2, 5, 0, 2, 5);
    kit_destroy(&k);
}

static void moves_by_kind_of_motion(void** state) {
    (void)state;
    kit k = kit_create(1);
    double points[4][3] = {{0}};
    fracas_points view = {.data = points, .count = 4};
    fracas_pose pose = fracas_pose_make_identity();
    for (int motion = FRACAS_MOTION_DEFORMING; motion <= FRACAS_MOTION_STATIC; motion++) {
        fracas_body body = kit_add_strip(&k, 1, 0, (fracas_motion)motion);
        assert_int_equal(fracas_scene_move(k.scene, body, &view),
                         motion == FRACAS_MOTION_DEFORMING ? FRACAS_OK
                                                           : FRACAS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(fracas_scene_pose(k.scene, body, &pose, &pose),
                         motion == FRACAS_MOTION_RIGID ? FRACAS_OK : FRACAS_ERROR_INVALID_ARGUMENT);
    }
    kit_destroy(&k);
}

static void positions_must_be_finite(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body soft = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    fracas_body rigid = kit_add_strip(&k, 1, 0, FRACAS_MOTION_RIGID);
    double points[4][3] = {{0}};
    fracas_points view = {.data = points, .count = 4};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        points[2][1] = bad[i];
        assert_int_equal(fracas_scene_move(k.scene, soft, &view), FRACAS_ERROR_BAD_DATA);
        kit_expect_message(&k, "vertex 2");
        fracas_pose pose = fracas_pose_make_identity(), good = pose;
        pose.rotation[4] = bad[i];
        assert_int_equal(fracas_scene_pose(k.scene, rigid, &good, &pose), FRACAS_ERROR_BAD_DATA);
        assert_int_equal(fracas_scene_pose(k.scene, rigid, &pose, &good), FRACAS_ERROR_BAD_DATA);
        fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, 4, NULL, 0);
        fracas_body out = {7, 7};
        assert_int_equal(fracas_scene_add(k.scene, &mesh, NULL, &out), FRACAS_ERROR_BAD_DATA);
        assert_int_equal(out.index, 0);
    }
    // Finite coordinates that become infinite under a pose.
    fracas_pose huge = fracas_pose_make_identity(), none = huge;
    huge.rotation[0] = huge.translation[0] = DBL_MAX;
    assert_int_equal(fracas_scene_pose(k.scene, rigid, &none, &huge), FRACAS_ERROR_BAD_DATA);
    kit_expect_vertex(&k, soft, 2, 1, 0, 0, 1, 0, 0);
    kit_expect_vertex(&k, rigid, 2, 1, 0, 0, 1, 0, 0);
    for (uint32_t wrong = 0; wrong < 8; wrong++) {
        view.count = wrong;
        points[2][1] = 0;
        if (wrong != 4)
            assert_int_equal(fracas_scene_move(k.scene, soft, &view), FRACAS_ERROR_BAD_DATA);
    }
    kit_destroy(&k);
}

// Enough points that all workers take part: the first invalid point is reported, and nothing has
// moved.
static void many_points_move(void** state) {
    (void)state;
    enum { COUNT = 20000 };
    static double points[COUNT][3], moved[COUNT][3];
    for (uint32_t i = 0; i < COUNT; i++) points[i][0] = moved[i][0] = i, moved[i][1] = i % 7;
    const uint32_t triangle[1][3] = {
        {0, 7000, COUNT - 1}
    };
    for (uint32_t workers = 1; workers <= 4; workers++) {
        kit k = kit_create(workers);
        fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, COUNT, triangle, 1);
        fracas_body_options options = fracas_body_default_options();
        fracas_body soft, rigid;
        assert_int_equal(fracas_scene_add(k.scene, &mesh, &options, &soft), FRACAS_OK);
        options.motion = FRACAS_MOTION_RIGID;
        assert_int_equal(fracas_scene_add(k.scene, &mesh, &options, &rigid), FRACAS_OK);
        fracas_points view = {.data = moved, .count = COUNT};
        moved[COUNT - 2][2] = moved[9123][2] = NAN;
        assert_int_equal(fracas_scene_move(k.scene, soft, &view), FRACAS_ERROR_BAD_DATA);
        kit_expect_message(&k, "vertex 9123 ");
        fracas_pose pose = fracas_pose_make_identity(), good = pose;
        pose.rotation[0] = DBL_MAX;  // times 0 and 1 finite, times 2 not
        assert_int_equal(fracas_scene_pose(k.scene, rigid, &good, &pose), FRACAS_ERROR_BAD_DATA);
        kit_expect_message(&k, "the pose at t1 puts vertex 2 ");
        for (uint32_t i = 0; i < COUNT; i++) {
            kit_expect_vertex(&k, soft, i, i, 0, 0, i, 0, 0);
            kit_expect_vertex(&k, rigid, i, i, 0, 0, i, 0, 0);
        }
        moved[COUNT - 2][2] = moved[9123][2] = 0;
        pose = fracas_pose_make_identity();
        pose.translation[2] = 3;
        assert_int_equal(fracas_scene_move(k.scene, soft, &view), FRACAS_OK);
        assert_int_equal(fracas_scene_pose(k.scene, rigid, &good, &pose), FRACAS_OK);
        for (uint32_t i = 0; i < COUNT; i++) {
            kit_expect_vertex(&k, soft, i, i, 0, 0, i, i % 7, 0);
            kit_expect_vertex(&k, rigid, i, i, 0, 0, i, 0, 3);
        }
        assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
        for (uint32_t i = 0; i < COUNT; i++) {
            kit_expect_vertex(&k, soft, i, i, i % 7, 0, i, i % 7, 0);
            kit_expect_vertex(&k, rigid, i, i, 0, 3, i, 0, 3);
        }
        kit_destroy(&k);
    }
}

// ---- misuse

static void null_arguments_of_bodies(void** state) {
    (void)state;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    kit k = kit_create(1);
    fracas_scene* s = k.scene;
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING), out;
    fracas_mesh_view mesh = {.triangle_count = 1};
    fracas_points points = {.count = 4};
    fracas_pose pose = fracas_pose_make_identity();
    fracas_body_info info;
    fracas_scene* none = NULL;
    uint32_t corners[3];
    assert_int_equal(fracas_scene_create(NULL, NULL, &none), misuse);
    assert_int_equal(fracas_scene_create(k.context, NULL, NULL), misuse);
    assert_int_equal(fracas_scene_add(NULL, &mesh, NULL, &out), misuse);
    assert_int_equal(fracas_scene_add(s, NULL, NULL, &out), misuse);
    assert_int_equal(fracas_scene_add(s, &mesh, NULL, NULL), misuse);
    assert_int_equal(fracas_scene_add(s, &mesh, NULL, &out), misuse);  // triangles are NULL
    assert_int_equal(fracas_scene_remove(NULL, body), misuse);
    assert_int_equal(fracas_scene_move(NULL, body, &points), misuse);
    assert_int_equal(fracas_scene_move(s, body, NULL), misuse);
    assert_int_equal(fracas_scene_move(s, body, &points), misuse);  // data is NULL
    assert_int_equal(fracas_scene_pose(NULL, body, &pose, &pose), misuse);
    assert_int_equal(fracas_scene_pose(s, body, NULL, &pose), misuse);
    assert_int_equal(fracas_scene_pose(s, body, &pose, NULL), misuse);
    assert_int_equal(fracas_scene_move_many(NULL, &(fracas_move){.body = body}, 1), misuse);
    assert_int_equal(fracas_scene_move_many(s, NULL, 1), misuse);
    assert_int_equal(fracas_scene_move_many(s, NULL, 0), FRACAS_OK);
    assert_int_equal(fracas_scene_advance(NULL), misuse);
    assert_int_equal(fracas_scene_update(NULL), misuse);
    assert_int_equal(fracas_scene_get_body(NULL, body, &info), misuse);
    assert_int_equal(fracas_scene_get_body(s, body, NULL), misuse);
    assert_int_equal(fracas_scene_get_triangle(NULL, body, 0, corners), misuse);
    assert_int_equal(fracas_scene_get_triangle(s, body, 0, NULL), misuse);
    assert_int_equal(fracas_scene_get_vertex(NULL, body, 0, NULL, NULL), misuse);
    assert_int_equal(fracas_scene_get_vertex(s, body, 0, NULL, NULL), FRACAS_OK);
    fracas_scene_destroy(NULL);
    kit_destroy(&k);
}

static void null_arguments_of_edits_and_queries(void** state) {
    (void)state;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    kit k = kit_create(1);
    fracas_scene* s = k.scene;
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING), out;
    fracas_split split = fracas_scene_default_split();
    fracas_sink sink = {NULL, NULL, NULL};
    fracas_element element = {body, FRACAS_ELEMENT_VERTEX, 0};
    fracas_split_plan* plan;
    uint32_t labels[2] = {0};
    double step;
    assert_int_equal(fracas_scene_split(NULL, body, &split, NULL), misuse);
    assert_int_equal(fracas_scene_split(s, body, NULL, NULL), misuse);
    assert_int_equal(fracas_split_plan_create(NULL, body, labels, 2, &plan), misuse);
    assert_int_equal(fracas_split_plan_create(s, body, NULL, 2, &plan), misuse);
    assert_int_equal(fracas_split_plan_create(s, body, labels, 2, NULL), misuse);
    assert_null(fracas_split_plan_get_split(NULL));
    fracas_split_plan_destroy(NULL);
    assert_int_equal(fracas_scene_merge(NULL, &body, 1, NULL, &out), misuse);
    assert_int_equal(fracas_scene_merge(s, NULL, 1, NULL, &out), misuse);
    assert_int_equal(fracas_scene_merge(s, &body, 0, NULL, &out), misuse);
    assert_int_equal(fracas_scene_merge(s, &body, 1, NULL, NULL), misuse);
    assert_int_equal(fracas_scene_trace(NULL, &element, &element), misuse);
    assert_int_equal(fracas_scene_trace(s, NULL, &element), misuse);
    assert_int_equal(fracas_scene_trace(s, &element, NULL), misuse);
    assert_int_equal(fracas_scene_detect(NULL, NULL, &sink), misuse);
    assert_int_equal(fracas_scene_detect(s, NULL, NULL), misuse);
    assert_int_equal(fracas_scene_nearby(NULL, 1, &sink), misuse);
    assert_int_equal(fracas_scene_nearby(s, 1, NULL), misuse);
    assert_int_equal(fracas_scene_max_step(NULL, NULL, &step), misuse);
    assert_int_equal(fracas_scene_max_step(s, NULL, NULL), misuse);
    kit_destroy(&k);
}

static void uninitialised_options(void** state) {
    (void)state;
    const fracas_status misuse = FRACAS_ERROR_INVALID_ARGUMENT;
    kit k = kit_create(1);
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING), out;
    fracas_scene* scene = (fracas_scene*)1;
    fracas_scene_options scene_options = {.modes = FRACAS_MODE_BOTH};
    assert_int_equal(fracas_scene_create(k.context, &scene_options, &scene), misuse);
    assert_null(scene);
    scene_options = fracas_scene_default_options();
    scene_options.modes = 4;
    assert_int_equal(fracas_scene_create(k.context, &scene_options, &scene), misuse);
    scene_options.modes = 0;
    assert_int_equal(fracas_scene_create(k.context, &scene_options, &scene), misuse);
    fracas_mesh_view mesh = {.points.count = 0};
    fracas_body_options body_options = {.group = 1};
    assert_int_equal(fracas_scene_add(k.scene, &mesh, &body_options, &out), misuse);
    body_options = fracas_body_default_options();
    body_options.motion = (fracas_motion)9;
    assert_int_equal(fracas_scene_add(k.scene, &mesh, &body_options, &out), misuse);
    fracas_split split = {.part_count = 0};
    assert_int_equal(fracas_scene_split(k.scene, body, &split, NULL), misuse);
    fracas_merge merge = {.weld_count = 0};
    assert_int_equal(fracas_scene_merge(k.scene, &body, 1, &merge, &out), misuse);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    fracas_sink sink = {NULL, NULL, NULL};
    fracas_query query = {.modes = FRACAS_MODE_BOTH, .tolerance = 0.1};
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), misuse);
    const double tolerances[] = {0, -1, 2, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        query = fracas_scene_default_query();
        query.tolerance = tolerances[i];
        assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), misuse);
    }
    const double distances[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        query = fracas_scene_default_query();
        query.min_separation = distances[i];
        assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), misuse);
        assert_int_equal(fracas_scene_nearby(k.scene, distances[i], &sink), misuse);
    }
    kit_destroy(&k);
}

static void queries_need_an_update(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_sink sink = {NULL, NULL, NULL};
    double step;
    fracas_body body = kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    assert_int_equal(fracas_scene_detect(k.scene, NULL, &sink), FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "fracas_scene_update");
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_detect(k.scene, NULL, &sink), FRACAS_OK);
    double points[4][3] = {{0}};
    fracas_points view = {.data = points, .count = 4};
    assert_int_equal(fracas_scene_move(k.scene, body, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_max_step(k.scene, NULL, &step), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_scene_nearby(k.scene, 1, &sink), FRACAS_ERROR_INVALID_ARGUMENT);
    fracas_scene_destroy(k.scene);
    fracas_scene_options options = fracas_scene_default_options();
    options.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_scene_create(k.context, &options, &k.scene), FRACAS_OK);
    kit_add_strip(&k, 1, 0, FRACAS_MOTION_DEFORMING);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_detect(k.scene, NULL, &sink), FRACAS_ERROR_INVALID_ARGUMENT);
    kit_expect_message(&k, "not prepared");
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    assert_int_equal(fracas_scene_detect(k.scene, &query, &sink), FRACAS_OK);
    kit_destroy(&k);
}

// ---- trace

static void trace_over_edits(void** state) {
    (void)state;
    kit k = kit_create(1);
    fracas_body a = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    fracas_body b = kit_add_strip(&k, 1, 5, FRACAS_MOTION_DEFORMING);
    const uint32_t labels[4] = {0, 0, 1, 1};
    fracas_split_plan* plan;
    assert_int_equal(fracas_split_plan_create(k.scene, a, labels, 4, &plan), FRACAS_OK);
    fracas_body part;
    assert_int_equal(fracas_scene_split(k.scene, a, fracas_split_plan_get_split(plan), &part),
                     FRACAS_OK);
    fracas_split_plan_destroy(plan);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_TRIANGLE, 0, a, 0);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_TRIANGLE, 3, part, 1);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 2, a, 2);  // the smaller label stays in the body
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 4, part,
                     0);  // in the order of their old numbers: 4, 5, copies
    // The part is merged into the other body: a chain of two edits.
    fracas_body both[2] = {b, part}, joined;
    fracas_weld_pair weld = {0, 1, 1, 0};
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = &weld, merge.weld_count = 1;
    assert_int_equal(fracas_scene_merge(k.scene, both, 2, &merge, &joined), FRACAS_OK);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_TRIANGLE, 3, b, 3);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 5, b, 5);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 4, b, 1);  // welded
    kit_expect_trace(&k, b, FRACAS_ELEMENT_VERTEX, 1, b, 1);
    // After an advance traces start from the current elements.
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    kit_expect_trace(&k, b, FRACAS_ELEMENT_VERTEX, 5, b, 5);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 5, NO_BODY, 0);
    assert_int_equal(fracas_scene_remove(k.scene, b), FRACAS_OK);
    kit_expect_trace(&k, b, FRACAS_ELEMENT_VERTEX, 5, NO_BODY, 0);
    kit_expect_trace(&k, a, FRACAS_ELEMENT_VERTEX, 99, NO_BODY, 0);
    fracas_element wrong = {a, (fracas_element_kind)7, 0};
    assert_int_equal(fracas_scene_trace(k.scene, &wrong, &wrong), FRACAS_ERROR_INVALID_ARGUMENT);
    kit_destroy(&k);
}

// A triangle falls through the second square of a strip, across its diagonal; then the square is
// removed, with its edges.
static void removed_triangles_leave_no_edges(void** state) {
    (void)state;
    kit k = kit_create(1);
    const fracas_body strip = kit_add_strip(&k, 2, 0, FRACAS_MOTION_DEFORMING);
    double points[3][3] = {
        {1.3, 0.3, 1},
        {1.7, 0.4, 1},
        {1.4, 0.8, 1}
    };
    const uint32_t triangle[1][3] = {
        {0, 1, 2}
    };
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, 3, triangle, 1);
    const fracas_body falling = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    for (int i = 0; i < 3; i++) points[i][2] = -1;
    const fracas_points view = {.data = points, .count = 3};
    assert_int_equal(fracas_scene_move(k.scene, falling, &view), FRACAS_OK);
    fracas_statistics s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    assert_true(s.contacts[FRACAS_CONTACT_VF] > 0 && s.contacts[FRACAS_CONTACT_EE] > 0);
    const uint32_t removed[2] = {2, 3};
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = removed, split.removed_triangle_count = 2;
    assert_int_equal(fracas_scene_split(k.scene, strip, &split, NULL), FRACAS_OK);
    s = kit_detect(&k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    for (int i = 0; i < 6; i++) assert_int_equal(s.contacts[i], 0);
    kit_destroy(&k);
}

// ---- edits that follow each other without an update

// A wall across x > 1000, a long strip whose tree is kept, and a triangle of the strip that goes
// through the wall.
typedef struct pending_scene {
    kit k;
    fracas_body strip;
    uint32_t first, triangle;  // of the three new vertices; the new triangle
} pending_scene;

static void add_triangle(pending_scene* p, const uint32_t* removed, uint32_t removed_count,
                         const fracas_new_vertex* vertices, uint32_t vertex_count) {
    const uint32_t corners[3] = {p->first, p->first + 1, p->first + 2};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = vertices, split.new_vertex_count = vertex_count;
    split.new_triangles = corners, split.new_triangle_count = 1;
    split.removed_triangles = removed, split.removed_triangle_count = removed_count;
    p->triangle = kit_info(&p->k, p->strip).triangle_numbers;
    assert_int_equal(fracas_scene_split(p->k.scene, p->strip, &split, NULL), FRACAS_OK);
}

static pending_scene make_pending(void) {
    pending_scene p = {.k = kit_create(1)};
    const double points[4][3] = {
        {1000, -9, 0},
        {1009, -9, 0},
        {1000, 9,  0},
        {1009, 9,  0}
    };
    const uint32_t triangles[2][3] = {
        {0, 1, 2},
        {1, 3, 2}
    };
    const fracas_mesh_view wall = kit_mesh(points, 4, triangles, 2);
    kit_add(&p.k, &wall, FRACAS_MOTION_STATIC);
    p.strip = kit_add_strip(&p.k, KIT_SQUARES, 0, FRACAS_MOTION_DEFORMING);
    const fracas_statistics s = kit_detect(&p.k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    for (int i = 0; i < 6; i++) assert_int_equal(s.contacts[i], 0);
    fracas_new_vertex vertices[3];
    for (int i = 0; i < 3; i++)
        vertices[i] = (fracas_new_vertex){
            FRACAS_NONE, FRACAS_NONE, 0, {1002.0 + i, i % 2, -1     },
               {1002.0 + i, i % 2, i - 0.5}
        };
    p.first = kit_info(&p.k, p.strip).vertex_numbers;
    add_triangle(&p, NULL, 0, vertices, 3);
    return p;
}

// Contacts of the triangle, however it came to be where it is.
static void expect_contacts(pending_scene* p) {
    const fracas_statistics s = kit_detect(&p->k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    pending_scene plain = make_pending();
    const fracas_statistics t = kit_detect(&plain.k, FRACAS_MODE_BOTH, FRACAS_SIBLINGS_REPORT);
    for (int i = 0; i < 6; i++) assert_int_equal(s.contacts[i], t.contacts[i]);
    assert_true(t.contacts[FRACAS_CONTACT_TT] > 0 && t.contacts[FRACAS_CONTACT_VF] > 0);
    kit_destroy(&plain.k);
    kit_destroy(&p->k);
}

// The number of a triangle that a body still lists for its next tree belongs to another body, which
// alone collides with the wall.
static void new_triangle_of_another_body(void** state) {
    (void)state;
    pending_scene p = make_pending();
    enum { SQUARES = 20 };
    double points[2 * SQUARES + 2][3];
    uint32_t triangles[2 * SQUARES][3];
    for (uint32_t i = 0; i < 2 * SQUARES + 2; i++) {
        const double at[3] = {i / 2, i % 2, 5};
        memcpy(points[i], at, sizeof at);
        for (uint32_t k = 0; k < 3 && i < 2 * SQUARES; k++) triangles[i][k] = i + k;
    }
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, 2 * SQUARES + 2,
                                           (const uint32_t(*)[3])triangles, 2 * SQUARES);
    fracas_body_options options = fracas_body_default_options();
    options.mask = 0;
    pending_scene other = {.k = p.k, .first = 0};
    assert_int_equal(fracas_scene_add(p.k.scene, &mesh, &options, &other.strip), FRACAS_OK);
    assert_int_equal(fracas_scene_update(p.k.scene), FRACAS_OK);
    // Listed by the first body, then removed from it.
    add_triangle(&other, NULL, 0, NULL, 0);
    fracas_split split = fracas_scene_default_split();
    split.removed_triangles = &other.triangle, split.removed_triangle_count = 1;
    assert_int_equal(fracas_scene_split(p.k.scene, other.strip, &split, NULL), FRACAS_OK);
    const uint32_t old = p.triangle;
    add_triangle(&p, NULL, 0, NULL, 0);
    split.removed_triangles = &old;
    assert_int_equal(fracas_scene_split(p.k.scene, p.strip, &split, NULL), FRACAS_OK);
    expect_contacts(&p);
}

// Its vertices lose their only triangle and get another: they are listed twice.
static void new_triangle_is_replaced(void** state) {
    (void)state;
    pending_scene p = make_pending();
    for (int i = 0; i < 3; i++) {
        const uint32_t old = p.triangle;
        add_triangle(&p, &old, 1, NULL, 0);
    }
    expect_contacts(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_and_remove),
        cmocka_unit_test(removed_triangles_leave_no_edges),
        cmocka_unit_test(new_triangle_of_another_body),
        cmocka_unit_test(new_triangle_is_replaced),
        cmocka_unit_test(free_elements_are_listed_once),
        cmocka_unit_test(move_and_advance),
        cmocka_unit_test(poses),
        cmocka_unit_test(moves_by_kind_of_motion),
        cmocka_unit_test(positions_must_be_finite),
        cmocka_unit_test(many_points_move),
        cmocka_unit_test(null_arguments_of_bodies),
        cmocka_unit_test(null_arguments_of_edits_and_queries),
        cmocka_unit_test(uninitialised_options),
        cmocka_unit_test(queries_need_an_update),
        cmocka_unit_test(trace_over_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
