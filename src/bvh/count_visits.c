/// @file count_visits.c  Counting walks over trees, the plain way: for experiments, not for
/// queries.
#include "bvh/count_visits.h"
#include <math.h>
#include <string.h>

static void clear_boxes(frc_node* node) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++) node->box.lo[k][i] = node->box.hi[k][i] = NAN;
}

// Written so that NaN, an empty lane, is replaced by anything.
static void enclose(frc_box4* box, uint32_t lane, const float lo[3], const float hi[3]) {
    for (int k = 0; k < 3; k++) {
        if (!(box->lo[k][lane] <= lo[k])) box->lo[k][lane] = lo[k];
        if (!(box->hi[k][lane] >= hi[k])) box->hi[k][lane] = hi[k];
    }
}

void frc_shape_fit(frc_shape* shape, const frc_prim* prims, const frc_prim* boxes) {
    for (uint32_t n = 0; n < shape->node_count; n++) clear_boxes(&shape->nodes[n]);
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

// A child of a node: its box stands there.
typedef struct side {
    const frc_node* nodes;
    uint32_t node, lane;
} side;

static uint32_t ref_of(side s) { return s.nodes[s.node].child[s.lane]; }

static bool meet(side a, side b) {
    const frc_box4 *x = &a.nodes[a.node].box, *y = &b.nodes[b.node].box;
    for (int k = 0; k < 3; k++)
        if (!(x->lo[k][a.lane] <= y->hi[k][b.lane] && y->lo[k][b.lane] <= x->hi[k][a.lane]))
            return false;
    return true;
}

static bool has(const frc_node* nodes, uint32_t node, uint32_t lane) {
    return lane < 4 && nodes[node].child[lane] != FRC_REF_NONE;
}

// The test of these two, and what follows from it. As deep as the trees are.
static uint64_t count_pair(side a, side b) {
    uint64_t sum = 1;
    if (!meet(a, b)) return sum;
    uint32_t x = ref_of(a), y = ref_of(b);
    bool leaf_a = x & FRC_REF_LEAF, leaf_b = y & FRC_REF_LEAF;
    if (leaf_a && leaf_b) return sum;
    for (uint32_t i = 0; leaf_a ? i < 1 : has(a.nodes, x, i); i++)
        for (uint32_t j = 0; leaf_b ? j < 1 : has(b.nodes, y, j); j++)
            sum +=
                count_pair(leaf_a ? a : (side){a.nodes, x, i}, leaf_b ? b : (side){b.nodes, y, j});
    return sum;
}

static uint64_t count_self(const frc_node* nodes, uint32_t node) {
    uint64_t sum = 0;
    for (uint32_t i = 0; has(nodes, node, i); i++) {
        for (uint32_t j = i + 1; has(nodes, node, j); j++)
            sum += count_pair((side){nodes, node, i}, (side){nodes, node, j});
        if (!(nodes[node].child[i] & FRC_REF_LEAF)) sum += count_self(nodes, nodes[node].child[i]);
    }
    return sum;
}

uint64_t frc_count_self(const frc_node* nodes) { return count_self(nodes, 0); }

uint64_t frc_count_pair(const frc_node* a, const frc_node* b) {
    uint64_t sum = 0;
    for (uint32_t i = 0; has(a, 0, i); i++)
        for (uint32_t j = 0; has(b, 0, j); j++) sum += count_pair((side){a, 0, i}, (side){b, 0, j});
    return sum;
}
