// Shapes: their primitives are the mesh, and their trees contain them.
#include "geom/vec3.h"
#include "medial/shape.h"
#include "medial_kit.h"
#include "share.h"

static fracas_medial_shape* make(fracas_context* context, uint64_t* random,
                                 const fracas_medial_shape_options* options) {
    fracas_medial_mesh* mesh = kit_mesh(context, random);
    fracas_medial_shape* shape;
    KIT_OK(context, fracas_medial_shape_create(context, mesh, options, &shape));
    fracas_medial_mesh_destroy(mesh);
    return shape;
}

// The furthest point of a primitive in a direction.
static double support(const fracas_medial_shape* shape, const frc_medial_primitive* p,
                      const double n[3]) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        const double* s = shape->spheres[p->sphere[i]];
        most = fmax(most, frc_vec3_dot(n, s) + s[3]);
    }
    return most;
}

static void random_direction(uint64_t* random, double n[3]) {
    for (int k = 0; k < 3; k++) n[k] = kit_uniform(random, -1, 1);
    frc_vec3_scale(n, 1 / sqrt(frc_vec3_dot(n, n)), n);
}

// Each leaf of a subtree is in its sphere and its box. Marks the primitives.
static void check_subtree(const fracas_medial_shape* shape, uint32_t root, uint32_t node,
                          bool* seen, uint64_t* random) {
    const frc_medial_node *top = &shape->nodes[root], *own = &shape->nodes[node];
    if (own->child) {
        check_subtree(shape, root, own->child, seen, random);
        check_subtree(shape, root, own->child + 1, seen, random);
        return;
    }
    const frc_medial_primitive* p = &shape->primitives[own->primitive];
    if (root == 0) {
        assert_false(seen[own->primitive]);
        seen[own->primitive] = true;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        const double* s = shape->spheres[p->sphere[i]];
        double way[3];
        frc_vec3_subtract(s, top->centre, way);
        assert_true(sqrt(frc_vec3_dot(way, way)) + s[3] <= top->radius * (1 + 1e-15));
    }
    const frc_obb* box = &shape->boxes[root];
    for (int k = 0; k < 3; k++) {
        double back[3];
        frc_vec3_scale(box->axes[k], -1, back);
        const double centre = frc_vec3_dot(box->axes[k], box->center);
        assert_true(support(shape, p, box->axes[k]) <= centre + box->half[k]);
        assert_true(support(shape, p, back) <= box->half[k] - centre);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(frc_vec3_dot(box->axes[k], box->axes[j]) - (j == k)) < 0x1p-48);
    }
}

static void trees(void** state) {
    (void)state;
    uint64_t random = 1;
    fracas_context* context = kit_context(1, NULL);
    for (uint32_t round = 0; round < share_of(300); round++) {
        fracas_medial_shape_options options = fracas_medial_shape_default_options();
        options.inflation = round % 3 == 0 ? 0.1 : 0;
        if (round % 2) options.centre[0] = options.centre[1] = options.centre[2] = 0.3;
        fracas_medial_shape* shape = make(context, &random, &options);
        bool seen[64] = {false};
        for (uint32_t n = 0; n < frc_medial_node_count(shape); n++)
            check_subtree(shape, n, n, seen, &random);
        for (uint32_t p = 0; p < shape->primitive_count; p++) {
            assert_true(seen[p]);
            for (uint32_t i = 0; i < shape->primitives[p].count; i++) {
                const double* s = shape->spheres[shape->primitives[p].sphere[i]];
                assert_true(sqrt(frc_vec3_dot(s, s)) + s[3] <= shape->info.radius);
            }
        }
        fracas_medial_shape_destroy(shape);
    }
    fracas_context_destroy(context);
}

// The union of the primitives reaches as far as the mesh, with the exact rule.
static void nothing_is_lost(void** state) {
    (void)state;
    uint64_t random = 2;
    const uint32_t rounds = 30 + share_of(270);
    uint32_t lost = 0, degenerate = 0;
    fracas_context* context = kit_context(1, NULL);
    for (uint32_t round = 0; round < rounds; round++) {
        fracas_medial_mesh* mesh = kit_mesh(context, &random);
        const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
        fracas_medial_shape_options options = fracas_medial_shape_default_options();
        for (int rule = 0; rule < 2; rule++) {
            fracas_medial_shape* shape;
            options.degenerate = (fracas_medial_degenerate)rule;
            options.inflation = round % 4 == 3 ? 0.25 : 0;
            KIT_OK(context, fracas_medial_shape_create(context, mesh, &options, &shape));
            for (int d = 0; d < 50; d++) {
                double n[3], most = -INFINITY, found = -INFINITY;
                random_direction(&random, n);
                for (uint32_t i = 0; i < view.sphere_count; i++)
                    most = fmax(most, frc_vec3_dot(n, view.spheres[i].center) +
                                          view.spheres[i].radius + options.inflation);
                for (uint32_t p = 0; p < shape->primitive_count; p++)
                    found = fmax(found, support(shape, &shape->primitives[p], n));
                found += frc_vec3_dot(n, shape->info.centre);
                assert_true(found <= most + 1e-12);
                if (rule == 0)
                    assert_true(found >= most - 1e-12);
                else
                    lost += found < most - 1e-12;
            }
            degenerate += shape->info.degenerate;
            fracas_medial_shape_destroy(shape);
        }
        fracas_medial_mesh_destroy(mesh);
    }
    if (degenerate < rounds / 3 || lost < rounds / 10)
        fail_msg("%u degenerate, %u lost in %u rounds", degenerate, lost, rounds);
    fracas_context_destroy(context);
}

static void counts(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    const fracas_medial_sphere spheres[] = {
        {{0, 0, 0},   1  },
        {{4, 0, 0},   1  },
        {{0, 4, 0},   1  },
        {{9, 0, 0},   0.5},
        {{9.1, 0, 0}, 0.1},
        {{20, 0, 0},  2  }
    };
    // An edge of the triangle; an edge to a sphere in another one; a proper edge.
    const uint32_t edges[] = {1, 0, 3, 4, 1, 3}, triangles[] = {0, 1, 2};
    const fracas_medial_view view = {spheres, edges, triangles, 6, 3, 1};
    fracas_medial_mesh* mesh;
    fracas_medial_shape* shape;
    fracas_medial_shape_info info;
    KIT_OK(context, fracas_medial_mesh_create_from(context, &view, &mesh));
    KIT_OK(context, fracas_medial_shape_create(context, mesh, NULL, &shape));
    KIT_OK(context, fracas_medial_shape_get_info(shape, &info));
    assert_int_equal(info.slabs, 1);
    assert_int_equal(info.cones, 1);
    assert_int_equal(info.spheres, 2);
    assert_int_equal(info.dropped, 1);
    assert_int_equal(info.degenerate, 1);
    assert_true(info.centre[0] == 10.5 && info.centre[1] == 1.5 && info.centre[2] == 0);
    fracas_medial_shape_destroy(shape);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    uint64_t random = 3;
    fracas_medial_mesh* mesh = kit_mesh(context, &random);
    const size_t blocks = atomic_load(&memory.blocks);
    fracas_medial_shape* shape;
    size_t n = 1;
    for (;; n++) {
        test_allocator_fail_at(&memory, n);
        const fracas_status status = fracas_medial_shape_create(context, mesh, NULL, &shape);
        test_allocator_fail_at(&memory, 0);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        assert_null(shape);
        assert_int_equal(atomic_load(&memory.blocks), blocks);
    }
    assert_true(n > 5);
    fracas_medial_shape_destroy(shape);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
    assert_int_equal(atomic_load(&memory.blocks), 0);
}

static void refused(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    uint64_t random = 4;
    fracas_medial_mesh* mesh = kit_mesh(context, &random);
    fracas_medial_shape* shape;
    fracas_medial_shape_options options = {0};
    KIT_REFUSED(context, fracas_medial_shape_create(context, mesh, &options, &shape),
                FRACAS_ERROR_INVALID_ARGUMENT, "fracas_medial_shape_default_options");
    options = fracas_medial_shape_default_options();
    options.inflation = -1;
    KIT_REFUSED(context, fracas_medial_shape_create(context, mesh, &options, &shape),
                FRACAS_ERROR_INVALID_ARGUMENT, "inflation is -1");
    options = fracas_medial_shape_default_options();
    options.centre[1] = 0;
    KIT_REFUSED(context, fracas_medial_shape_create(context, mesh, &options, &shape),
                FRACAS_ERROR_INVALID_ARGUMENT, "the centre (");
    options = fracas_medial_shape_default_options();
    options.degenerate = (fracas_medial_degenerate)2;
    KIT_REFUSED(context, fracas_medial_shape_create(context, mesh, &options, &shape),
                FRACAS_ERROR_INVALID_ARGUMENT, "degenerate is 2");
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1e37, 0};
    uint32_t triangle[] = {0, 1, 2};
    fracas_mesh_view surface = {
        .points = {.data = points, .count = 3}
    };
    KIT_REFUSED(context, fracas_medial_shape_create_from_surface(context, &surface, NULL, &shape),
                FRACAS_ERROR_BAD_DATA, "nothing to collide with");
    surface.triangles = triangle;
    surface.triangle_count = 1;
    KIT_REFUSED(context, fracas_medial_shape_create_from_surface(context, &surface, NULL, &shape),
                FRACAS_ERROR_BAD_DATA, "sphere 2 is (0, 1e+37, 0)");
    triangle[2] = 3;
    KIT_REFUSED(context, fracas_medial_shape_create_from_surface(context, &surface, NULL, &shape),
                FRACAS_ERROR_BAD_DATA, "3");
    assert_null(shape);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),   cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(counts),  cmocka_unit_test(failed_allocations),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
