// Description: known meshes, and random ones compared with loops over all pairs.
#include "mesh_context.h"
#include <stdlib.h>

enum { MAX_ELEMENTS = 64 };

typedef struct soup {
    double points[MAX_ELEMENTS][3];
    uint32_t triangles[MAX_ELEMENTS][3];
    uint32_t edges[MAX_ELEMENTS][2];
    uint32_t vertices[MAX_ELEMENTS];
    fracas_mesh_view view;
} soup;

static fracas_mesh_info describe(const fracas_mesh_view* mesh) {
    fracas_mesh_info info;
    assert_int_equal(fracas_mesh_describe(mesh_context(), mesh, &info), FRACAS_OK);
    return info;
}

// ---- known meshes

static const double corners[][3] = {
    {0, 0, 0},
    {1, 0, 0},
    {0, 1, 0},
    {0, 0, 1},
    {1, 1, 0},
    {2, 0, 0}
};

static fracas_mesh_info describe_triangles(const uint32_t* triangles, uint32_t count) {
    fracas_mesh_view mesh = {
        .points = {.data = corners, .count = 6},
          .triangles = triangles, .triangle_count = count
    };
    return describe(&mesh);
}

static void tetrahedron(void** state) {
    (void)state;
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    fracas_mesh_info info = describe_triangles(triangles, 4);
    assert_int_equal(info.edges, 6);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.unused_vertices, 2);
    assert_int_equal(info.boundary_edges + info.nonmanifold_edges + info.misoriented_edges, 0);
    assert_true(info.closed && info.manifold);
    assert_true(info.box_min[0] == 0 && info.box_max[0] == 2 && info.box_max[2] == 1);
}

static void flipped_open_and_doubled(void** state) {
    (void)state;
    const uint32_t triangles[] = {0, 1, 2, 1, 2, 4, 2, 0, 1, 1, 0, 3};
    fracas_mesh_info info = describe_triangles(triangles, 2);
    assert_int_equal(info.misoriented_edges, 1);
    assert_int_equal(info.boundary_edges, 4);
    assert_false(info.closed);
    info = describe_triangles(triangles, 4);
    assert_int_equal(info.duplicate_triangles, 1);
    assert_int_equal(info.nonmanifold_edges, 2);  // 0-1 and 1-2, three each
    assert_int_equal(info.misoriented_edges, 1);  // 0-2, of the two copies
    assert_false(info.manifold);
}

static void degenerate(void** state) {
    (void)state;
    const uint32_t triangles[] = {0, 1, 5, 0, 0, 1, 2, 2, 2, 0, 1, 2};
    fracas_mesh_info info = describe_triangles(triangles, 4);
    assert_int_equal(info.flat_triangles, 3);
    assert_int_equal(info.repeated_index_triangles, 2);
    assert_int_equal(info.edges, 5);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.duplicate_triangles, 0);
}

static void empty_mesh(void** state) {
    (void)state;
    fracas_mesh_view mesh = {0};
    fracas_mesh_info info = describe(&mesh);
    assert_false(info.closed);
    assert_true(info.manifold);
    assert_int_equal(info.components + info.edges, 0);
    assert_int_equal(fracas_mesh_describe(mesh_context(), &mesh, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_mesh_describe(mesh_context(), NULL, &info),
                     FRACAS_ERROR_INVALID_ARGUMENT);
}

// A vertex with more triangles than the limit of insertion sort.
static void large_fan(void** state) {
    (void)state;
    enum { SPOKES = 1000 };
    static double points[SPOKES + 1][3];
    static uint32_t triangles[SPOKES][3];
    for (uint32_t i = 0; i < SPOKES; i++) {
        points[i + 1][0] = i;
        points[i + 1][1] = (double)i * i + 1;
        uint32_t a = 1 + i * 7 % SPOKES, b = 1 + (i + 1) * 7 % SPOKES;
        triangles[i][0] = 0, triangles[i][1] = a, triangles[i][2] = b;
    }
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = SPOKES + 1},
        .triangles = triangles[0],
        .triangle_count = SPOKES
    };
    fracas_mesh_info info = describe(&mesh);
    assert_int_equal(info.edges, 2 * SPOKES);
    assert_int_equal(info.boundary_edges, SPOKES);
    assert_int_equal(info.misoriented_edges + info.nonmanifold_edges, 0);
    assert_int_equal(info.duplicate_triangles, 0);
}

// ---- random meshes against all pairs

static uint32_t next_random(uint64_t* seed, uint32_t below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

static void make_soup(soup* s, uint64_t* seed) {
    memset(s, 0, sizeof *s);
    uint32_t points = 3 + next_random(seed, 12);
    for (uint32_t v = 0; v < points; v++)
        for (int axis = 0; axis < 3; axis++) s->points[v][axis] = next_random(seed, 3);
    s->view = (fracas_mesh_view){
        .points = {.data = s->points, .count = points},
        .triangles = s->triangles[0],
        .triangle_count = next_random(seed, 24),
        .edges = s->edges[0],
        .edge_count = next_random(seed, 3),
        .vertices = s->vertices,
        .vertex_count = next_random(seed, 3)
    };
    uint32_t *corner = s->triangles[0], *end = s->edges[0];
    for (uint32_t i = 0; i < 3 * s->view.triangle_count; i++) corner[i] = next_random(seed, points);
    for (uint32_t i = 0; i < 2 * s->view.edge_count; i++) end[i] = next_random(seed, points);
    for (uint32_t i = 0; i < s->view.vertex_count; i++) s->vertices[i] = next_random(seed, points);
}

static bool has(const uint32_t* list, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value) return true;
    return false;
}

// +1 when a triangle of three different corners runs from a to b, -1 from b to a.
static int direction(const uint32_t t[3], uint32_t a, uint32_t b) {
    for (int i = 0; i < 3; i++) {
        if (t[i] == a && t[(i + 1) % 3] == b) return 1;
        if (t[i] == b && t[(i + 1) % 3] == a) return -1;
    }
    return 0;
}

static void count_edge(const soup* s, uint32_t a, uint32_t b, fracas_mesh_info* out) {
    uint32_t users = 0;
    int sum = 0;
    bool repeated = false;
    for (uint32_t t = 0; t < s->view.triangle_count; t++) {
        const uint32_t* i = s->triangles[t];
        if (!has(i, 3, a) || !has(i, 3, b)) continue;
        users++;
        sum += direction(i, a, b);
        repeated |= i[0] == i[1] || i[1] == i[2] || i[2] == i[0];
    }
    out->edges += users > 0;
    out->boundary_edges += users == 1;
    out->nonmanifold_edges += users > 2;
    // A repeated index runs both ways.
    out->misoriented_edges += users == 2 && sum != 0 && !repeated;
}

static bool same_corners(const uint32_t a[3], const uint32_t b[3]) {
    for (int i = 0; i < 3; i++) {
        int in_a = 0, in_b = 0;
        for (int j = 0; j < 3; j++) {
            in_a += a[j] == a[i];
            in_b += b[j] == a[i];
        }
        if (in_a != in_b) return false;
    }
    return true;
}

static bool is_flat(const soup* s, const uint32_t t[3]) {
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = s->points[t[1]][i] - s->points[t[0]][i];
        v[i] = s->points[t[2]][i] - s->points[t[0]][i];
    }
    return u[0] * v[1] == u[1] * v[0] && u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2];
}

static uint32_t count_parts(const soup* s) {
    uint32_t label[MAX_ELEMENTS], parts = 0;
    const fracas_mesh_view* view = &s->view;
    for (uint32_t v = 0; v < view->points.count; v++) label[v] = v;
    for (uint32_t round = 0; round < view->points.count; round++) {
        for (uint32_t t = 0; t < view->triangle_count; t++)
            for (int i = 0; i < 9; i++) {
                uint32_t a = s->triangles[t][i / 3], b = s->triangles[t][i % 3];
                if (label[a] < label[b]) label[b] = label[a];
            }
        for (uint32_t e = 0; e < view->edge_count; e++)
            for (int i = 0; i < 2; i++) {
                uint32_t a = s->edges[e][i], b = s->edges[e][1 - i];
                if (label[a] < label[b]) label[b] = label[a];
            }
    }
    for (uint32_t v = 0; v < view->points.count; v++)
        parts += label[v] == v && (has(s->triangles[0], 3 * view->triangle_count, v) ||
                                   has(s->edges[0], 2 * view->edge_count, v));
    return parts;
}

static void same_as_all_pairs(void** state) {
    (void)state;
    uint64_t seed = 7;
    static soup s;
    for (int round = 0; round < 20000; round++) {
        make_soup(&s, &seed);
        fracas_mesh_info found = describe(&s.view), counted = {0};
        uint32_t points = s.view.points.count, unused = 0, duplicates = 0, flat = 0;
        for (uint32_t b = 0; b < points; b++) {
            for (uint32_t a = 0; a < b; a++) count_edge(&s, a, b, &counted);
            unused += !has(s.triangles[0], 3 * s.view.triangle_count, b) &&
                      !has(s.edges[0], 2 * s.view.edge_count, b) &&
                      !has(s.vertices, s.view.vertex_count, b);
        }
        for (uint32_t t = 0; t < s.view.triangle_count; t++) {
            bool met = false;
            for (uint32_t u = 0; u < t; u++) met |= same_corners(s.triangles[t], s.triangles[u]);
            duplicates += met;
            flat += is_flat(&s, s.triangles[t]);
        }
        assert_int_equal(found.edges, counted.edges);
        assert_int_equal(found.boundary_edges, counted.boundary_edges);
        assert_int_equal(found.nonmanifold_edges, counted.nonmanifold_edges);
        assert_int_equal(found.misoriented_edges, counted.misoriented_edges);
        assert_int_equal(found.unused_vertices, unused);
        assert_int_equal(found.duplicate_triangles, duplicates);
        assert_int_equal(found.flat_triangles, flat);
        assert_int_equal(found.components, count_parts(&s));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedron), cmocka_unit_test(flipped_open_and_doubled),
        cmocka_unit_test(degenerate),  cmocka_unit_test(empty_mesh),
        cmocka_unit_test(large_fan),   cmocka_unit_test(same_as_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
