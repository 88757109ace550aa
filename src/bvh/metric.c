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
/// In a binary tree hardly any pair of siblings is apart; of six pairs some are, and these are not
/// visited. Whether two boxes meet is known when the sum is made, so pairs that are apart are left
/// out (`all_pairs` counts them). A leaf has TC_I = 1 and TC_S = 0: what happens inside it does not
/// depend on the tree above.
///
/// Flat boxes have no volume, and 0 / 0 is no probability. Every side of node and child is
/// therefore taken longer by a millionth of the node's longest side. A point has no longest side:
/// its children are as likely as itself. P is kept within 0 and 1, also where boxes reach to
/// infinity.
///
/// The LM metric (Larsson, Akenine-Moeller 2006) looks at a node and its children alone: the volume
/// of the node over the sum of theirs. It falls as children drift over each other.
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

// The comparison is false for NaN too.
static float probability(float child, float node) {
    float p = child / node;
    return p < 1 ? p : 1;
}

static bool lanes_meet(const frc_box4* box, int i, int j) {
    for (int k = 0; k < 3; k++)
        if (!(box->lo[k][i] <= box->hi[k][j] && box->lo[k][j] <= box->hi[k][i])) return false;
    return true;
}

frc_cost frc_node_cost(const frc_metric* metric, const frc_node* node, const frc_cost child[4],
                       unsigned culled) {
    frc_cost cost = {1, 0};
    const frc_box4* box = &node->box;
    sides whole = node_sides(box), lane[4];
    float more = longest(&whole) * 1e-6f, all = measure_of(metric->measure, &whole, more);
    for (int i = 0; i < 4; i++) {
        lane[i] = lane_sides(box, i);
        if (lane[i].empty) continue;
        cost.inter +=
            probability(measure_of(metric->measure, &lane[i], more), all) * child[i].inter;
        if (!(culled >> i & 1)) cost.self += child[i].self;
        for (int j = 0; j < i; j++)
            if (!lane[j].empty && (metric->all_pairs || lanes_meet(box, i, j)))
                cost.self += child[i].inter + child[j].inter;
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
    float ratio = measure_of(FRC_MEASURE_VOLUME, &whole, more) / sum;
    return ratio == ratio ? ratio : 1;
}

void frc_tree_volumes(const frc_node* nodes, uint32_t node_count, float* out) {
    for (uint32_t n = 0; n < node_count; n++) out[n] = frc_node_volumes(&nodes[n]);
}
