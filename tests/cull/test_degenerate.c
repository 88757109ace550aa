// Degenerate meshes, one case at a time: some must not be certified, others should be.
#include "cmocka_all.h"
#include "cull/cull_state.h"
#include "cull_check.h"
#include <math.h>
#include <string.h>

#define FULL_TURN 6.283185307179586

// Whether the whole shape is certified, at rest or over the step.
static bool certified(const cull_shape* shape, frc_boxes boxes) {
    cull_world world;
    assert_true(cull_world_open(&world, shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1));
    frc_cull_state* s = cull_state_of(&world, 0);
    bool yes =
        frc_cull_certify(world.context, &world.scene->topology, world.scene->lows, s, boxes, 0);
    if (yes) assert_false(cull_collides(world.scene, s, boxes, 0));
    cull_world_close(&world);
    return yes;
}

static void expect(cull_shape* shape, bool rest, bool moving) {
    assert_int_equal(certified(shape, FRC_BOXES_END), rest);
    assert_int_equal(certified(shape, FRC_BOXES_STEP), moving);
    cull_free_shape(shape);
}

static cull_shape make_sheet(uint32_t columns, uint32_t rows) {
    cull_shape s = {0};
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) cull_add_point(&s, x, y, 0.1 * (x % 2));
    for (uint32_t y = 0; y + 1 < rows; y++)
        for (uint32_t x = 0; x + 1 < columns; x++) {
            uint32_t a = y * columns + x;
            cull_add_triangle(&s, a, a + 1, a + columns + 1);
            cull_add_triangle(&s, a, a + columns + 1, a + columns);
        }
    return s;
}

static void a_sheet(void** state) {
    (void)state;
    cull_shape s = make_sheet(6, 5);
    expect(&s, true, true);
}

// All triangles of a star face up although it winds twice: triangles intersect that are not
// neighbours, and all of them share the centre vertex.
static void star_that_winds_twice(void** state) {
    (void)state;
    for (int turns = 1; turns <= 2; turns++) {
        cull_shape s = {0};
        uint32_t hub = cull_add_point(&s, 0, 0, 0), count = 12;
        for (uint32_t i = 0; i < count; i++) {
            double a = FULL_TURN * turns * i / count;
            cull_add_point(&s, cos(a), sin(a), turns == 1 ? 0 : 0.2 * cos(a / 2));
        }
        for (uint32_t i = 0; i < count; i++) cull_add_triangle(&s, hub, 1 + i, 1 + (i + 1) % count);
        expect(&s, turns == 1, turns == 1);
    }
}

static void a_third_triangle_on_an_edge(void** state) {
    (void)state;
    cull_shape s = make_sheet(4, 4);
    cull_add_triangle(&s, 5, 6, cull_add_point(&s, 1.5, 1.6, 1));
    expect(&s, false, false);
}

static void a_doubled_triangle(void** state) {
    (void)state;
    cull_shape s = make_sheet(4, 4);
    cull_add_triangle(&s, s.triangles[3][0], s.triangles[3][1], s.triangles[3][2]);
    expect(&s, false, false);
    s = make_sheet(4, 4);
    cull_add_triangle(&s, s.triangles[3][1], s.triangles[3][0], s.triangles[3][2]);
    expect(&s, false, false);
}

static void a_triangle_turned_over(void** state) {
    (void)state;
    cull_shape s = make_sheet(4, 4);
    uint32_t* t = s.triangles[7];
    uint32_t swap = t[0];
    t[0] = t[1], t[1] = swap;
    expect(&s, false, false);
}

// Half-edges are opposite only in opposite directions; a false pair would hide the contour.
static void edges_in_the_same_direction(void** state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        cull_shape s = {0};
        for (int i = 0; i < 4; i++) cull_add_point(&s, i % 2, i / 2, 0.1 * i);
        cull_add_triangle(&s, 0, 1, 2);
        cull_add_triangle(&s, turned ? 1 : 2, turned ? 2 : 1, 3);
        cull_world world;
        assert_true(cull_world_open(&world, &s, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1));
        const frc_block* block = world.scene->blocks.data[0];
        uint32_t paired = 0;
        for (uint32_t h = 0; h < 3 * block->face_slots; h++)
            paired += block->opposite[h] != FRACAS_NONE && block->opposite[h] != h;
        assert_int_equal(paired, turned ? 0 : 2);
        cull_world_close(&world);
        cull_free_shape(&s);
    }
}

static void segments_points_and_slivers(void** state) {
    (void)state;
    cull_shape s = make_sheet(4, 4);
    cull_add_triangle(&s, 5, 5, 6);
    expect(&s, false, false);
    s = make_sheet(4, 4);
    cull_add_triangle(&s, 5, 5, 5);
    expect(&s, false, false);
    // A corner on the line through the other two.
    s = make_sheet(4, 4);
    cull_add_triangle(&s, 1, 0, cull_add_point(&s, 0.5, 0, 0.05));
    expect(&s, false, false);
}

// Two fans that share one vertex: disjoint in projection, but both contain the vertex.
static void a_pinched_vertex(void** state) {
    (void)state;
    cull_shape s = {0};
    uint32_t v = cull_add_point(&s, 0, 0, 0);
    uint32_t a = cull_add_point(&s, 1, -0.5, 0), b = cull_add_point(&s, 1, 0.5, 0);
    uint32_t c = cull_add_point(&s, -1, 0.5, 0), d = cull_add_point(&s, -1, -0.5, 0);
    cull_add_triangle(&s, v, a, b);
    cull_add_triangle(&s, v, c, d);
    expect(&s, false, false);
}

// A crack whose sides coincide: they touch everywhere along it.
static void coincident_siblings(void** state) {
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        cull_shape s = make_sheet(4, 3);
        for (uint32_t y = 0; y < 3; y++) {
            uint32_t old = y * 4 + 2;
            uint32_t copy = cull_add_point(&s, 2 + 0.01 * gap, y, 0.01 * gap);
            for (uint32_t t = 0; t < s.triangle_count; t++) {
                bool right = false;
                for (int k = 0; k < 3; k++)
                    right |= s.triangles[t][k] % 4 == 3 && s.triangles[t][k] < 12;
                for (int k = 0; k < 3 && right; k++)
                    if (s.triangles[t][k] == old) s.triangles[t][k] = copy;
            }
        }
        expect(&s, gap == 1, gap == 1);
    }
}

static void add_ring(cull_shape* s, double inner, double outer, double z, bool up) {
    uint32_t first = s->point_count, count = 8;
    for (uint32_t i = 0; i < count; i++) {
        double a = FULL_TURN * i / count;
        cull_add_point(s, inner * cos(a), inner * sin(a), z);
        cull_add_point(s, outer * cos(a), outer * sin(a), z);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % count);
        cull_add_triangle(s, a, up ? a + 1 : b + 1, up ? b + 1 : a + 1);
        cull_add_triangle(s, a, up ? b + 1 : b, up ? b : b + 1);
    }
}

// Rings: loops around holes have the opposite orientation. A ring within the hole of another is
// fine; one above another is not, although their contours do not intersect.
static void rings_and_islands(void** state) {
    (void)state;
    cull_shape s = {0};
    add_ring(&s, 1, 2, 0, true);
    expect(&s, true, true);
    memset(&s, 0, sizeof s);
    add_ring(&s, 1, 2, 0, true);
    add_ring(&s, 0.3, 0.8, 0.5, true);
    expect(&s, true, true);
    memset(&s, 0, sizeof s);
    add_ring(&s, 1, 2, 0, true);
    add_ring(&s, 1.2, 1.8, 0.5, true);
    expect(&s, false, false);
    memset(&s, 0, sizeof s);
    add_ring(&s, 1, 2, 0, true);
    add_ring(&s, 0.5, 2.5, 0.5, true);
    expect(&s, false, false);
}

// ---- motion

// The sheet is congruent at both ends of the step, but rotated by half a turn: in the middle of the
// step all points are on the axis.
static void a_half_turn(void** state) {
    (void)state;
    cull_shape s = make_sheet(4, 4);
    for (uint32_t i = 0; i < s.point_count; i++)
        for (int k = 0; k < 2; k++) s.points[i][1][k] = 3 - s.points[i][0][k];
    expect(&s, true, false);
}

// A quarter turn is fine, a larger one needs a subdivision of the step, and so does a large
// translation.
static void rotations_and_long_paths(void** state) {
    (void)state;
    for (int degrees = 10; degrees <= 150; degrees += 35) {
        cull_shape s = make_sheet(5, 5);
        double c = cos(FULL_TURN * degrees / 360), n = sin(FULL_TURN * degrees / 360);
        for (uint32_t i = 0; i < s.point_count; i++) {
            double x = s.points[i][0][0], y = s.points[i][0][1];
            s.points[i][1][0] = c * x - n * y + 1000;
            s.points[i][1][1] = n * x + c * y - 500;
        }
        expect(&s, true, true);
    }
}

// A flap that is open at the start and at the end of the step, and folds onto its neighbour in
// between.
static void flap_that_folds_in_between(void** state) {
    (void)state;
    cull_shape s = {0};
    uint32_t a = cull_add_point(&s, 0, 0, 0), b = cull_add_point(&s, 1, 0, 0);
    uint32_t c = cull_add_point(&s, 0.5, 1, 0), d = cull_add_point(&s, 0.5, -1, 0);
    cull_add_triangle(&s, a, b, c);
    cull_add_triangle(&s, b, a, d);
    // d moves over the top to the other side: at the end it is beyond c.
    s.points[d][1][1] = 3, s.points[d][1][2] = 0;
    assert_false(certified(&s, FRC_BOXES_STEP));
    cull_free_shape(&s);
}

static uint32_t add_moving(cull_shape* s, double x0, double y0, double x1, double y1) {
    const uint32_t v = cull_add_point(s, x0, y0, 0);
    s->points[v][1][0] = x1, s->points[v][1][1] = y1;
    return v;
}

// The triangle in the middle faces down between two times of the step, up at its start and end.
static void triangle_that_turns_over_in_between(void** state) {
    (void)state;
    static const double around[8][2] = {
        {-3, -3},
        {0,  -3},
        {3,  -3},
        {3,  0 },
        {3,  3 },
        {0,  3 },
        {-3, 3 },
        {-3, 0 }
    };
    static const uint32_t triangles[12][3] = {
        {8, 9,  10},
        {0, 1,  8 },
        {1, 9,  8 },
        {1, 2,  9 },
        {2, 3,  9 },
        {3, 4,  9 },
        {4, 10, 9 },
        {4, 5,  10},
        {5, 8,  10},
        {5, 6,  8 },
        {6, 7,  8 },
        {7, 0,  8 }
    };
    for (int still = 0; still < 2; still++) {
        cull_shape s = {0};
        for (int i = 0; i < 8; i++) cull_add_point(&s, around[i][0], around[i][1], 0);
        add_moving(&s, 0, 0, 0, 0);
        add_moving(&s, 1, 0, 1, still ? 0 : 1);
        add_moving(&s, 1, 0.1, still ? 1 : 0.2, still ? 0.1 : 0.22);
        for (int i = 0; i < 12; i++)
            cull_add_triangle(&s, triangles[i][0], triangles[i][1], triangles[i][2]);
        expect(&s, true, still);
    }
    // One that does so in the second half of the step only: its area is (0.6 - t) (0.9 - t).
    cull_shape s = {0};
    const uint32_t a = add_moving(&s, 0, 0, 0, 0), b = add_moving(&s, 0.6, 0, -0.4, 0),
                   c = add_moving(&s, 0, 0.9, 0, -0.1);
    cull_add_triangle(&s, a, b, c);
    expect(&s, true, false);
}

// A sheet like a C; its upper arm moves onto the lower one.
static void arms_that_cross_at_the_end(void** state) {
    (void)state;
    static const double at[10][2] = {
        {0,  0},
        {2,  0},
        {2,  1},
        {0,  1},
        {0,  2},
        {2,  2},
        {2,  3},
        {0,  3},
        {-1, 0},
        {-1, 3}
    };
    static const uint32_t triangles[8][3] = {
        {0, 1, 2},
        {0, 2, 3},
        {4, 5, 6},
        {4, 6, 7},
        {8, 0, 3},
        {8, 3, 4},
        {8, 4, 9},
        {4, 7, 9}
    };
    for (int crosses = 0; crosses < 2; crosses++) {
        cull_shape s = {0};
        for (int i = 0; i < 10; i++) {
            const double down = i == 5 || i == 6 ? (crosses ? 1.5 : 0.1) : 0;
            add_moving(&s, at[i][0], at[i][1], at[i][0], at[i][1] - down);
        }
        for (int i = 0; i < 8; i++)
            cull_add_triangle(&s, triangles[i][0], triangles[i][1], triangles[i][2]);
        expect(&s, !crosses, !crosses);
    }
}

// ---- numbers

static void huge_tiny_and_far_coordinates(void** state) {
    (void)state;
    static const double scales[] = {1e-100, 1e-20, 1e20, 1e37};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        cull_shape s = make_sheet(5, 5);
        for (uint32_t i = 0; i < s.point_count; i++)
            for (int e = 0; e < 6; e++) s.points[i][e / 3][e % 3] *= scales[k];
        // Boxes are floats: below or above their range nothing is certified. Never a wrong
        // certificate.
        bool fits = scales[k] > 1e-30;
        expect(&s, fits, fits);
    }
    cull_shape s = make_sheet(5, 5);
    for (uint32_t i = 0; i < s.point_count; i++)
        for (int e = 0; e < 6; e++) s.points[i][e / 3][e % 3] += 1e5;
    expect(&s, true, true);
    // So far from the origin that the sheet is flat and a few units in the last place wide.
    s = make_sheet(5, 5);
    for (uint32_t i = 0; i < s.point_count; i++)
        for (int e = 0; e < 6; e++) s.points[i][e / 3][e % 3] = 0x1p52 + s.points[i][e / 3][e % 3];
    certified(&s, FRC_BOXES_END);
    certified(&s, FRC_BOXES_STEP);
    cull_free_shape(&s);
    s = make_sheet(5, 5);
    for (uint32_t i = 0; i < s.point_count; i++)
        for (int e = 0; e < 6; e++) s.points[i][e / 3][e % 3] *= 1e300;
    expect(&s, false, false);
}

// Whether a triangle below has both points.
static bool is_owned(const frc_block* block, frc_cull_range faces, uint32_t a, uint32_t b) {
    bool found = a == FRACAS_NONE;
    for (uint32_t s = faces.begin; s < faces.end; s++) {
        bool has_a = false, has_b = false;
        for (int k = 0; k < 3 && block->faces[s].id != FRACAS_NONE; k++) {
            has_a |= block->faces[s].point[k] == a;
            has_b |= block->faces[s].point[k] == b;
        }
        found |= has_a && has_b;
    }
    return found;
}

static bool all_are_owned(const frc_cull_state* state, uint32_t ref) {
    const frc_block* block = state->block;
    const frc_cull_range leaves = frc_cull_leaves(state, ref);
    const frc_cull_range faces = frc_cull_faces(state, ref);
    const frc_leaf *first = &block->leaves[leaves.begin], *last = &block->leaves[leaves.end - 1];
    bool all = true;
    for (uint32_t s = first->edge; s < last->edge + last->edge_count; s++)
        all &= is_owned(block, faces, block->edges[s].point[0], block->edges[s].point[1]);
    for (uint32_t s = first->vertex; s < last->vertex + last->vertex_count; s++)
        all &= is_owned(block, faces, block->vertices[s], block->vertices[s]);
    return all;
}

// Nodes first, then leaves.
static uint32_t ref_at(const frc_block* block, uint32_t i) {
    return i < block->node_count ? i : (i - block->node_count) | FRC_REF_LEAF;
}

static bool is_certified(const cull_world* world, frc_cull_state* state, uint32_t i) {
    return frc_cull_certify(world->context, &world->scene->topology, world->scene->lows, state,
                            FRC_BOXES_STEP, ref_at(state->block, i));
}

static void swap_features(frc_block* block, frc_leaf* a, frc_leaf* b, bool edges) {
    frc_edge_slot edge = block->edges[a->edge];
    uint32_t vertex = block->vertices[a->vertex];
    if (edges)
        block->edges[a->edge] = block->edges[b->edge], block->edges[b->edge] = edge;
    else
        block->vertices[a->vertex] = block->vertices[b->vertex],
        block->vertices[b->vertex] = vertex;
    a->loose = b->loose = 1;
}

// Edits leave edges and points in leaves that have none of their triangles. A certificate of a node
// covers its features: each must belong to a triangle below the node, in any leaf.
static void features_in_other_leaves_than_their_triangles(void** state) {
    (void)state;
    enum { MOST = 256 };
    cull_shape shape = make_sheet(17, 17);
    cull_world world;
    assert_true(cull_world_open(&world, &shape, FRACAS_PUBLISHED_CULL_CERTIFICATE, 1));
    frc_block* block = world.scene->blocks.data[0];
    frc_cull_state* known = cull_state_of(&world, 0);
    const uint32_t refs = block->node_count + block->leaf_count;
    bool before[MOST];
    assert_in_range(refs, 60, MOST);
    for (uint32_t i = 0; i < refs; i++) before[i] = is_certified(&world, known, i);
    uint64_t random = 77;
    uint32_t refused = 0, certified_all_the_same = 0;
    for (int turn = 0; turn < 100; turn++) {
        frc_leaf* a = &block->leaves[cull_below(&random, block->leaf_count)];
        frc_leaf* b = &block->leaves[cull_below(&random, block->leaf_count)];
        const bool edges = turn % 2;
        if (a == b || !a->edge_count || !b->edge_count || !a->vertex_count || !b->vertex_count)
            continue;
        swap_features(block, a, b, edges);
        for (uint32_t i = 0; i < refs; i++) {
            const bool owned = all_are_owned(known, ref_at(block, i));
            assert_int_equal(is_certified(&world, known, i), before[i] && owned);
            refused += before[i] && !owned;
            certified_all_the_same += before[i] && owned;
        }
        swap_features(block, a, b, edges);
    }
    assert_true(refused > 200);
    assert_true(certified_all_the_same > 200);
    cull_world_close(&world);
    cull_free_shape(&shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet),
        cmocka_unit_test(star_that_winds_twice),
        cmocka_unit_test(a_third_triangle_on_an_edge),
        cmocka_unit_test(a_doubled_triangle),
        cmocka_unit_test(a_triangle_turned_over),
        cmocka_unit_test(edges_in_the_same_direction),
        cmocka_unit_test(segments_points_and_slivers),
        cmocka_unit_test(a_pinched_vertex),
        cmocka_unit_test(coincident_siblings),
        cmocka_unit_test(rings_and_islands),
        cmocka_unit_test(a_half_turn),
        cmocka_unit_test(rotations_and_long_paths),
        cmocka_unit_test(flap_that_folds_in_between),
        cmocka_unit_test(triangle_that_turns_over_in_between),
        cmocka_unit_test(arms_that_cross_at_the_end),
        cmocka_unit_test(huge_tiny_and_far_coordinates),
        cmocka_unit_test(features_in_other_leaves_than_their_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
