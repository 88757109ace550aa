/// @file lazy_plan.c  The new tree over the leaves of a subtree.
///
/// Leaves are kept in groups of four, which makes nearly the fewest nodes possible. With the median
/// the number of nodes depends only on that of leaves: a subtree that has fitted once fits again.
#include "published/lazy_plan.h"

enum { GROUP = 4 };  // leaves in a group, below one node

typedef struct source {
    const frc_shape* shape;
    const frc_prim* prims;
} source;

static uint32_t group_size(const source* s, uint32_t ref) {
    return ref & FRC_REF_LEAF ? s->shape->leaves[ref & ~FRC_REF_LEAF].count : UINT32_MAX;
}

// The next child of a node of the shape to dissolve, so that its leaves become children of the
// node: the smallest group, as long as the node has lanes for them; 4: none. A group of one leaf is
// always dissolved.
static uint32_t next_to_dissolve(const source* s, const uint32_t child[4], unsigned dissolved,
                                 uint32_t count) {
    uint32_t best = 4, least = 5 - count;
    for (uint32_t i = 0; i < 4 && child[i] != FRC_REF_NONE; i++)
        if (!(dissolved >> i & 1) && group_size(s, child[i]) <= least)
            best = i, least = group_size(s, child[i]) - 1;
    return best;
}

// Add a node for `ref` of the shape, whose leaves are groups, and all nodes below it.
static void plan_node(const source* s, frc_lazy_plan* t, uint32_t ref, uint32_t parent,
                      uint32_t lane) {
    if (t->node_count == t->node_capacity) t->fits = false;
    if (!t->fits) return;
    uint32_t number = t->node_count++;
    frc_node* node = &t->nodes[number];
    node->parent = parent, node->lane = lane;
    if (parent != FRC_REF_NONE) t->nodes[parent].child[lane] = number;
    for (int i = 0; i < 4; i++) node->child[i] = FRC_REF_NONE;

    const uint32_t alone[4] = {ref, FRC_REF_NONE, FRC_REF_NONE, FRC_REF_NONE};
    const uint32_t* child = ref & FRC_REF_LEAF ? alone : s->shape->nodes[ref].child;
    uint32_t count = 0, next = 0, kept[4], kept_lane[4], kept_count = 0;
    unsigned dissolved = 0;
    while (count < 4 && child[count] != FRC_REF_NONE) count++;
    for (uint32_t i; (i = next_to_dissolve(s, child, dissolved, count)) < 4;) {
        dissolved |= 1u << i;
        count += group_size(s, child[i]) - 1;
    }
    // Leaves of a node are numbered before those below its other children (tree.h).
    for (uint32_t i = 0; i < 4 && child[i] != FRC_REF_NONE; i++) {
        if (!(dissolved >> i & 1)) {
            kept[kept_count] = child[i], kept_lane[kept_count++] = next++;
            continue;
        }
        const frc_leaf_range* group = &s->shape->leaves[child[i] & ~FRC_REF_LEAF];
        for (uint32_t k = 0; k < group->count; k++) {
            node->child[next++] = t->leaf_count | FRC_REF_LEAF;
            t->from[t->leaf_count++] = s->prims[group->first + k].id;
        }
    }
    for (uint32_t i = 0; i < kept_count; i++) plan_node(s, t, kept[i], number, kept_lane[i]);
}

const frc_build_options frc_lazy_median = {.builder = FRC_BUILD_MEDIAN};

bool frc_lazy_plan_tree(fracas_context* context, const frc_build_options* how, frc_prim* prims,
                        frc_lazy_plan* plan) {
    frc_build_options groups = *how;
    groups.leaf_size = GROUP;
    frc_shape shape;
    const uint32_t count = plan->leaf_count;
    if (!frc_tree_build(context, &groups, prims, count, &shape)) return false;
    const source s = {&shape, prims};
    plan->node_count = plan->leaf_count = 0;
    plan->fits = true;
    plan_node(&s, plan, 0, FRC_REF_NONE, 0);
    plan->leaf_count = count;
    frc_shape_release(context, &shape);
    return true;
}
