/// @file validate_top_tree.c  Check every invariant of the top tree: slow, for tests.
#include "block/top_tree.h"

static bool same(float a, float b) { return a == b || (a != a && b != b); }

static const char* check_leaf(const frc_top_tree* top, int m, uint32_t n, uint32_t lane,
                              frc_block* const* blocks, uint32_t block_count) {
    uint32_t block = top->nodes[m][n].child[lane] & ~FRC_REF_LEAF;
    if (block >= block_count || !blocks[block]) return "a leaf is a block that does not exist";
    if (top->leaf_block[block] != block) return "a leaf has the number of another block";
    if (top->leaves[block].parent != n || top->leaves[block].lane != lane)
        return "a block has a wrong parent or lane";
    const frc_box4* box = &top->nodes[m][n].box;
    for (int k = 0; k < 3; k++)
        if (!same(box->lo[k][lane], blocks[block]->lo[m][k]) ||
            !same(box->hi[k][lane], blocks[block]->hi[m][k]))
            return "the boxes of a leaf and its block differ";
    return NULL;
}

// Is the box of a lane the union of the boxes of the child node?
static bool box_fits(const frc_box4* outer, uint32_t lane, const frc_box4* inner) {
    for (int k = 0; k < 3; k++) {
        bool lo = false, hi = false, any = false;
        for (int i = 0; i < 4; i++) {
            if (inner->lo[k][i] != inner->lo[k][i]) continue;
            any = true;
            if (inner->lo[k][i] < outer->lo[k][lane] || inner->hi[k][i] > outer->hi[k][lane])
                return false;
            lo = lo || inner->lo[k][i] == outer->lo[k][lane];
            hi = hi || inner->hi[k][i] == outer->hi[k][lane];
        }
        if (any ? !(lo && hi) : outer->lo[k][lane] == outer->lo[k][lane]) return false;
    }
    return true;
}

static const char* check_node(const frc_top_tree* top, int m, uint32_t n, frc_block* const* blocks,
                              uint32_t block_count, uint32_t* leaves, uint32_t* nodes) {
    const frc_node* node = &top->nodes[m][n];
    uint32_t count = 0, sum = 0;
    frc_cost child[4];
    const char* wrong = NULL;
    for (uint32_t i = 0; i < 4 && !wrong; i++) {
        uint32_t ref = node->child[i];
        child[i] = frc_leaf_cost();
        if (ref == FRC_REF_NONE) {
            if (node->box.lo[0][i] == node->box.lo[0][i]) return "an empty lane has a box";
            continue;
        }
        if (count++ != i) return "a child follows an empty lane";
        if (ref & FRC_REF_LEAF) {
            wrong = check_leaf(top, m, n, i, blocks, block_count);
            sum++, ++*leaves;
            continue;
        }
        if (ref >= top->node_count || ++*nodes > top->node_count) return "the nodes have a cycle";
        const frc_node* below = &top->nodes[m][ref];
        if (below->parent != n || below->lane != i) return "a node has a wrong parent or lane";
        if (!box_fits(&node->box, i, &below->box))
            return "a box is not the union of the boxes of the child";
        wrong = check_node(top, m, ref, blocks, block_count, leaves, nodes);
        sum += top->info[ref].leaves;
        child[i] = top->info[ref].cost;
    }
    if (wrong) return wrong;
    if (n != 0 && count < 2) return "a node has one child";
    if (sum != top->info[n].leaves) return "the number of leaves is wrong";
    const frc_metric metric = {FRC_MEASURE_VOLUME, FRC_PAIR_SUM_IF_OVERLAP};
    int kind = top->nodes[FRC_BOXES_STEP] ? FRC_BOXES_STEP : FRC_BOXES_END;
    frc_cost cost = frc_node_cost(&metric, &top->nodes[kind][n], child, 0);
    if (cost.inter != top->info[n].cost.inter || cost.self != top->info[n].cost.self)
        return "a cost does not follow from the children";
    return NULL;
}

const char* frc_top_tree_validate(const frc_top_tree* top, frc_block* const* blocks,
                                  uint32_t block_count) {
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < block_count; i++) wanted += blocks[i] != NULL;
    if (wanted != top->leaf_count) return "the number of blocks is wrong";
    if (top->broken) return "the tree is broken";
    for (int m = 0; m < FRC_BOXES_COUNT; m++) {
        uint32_t leaves = 0, nodes = 1;
        if (!top->nodes[m] || top->node_count == 0) continue;
        if (top->nodes[m][0].parent != FRC_REF_NONE) return "the root has a parent";
        const char* wrong = check_node(top, m, 0, blocks, block_count, &leaves, &nodes);
        if (wrong) return wrong;
        if (leaves != wanted) return "a block is missing or listed twice";
    }
    return NULL;
}
