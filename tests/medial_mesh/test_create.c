// Medial meshes of surfaces whose medial axis is known: ball, torus, box; any number of threads.
#include "medial_mesh_kit.h"

static fracas_medial_mesh_options coarse(uint32_t spheres) {
    fracas_medial_mesh_options options = fracas_medial_mesh_default_options();
    options.spheres = spheres;
    options.samples = 1500;
    options.fit_rounds = 24;
    return options;
}

// One sphere, whatever is asked for.
static void ball(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    kit_surface s = kit_ball(80, 120, NULL);
    const double to[3] = {3, -7, 20};
    kit_place(&s, 0.3, 0.4, to);
    for (uint32_t spheres = 0; spheres <= 10; spheres += 10) {
        const fracas_medial_mesh_options options = coarse(spheres);
        fracas_medial_mesh* mesh = kit_medial(context, &s, &options);
        const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
        const fracas_medial_mesh_info info = kit_medial_info(mesh);
        kit_check_medial(mesh);
        assert_int_equal(view.sphere_count, 1);
        assert_int_equal(view.edge_count + view.triangle_count, 0);
        assert_true(fabs(view.spheres[0].radius - 1) < 0.003);
        // The surface is kit_place of the origin.
        kit_surface origin = kit_make(1, 0);
        origin.point_count = 1;
        kit_place(&origin, 0.3, 0.4, to);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(view.spheres[0].center[k] - origin.points[0][k]) < 0.003);
        kit_free(&origin);
        assert_true(info.from_surface.max < 0.002 * info.diagonal);
        assert_true(info.to_surface.max < 0.002 * info.diagonal);
        assert_true(info.protrusion <= info.to_surface.max);
        assert_true(info.surface_covered > 0.9 && info.volume_covered > 0.99);
        assert_true(fabs(info.volume / info.surface_volume - 1) < 0.02);
        assert_true(info.from_surface.samples == s.point_count + s.triangle_count);
        kit_print_medial("ball", &info);
        fracas_medial_mesh_destroy(mesh);
    }
    kit_free(&s);
    fracas_context_destroy(context);
}

// A ring of cones without slabs: the loop is kept.
static void torus(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    kit_surface s = kit_torus(24, 24, 1, 0.3);
    fracas_medial_mesh_options options = coarse(26);
    options.samples = 4000;
    fracas_medial_mesh* mesh = kit_medial(context, &s, &options);
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    const fracas_medial_mesh_info info = kit_medial_info(mesh);
    kit_check_medial(mesh);
    kit_print_medial("torus", &info);
    assert_int_equal(view.sphere_count, 26);
    assert_int_equal(view.edge_count, 26);
    assert_int_equal(view.triangle_count, 0);
    for (uint32_t v = 0; v < 26; v++) {
        uint32_t ends = 0;
        for (uint32_t e = 0; e < 52; e++) ends += view.edges[e] == v;
        assert_int_equal(ends, 2);
    }
    assert_true(info.from_surface.max < 0.002 * info.diagonal);
    assert_true(info.to_surface.max < 0.002 * info.diagonal);
    fracas_medial_mesh_destroy(mesh);
    // Two balls cannot be less than two spheres, and a torus not less than three.
    options.spheres = 1;
    mesh = kit_medial(context, &s, &options);
    assert_true(fracas_medial_mesh_get_view(mesh).sphere_count >= 3);
    fracas_medial_mesh_destroy(mesh);
    kit_surface two = kit_ball(20, 30, NULL), other = kit_ball(20, 30, NULL);
    const double to[3] = {2.5, 0, 0};
    kit_place(&other, 0, 0, to);
    two = kit_join(two, other);
    mesh = kit_medial(context, &two, &options);
    assert_int_equal(fracas_medial_mesh_get_view(mesh).sphere_count, 2);
    assert_int_equal(fracas_medial_mesh_get_view(mesh).edge_count, 0);
    fracas_medial_mesh_destroy(mesh);
    kit_free(&two);
    kit_free(&s);
    fracas_context_destroy(context);
}

// The corners of a cube, its centre, and a slab for each edge.
static void box(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    kit_surface s = kit_box(1, 1, 1);
    fracas_medial_mesh_options options = coarse(9);
    options.samples = 3000;
    fracas_medial_mesh* mesh = kit_medial(context, &s, &options);
    const fracas_medial_mesh_info info = kit_medial_info(mesh);
    kit_check_medial(mesh);
    kit_print_medial("cube", &info);
    assert_int_equal(info.spheres, 9);
    assert_true(info.edges >= 20 && info.edges <= 22);
    assert_true(info.triangles >= 12 && info.triangles <= 14);
    assert_true(info.from_surface.max < 1e-4 && info.to_surface.max < 1e-4);
    fracas_medial_mesh_destroy(mesh);
    kit_free(&s);
    fracas_context_destroy(context);
}

static double bumpy(const double d[3]) { return 1 + 0.3 * d[0] * d[1] + 0.4 * d[2] * d[2] * d[0]; }

// The same bits on any number of threads.
static void threads(void** state) {
    (void)state;
#ifdef FRACAS_SANITIZED
    kit_surface s = kit_ball(10, 14, bumpy);  // it takes twenty times as long
#else
    kit_surface s = kit_ball(20, 30, bumpy);
#endif
    for (int only = 0; only < 2; only++) {
        fracas_medial_mesh_options options = coarse(12);
        options.spheres_only = only == 1;
        fracas_medial_mesh* first = NULL;
        fracas_context* contexts[4];
        for (uint32_t workers = 1; workers <= 4; workers++) {
            contexts[workers - 1] = kit_context(workers, NULL);
            fracas_medial_mesh* mesh = kit_medial(contexts[workers - 1], &s, &options);
            kit_check_medial(mesh);
            if (!first) {
                first = mesh;
                continue;
            }
            const fracas_medial_view a = fracas_medial_mesh_get_view(first),
                                     b = fracas_medial_mesh_get_view(mesh);
            assert_int_equal(a.sphere_count, b.sphere_count);
            assert_int_equal(a.edge_count, b.edge_count);
            assert_int_equal(a.triangle_count, b.triangle_count);
            assert_memory_equal(a.spheres, b.spheres, a.sphere_count * sizeof *a.spheres);
            if (a.edge_count > 0)
                assert_memory_equal(a.edges, b.edges, 2 * a.edge_count * sizeof *a.edges);
            if (a.triangle_count > 0)
                assert_memory_equal(a.triangles, b.triangles,
                                    3 * a.triangle_count * sizeof *a.triangles);
            const fracas_medial_mesh_info x = kit_medial_info(first), y = kit_medial_info(mesh);
            assert_memory_equal(&x.from_surface, &y.from_surface, sizeof x.from_surface);
            assert_memory_equal(&x.to_surface, &y.to_surface, sizeof x.to_surface);
            assert_true(x.volume == y.volume && x.protrusion == y.protrusion);
            fracas_medial_mesh_destroy(mesh);
        }
        const fracas_medial_mesh_info info = kit_medial_info(first);
        assert_int_equal(info.spheres, 12);
        if (only) assert_int_equal(info.edges + info.triangles, 0);
        assert_true(info.from_surface.max < 0.06 * info.diagonal);
        fracas_medial_mesh_destroy(first);
        for (int i = 0; i < 4; i++) fracas_context_destroy(contexts[i]);
    }
    kit_free(&s);
}

// By error: the result has it, and not many more spheres than needed.
static void by_error(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    kit_surface s = kit_ball(20, 30, bumpy);
    fracas_medial_mesh_options options = coarse(0);
    uint32_t before = 0;
    for (int i = 0; i < 2; i++) {
        options.error = i == 0 ? 0.03 : 0.008;
        fracas_medial_mesh* mesh = kit_medial(context, &s, &options);
        const fracas_medial_mesh_info info = kit_medial_info(mesh);
        kit_check_medial(mesh);
        assert_true(info.from_surface.max <= options.error * info.diagonal);
        assert_true(info.spheres > before && info.spheres < 200);
        before = info.spheres;
        fracas_medial_mesh_destroy(mesh);
    }
    kit_free(&s);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball),    cmocka_unit_test(torus),    cmocka_unit_test(box),
        cmocka_unit_test(threads), cmocka_unit_test(by_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
