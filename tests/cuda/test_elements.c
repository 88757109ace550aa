// Small scenes on an emulated device, each with one thing that random scenes seldom have: siblings
// that stay together, separate and return; free points of triangles; free edges whose ends were
// merged; thick bodies beside thin ones.
#include "common_kit.h"
#include "cuda_kit.h"
#include "scene_kit.h"

enum { SIDE = 8, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static fracas_body add_both(const cuda_kit* k, const fracas_mesh_view* mesh, double thickness) {
    fracas_body_options options = fracas_body_default_options();
    fracas_body body;
    options.thickness = thickness;
    for (int i = 0; i < 2; i++)
        KIT_OK(k->context, fracas_scene_add(k->scene[i], mesh, &options, &body));
    return body;
}

// Positions at t = 1: those of t = 0, an offset, and another one for each point.
static void move_both(const cuda_kit* k, fracas_body body, double x, double y, double z,
                      double jitter) {
    static double points[4 * POINTS][3];
    const double offset[3] = {x, y, z};
    uint64_t random = 5 + body.index;
    fracas_body_info info;
    KIT_OK(k->context, fracas_scene_get_body(k->scene[0], body, &info));
    assert_true(info.vertex_numbers <= 4 * POINTS);
    memset(points, 0, sizeof points);
    for (uint32_t v = 0; v < info.vertex_numbers; v++) {
        // Others were removed.
        if (fracas_scene_get_vertex(k->scene[0], body, v, points[v], NULL) != FRACAS_OK) continue;
        for (int c = 0; c < 3; c++)
            points[v][c] += offset[c] + (jitter > 0 ? kit_uniform(&random, -jitter, jitter) : 0);
    }
    const fracas_points view = {.data = (const double(*)[3])points, .count = info.vertex_numbers};
    for (int i = 0; i < 2; i++) KIT_OK(k->context, fracas_scene_move(k->scene[i], body, &view));
}

static void shift_both(const cuda_kit* k, fracas_body body, double x, double y, double z) {
    move_both(k, body, x, y, z, 0);
}

static void advance_both(const cuda_kit* k) {
    for (int i = 0; i < 2; i++) KIT_OK(k->context, fracas_scene_advance(k->scene[i]));
}

// ---- siblings

// A bumpy sheet that breaks into its four quarters, which do not move: parts[0] is what remains.
static void add_quarters(const cuda_kit* k, fracas_body parts[4]) {
    double points[POINTS][3];
    uint32_t corners[TRIANGLES][3], labels[TRIANGLES];
    kit_sheet(SIDE, corners);
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        points[i][0] = x, points[i][1] = y, points[i][2] = 0.05 * ((3 * x + 5 * y + x * y) % 7);
    }
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        const uint32_t square = t / 2;
        labels[t] = (square % SIDE >= SIDE / 2) + 2 * (square / SIDE >= SIDE / 2);
    }
    const fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
    parts[0] = add_both(k, &mesh, 0);
    for (int i = 0; i < 2; i++) {
        fracas_split_plan* plan;
        KIT_OK(k->context,
               fracas_split_plan_create(k->scene[i], parts[0], labels, TRIANGLES, &plan));
        KIT_OK(k->context, fracas_scene_split(k->scene[i], parts[0],
                                              fracas_split_plan_get_split(plan), &parts[1]));
        fracas_split_plan_destroy(plan);
    }
}

// Contacts of each mode, with siblings reported and left out.
static void compare(cuda_kit* k, const char* what, size_t found[2][3]) {
    static const uint32_t modes[2] = {FRACAS_MODE_DISCRETE, FRACAS_MODE_CONTINUOUS};
    fracas_query query = fracas_scene_default_query();
    for (int m = 0; m < 2; m++)
        for (int s = FRACAS_SIBLINGS_UNTIL_SEPARATED; s <= FRACAS_SIBLINGS_IGNORE; s++) {
            query.modes = modes[m], query.siblings = (fracas_siblings)s;
            found[m][s] = cuda_kit_detect(k, &query, what);
        }
}

static void siblings(void** state) {
    (void)state;
    size_t found[2][3];
    fracas_body parts[4];
    cuda_kit k = cuda_kit_open(2);
    add_quarters(&k, parts);
    compare(&k, "broken", found);
    for (int m = 0; m < 2; m++)
        assert_true(found[m][FRACAS_SIBLINGS_UNTIL_SEPARATED] == 0 &&
                    found[m][FRACAS_SIBLINGS_REPORT] > 20);
    // All move together, and then two of them: groups of four siblings become groups of two.
    for (int i = 0; i < 4; i++) shift_both(&k, parts[i], 0, 0, 0.5);
    compare(&k, "together", found);
    assert_int_equal(found[1][FRACAS_SIBLINGS_UNTIL_SEPARATED], 0);
    advance_both(&k);
    for (int i = 0; i < 2; i++) shift_both(&k, parts[i], 0, 0, 1);
    compare(&k, "two leave", found);
    advance_both(&k);
    compare(&k, "apart", found);
    for (int m = 0; m < 2; m++) assert_int_equal(found[m][FRACAS_SIBLINGS_UNTIL_SEPARATED], 0);
    // They return, and touch: pairs that have separated are contacts now, the others are not.
    for (int i = 0; i < 2; i++) shift_both(&k, parts[i], 0, 0, -1);
    compare(&k, "they return", found);
    advance_both(&k);
    compare(&k, "back", found);
    for (int m = 0; m < 2; m++)
        assert_true(found[m][FRACAS_SIBLINGS_UNTIL_SEPARATED] > 20 &&
                    found[m][FRACAS_SIBLINGS_UNTIL_SEPARATED] < found[m][FRACAS_SIBLINGS_REPORT]);
    cuda_kit_close(&k);
}

// Siblings that separate may meet again in the same step. So they do beside a thick body, for which
// distances count: they have none.
static void siblings_separate_beside_a_thick_body(void** state) {
    static const double far[3][3] = {
        {90, 0, 0},
        {91, 0, 0},
        {90, 1, 0}
    };
    static const uint32_t corners[1][3] = {
        {0, 1, 2}
    };
    (void)state;
    size_t found[2][2][3];
    for (int thick = 0; thick < 2; thick++) {
        fracas_body parts[4];
        cuda_kit k = cuda_kit_open(1);
        const fracas_mesh_view mesh = kit_mesh(far, 3, corners, 1);
        add_both(&k, &mesh, 0.25 * thick);
        add_quarters(&k, parts);
        for (int i = 0; i < 4; i++) move_both(&k, parts[i], 0, 0, 0, 1.2);
        compare(&k, "separating", found[thick]);
        cuda_kit_close(&k);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    assert_true(found[0][1][FRACAS_SIBLINGS_UNTIL_SEPARATED] >
                found[0][1][FRACAS_SIBLINGS_IGNORE] + 20);
}

// ---- free elements

// Wires pass near the corners of triangles, which are free points too, and near free points.
static void free_points_of_triangles(void** state) {
    static const double points[8][3] = {
        {0,   0,   0},
        {1,   0,   0},
        {0,   1,   0},
        {1,   1,   0},
        {2,   0.1, 0},
        {2.5, 0.9, 0},
        {2,   0.9, 0},
        {2.5, 0.1, 0}
    };
    static const double wire[4][3] = {
        {-0.1, 0.01,  -0.3},
        {1.3,  -0.02, -0.4},
        {1.9,  0.13,  -0.2},
        {2.7,  0.93,  -0.3}
    };
    static const uint32_t triangles[1][3] = {
        {0, 1, 2}
    };
    static const uint32_t vertices[6] = {0, 1, 3, 4, 5, 6}, edges[4] = {0, 1, 2, 3};
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    fracas_mesh_view mesh = kit_mesh(points, 8, triangles, 1);
    mesh.vertices = vertices, mesh.vertex_count = 6;
    add_both(&k, &mesh, 0);
    fracas_mesh_view wires = kit_mesh(wire, 4, NULL, 0);
    wires.edges = edges, wires.edge_count = 2;
    const fracas_body body = add_both(&k, &wires, 0);
    shift_both(&k, body, 0, 0, 0.8);
    fracas_query query = fracas_scene_default_query();
    query.min_separation = 0.1;
    assert_true(cuda_kit_detect(&k, &query, "free points of triangles") > 1);
    cuda_kit_close(&k);
}

// A wire whose ends change their order: the later one is welded to a vertex of the body before it.
static void free_edges_of_two_bodies(void** state) {
    static const double later[3][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {2, 0, 0}
    };
    static const double first[2][3] = {
        {1, 0, 0},
        {1, 3, 0}
    };
    static const double flying[3][3] = {
        {0.3, 0.01,  0.5},
        {0.8, -0.03, 0.4},
        {1.7, 0.02,  0.6}
    };
    static const uint32_t edges[4] = {0, 1, 1, 2}, vertices[3] = {0, 1, 2};
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    fracas_body bodies[2], merged;
    fracas_mesh_view mesh = kit_mesh(later, 3, NULL, 0);
    mesh.edges = edges, mesh.edge_count = 2;
    bodies[1] = add_both(&k, &mesh, 0);
    mesh = kit_mesh(first, 2, NULL, 0);
    mesh.edges = edges, mesh.edge_count = 1;
    bodies[0] = add_both(&k, &mesh, 0);
    mesh = kit_mesh(flying, 3, NULL, 0);
    mesh.vertices = vertices, mesh.vertex_count = 3;
    const fracas_body points = add_both(&k, &mesh, 0);
    const fracas_weld_pair weld = {0, 0, 1, 1};
    fracas_merge merge = fracas_scene_default_merge();
    merge.welds = &weld, merge.weld_count = 1;
    for (int i = 0; i < 2; i++)
        KIT_OK(k.context, fracas_scene_merge(k.scene[i], bodies, 2, &merge, &merged));
    shift_both(&k, points, 0.013, 0.007, -1.1);
    fracas_query query = fracas_scene_default_query();
    query.min_separation = 0.1;
    assert_true(cuda_kit_detect(&k, &query, "free edges of two bodies") >= 3);
    cuda_kit_close(&k);
}

// ---- thickness

// Layers above each other that move: the distance of a pair is the sum of both thicknesses, and
// pairs of two thin layers have none.
static void thick_and_thin(void** state) {
    enum { LAYERS = 5 };
    static const double thickness[LAYERS] = {0.3, 0.05, 0, 0, 0.15};
    double points[POINTS][3];
    uint32_t corners[TRIANGLES][3];
    fracas_body body[LAYERS];
    (void)state;
    cuda_kit k = cuda_kit_open(1);
    kit_sheet(SIDE, corners);
    for (int n = 0; n < LAYERS; n++) {
        for (uint32_t i = 0; i < POINTS; i++) {
            const uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
            points[i][0] = x + 0.17 * n, points[i][1] = y + 0.23 * n;
            points[i][2] = 0.5 * n + 0.03 * ((3 * x + 5 * y + x * y + (uint32_t)n) % 7);
        }
        const fracas_mesh_view mesh =
            kit_mesh((const double(*)[3])points, POINTS, (const uint32_t(*)[3])corners, TRIANGLES);
        body[n] = add_both(&k, &mesh, thickness[n]);
    }
    // The thin layers pass through each other.
    for (int n = 0; n < LAYERS; n++)
        shift_both(&k, body[n], 0.1 * n, -0.03 * n, n == 3 ? -1.2 : -0.3 * n);
    fracas_query query = fracas_scene_default_query();
    const size_t found = cuda_kit_detect(&k, &query, "thick and thin");
    assert_true(found > 100);
    query.min_separation = 0.05;
    assert_true(cuda_kit_detect(&k, &query, "thick and thin, separation") > found);
    for (int i = 0; i < 2; i++) {
        const fracas_sink sink = fracas_contacts_get_sink(k.found[i]);
        KIT_OK(k.context, fracas_scene_nearby(k.scene[i], 0.02, &sink));
    }
    assert_true(cuda_kit_require_same(k.found[0], k.found[1], "nearby") > 20);
    cuda_kit_close(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siblings), cmocka_unit_test(siblings_separate_beside_a_thick_body),
        cmocka_unit_test(free_points_of_triangles), cmocka_unit_test(free_edges_of_two_bodies),
        cmocka_unit_test(thick_and_thin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
