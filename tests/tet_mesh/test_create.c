// Tetrahedral meshes of closed surfaces: valid, of bounded angles, and near to the surface; the
// signs of all nodes by another method; the same bits on any number of threads.
#include "base/array.h"
#include "share.h"
#include "tet_mesh/stuffing.h"
#include "tet_mesh_kit.h"

static fracas_tet_mesh_info info_of(const fracas_tet_mesh* mesh) {
    fracas_tet_mesh_info info;
    assert_int_equal(fracas_tet_mesh_get_info(mesh, &info), FRACAS_OK);
    return info;
}

// Fill and check; frees the surface. Errors are limits of what may be lost.
static fracas_tet_mesh_info fill(const char* name, kit_surface s, uint32_t cells,
                                 double volume_error, double distance, bool manifold) {
    fracas_context* context = kit_context(2, NULL);
    fracas_tet_mesh* mesh = kit_fill(context, &s, cells);
    const fracas_tet_mesh_info info = info_of(mesh);
    kit_print(name, cells, &info);
    kit_check(context, mesh, manifold);
    assert_true(info.dihedral_min >= 10.78 && info.dihedral_max <= 164.74);
    assert_true(fabs(info.volume / info.surface_volume - 1) <= volume_error);
    assert_true(info.to_surface.max <= distance * info.diagonal);
    assert_true(info.from_surface.max <= distance * info.diagonal);
    assert_int_equal(info.irregular_points, 0);
    assert_int_equal(info.boundary_triangles % 2, 0);
    fracas_tet_mesh_destroy(mesh);
    fracas_context_destroy(context);
    kit_free(&s);
    return info;
}

static void move_by(kit_surface* s, double x, double y, double z) {
    const double to[3] = {x, y, z};
    kit_place(s, 0, 0, to);
}

static void shapes(void** state) {
    (void)state;
    fill("sphere", kit_ball(40, 80, NULL), 20, 5e-3, 2e-3, true);
    fill("torus", kit_torus(80, 40, 1, 0.35), 24, 1e-2, 3e-3, true);
    const double nowhere[3] = {0.3, -0.2, 0.1};
    kit_surface box = kit_box(1, 0.75, 0.5);
    kit_place(&box, 0.5, 0.7, nowhere);
    fill("turned box", box, 20, 2e-2, 2.5e-2, true);
    // Sides of whole numbers of cells: faces, edges and corners are on the lattice.
    const fracas_tet_mesh_info info = fill("box", kit_box(1, 0.75, 0.5), 16, 1e-12, 1e-12, true);
    assert_int_equal(info.cells[0], 20);
    assert_int_equal(info.cells[1], 16);
    assert_int_equal(info.cells[2], 12);
    assert_true(info.cell_size == 1.0 / 16);
}

static void several_components(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface left = kit_ball(20, 40, NULL), right = kit_torus(40, 20, 1, 0.4);
    move_by(&left, -3, 0, 0);
    fill("two bodies", kit_join(left, right), 32, 2e-2, 5e-3, true);
    // A hollow ball: the inner surface is turned inwards.
    kit_surface outer = kit_ball(40, 80, NULL), inner = kit_ball(20, 40, NULL);
    for (uint32_t v = 0; v < inner.point_count; v++)
        for (int k = 0; k < 3; k++) inner.points[v][k] *= 0.5;
    kit_turn_over(&inner);
    const fracas_tet_mesh_info info =
        fill("hollow ball", kit_join(outer, inner), 20, 1e-2, 5e-3, true);
    assert_true(fabs(info.surface_volume / (4 * KIT_PI / 3) - 0.875) < 0.01);
    // Overlapping balls are one solid. A ball inside out that is not a cavity is outside.
    for (int turned = 0; turned < 2; turned++) {
        kit_surface a = kit_ball(20, 40, NULL), b = kit_ball(20, 40, NULL);
        if (turned)
            for (uint32_t v = 0; v < b.point_count; v++)
                for (int k = 0; k < 3; k++) b.points[v][k] *= 0.5;
        if (turned) kit_turn_over(&b);
        move_by(&b, turned ? 2 : 1, 0, 0);
        kit_surface both = kit_join(a, b);
        fracas_tet_mesh* mesh = kit_fill(context, &both, 16);
        kit_check(context, mesh, true);
        assert_true(info_of(mesh).irregular_points > 20);
        // A lens of two caps of height 1/2 is in both.
        const double ball = 4 * KIT_PI / 3, wanted = turned ? ball : 2 * ball - 5 * KIT_PI / 12;
        assert_true(fabs(info_of(mesh).volume / wanted - 1) < 0.03);
        fracas_tet_mesh_destroy(mesh);
        kit_free(&both);
    }
    fracas_context_destroy(context);
}

// Nodes move onto sharp edges of a turned box where tetrahedra stay good.
static void sharp_edges(void** state) {
    (void)state;
    fracas_context* context = kit_context(2, NULL);
    kit_surface s = kit_box(1, 0.75, 0.5);
    const double nowhere[3] = {0.3, -0.2, 0.1};
    kit_place(&s, 0.5, 0.7, nowhere);
    const fracas_mesh_view view = kit_view(&s);
    fracas_tet_mesh_info info[3];
    static const double angles[3] = {180, 40, 0};
    for (int i = 0; i < 3; i++) {
        fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
        fracas_tet_mesh* mesh = NULL;
        options.cells = 20, options.sharp_angle = angles[i];
        assert_int_equal(fracas_tet_mesh_create(context, &view, &options, &mesh), FRACAS_OK);
        kit_check(context, mesh, true);
        info[i] = info_of(mesh);
        fracas_tet_mesh_destroy(mesh);
    }
    print_message("without and with sharp edges: volume %+.2e %+.2e, mean distance %.1e %.1e\n",
                  info[0].volume / info[0].surface_volume - 1,
                  info[1].volume / info[1].surface_volume - 1, info[0].to_surface.mean,
                  info[1].to_surface.mean);
    assert_true(info[1].dihedral_min >= 14.9 && info[1].dihedral_max <= 160.1);
    assert_true(info[1].quality_min >= 0.1999);
    assert_true(info[0].surface_volume - info[0].volume >
                2 * fabs(info[1].surface_volume - info[1].volume));
    assert_true(info[1].from_surface.max < 0.8 * info[0].from_surface.max);
    assert_true(info[1].to_surface.mean < 0.8 * info[0].to_surface.mean);
    assert_int_equal(info[0].tets, info[1].tets);
    kit_free(&s);
    fracas_context_destroy(context);
}

// ---- signs of nodes

static double bumpy_radius(const double d[3]) {
    return 1 + 0.3 * sin(5 * d[0]) * cos(4 * d[1] + 1) + 0.2 * sin(7 * d[2]);
}

// The winding number of p: the sum of the solid angles of all triangles, by 4 pi.
static double winding(const kit_surface* s, const double p[3]) {
    double sum = 0;
    for (uint32_t f = 0; f < s->triangle_count; f++) {
        double v[3][3], length[3], dot[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) v[i][k] = s->points[s->triangles[f][i]][k] - p[k];
        for (int i = 0; i < 3; i++) {
            const double *a = v[i], *b = v[(i + 1) % 3];
            length[i] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
            dot[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        }
        const double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                           v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        sum += 2 * atan2(det, length[0] * length[1] * length[2] + dot[0] * length[2] +
                                  dot[1] * length[0] + dot[2] * length[1]);
    }
    return sum / (4 * KIT_PI);
}

// Compare all signs except those of nodes on the surface. Returns how many these are.
static uint32_t compare_signs(const kit_surface* surface, uint32_t cells) {
    fracas_context* context = kit_context(2, NULL);
    frc_stuffing s = {.context = context, .sharp_cosine = -1};
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    const fracas_mesh_view view = kit_view(surface);
    uint32_t decided = 0;
    options.cells = cells;
    assert_int_equal(frc_stuffing_read(&s, &view), FRACAS_OK);
    assert_int_equal(frc_lattice_create(&s, &options), FRACAS_OK);
    assert_int_equal(frc_stuffing_find_inside(&s), FRACAS_OK);
    for (uint32_t n = 0; n < s.lattice.node_count; n++) {
        uint32_t x[3];
        double p[3];
        frc_lattice_coordinates(&s.lattice, n, x);
        frc_lattice_position(&s.lattice, x, p);
        if (frc_surface_nearest_brute(&s.surface, frc_stuffing_points(&s), p, FRACAS_NONE)
                .distance < 1e-9)
            continue;
        const double w = winding(surface, p);
        assert_true(fabs(w - round(w)) < 1e-6);
        assert_int_equal(s.lattice.sign[n], w > 0.5 ? 1 : -1);
        decided++;
    }
    print_message("%u of %u signs\n", decided, s.lattice.node_count);
    assert_int_equal(s.irregular, 0);
    const uint32_t undecided = s.lattice.node_count - decided;
    frc_release(context, s.lattice.sign, frc_array_size(s.lattice.node_count, 1));
    frc_surface_release(context, &s.surface);
    frc_release(context, s.points, frc_array_size(s.point_count, sizeof *s.points));
    fracas_context_destroy(context);
    return undecided;
}

static void signs(void** state) {
    (void)state;
    uint64_t random = 3;
    for (uint32_t round = 0; round < share_of(3); round++) {
        kit_surface s = kit_ball(9 + round, 15, bumpy_radius);
        const double to[3] = {kit_real(&random), kit_real(&random), kit_real(&random)};
        kit_place(&s, 6 * kit_real(&random), 6 * kit_real(&random), to);
        assert_int_equal(compare_signs(&s, 10 + round), 0);
        kit_free(&s);
    }
    // Rays through edges and vertices, nodes on faces, edges and corners.
    kit_surface box = kit_box(1, 0.75, 0.5);
    assert_true(compare_signs(&box, 8) > 150);
    kit_free(&box);
    // An octahedron whose edges and vertices are in planes of the lattice.
    kit_surface octahedron = kit_ball(1, 4, NULL);
    for (uint32_t v = 0; v < 4; v++)
        for (int k = 0; k < 3; k++) octahedron.points[v][k] = round(octahedron.points[v][k]);
    assert_true(compare_signs(&octahedron, 8) > 40);
    kit_free(&octahedron);
}

// A plate just above a box: edges that cross three sheets are cut where they first leave the solid.
static void first_exit(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface plate = kit_box(1, 1, 0.02);
    move_by(&plate, 0, 0, 1.02);
    kit_surface both = kit_join(kit_box(1, 1, 1), plate);
    const fracas_mesh_view view = kit_view(&both);
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    frc_stuffing s = {.context = context, .sharp_cosine = -1};
    options.cells = 7;
    assert_int_equal(frc_stuffing_read(&s, &view), FRACAS_OK);
    assert_int_equal(frc_lattice_create(&s, &options), FRACAS_OK);
    assert_true(frc_surface_build(context, &s.surface, frc_stuffing_points(&s)));
    frc_surface_refit(context, &s.surface, frc_stuffing_points(&s));
    assert_int_equal(frc_stuffing_find_inside(&s), FRACAS_OK);
    assert_int_equal(frc_stuffing_find_active(&s), FRACAS_OK);
    assert_int_equal(frc_stuffing_find_cuts(&s), FRACAS_OK);
    uint32_t found = 0;
    for (uint32_t i = 0; i < s.active_count; i++) {
        const frc_active* a = &s.active[i];
        if (a->at[2] > 0.99 || a->at[2] + s.lattice.cell < 1.05 || isnan(a->t[2])) continue;
        assert_int_equal(s.lattice.sign[a->node], 1);
        assert_true(fabs(a->at[2] + a->t[2] * s.lattice.cell - 1) < 1e-12);
        found++;
    }
    assert_true(found > 10);
    frc_release(context, s.active_of_node,
                frc_array_size(s.lattice.node_count, sizeof *s.active_of_node));
    frc_release(context, s.active, frc_array_size(s.active_count, sizeof *s.active));
    frc_release(context, s.lattice.sign, frc_array_size(s.lattice.node_count, 1));
    frc_surface_release(context, &s.surface);
    frc_release(context, s.points, frc_array_size(s.point_count, sizeof *s.points));
    kit_free(&both);
    fracas_context_destroy(context);
}

// ---- positions and sizes

// Coordinates so large that cells are as small as they may be: rounding moves every vertex.
static void far_from_the_origin(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface s = kit_ball(8, 12, bumpy_radius);
    const double far = 0x1p30 / 9;
    move_by(&s, far, -far, far);
    fracas_tet_mesh* mesh = kit_fill(context, &s, 12);
    kit_check(context, mesh, true);
    assert_true(info_of(mesh).dihedral_min > 10.7);
    fracas_tet_mesh_destroy(mesh);
    kit_free(&s);
    // Very large and very small.
    for (int sign = -1; sign <= 1; sign += 2) {
        kit_surface t = kit_torus(30, 15, 1, 0.4);
        for (uint32_t v = 0; v < t.point_count; v++)
            for (int k = 0; k < 3; k++) t.points[v][k] *= pow(2, 190 * sign);
        mesh = kit_fill(context, &t, 16);
        kit_check(context, mesh, true);
        const fracas_tet_mesh_info info = info_of(mesh);
        assert_true(info.dihedral_min > 10.78);
        assert_true(fabs(info.volume / info.surface_volume - 1) < 0.05);
        fracas_tet_mesh_destroy(mesh);
        kit_free(&t);
    }
    fracas_context_destroy(context);
}

static void cell_size_and_floats(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    kit_surface s = kit_box(2, 2, 2);
    float points[8][4];  // with a stride
    for (uint32_t v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++) points[v][k] = (float)s.points[v][k];
    fracas_mesh_view view = kit_view(&s);
    view.points =
        (fracas_points){.data = points, .count = 8, .stride = 16, .scalar = FRACAS_SCALAR_FLOAT};
    fracas_tet_mesh_options options = fracas_tet_mesh_default_options();
    fracas_tet_mesh* mesh = NULL;
    assert_int_equal(options.cells, 32);
    options.cell_size = 0.25;
    assert_int_equal(fracas_tet_mesh_create(context, &view, &options, &mesh), FRACAS_OK);
    const fracas_tet_mesh_info info = info_of(mesh);
    assert_int_equal(info.cells[0], 12);
    assert_true(info.cell_size == 0.25 && fabs(info.volume - 8) < 1e-12);
    kit_check(context, mesh, true);
    fracas_tet_mesh_destroy(mesh);
    kit_free(&s);
    fracas_context_destroy(context);
}

// ---- threads

static void threads(void** state) {
    (void)state;
    static const uint32_t workers[] = {1, 2, 3};
    kit_surface s = kit_join(kit_ball(30, 60, bumpy_radius), kit_torus(60, 20, 3, 0.5));
    fracas_tet_mesh_info first = {0};
    fracas_tet_mesh* meshes[3];
    fracas_context* contexts[3];
    for (int i = 0; i < 3; i++) {
        contexts[i] = kit_context(workers[i], NULL);
        meshes[i] = kit_fill(contexts[i], &s, 24);
        const fracas_tet_view a = fracas_tet_mesh_get_view(meshes[0]),
                              b = fracas_tet_mesh_get_view(meshes[i]);
        fracas_tet_mesh_info info = info_of(meshes[i]);
        assert_true(info.ms >= info.ms_measure && info.ms_measure >= 0);
        info.ms = info.ms_measure = 0;
        if (i == 0) first = info;
        assert_memory_equal(&info, &first, sizeof info);
        assert_int_equal(a.points.count, b.points.count);
        assert_memory_equal(a.points.data, b.points.data, 24 * (size_t)a.points.count);
        assert_memory_equal(a.tets, b.tets, 16 * (size_t)a.tet_count);
    }
    for (int i = 0; i < 3; i++) {
        fracas_tet_mesh_destroy(meshes[i]);
        fracas_context_destroy(contexts[i]);
    }
    kit_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(several_components),
        cmocka_unit_test(sharp_edges),
        cmocka_unit_test(signs),
        cmocka_unit_test(first_exit),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(cell_size_and_floats),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
