/// @file diameter.c  The furthest pair of points: a furthest-neighbour search from each point that
/// may belong to it.
///
/// The bound of a node is made for points on a sphere, where every point has a partner at almost
/// the diameter. The points of a node lie in a cap: their extent along the direction from the
/// centre of the set is of second order in the size of the node, and so is the error of the bound
/// for points on the opposite side. A bound by boxes has an error of first order, and takes time
/// n^2 for a sphere.
#include "fragment/diameter.h"
#include "base/array.h"
#include <math.h>

// All points q of a node: |q - center| <= radius, normal * (q - center) <= support.
typedef struct cap {
    double center[3], normal[3];
    double radius, support;
} cap;

typedef struct search_state {
    const frc_kd_tree* tree;
    cap* caps;  // of the nodes
    double best;
    uint32_t i, j;  // the best pair of items, i < j
    const frc_kd_point* from;
} search_state;

// Exceeds all errors of a bound, which are some 2^-50 of it.
static const double MARGIN = 1 + 1e-12;

static void offer(search_state* s, uint32_t item, double distance) {
    const uint32_t from = s->from->item;
    if (distance < s->best || item == from) return;
    const uint32_t i = item < from ? item : from, j = item < from ? from : item;
    if (distance > s->best || i < s->i || (i == s->i && j < s->j))
        s->best = distance, s->i = i, s->j = j;
}

static void center_of(const frc_kd_node* node, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = node->lo[k] * 0.5 + node->hi[k] * 0.5;
}

static void compute_caps(const frc_kd_tree* tree, cap* caps) {
    double middle[3];
    center_of(&tree->nodes[0], middle);
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const frc_kd_node* node = &tree->nodes[n];
        cap* c = &caps[n];
        *c = (cap){0};
        center_of(node, c->center);
        frc_vec3_subtract(c->center, middle, c->normal);
        const double length = sqrt(frc_vec3_dot(c->normal, c->normal));
        if (length > 0) frc_vec3_scale(c->normal, 1 / length, c->normal);
        for (uint32_t i = node->first; i < node->end; i++) {
            double d[3];
            frc_vec3_subtract(tree->points[i].at, c->center, d);
            const double radius = sqrt(frc_vec3_dot(d, d)), support = frc_vec3_dot(c->normal, d);
            if (radius > c->radius) c->radius = radius;
            if (support > c->support) c->support = support;
        }
    }
}

// An upper bound of the squared distance between `at` and the points q of a node. With
// w = center - at and v = q - center: |w + v|^2 = w^2 + 2 w v + v^2, where the part of w along the
// normal meets the support, and the rest the radius.
static double bound_of(const cap* c, const double at[3]) {
    double w[3], rest[3];
    frc_vec3_subtract(c->center, at, w);
    const double along = frc_vec3_dot(w, c->normal);
    for (int k = 0; k < 3; k++) rest[k] = w[k] - along * c->normal[k];
    const double across = sqrt(frc_vec3_dot(rest, rest));
    const double product =
        (along > 0 ? along * c->support : -along * c->radius) + across * c->radius;
    return (frc_vec3_dot(w, w) + 2 * product + c->radius * c->radius) * MARGIN;
}

static void search(search_state* s, uint32_t index) {
    const frc_kd_tree* tree = s->tree;
    const frc_kd_node* node = &tree->nodes[index];
    const double* at = s->from->at;
    bool same = true;
    for (int k = 0; k < 3; k++) same = same && node->lo[k] == node->hi[k];
    if (same) {
        // Copies of one point: the smallest item wins. The point itself may be that item; then its
        // distance is 0, which only matters if all points are equal.
        const double d = frc_distance_squared(node->lo, at);
        if (node->lowest != s->from->item) {
            offer(s, node->lowest, d);
            return;
        }
        if (d < s->best) return;
    }
    if (node->right == 0) {
        for (uint32_t i = node->first; i < node->end; i++)
            offer(s, tree->points[i].item, frc_distance_squared(tree->points[i].at, at));
        return;
    }
    const uint32_t child[2] = {index + 1, node->right};
    const double bound[2] = {bound_of(&s->caps[child[0]], at), bound_of(&s->caps[child[1]], at)};
    const int further = bound[1] > bound[0];
    for (int k = 0; k < 2; k++)
        if (bound[further ^ k] >= s->best) search(s, child[further ^ k]);
}

// A good pair to start with: go to the furthest point as long as the distance grows.
static void start_pair(search_state* s) {
    const frc_kd_tree* tree = s->tree;
    const frc_kd_point* from = &tree->points[0];
    double last;
    do {
        last = s->best;
        const frc_kd_point* furthest = from;
        double most = -1;
        s->from = from;
        for (uint32_t i = 0; i < tree->count; i++) {
            const double d = frc_distance_squared(tree->points[i].at, from->at);
            offer(s, tree->points[i].item, d);
            if (d > most) most = d, furthest = &tree->points[i];
        }
        from = furthest;
    } while (s->best > last);
}

bool frc_diameter(fracas_context* context, const frc_kd_tree* tree, uint32_t* i, uint32_t* j) {
    bool ok = true;
    cap* caps = frc_allocate_array(context, tree->node_count, sizeof *caps, &ok);
    if (!ok) return false;
    compute_caps(tree, caps);
    search_state s = {.tree = tree, .caps = caps, .best = -1};
    start_pair(&s);
    if (s.best > 0) {
        for (uint32_t p = 0; p < tree->count; p++) {
            s.from = &tree->points[p];
            const double d = sqrt(frc_distance_squared(s.from->at, caps[0].center));
            const double most = d + caps[0].radius;
            if (most * most * MARGIN >= s.best) search(&s, 0);
        }
    } else {
        s.i = 0, s.j = 1;  // all points are equal
    }
    *i = s.i, *j = s.j;
    frc_release(context, caps, frc_array_size(tree->node_count, sizeof *caps));
    return true;
}
