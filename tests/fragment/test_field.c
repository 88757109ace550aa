// The distances that nodes get from a new crack through their neighbours.
#include "exact/predicates.h"
#include "fragment/field.h"
#include "fragment/fragments.h"
#include "fragment_kit.h"

enum { PARTS = 64 };

// No node is nearer to the triangle of a neighbour in its fragment than to its own: such a triangle
// has been offered to it. Returns how many nodes are nearest to a crack.
static uint32_t check_neighbours(const frc_object* object) {
    const frc_tet_topology* topology = &object->solid->topology;
    uint32_t by_crack = 0;
    for (uint32_t p = 0; p < object->solid->point_count; p++) {
        const frc_field_node* from = &object->nodes[p];
        by_crack += (from->nearest & FRC_CRACK_TRIANGLE) != 0;
        for (uint32_t n = topology->neighbour_begins[p]; n < topology->neighbour_begins[p + 1];
             n++) {
            const uint32_t q = topology->neighbours[n];
            const frc_field_node* to = &object->nodes[q];
            double direction[3];
            if (to->fragment != from->fragment) continue;
            const double distance =
                frc_field_distance(object, from->nearest, object->solid->points[q], direction);
            if (to->distance > distance + 1e-12)
                fail_msg("node %u is %g from the triangle of its neighbour %u, but has %g", q,
                         distance, p, to->distance);
        }
    }
    return by_crack;
}

static void propagation_ends_when_none_gains(void** state) {
    (void)state;
    static const uint32_t size[3] = {6, 5, 7};
    static const double heights[] = {1, 0.3, 0.1};
    uint32_t by_crack = 0;
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
        test_allocator memory = {0};
        fracas_context* context = kit_context(1, &memory);
        kit_shape shape = kit_lattice(size, kit_box, 1, 0.1, h);
        for (uint32_t i = 0; i < shape.point_count; i++) shape.points[i][2] *= heights[h];
        fracas_solid* solid = kit_solid(context, &shape);
        fracas_fragments* all;
        fracas_fragment current, parts[PARTS];
        uint64_t random = 6 + h;
        KIT_OK(context, fracas_fragments_create(context, NULL, &all));
        KIT_OK(context, fracas_fragments_add(all, solid, &current));
        for (int round = 0; round < 4; round++) {
            if (kit_break(context, all, current, 3, &random, parts, PARTS)) current = parts[0];
            by_crack += check_neighbours(frc_fragments_get(all, current)->object);
        }
        fracas_fragments_destroy(all);
        fracas_solid_destroy(solid);
        kit_free(&shape);
        fracas_context_destroy(context);
        assert_int_equal(atomic_load(&memory.blocks), 0);
    }
    assert_true(by_crack > 500);
}

enum { A, B, C, E, D, Q = 10, POINTS, TETS = 23 };

// A flat double pyramid a, b, c, d, e in a larger one, and q below the middle of a, b, c.
static void make_pyramids(double points[POINTS][3], uint32_t tets[TETS][4]) {
    static const uint32_t faces[6][3] = {
        {A, B, D},
        {B, C, D},
        {A, C, D},
        {A, B, E},
        {B, C, E},
        {A, C, E}
    };
    static const uint32_t inner[5][4] = {
        {A, B, C, D},
        {A, B, C, Q},
        {A, B, E, Q},
        {B, C, E, Q},
        {A, C, E, Q}
    };
    uint32_t count = 5;
    memcpy(tets, inner, sizeof inner);
    // Between the pyramids a prism on each face; point i + 5 is outside of point i.
    for (int f = 0; f < 6; f++)
        for (int i = 0; i < 3; i++, count++)
            for (int k = 0; k < 4; k++) tets[count][k] = faces[f][k <= i ? k : k - 1] + 5 * (k > i);
    assert_int_equal(count, TETS);
    const double r = 0.8660254037844386, height[2][2] = {
                                             {-0.6, 1  },
                                             {-1.2, 1.5}
    };
    const double circle[3][2] = {
        {1,    0 },
        {-0.5, r },
        {-0.5, -r}
    };
    memset(points, 0, POINTS * sizeof *points);
    for (int outer = 0; outer < 2; outer++) {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++)
                points[5 * outer + i][k] = (outer ? 20 : 1.6) * circle[i][k];
        for (int i = 0; i < 2; i++) points[5 * outer + E + i][2] = height[outer][i];
    }
    points[Q][2] = -0.3;
    for (uint32_t t = 0; t < TETS; t++) {
        const double* p[4];
        for (int i = 0; i < 4; i++) p[i] = points[tets[t][i]];
        if (frc_orient3d(p[0], p[1], p[2], p[3]) > 0) continue;
        const uint32_t other = tets[t][0];
        tets[t][0] = tets[t][1], tets[t][1] = other;
    }
}

// A crack around d is nearer to q than to a, b and c; but q knows of it only from them. The surface
// is nearer to q than the crack is to them, so it is not the nearest node that passes it on.
static void nodes_behind_a_wide_face(void** state) {
    (void)state;
    double points[POINTS][3];
    uint32_t tets[TETS][4];
    make_pyramids(points, tets);
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    const kit_shape shape = {points, tets, POINTS, TETS};
    fracas_solid* solid = kit_solid(context, &shape);
    fracas_fragments* all;
    fracas_fragment whole, parts[2];
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    const uint32_t of_d[POINTS] = {[D] = 1};
    const fracas_fracture fracture = {.part_count = 2, .node_parts = of_d};
    KIT_OK(context, fracas_fragments_fracture(all, whole, &fracture, parts));
    const frc_object* object = frc_fragments_get(all, parts[0])->object;
    assert_float_equal(object->nodes[A].distance, sqrt(0.8 * 0.8 + 0.5 * 0.5), 1e-12);
    assert_float_equal(object->nodes[Q].distance, 0.3 + 0.5, 1e-12);
    check_neighbours(object);
    fracas_fragments_destroy(all);
    fracas_solid_destroy(solid);
    fracas_context_destroy(context);
    assert_int_equal(atomic_load(&memory.blocks), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(propagation_ends_when_none_gains),
        cmocka_unit_test(nodes_behind_a_wide_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
