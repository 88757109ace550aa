// Solids: what is refused, numbers, distances of nodes, the grid of distances.
#include "fragment/solid.h"
#include "fragment_kit.h"
#include "share.h"

static const uint32_t FEW[3] = {3, 4, 5};

static void numbers(void** state) {
    (void)state;
    kit_shape shape = kit_lattice(FEW, kit_box, 0.5, 0, 1);
    fracas_context* context = kit_context(1, NULL);
    fracas_solid* solid = kit_solid(context, &shape);
    fracas_solid_info info;
    KIT_OK(context, fracas_solid_get_info(solid, &info));
    assert_int_equal(info.nodes, 4 * 5 * 6);
    assert_int_equal(info.tets, 6 * 3 * 4 * 5);
    assert_int_equal(info.surface_triangles, 4 * (3 * 4 + 4 * 5 + 5 * 3));
    // A Kuhn lattice has the edges of cubes, diagonals of their faces, and of cubes.
    assert_int_equal(info.edges, (3 * 5 * 6 + 4 * 4 * 6 + 4 * 5 * 5) +
                                     (3 * 4 * 6 + 4 * 5 * 4 + 3 * 5 * 5) + 3 * 4 * 5);
    assert_float_equal(info.volume, 1.5 * 2 * 2.5, 1e-12);
    const double centre[3] = {0.75, 1, 1.25}, radius = sqrt(0.75 * 0.75 + 1 + 1.25 * 1.25);
    for (int k = 0; k < 3; k++) {
        assert_float_equal(info.centre[k], centre[k], 1e-12);
        assert_true(info.box_min[k] == 0 && info.box_max[k] == 2 * centre[k]);
    }
    assert_float_equal(info.radius, radius, 1e-12);
    assert_float_equal(info.depth, 0.5, 1e-12);
    const fracas_tet_view view = fracas_solid_get_tets(solid);
    assert_int_equal(view.tet_count, shape.tet_count);
    assert_memory_equal(view.tets, shape.tets, shape.tet_count * sizeof *shape.tets);
    fracas_solid_destroy(solid);
    fracas_context_destroy(context);
    kit_free(&shape);
}

// ---- what is refused

static void refuse(fracas_context* context, const kit_shape* shape, fracas_status status,
                   const char* words) {
    const fracas_tet_view view = kit_view(shape);
    fracas_solid* solid = (fracas_solid*)(uintptr_t)&view;
    KIT_REFUSED(context, fracas_solid_create(context, &view, NULL, &solid), status, words);
    assert_null(solid);
}

static void bad_tetrahedra(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_shape s = kit_lattice(FEW, kit_box, 0.5, 0, 1);
    const uint32_t save[4] = {s.tets[7][0], s.tets[7][1], s.tets[7][2], s.tets[7][3]};
    s.tets[7][0] = save[1], s.tets[7][1] = save[0];
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "tetrahedron 7 has a negative volume");
    s.tets[7][0] = save[1], s.tets[7][1] = save[1];
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "tetrahedron 7 has no volume");
    s.tets[7][0] = 120, s.tets[7][1] = save[1];
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "120");
    memcpy(s.tets[7], save, sizeof save);
    const double x = s.points[save[2]][1];
    s.points[save[2]][1] = NAN;
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "finite");
    s.points[save[2]][1] = x;
    // The same tetrahedron twice: both are on the same side of their faces.
    memcpy(s.tets[8], save, sizeof save);
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "tetrahedra");
    kit_free(&s);
    s = kit_lattice(FEW, kit_box, 1e37, 0, 1);
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "scale it");
    kit_free(&s);
    s = kit_lattice(FEW, kit_box, 1e-38, 0, 1);
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "scale it");
    s.tet_count = 0;
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "no tetrahedra");
    kit_free(&s);
    fracas_context_destroy(context);
}

// Three tetrahedra at one face; two on the same side of it.
static void bad_faces(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    double points[][3] = {
        {0, 0,    0 },
        {1, 0,    0 },
        {0, 1,    0 },
        {0, 0,    1 },
        {0, 0,    2 },
        {0, 0.25, -1}
    };
    uint32_t tets[][4] = {
        {0, 1, 2, 3},
        {0, 2, 1, 5},
        {0, 1, 2, 4}
    };
    kit_shape s = {points, tets, 6, 3};
    refuse(context, &s, FRACAS_ERROR_BAD_DATA, "face (0, 1, 2) has 3 tetrahedra");
    tets[1][1] = 1, tets[1][2] = 2, tets[1][3] = 4;
    s.tet_count = 2;
    refuse(context, &s, FRACAS_ERROR_BAD_DATA,
           "tetrahedra 0 and 1 are on the same side of face (0, 1, 2)");
    fracas_context_destroy(context);
}

static void bad_options(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_shape s = kit_lattice(FEW, kit_box, 0.5, 0, 1);
    const fracas_tet_view view = kit_view(&s);
    fracas_solid* solid;
    fracas_solid_options options = fracas_solid_default_options();
    options.grid_cells = 3;
    KIT_REFUSED(context, fracas_solid_create(context, &view, &options, &solid),
                FRACAS_ERROR_INVALID_ARGUMENT, "grid_cells is 3");
    options.grid_cells = 257;
    KIT_REFUSED(context, fracas_solid_create(context, &view, &options, &solid),
                FRACAS_ERROR_INVALID_ARGUMENT, "grid_cells is 257");
    options = (fracas_solid_options){0};
    KIT_REFUSED(context, fracas_solid_create(context, &view, &options, &solid),
                FRACAS_ERROR_INVALID_ARGUMENT, "fracas_solid_default_options");
    kit_free(&s);
    fracas_context_destroy(context);
}

static void failed_allocations(void** state) {
    (void)state;
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    kit_shape s = kit_lattice(FEW, kit_angle, 0.5, 0.1, 3);
    const fracas_tet_view view = kit_view(&s);
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        const size_t blocks = atomic_load(&memory.blocks);
        fracas_solid* solid;
        test_allocator_fail_at(&memory, n);
        const fracas_status status = fracas_solid_create(context, &view, NULL, &solid);
        test_allocator_fail_at(&memory, 0);
        fracas_solid_destroy(solid);
        assert_int_equal(atomic_load(&memory.blocks), blocks);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 15);
    kit_free(&s);
    fracas_context_destroy(context);
    assert_int_equal(atomic_load(&memory.blocks), 0);
}

// ---- distances

static const struct {
    kit_mask* mask;
    double size, jitter;
} SHAPES[] = {
    {kit_box,    1,     0.12},
    {kit_angle,  1,     0.1 },
    {kit_hollow, 1e-30, 0.1 },
    {kit_ball,   1e30,  0   },
};

static void compare_distances(const fracas_solid* solid, double size, uint64_t* random) {
    const fracas_mesh_view surface = {
        .points = {.data = solid->points, .count = solid->point_count},
        .triangles = solid->surface.faces[0].corner,
        .triangle_count = solid->surface.count
    };
    for (uint32_t p = 0; p < solid->point_count; p++) {
        const frc_field_node* node = &solid->nodes[p];
        if (node->fragment == FRACAS_NONE) continue;
        assert_float_equal(node->distance / size, kit_distance(&surface, solid->points[p]) / size,
                           1e-12);
        double square = 0;
        for (int k = 0; k < 3; k++) square += node->direction[k] * node->direction[k];
        assert_float_equal(square, 1, 1e-9);
    }
    // The bound of a cell is at most the distance from the solid, and not much less.
    uint32_t outside = 0;
    for (uint32_t i = 0; i < share_of(20000); i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = kit_uniform(random, solid->info.box_min[k] - 0.3 * size,
                               solid->info.box_max[k] + 0.3 * size);
        const frc_distance_cell* cell = frc_distance_grid_at(&solid->distance_grid, p);
        assert_non_null(cell);
        const bool inside = fabs(kit_winding(&surface, p)) > 0.5;
        const double distance = inside ? 0 : kit_distance(&surface, p);
        assert_true(cell->bound <= distance);
        if (distance > 0) assert_true(cell->bound >= distance - 1.8 * solid->distance_grid.size);
        outside += cell->bound > 0;
    }
    assert_true(outside > 0);
}

static void distances(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    const uint32_t n[3] = {6, 6, 6};
    uint64_t random = 11;
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        kit_shape shape = kit_lattice(n, SHAPES[i].mask, SHAPES[i].size, SHAPES[i].jitter, i + 1);
        fracas_solid* solid = kit_solid(context, &shape);
        compare_distances(solid, SHAPES[i].size, &random);
        fracas_solid_destroy(solid);
        kit_free(&shape);
    }
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(bad_tetrahedra),
        cmocka_unit_test(bad_faces),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
