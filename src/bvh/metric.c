/// @file metric.c  The traversal cost of FASTCD for trees of four children, and the LM metric.
///
/// The paper's trees are binary. A query of something with a node n counts 1 for n and goes on with
/// a child c with probability P(c) = Vol(c) / Vol(n):
///
///     TC_I(n) = 1 + P(l) TC_I(l) + P(r) TC_I(r)
///
/// The query of n with itself consists of the query between its two children and of theirs with
/// themselves, where I(c) is 0 when culling says that c does not meet itself:
///
///     TC_S(n) = TC_I(l, r) + I(l) TC_S(l) + I(r) TC_S(r),   TC_I(l, r) ~ TC_I(l) + TC_I(r)
///
/// With up to four children the first sum has up to four terms, and the second has a term for each
/// of up to six pairs of children:
///
///     TC_I(n) = 1 + sum over c of P(c) TC_I(c)
///     TC_S(n) = sum over pairs c < d of (TC_I(c) + TC_I(d)) + sum over c of I(c) TC_S(c)
///
/// This is FRC_PAIR_SUM. The many nodes near the leaves dominate it, which hardly change when
/// bodies deform. Large siblings that come to overlap, which make a tree slow, add little: TC_I is
/// the cost of one query, and between two large nodes there are many. On a twisted ball the
/// refitted tree visits four times as many nodes as a new one, and its TC_S is 8 % lower. So the
/// default, FRC_PAIR_OVERLAP, counts every leaf of c in the common box as a query with d. Of L(c)
/// leaves that is a share of Vol(c, d) / Vol(c). The formula is the mean of both directions:
///
///     TC_I(c, d) = 1 + (L(c) Vol(c, d) / Vol(c) TC_I(d) + L(d) Vol(c, d) / Vol(d) TC_I(c)) / 2
///
/// and 0 when c and d are disjoint. On that ball it is 3.8 times as high. `fracas bench tc`
/// compares all of them with counted visits. FRC_PAIR_SUM_IF_OVERLAP is the sum for pairs that
/// overlap: the tree over blocks uses it, whose leaves are large and mostly disjoint. A leaf has
/// TC_I = 1 and TC_S = 0: the cost inside a leaf does not depend on the tree above it.
///
/// Flat boxes have no volume, and 0 / 0 is no probability. Every side of node and child is
/// therefore extended by a millionth of the node's longest side. The longest side of a point is 0:
/// its children have probability 1. P is clamped to [0, 1], also for infinite boxes.
///
/// The LM metric (Larsson, Akenine-Moeller 2006) compares a node with its children only: the volume
/// of the node over the sum of theirs. It falls as children come to overlap.
#include "bvh/metric.h"
#include <math.h>

typedef struct sides {
    float length[3];
    bool empty;
} sides;

static sides lane_sides(const frc_box4* box, int lane) {
    sides s;
    s.empty = box->lo[0][lane] != box->lo[0][lane];
    for (int k = 0; k < 3; k++) s.length[k] = box->hi[k][lane] - box->lo[k][lane];
    return s;
}

static sides node_sides(const frc_box4* box) {
    sides s = {
        {0, 0, 0},
        true
    };
    for (int k = 0; k < 3; k++) {
        float lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < 4; i++) {
            if (box->lo[k][i] < lo) lo = box->lo[k][i];
            if (box->hi[k][i] > hi) hi = box->hi[k][i];
        }
        s.length[k] = hi - lo;
        s.empty = s.empty && !(lo <= hi);
    }
    return s;
}

static float longest(const sides* s) {
    float most = s->length[0] > s->length[1] ? s->length[0] : s->length[1];
    return s->length[2] > most ? s->length[2] : most;
}

static float measure_of(frc_measure measure, const sides* s, float more) {
    float x = s->length[0] + more, y = s->length[1] + more, z = s->length[2] + more;
    return measure == FRC_MEASURE_VOLUME ? x * y * z : x * y + y * z + z * x;
}

// NaN gives 1.
static float probability(float child, float node) {
    float p = child / node;
    return p < 1 ? p : 1;
}

// The cost of children i and j of a node; `all` are the measures of the children.
static float pair_cost(const frc_metric* metric, const frc_box4* box, int i, int j,
                       const frc_cost child[4], const float all[4], float more) {
    if (metric->pair == FRC_PAIR_SUM) return child[i].inter + child[j].inter;
    // The common box.
    sides common;
    for (int k = 0; k < 3; k++) {
        float lo = box->lo[k][i] > box->lo[k][j] ? box->lo[k][i] : box->lo[k][j];
        float hi = box->hi[k][i] < box->hi[k][j] ? box->hi[k][i] : box->hi[k][j];
        if (!(lo <= hi)) return 0;
        common.length[k] = hi - lo;
    }
    if (metric->pair == FRC_PAIR_SUM_IF_OVERLAP) return child[i].inter + child[j].inter;
    float size = measure_of(metric->measure, &common, more);
    return 1 + 0.5f * (child[i].leaves * probability(size, all[i]) * child[j].inter +
                       child[j].leaves * probability(size, all[j]) * child[i].inter);
}

frc_cost frc_node_cost(const frc_metric* metric, const frc_node* node, const frc_cost child[4],
                       unsigned culled) {
    frc_cost cost = {1, 0, 0};
    const frc_box4* box = &node->box;
    sides whole = node_sides(box);
    float more = longest(&whole) * 1e-6f, all = measure_of(metric->measure, &whole, more);
    float lane_all[4];
    bool empty[4];
    for (int i = 0; i < 4; i++) {
        sides lane = lane_sides(box, i);
        empty[i] = lane.empty;
        if (lane.empty) continue;
        lane_all[i] = measure_of(metric->measure, &lane, more);
        cost.inter += probability(lane_all[i], all) * child[i].inter;
        cost.leaves += child[i].leaves;
        if (!(culled >> i & 1)) cost.self += child[i].self;
        for (int j = 0; j < i; j++)
            if (!empty[j]) cost.self += pair_cost(metric, box, i, j, child, lane_all, more);
    }
    return cost;
}

static frc_cost cost_at(const frc_metric* metric, const frc_node* nodes, uint32_t n,
                        const uint8_t* culled, const frc_cost* costs) {
    frc_cost child[4];
    for (int i = 0; i < 4; i++) {
        uint32_t ref = nodes[n].child[i];
        child[i] = ref & FRC_REF_LEAF ? frc_leaf_cost() : costs[ref];
    }
    unsigned bits = culled ? culled[n / 2] >> (n % 2 * 4) & 15u : 0;
    return frc_node_cost(metric, &nodes[n], child, bits);
}

void frc_tree_costs(const frc_metric* metric, const frc_node* nodes, uint32_t node_count,
                    const uint8_t* culled, frc_cost* out) {
    for (uint32_t n = node_count; n-- > 0;) out[n] = cost_at(metric, nodes, n, culled, out);
}

void frc_path_costs(const frc_metric* metric, const frc_node* nodes, uint32_t node,
                    const uint8_t* culled, frc_cost* costs) {
    for (uint32_t n = node; n != FRC_REF_NONE; n = nodes[n].parent)
        costs[n] = cost_at(metric, nodes, n, culled, costs);
}

float frc_node_volumes(const frc_node* node) {
    sides whole = node_sides(&node->box);
    float more = longest(&whole) * 1e-6f, sum = 0;
    for (int i = 0; i < 4; i++) {
        sides lane = lane_sides(&node->box, i);
        if (!lane.empty) sum += measure_of(FRC_MEASURE_VOLUME, &lane, more);
    }
    float volume = measure_of(FRC_MEASURE_VOLUME, &whole, more);
    // For a point, infinite boxes or an empty node the ratio is undefined: report a good node.
    return volume > 0 && sum > 0 && volume < INFINITY && sum < INFINITY ? volume / sum : 1;
}

void frc_tree_volumes(const frc_node* nodes, uint32_t node_count, float* out) {
    for (uint32_t n = 0; n < node_count; n++) out[n] = frc_node_volumes(&nodes[n]);
}
