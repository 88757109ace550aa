/// @file max_distance_order.c  Farthest-point insertion on a k-d tree.
///
/// Each node of the tree knows its point that is furthest from the chosen points. A new chosen
/// point only changes nodes that it is nearer to than that distance, and the root has the next one.
/// Based on: Gonzalez 1985, and section 5.1 of Glondu et al., whose method takes time n^2.
#include "fragment/max_distance_order.h"
#include "base/array.h"
#include "fragment/diameter.h"
#include <math.h>

typedef struct insertion {
    const frc_kd_tree* tree;
    double* distance;    // of each point from the nearest chosen one, squared; CHOSEN
    uint32_t* furthest;  // of each node: the point with the greatest distance
    uint32_t chosen;     // the new chosen point
} insertion;

static const double CHOSEN = -1;

static bool is_further(const insertion* s, uint32_t a, uint32_t b) {
    if (s->distance[a] != s->distance[b]) return s->distance[a] > s->distance[b];
    return s->tree->points[a].item < s->tree->points[b].item;
}

// Lower the distances of the points of a node that are nearer to the chosen point than before.
static void lower_distances(insertion* s, uint32_t index) {
    const frc_kd_tree* tree = s->tree;
    const frc_kd_node* node = &tree->nodes[index];
    const double* at = tree->points[s->chosen].at;
    const bool inside = node->first <= s->chosen && s->chosen < node->end;
    if (!inside && frc_kd_box_distance_squared(node, at) >= s->distance[s->furthest[index]]) return;
    if (node->right == 0) {
        uint32_t furthest = node->first;
        for (uint32_t i = node->first; i < node->end; i++) {
            const double d = frc_distance_squared(tree->points[i].at, at);
            if (d < s->distance[i]) s->distance[i] = d;
            if (is_further(s, i, furthest)) furthest = i;
        }
        s->furthest[index] = furthest;
        return;
    }
    lower_distances(s, index + 1);
    lower_distances(s, node->right);
    const uint32_t a = s->furthest[index + 1], b = s->furthest[node->right];
    s->furthest[index] = is_further(s, a, b) ? a : b;
}

static void insert_all(insertion* s, const uint32_t first[2], uint32_t* order, double* covering) {
    const frc_kd_tree* tree = s->tree;
    for (uint32_t i = 0; i < tree->count; i++) s->distance[i] = INFINITY;
    for (uint32_t n = 0; n < tree->node_count; n++) s->furthest[n] = tree->nodes[n].first;
    for (uint32_t m = 0; m < tree->count; m++) {
        s->chosen = m < 2 ? first[m] : s->furthest[0];
        order[m] = tree->points[s->chosen].item;
        if (covering) covering[m] = ldexp(sqrt(s->distance[s->chosen]), tree->exponent);
        s->distance[s->chosen] = CHOSEN;
        lower_distances(s, 0);
    }
}

bool frc_max_distance_order(fracas_context* context, const double (*points)[3],
                            const uint32_t* items, uint32_t count, uint32_t* order,
                            double* covering) {
    frc_kd_tree tree;
    if (!frc_kd_tree_build(context, points, items, count, &tree)) return false;
    bool ok = true;
    insertion s = {.tree = &tree};
    s.distance = frc_allocate_array(context, count, sizeof *s.distance, &ok);
    s.furthest = frc_allocate_array(context, tree.node_count, sizeof *s.furthest, &ok);
    uint32_t pair[2] = {0, 0}, first[2] = {0, 0};  // items, and points of the tree
    if (ok && count > 1) ok = frc_diameter(context, &tree, &pair[0], &pair[1]);
    if (ok) {
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 2; k++)
                if (tree.points[i].item == pair[k]) first[k] = i;
        insert_all(&s, first, order, covering);
        for (uint32_t i = 0; items && i < count; i++) order[i] = items[order[i]];
    }
    frc_release(context, s.distance, frc_array_size(count, sizeof *s.distance));
    frc_release(context, s.furthest, frc_array_size(tree.node_count, sizeof *s.furthest));
    frc_kd_tree_release(context, &tree);
    return ok;
}
