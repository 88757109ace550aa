// Cells of tetrahedra: their size, tables that are folded, boxes of any size, vertices beyond the
// first range. Results are those of all pairs.
#include "tets_kit.h"
#include <math.h>

static kit_list find(const kit_body* bodies, uint32_t count, kit_method method, double cell_size) {
    kit_options options = kit_default_options(method);
    fracas_tets_query query = fracas_tets_default_query();
    options.tets.cell_size = cell_size;
    options.tets.depth = query.depth = true;
    return kit_find(bodies, count, &options, &query, 1, NULL);
}

// Returns how many penetrations all cell sizes find.
static size_t require_all_pairs(const kit_body* bodies, uint32_t count) {
    static const double sizes[] = {0, 1, 0.45, 0.3};
    kit_list truth = find(bodies, count, KIT_METHOD_BRUTE_FORCE, 0);
    const size_t found = truth.count;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        kit_list list = find(bodies, count, KIT_METHOD_SORTED_CELLS, sizes[i]);
        kit_require_same(&truth, &list, "sorted cells");
        free(list.data);
    }
    free(truth.data);
    return found;
}

// A corner at `at` and one along each axis.
static void put_tet(kit_body* b, uint32_t tet, const double at[3], double size) {
    for (uint32_t i = 0; i < 4; i++) {
        b->tets[tet][i] = 4 * tet + i;
        for (uint32_t k = 0; k < 3; k++)
            b->points[4 * tet + i][k] = at[k] + (i == k + 1 ? size : 0);
    }
}

// Pairs of small tetrahedra, one of which has a corner in the other, and some large ones: in few
// cells, and in so many that the table is folded and boxes cross its end.
static void pairs_anywhere(void** state) {
    (void)state;
    enum { PAIRS = 150, LARGE = 8 };
    static const double extents[] = {6, 100, 3000};
    uint64_t random = 0xce11;
    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++)
        for (int large = 0; large <= LARGE; large += LARGE) {
            const uint32_t count = 2 * PAIRS + (uint32_t)large;
            kit_body b = kit_make(4 * count, count);
            for (uint32_t i = 0; i < count; i++) {
                double at[3];
                for (int k = 0; k < 3; k++)
                    at[k] = i % 2 && i < 2 * PAIRS ? b.points[4 * (i - 1)][k] + 0.1
                                                   : kit_uniform(&random, 0, extents[e]);
                put_tet(&b, i, at, i < 2 * PAIRS ? 1 : 40);
            }
            assert_true(require_all_pairs(&b, 1) >= PAIRS);
            kit_free(&b);
        }
}

// More vertices than one range of the update has, each body beyond the one before.
static void bodies_in_a_row(void** state) {
    (void)state;
    uint64_t random = 0xb0d7;
    kit_body bodies[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t n[3] = {5, 5, 5};
        const double at[3] = {3.7 * i, 2.3 * i, 1.1 * i};
        bodies[i] = kit_lattice(n, at, 1, 0.2, &random);
    }
    assert_true(require_all_pairs(bodies, 3) > 100);
    for (uint32_t i = 0; i < 3; i++) kit_free(&bodies[i]);
}

// The size follows the other tetrahedra.
static void a_huge_tetrahedron(void** state) {
    (void)state;
    enum { COUNT = 20 };
    kit_body b = kit_make(4 * COUNT, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const double at[3] = {2.0 * i, 0, 0};
        put_tet(&b, i, at, i == 7 ? 1e6 : 1);
    }
    kit_list list = find(&b, 1, KIT_METHOD_SORTED_CELLS, 0);
    assert_true(list.cell_size > 0.5 && list.cell_size < 2);
    free(list.data);
    kit_free(&b);
}

// Two bodies move away together, without edits: depths are those of new bodies at their new places.
static void depths_after_a_move(void** state) {
    (void)state;
    uint64_t random = 0xd397;
    fracas_context* context = kit_context(1);
    kit_options options = kit_default_options(KIT_METHOD_SORTED_CELLS);
    fracas_tets_query query = fracas_tets_default_query();
    options.tets.depth = query.depth = true;
    fracas_tets* tets;
    fracas_body handles[2];
    kit_body bodies[2];
    kit_list list = {0};
    assert_int_equal(kit_create(context, &options, &tets), FRACAS_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t n[3] = {4, 4, 4};
        const double at[3] = {1.5 * i, 1.2 * i, 0.9 * i};
        bodies[i] = kit_lattice(n, at, 1, 0.2, &random);
        const fracas_tet_view view = kit_view(&bodies[i]);
        assert_int_equal(fracas_tets_add(tets, &view, &handles[i]), FRACAS_OK);
    }
    for (int step = 0; step < 3; step++) {
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t v = 0; v < bodies[i].point_count; v++) {
                const double x = bodies[i].points[v][0];
                bodies[i].points[v][0] = bodies[i].points[v][1] + 7 * step;
                bodies[i].points[v][1] = -0.8 * x;
            }
            const fracas_points points = {.data = bodies[i].points, .count = bodies[i].point_count};
            assert_int_equal(fracas_tets_move(tets, handles[i], &points), FRACAS_OK);
        }
        kit_detect(tets, &query, &list, NULL);
        kit_list fresh = kit_find(bodies, 2, &options, &query, 1, NULL);
        assert_true(fresh.count > 20);
        assert_int_equal(list.count, fresh.count);
        for (size_t i = 0; i < list.count; i++) {
            // Trees differ, so that the nearest of two triangles at an edge may be the other one.
            const fracas_penetration *a = &list.data[i], *b = &fresh.data[i];
            assert_true(a->vertex == b->vertex && a->tet == b->tet);
            assert_float_equal(a->depth, b->depth, 1e-12);
        }
        free(fresh.data);
    }
    free(list.data);
    for (uint32_t i = 0; i < 2; i++) kit_free(&bodies[i]);
    fracas_tets_destroy(tets);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_anywhere),
        cmocka_unit_test(bodies_in_a_row),
        cmocka_unit_test(a_huge_tetrahedron),
        cmocka_unit_test(depths_after_a_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
