/// @file kd_tree.c  Splits at the median along the longest axis.
#include "fragment/kd_tree.h"
#include "base/array.h"
#include <math.h>

enum { LEAF = 8 };

typedef struct builder {
    frc_kd_tree* tree;
    uint64_t random;  // for pivots, so that no order of the input takes quadratic time
} builder;

// The points with the `nth` smallest coordinate and below come first.
static void select_median(builder* b, frc_kd_point* points, uint32_t count, uint32_t nth,
                          int axis) {
    while (count > 1) {
        b->random = b->random * 6364136223846793005u + 1442695040888963407u;
        const double pivot = points[(b->random >> 33) % count].at[axis];
        // In this order: below the pivot, equal, not yet compared, above.
        uint32_t below = 0, i = 0, above = count;
        while (i < above) {
            const frc_kd_point point = points[i];
            if (point.at[axis] < pivot) {
                points[i++] = points[below];
                points[below++] = point;
            } else if (point.at[axis] > pivot) {
                points[i] = points[--above];
                points[above] = point;
            } else {
                i++;
            }
        }
        if (nth >= below && nth < above) return;
        if (nth < below) {
            count = below;
        } else {
            points += above, nth -= above, count -= above;
        }
    }
}

static uint32_t build_node(builder* b, uint32_t first, uint32_t end) {
    frc_kd_tree* tree = b->tree;
    const uint32_t index = tree->node_count++;
    frc_kd_node* node = &tree->nodes[index];
    *node = (frc_kd_node){.first = first, .end = end, .lowest = UINT32_MAX};
    for (int k = 0; k < 3; k++) node->lo[k] = INFINITY, node->hi[k] = -INFINITY;
    for (uint32_t i = first; i < end; i++) {
        const frc_kd_point* point = &tree->points[i];
        for (int k = 0; k < 3; k++) {
            if (point->at[k] < node->lo[k]) node->lo[k] = point->at[k];
            if (point->at[k] > node->hi[k]) node->hi[k] = point->at[k];
        }
        if (point->item < node->lowest) node->lowest = point->item;
    }
    if (end - first <= LEAF) return index;

    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (node->hi[k] - node->lo[k] > node->hi[axis] - node->lo[axis]) axis = k;
    const uint32_t half = (end - first) / 2;
    select_median(b, tree->points + first, end - first, half, axis);
    build_node(b, first, first + half);
    node->right = build_node(b, first + half, end);
    return index;
}

// Copy the points, scaled so that the longest axis is about 1.
static void copy_scaled(frc_kd_tree* tree, const double (*points)[3], const uint32_t* items) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < tree->count; i++) {
        const double* at = points[items ? items[i] : i];
        for (int k = 0; k < 3; k++) {
            if (at[k] < lo[k]) lo[k] = at[k];
            if (at[k] > hi[k]) hi[k] = at[k];
        }
    }
    double longest = 0;  // halved, which cannot overflow
    for (int k = 0; k < 3; k++) {
        const double half = hi[k] * 0.5 - lo[k] * 0.5;
        if (half > longest) longest = half;
    }
    frexp(longest, &tree->exponent);
    tree->exponent++;
    for (uint32_t i = 0; i < tree->count; i++) {
        const double* at = points[items ? items[i] : i];
        frc_kd_point* out = &tree->points[i];
        out->item = i;
        // An axis with extent 0 may have coordinates that overflow.
        for (int k = 0; k < 3; k++) out->at[k] = lo[k] < hi[k] ? ldexp(at[k], -tree->exponent) : 0;
    }
}

bool frc_kd_tree_build(fracas_context* context, const double (*points)[3], const uint32_t* items,
                       uint32_t count, frc_kd_tree* out) {
    *out = (frc_kd_tree){.count = count};
    if (count == 0) return true;
    // A node with more than LEAF points is halved, so a leaf below the root has half as many.
    out->node_capacity = 2 * (count / (LEAF / 2)) + 1;
    bool ok = true;
    out->points = frc_allocate_array(context, count, sizeof *out->points, &ok);
    out->nodes = frc_allocate_array(context, out->node_capacity, sizeof *out->nodes, &ok);
    if (!ok) {
        frc_kd_tree_release(context, out);
        return false;
    }
    copy_scaled(out, points, items);
    builder b = {out, 1};
    build_node(&b, 0, count);
    return true;
}

void frc_kd_tree_release(fracas_context* context, frc_kd_tree* tree) {
    frc_release(context, tree->points, frc_array_size(tree->count, sizeof *tree->points));
    frc_release(context, tree->nodes, frc_array_size(tree->node_capacity, sizeof *tree->nodes));
    *tree = (frc_kd_tree){0};
}

typedef struct nearest {
    const double* at;
    uint32_t limit, item;
    double distance;  // squared
} nearest;

static void search(const frc_kd_tree* tree, uint32_t index, nearest* n) {
    const frc_kd_node* node = &tree->nodes[index];
    if (node->right == 0) {
        for (uint32_t i = node->first; i < node->end; i++) {
            const frc_kd_point* point = &tree->points[i];
            if (point->item >= n->limit) continue;
            const double d = frc_distance_squared(point->at, n->at);
            if (d < n->distance || (d == n->distance && point->item < n->item))
                n->distance = d, n->item = point->item;
        }
        return;
    }
    uint32_t child[2] = {index + 1, node->right};
    double distance[2];
    for (int k = 0; k < 2; k++)
        distance[k] = frc_kd_box_distance_squared(&tree->nodes[child[k]], n->at);
    const int nearer = distance[1] < distance[0];
    for (int k = 0; k < 2; k++) {
        const int side = nearer ^ k;
        // Equal distances are searched for a smaller item.
        if (tree->nodes[child[side]].lowest < n->limit && distance[side] <= n->distance)
            search(tree, child[side], n);
    }
}

uint32_t frc_kd_tree_nearest(const frc_kd_tree* tree, const double at[3], uint32_t limit) {
    nearest n = {at, limit, UINT32_MAX, INFINITY};
    search(tree, 0, &n);
    return n.item;
}
