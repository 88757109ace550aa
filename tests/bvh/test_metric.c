// Traversal costs: examples computed by hand, flat and infinite boxes, culled children, and updates
// along a path, which give the same result as a full computation.
#include "bvh/count_visits.h"
#include "bvh/metric.h"
#include "cmocka_all.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const frc_metric PLAIN = {FRC_MEASURE_VOLUME, FRC_PAIR_SUM},
                        MEETING = {FRC_MEASURE_VOLUME, FRC_PAIR_SUM_IF_OVERLAP},
                        OVERLAP = {FRC_MEASURE_VOLUME, FRC_PAIR_OVERLAP};

static frc_node empty_node(void) {
    frc_node node;
    memset(&node, 0, sizeof node);
    for (int i = 0; i < 4; i++) {
        node.child[i] = FRC_REF_NONE;
        for (int k = 0; k < 3; k++) node.box.lo[k][i] = node.box.hi[k][i] = NAN;
    }
    node.parent = FRC_REF_NONE;
    return node;
}

static void set_lane(frc_node* node, int lane, uint32_t ref, const float lo[3], const float hi[3]) {
    node->child[lane] = ref;
    for (int k = 0; k < 3; k++) node->box.lo[k][lane] = lo[k], node->box.hi[k][lane] = hi[k];
}

static void near_to(float is, float wanted) { assert_true(fabsf(is - wanted) <= 1e-4f * wanted); }

// A cube of side 2 with two leaves, its lower and its upper half, and one of an eighth of its size.
static frc_node cube(void) {
    frc_node node = empty_node();
    set_lane(&node, 0, 0 | FRC_REF_LEAF, (float[3]){0, 0, 0}, (float[3]){2, 2, 0.9f});
    set_lane(&node, 1, 1 | FRC_REF_LEAF, (float[3]){0, 0, 1}, (float[3]){2, 2, 2});
    set_lane(&node, 2, 2 | FRC_REF_LEAF, (float[3]){0, 0, 0}, (float[3]){1, 1, 1});
    return node;
}

static void worked_by_hand(void** state) {
    (void)state;
    frc_node node = cube();
    const frc_cost child[4] = {
        {1, 0, 1},
        {3, 7, 4},
        {2, 5, 2},
        {9, 9, 9}
    };
    // P: 0.45, 0.5, 0.125
    frc_cost cost = frc_node_cost(&PLAIN, &node, child, 0);
    near_to(cost.inter, 1 + 0.45f * 1 + 0.5f * 3 + 0.125f * 2);
    near_to(cost.self, (1 + 3) + (1 + 2) + (3 + 2) + 7 + 5);
    // The first and the second are disjoint.
    cost = frc_node_cost(&MEETING, &node, child, 0);
    near_to(cost.self, (1 + 2) + (3 + 2) + 7 + 5);
    // The second is culled with itself, not with others.
    cost = frc_node_cost(&MEETING, &node, child, 2);
    near_to(cost.self, (1 + 2) + (3 + 2) + 5);
    // The third has 0.9 of its volume in common with the first, a quarter of the first one's
    // volume, and a flat side with the second.
    cost = frc_node_cost(&OVERLAP, &node, child, 15);
    near_to(cost.self, 1 + 0.5f * (1 * 0.25f * 2 + 2 * 0.9f * 1) + 1);
    assert_true(cost.leaves == 7);
    near_to(frc_node_volumes(&node), 8 / (3.6f + 4 + 1));
    frc_node nothing = empty_node();
    cost = frc_node_cost(&MEETING, &nothing, child, 0);
    assert_true(cost.inter == 1 && cost.self == 0);
    assert_true(frc_node_volumes(&nothing) == 1);
}

// Flat, without any size, and unbounded: costs are finite and not less than those of leaves.
static void costs_of_extreme_boxes_are_finite(void** state) {
    (void)state;
    const float sizes[] = {0, 1e-40f, 1, 1e38f, INFINITY};
    const frc_cost child[4] = {
        {1, 0, 1},
        {1, 0, 1},
        {1, 0, 1},
        {1, 0, 1}
    };
    for (int x = 0; x < 5; x++)
        for (int y = 0; y < 5; y++)
            for (int z = 0; z < 5; z++) {
                frc_node node = empty_node();
                const float lo[3] = {-sizes[x], 0, 0}, hi[3] = {sizes[x], sizes[y], sizes[z]};
                for (int i = 0; i < 4; i++) set_lane(&node, i, (uint32_t)i | FRC_REF_LEAF, lo, hi);
                frc_cost cost = frc_node_cost(&MEETING, &node, child, 0);
                // Every child is as large as the node.
                near_to(cost.inter, 5);
                near_to(cost.self, 12);
                cost = frc_node_cost(&OVERLAP, &node, child, 0);
                near_to(cost.self, 12);
                assert_true(frc_node_volumes(&node) == frc_node_volumes(&node));
            }
}

enum { MANY = 3000 };

static float random_float(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (float)(*state >> 40) * 0x1p-24f;
}

static void random_boxes(frc_prim* prims, uint64_t* random) {
    for (uint32_t i = 0; i < MANY; i++) {
        prims[i] = (frc_prim){.id = i};
        for (int k = 0; k < 3; k++) {
            prims[i].lo[k] = random_float(random);
            prims[i].hi[k] = prims[i].lo[k] + 0.05f * random_float(random);
        }
    }
}

static void path_update_equals_full_computation(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_prim *prims = malloc(MANY * sizeof *prims), *boxes = malloc(MANY * sizeof *boxes);
    uint64_t random = 77;
    random_boxes(prims, &random);
    memcpy(boxes, prims, MANY * sizeof *prims);
    const frc_build_options how = {.builder = FRC_BUILD_GRID, .leaf_size = 4};
    frc_shape shape;
    assert_true(frc_tree_build(context, &how, prims, MANY, &shape));
    frc_shape_fit(&shape, prims, boxes);
    frc_cost *costs = malloc(shape.node_count * sizeof *costs),
             *fresh = malloc(shape.node_count * sizeof *costs);
    uint8_t* culled = malloc(shape.node_count);
    for (uint32_t n = 0; n < shape.node_count; n++) culled[n] = (uint8_t)(n * 37);
    frc_tree_costs(&OVERLAP, shape.nodes, shape.node_count, culled, costs);
    for (int round = 0; round < 200; round++) {
        // One primitive of one leaf moves.
        uint32_t l = (uint32_t)(random_float(&random) * (float)shape.leaf_count);
        frc_prim* moved = &boxes[prims[shape.leaves[l].first].id];
        for (int k = 0; k < 3; k++) moved->hi[k] += random_float(&random);
        frc_shape_fit(&shape, prims, boxes);
        frc_path_costs(&OVERLAP, shape.nodes, shape.leaves[l].parent, culled, costs);
        frc_tree_costs(&OVERLAP, shape.nodes, shape.node_count, culled, fresh);
        assert_memory_equal(costs, fresh, shape.node_count * sizeof *costs);
    }
    // Culling never increases the cost.
    frc_tree_costs(&OVERLAP, shape.nodes, shape.node_count, NULL, costs);
    assert_true(costs[0].self > fresh[0].self && costs[0].inter == fresh[0].inter);
    free(costs), free(fresh), free(culled), free(prims), free(boxes);
    frc_shape_release(context, &shape);
    fracas_context_destroy(context);
}

// Different seeds give different trees, equal seeds equal trees. A long thin bar that is split
// along its short axes has a worse tree; both the cost and the counted tests show it.
static void worse_trees_cost_more(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_prim *prims = malloc(MANY * sizeof *prims), *boxes = malloc(MANY * sizeof *boxes);
    uint64_t random = 5, counts[4];
    for (uint32_t i = 0; i < MANY; i++) {
        boxes[i] = (frc_prim){.id = i};
        for (int k = 0; k < 3; k++) {
            boxes[i].lo[k] = random_float(&random) * (k == 0 ? 1000.0f : 1.0f);
            boxes[i].hi[k] = boxes[i].lo[k] + 1;
        }
    }
    float self[4];
    for (uint64_t seed = 0; seed < 4; seed++) {
        const frc_build_options how = {
            .builder = FRC_BUILD_MEDIAN, .leaf_size = 4, .seed = seed == 3 ? 2 : seed};
        frc_shape shape;
        memcpy(prims, boxes, MANY * sizeof *prims);
        assert_true(frc_tree_build(context, &how, prims, MANY, &shape));
        frc_shape_fit(&shape, prims, boxes);
        frc_cost* costs = malloc(shape.node_count * sizeof *costs);
        frc_tree_costs(&OVERLAP, shape.nodes, shape.node_count, NULL, costs);
        self[seed] = costs[0].self;
        counts[seed] = frc_count_self(shape.nodes);
        print_message("seed %d: cost %.0f, counted %.0f\n", (int)seed, (double)self[seed],
                      (double)counts[seed]);
        free(costs);
        frc_shape_release(context, &shape);
    }
    assert_true(self[2] == self[3] && counts[2] == counts[3]);
    assert_true(self[1] != self[2] && counts[1] != counts[2]);
    assert_true(self[0] < self[1] && counts[0] < counts[1]);
    assert_true(self[0] < self[2] && counts[0] < counts[2]);
    free(prims), free(boxes);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(costs_of_extreme_boxes_are_finite),
        cmocka_unit_test(path_update_equals_full_computation),
        cmocka_unit_test(worse_trees_cost_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
