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

// A flat double pyramid a, b, c, d, e in a larger one, and q below the middle of a, b, c. Between
// the pyramids is a prism on each face; point i + 5 is outside of point i.
enum { A, B, C, E, D, Q = 10, PYRAMID_POINTS, PYRAMID_TETS = 23 };
typedef struct pyramids {
    double points[PYRAMID_POINTS][3];
    uint32_t tets[PYRAMID_TETS][4];
} pyramids;

static void place_pyramids(pyramids* p) {
    static const double circle[3][2] = {
        {1,    0                  },
        {-0.5, 0.8660254037844386 },
        {-0.5, -0.8660254037844386}
    };
    static const double height[2][2] = {
        {-0.6, 1  },
        {-1.2, 1.5}
    };
    for (int outer = 0; outer < 2; outer++) {
        const double radius = outer ? 20 : 1.6;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++) p->points[5 * outer + i][k] = radius * circle[i][k];
        for (int i = 0; i < 2; i++) p->points[5 * outer + E + i][2] = height[outer][i];
    }
    p->points[Q][2] = -0.3;
}

static pyramids make_pyramids(void) {
    static const uint32_t faces[6][3] = {
        {A, B, D},
        {B, C, D},
        {A, C, D},
        {A, B, E},
        {B, C, E},
        {A, C, E}
    };
    pyramids p = {
        .tets = {{A, B, C, D}, {A, B, C, Q}, {A, B, E, Q}, {B, C, E, Q}, {A, C, E, Q}}
    };
    uint32_t count = 5;
    place_pyramids(&p);
    for (int f = 0; f < 6; f++)
        for (int i = 0; i < 3; i++, count++)
            for (int k = 0; k < 4; k++)
                p.tets[count][k] = faces[f][k <= i ? k : k - 1] + 5 * (k > i);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t* tet = p.tets[t];
        const double* x[4];
        for (int i = 0; i < 4; i++) x[i] = p.points[tet[i]];
        if (frc_orient3d(x[0], x[1], x[2], x[3]) > 0) continue;
        const uint32_t other = tet[0];
        tet[0] = tet[1], tet[1] = other;
    }
    return p;
}

// A crack around d is nearer to q than to a, b, c; but q knows of it only from them. The surface is
// nearer to q than the crack is to them, so it is not the nearest node that passes it on.
static void nodes_behind_a_wide_face(void** state) {
    (void)state;
    pyramids p = make_pyramids();
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    const kit_shape shape = {p.points, p.tets, PYRAMID_POINTS, PYRAMID_TETS};
    fracas_solid* solid = kit_solid(context, &shape);
    fracas_fragments* all;
    fracas_fragment whole, parts[2];
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    const uint32_t of_d[PYRAMID_POINTS] = {[D] = 1};
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
