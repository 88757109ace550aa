// The stencils, for random signs and cuts at random or extreme places: no tetrahedron may have
// angles beyond the bounds of Labelle and Shewchuk (2007) for a uniform lattice, 10.7843 and
// 164.7417 degrees, all faces must fit, and the volume must be that of the lattice tetrahedra.
#include "base/array.h"
#include "share.h"
#include "tet_mesh/stuffing.h"
#include "tet_mesh_kit.h"

// A lattice of n^3 cells with random signs inside and -1 at the border.
static void make_lattice(frc_stuffing* s, uint32_t n, double share, uint64_t* random) {
    frc_lattice* l = &s->lattice;
    l->cell = 1;
    for (int k = 0; k < 3; k++) l->cells[k] = n, l->origin[k] = 0;
    l->first_odd = (n + 1) * (n + 1) * (n + 1);
    l->node_count = l->first_odd + n * n * n;
    l->sign = frc_allocate(s->context, frc_array_size(l->node_count, 1));
    for (uint32_t i = 0; i < l->node_count; i++) {
        uint32_t x[3];
        bool border = false;
        frc_lattice_coordinates(l, i, x);
        assert_int_equal(frc_lattice_node(l, x), i);
        for (int k = 0; k < 3; k++) border |= x[k] < 3 || x[k] + 3 > 2 * n;
        l->sign[i] = !border && kit_real(random) < share ? 1 : -1;
    }
}

// Any place; or one of those at which angles are extreme.
static double random_cut(bool is_long, uint64_t* random) {
    const double alpha = is_long ? FRC_ALPHA_LONG : FRC_ALPHA_SHORT;
    switch (kit_random(random) % 8) {
    case 0:
        return alpha;
    case 1:
        return 1 - alpha;
    case 2:
        return nextafter(alpha, 0);
    case 3:
        return 1 - nextafter(alpha, 0);
    default:
        return kit_real(random);
    }
}

static void fill_lattice(fracas_context* context, uint32_t n, double share, uint64_t* random,
                         fracas_tet_mesh_info* worst) {
    frc_stuffing s = {.context = context};
    fracas_tet_mesh* mesh = frc_allocate_zero(context, sizeof *mesh);
    make_lattice(&s, n, share, random);
    assert_int_equal(frc_stuffing_find_active(&s), FRACAS_OK);
    for (uint32_t i = 0; i < s.active_count; i++)
        for (uint32_t d = 0; d < FRC_EDGES; d++) {
            uint32_t y[3];
            if (frc_lattice_neighbour(&s.lattice, s.active[i].x, d, y) &&
                s.lattice.sign[frc_lattice_node(&s.lattice, y)] != s.lattice.sign[s.active[i].node])
                s.active[i].t[d] = random_cut(d < FRC_LONG_EDGES, random);
        }
    frc_stuffing_warp(&s);
    mesh->context = context;
    const fracas_status status = frc_stuffing_fill(&s, mesh);
    if (status == FRACAS_OK) {
        // The fit is measured to some surface.
        kit_surface box = kit_box(1, 1, 1);
        const fracas_mesh_view view = kit_view(&box);
        assert_int_equal(frc_stuffing_read(&s, &view), FRACAS_OK);
        assert_true(frc_surface_build(context, &s.surface, frc_stuffing_points(&s)));
        frc_surface_refit(context, &s.surface, frc_stuffing_points(&s));
        assert_int_equal(frc_stuffing_measure(&s, mesh), FRACAS_OK);
        kit_free(&box);
        kit_check(context, mesh, false);
        worst->dihedral_min = fmin(worst->dihedral_min, mesh->info.dihedral_min);
        worst->dihedral_max = fmax(worst->dihedral_max, mesh->info.dihedral_max);
        worst->quality_min = fmin(worst->quality_min, mesh->info.quality_min);
        worst->tets += mesh->info.tets;
        frc_surface_release(context, &s.surface);
        frc_release(context, s.points, frc_array_size(s.point_count, sizeof *s.points));
    }
    fracas_tet_mesh_destroy(mesh);
    frc_release(context, s.lattice.sign, frc_array_size(s.lattice.node_count, 1));
    frc_release(context, s.active, frc_array_size(s.active_count, sizeof *s.active));
    frc_release(context, s.active_of_node,
                frc_array_size(s.lattice.node_count, sizeof *s.active_of_node));
}

static void angles_are_bounded(void** state) {
    (void)state;
    fracas_context* context = kit_context(1);
    fracas_tet_mesh_info worst = {.dihedral_min = 180, .quality_min = 1};
    uint64_t random = 7;
    for (uint32_t round = 0; round < share_of(60); round++)
        fill_lattice(context, 8, 0.1 + 0.8 * kit_real(&random), &random, &worst);
    print_message("%u tetrahedra: angles %.4f to %.4f, quality %.4f\n", worst.tets,
                  worst.dihedral_min, worst.dihedral_max, worst.quality_min);
    assert_true(worst.dihedral_min >= 10.7843 && worst.dihedral_max <= 164.7417);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(angles_are_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
