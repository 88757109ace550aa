/// @file count_visits.c  Count the box tests of a query by a plain recursive traversal: for
/// experiments.
#include "bvh/count_visits.h"
#include <math.h>
#include <string.h>

// The negated comparisons replace the NaN of an empty lane.
static void enclose(frc_box4* box, uint32_t lane, const float lo[3], const float hi[3]) {
    for (int k = 0; k < 3; k++) {
        if (!(box->lo[k][lane] <= lo[k])) box->lo[k][lane] = lo[k];
        if (!(box->hi[k][lane] >= hi[k])) box->hi[k][lane] = hi[k];
    }
}

void frc_shape_fit(frc_shape* shape, const frc_prim* prims, const frc_prim* boxes) {
    for (uint32_t n = 0; n < shape->node_count; n++) {
        frc_box4* box = &shape->nodes[n].box;
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++) box->lo[k][i] = box->hi[k][i] = NAN;
    }
    for (uint32_t l = 0; l < shape->leaf_count; l++) {
        const frc_leaf_range* leaf = &shape->leaves[l];
        for (uint32_t i = 0; i < leaf->count; i++) {
            const frc_prim* prim = &boxes[prims[leaf->first + i].id];
            enclose(&shape->nodes[leaf->parent].box, leaf->lane, prim->lo, prim->hi);
        }
    }
    for (uint32_t n = shape->node_count; n-- > 1;) {
        const frc_node* node = &shape->nodes[n];
        for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
            const float lo[3] = {node->box.lo[0][i], node->box.lo[1][i], node->box.lo[2][i]};
            const float hi[3] = {node->box.hi[0][i], node->box.hi[1][i], node->box.hi[2][i]};
            enclose(&shape->nodes[node->parent].box, node->lane, lo, hi);
        }
    }
}

// A child, by the lane of the node that has its box.
typedef struct side {
    const frc_node* nodes;
    uint32_t node, lane;
} side;

static uint32_t ref_of(side s) { return s.nodes[s.node].child[s.lane]; }

static bool has_child(const frc_node* nodes, uint32_t node, uint32_t lane) {
    return lane < 4 && nodes[node].child[lane] != FRC_REF_NONE;
}

// The tests of a pair of children and of their descendants. Recursion depth: the sum of the depths.
static uint64_t count_pair(side a, side b) {
    uint64_t sum = 1;
    const frc_box4 *box_a = &a.nodes[a.node].box, *box_b = &b.nodes[b.node].box;
    for (int k = 0; k < 3; k++)
        if (!(box_a->lo[k][a.lane] <= box_b->hi[k][b.lane] &&
              box_b->lo[k][b.lane] <= box_a->hi[k][a.lane]))
            return sum;
    uint32_t x = ref_of(a), y = ref_of(b);
    bool leaf_a = x & FRC_REF_LEAF, leaf_b = y & FRC_REF_LEAF;
    if (leaf_a && leaf_b) return sum;
    for (uint32_t i = 0; leaf_a ? i < 1 : has_child(a.nodes, x, i); i++)
        for (uint32_t j = 0; leaf_b ? j < 1 : has_child(b.nodes, y, j); j++)
            sum +=
                count_pair(leaf_a ? a : (side){a.nodes, x, i}, leaf_b ? b : (side){b.nodes, y, j});
    return sum;
}

static uint64_t count_self(const frc_node* nodes, uint32_t node) {
    uint64_t sum = 0;
    for (uint32_t i = 0; has_child(nodes, node, i); i++) {
        for (uint32_t j = i + 1; has_child(nodes, node, j); j++)
            sum += count_pair((side){nodes, node, i}, (side){nodes, node, j});
        if (!(nodes[node].child[i] & FRC_REF_LEAF)) sum += count_self(nodes, nodes[node].child[i]);
    }
    return sum;
}

uint64_t frc_count_self(const frc_node* nodes) { return count_self(nodes, 0); }

uint64_t frc_count_pair(const frc_node* a, const frc_node* b) {
    uint64_t sum = 0;
    for (uint32_t i = 0; has_child(a, 0, i); i++)
        for (uint32_t j = 0; has_child(b, 0, j); j++)
            sum += count_pair((side){a, 0, i}, (side){b, 0, j});
    return sum;
}
