/// @file sphere_tree.c  Build and check a sphere tree.
///
/// Based on: Glondu et al., "Efficient Collision Detection for Brittle Fracture", section 5.1. In
/// that tree each point has a node on every level from its first. Here the nodes with a single
/// child are left out, and so is the last node of a point below its own node.
#include "fragment/sphere_tree.h"
#include "base/array.h"
#include "fragment/kd_tree.h"
#include "fragment/sphere_distance.h"
#include <string.h>

void frc_sphere_tree_release(fracas_context* context, frc_sphere_tree* tree) {
    frc_release(context, tree->nodes, tree->node_count * sizeof *tree->nodes);
    *tree = (frc_sphere_tree){0};
}

// ---- build

// The children of points, by their indices in the order. Those of point k are
// children[first[k] .. first[k + 1]); they are sorted, so those of one level are adjacent.
typedef struct hierarchy {
    uint32_t count;
    uint32_t* parent;
    uint32_t* first;
    uint32_t* children;
    uint32_t* key;  // of each node: the index of its point, and the first of its new children
    uint32_t* from;
} hierarchy;

// The level on which the point with this index in the order is new.
static int level_of(uint32_t index) { return index == 0 ? 0 : 32 - __builtin_clz(index); }

static bool allocate_hierarchy(fracas_context* context, uint32_t count, hierarchy* h) {
    bool ok = true;
    *h = (hierarchy){.count = count};
    h->parent = frc_allocate_array(context, count, sizeof *h->parent, &ok);
    h->first = frc_allocate_array(context, (size_t)count + 1, sizeof *h->first, &ok);
    h->children = frc_allocate_array(context, count, sizeof *h->children, &ok);
    h->key = frc_allocate_array(context, 2 * (size_t)count, sizeof *h->key, &ok);
    h->from = frc_allocate_array(context, 2 * (size_t)count, sizeof *h->from, &ok);
    return ok;
}

static void release_hierarchy(fracas_context* context, hierarchy* h) {
    const size_t count = h->count;
    frc_release(context, h->parent, frc_array_size(count, sizeof *h->parent));
    frc_release(context, h->first, frc_array_size(count + 1, sizeof *h->first));
    frc_release(context, h->children, frc_array_size(count, sizeof *h->children));
    frc_release(context, h->key, frc_array_size(2 * count, sizeof *h->key));
    frc_release(context, h->from, frc_array_size(2 * count, sizeof *h->from));
}

static void find_parents(const frc_kd_tree* tree, hierarchy* h) {
    h->parent[0] = FRACAS_NONE;
    for (uint32_t i = 0; i < h->count; i++) {
        const frc_kd_point* point = &tree->points[i];
        if (point->item == 0) continue;
        const uint32_t above = 1u << (level_of(point->item) - 1);
        h->parent[point->item] = frc_kd_tree_nearest(tree, point->at, above);
    }
    // A counting sort by parent, which keeps the order.
    memset(h->first, 0, ((size_t)h->count + 1) * sizeof *h->first);
    for (uint32_t i = 1; i < h->count; i++) h->first[h->parent[i] + 1]++;
    for (uint32_t i = 0; i < h->count; i++) h->first[i + 1] += h->first[i];
    for (uint32_t i = 1; i < h->count; i++) h->children[h->first[h->parent[i]]++] = i;
    for (uint32_t i = h->count; i > 0; i--) h->first[i] = h->first[i - 1];
    h->first[0] = 0;
}

// One node for each level on which a point gets new children, in breadth-first order. Returns the
// number of nodes; writes nodes if the tree has any.
static uint32_t lay_out(hierarchy* h, frc_sphere_tree* tree) {
    uint32_t count = 1;
    h->key[0] = 0, h->from[0] = h->first[0];
    if (tree->nodes) tree->nodes[0].parent = FRACAS_NONE;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t k = h->key[n], begin = h->from[n], end = h->first[k + 1];
        const uint32_t first_child = count;
        uint32_t next = begin;
        while (next < end && level_of(h->children[next]) == level_of(h->children[begin])) next++;
        if (next < end) h->key[count] = k, h->from[count++] = next;
        for (uint32_t i = begin; i < next; i++) {
            const uint32_t child = h->children[i];
            h->key[count] = child, h->from[count++] = h->first[child];
        }
        if (!tree->nodes) continue;
        tree->nodes[n].first_child = first_child;
        tree->nodes[n].child_count = count - first_child;
        for (uint32_t i = first_child; i < count; i++) tree->nodes[i].parent = n;
    }
    return count;
}

// The sphere of a node contains the points of all nodes below it.
static void compute_radii(frc_sphere_tree* tree) {
    for (uint32_t n = tree->node_count; n-- > 0;) {
        if (!frc_sphere_tree_owns(tree, n)) continue;
        const double* at = tree->nodes[n].at;
        uint32_t up = tree->nodes[n].parent;
        for (; up != FRACAS_NONE; up = tree->nodes[up].parent) {
            const double distance = frc_distance_above(tree->nodes[up].at, at);
            if (distance > tree->nodes[up].radius) tree->nodes[up].radius = distance;
        }
    }
}

static bool build_nodes(fracas_context* context, const double (*points)[3], const uint32_t* order,
                        hierarchy* h, frc_sphere_tree* out) {
    out->node_count = lay_out(h, out);
    out->nodes = frc_allocate(context, out->node_count * sizeof *out->nodes);
    if (!out->nodes) return false;
    out->point_count = h->count;
    for (uint32_t n = 0; n < out->node_count; n++) {
        const uint32_t id = order[h->key[n]];
        out->nodes[n] = (frc_sphere_node){.point = id};
        memcpy(out->nodes[n].at, points[id], sizeof out->nodes[n].at);
    }
    lay_out(h, out);
    compute_radii(out);
    return true;
}

bool frc_sphere_tree_build(fracas_context* context, const double (*points)[3],
                           const uint32_t* order, uint32_t count, frc_sphere_tree* out) {
    *out = (frc_sphere_tree){0};
    if (count == 0) return true;
    hierarchy h;
    frc_kd_tree tree = {0};
    bool ok = allocate_hierarchy(context, count, &h) &&
              frc_kd_tree_build(context, points, order, count, &tree);
    if (ok) {
        find_parents(&tree, &h);
        ok = build_nodes(context, points, order, &h, out);
    }
    if (!ok) *out = (frc_sphere_tree){0};
    if (tree.points) frc_kd_tree_release(context, &tree);
    release_hierarchy(context, &h);
    return ok;
}

// ---- check

static const char* check_links(const frc_sphere_tree* tree) {
    const frc_sphere_node* nodes = tree->nodes;
    uint32_t next = 1;
    if (nodes[0].parent != FRACAS_NONE) return "the root has a parent";
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const frc_sphere_node* node = &nodes[n];
        if (node->child_count > tree->node_count - next) return "there are too many children";
        if (node->first_child != next && node->child_count > 0) return "children are not adjacent";
        next += node->child_count;
        if (next <= n + 1 && n + 1 < tree->node_count) return "a node has no parent";
        if (!frc_sphere_tree_owns(tree, n) && node->child_count < 2) return "a single child";
        if (node->child_count == 0 && node->radius != 0) return "a leaf has a radius";
        for (uint32_t c = node->first_child; c < next && node->child_count > 0; c++) {
            if (nodes[c].parent != n) return "a child has another parent";
            if (nodes[c].point == node->point && c != node->first_child)
                return "the chain goes on in a child that is not the first";
        }
    }
    return next == tree->node_count ? NULL : "there are nodes without parent";
}

static const char* check_spheres(const frc_sphere_tree* tree, const frc_sphere_points* points) {
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const frc_sphere_node* node = &tree->nodes[n];
        const double* at = frc_sphere_points_at(points, node->point);
        for (int k = 0; k < 3; k++)
            if (node->at[k] != at[k]) return "a node is not at its point";
        for (uint32_t up = node->parent; up != FRACAS_NONE; up = tree->nodes[up].parent) {
            double d[3];
            frc_vec3_subtract(tree->nodes[up].at, at, d);
            // hypot neither overflows nor underflows.
            const double distance = hypot(hypot(d[0], d[1]), d[2]);
            if (!(distance <= tree->nodes[up].radius)) return "a point is outside a sphere";
        }
    }
    return NULL;
}

const char* frc_sphere_tree_check(fracas_context* context, const frc_sphere_tree* tree,
                                  const frc_sphere_points* points) {
    if (tree->node_count == 0)
        return tree->nodes || tree->point_count > 0 ? "points without nodes" : NULL;
    const char* reason = check_links(tree);
    if (!reason) reason = check_spheres(tree, points);
    if (reason) return reason;
    // Each own node has another point.
    uint32_t largest = 0, owners = 0;
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].point > largest) largest = tree->nodes[n].point;
    const size_t size = (size_t)largest + 1;
    char* seen = frc_allocate_zero(context, size);
    if (!seen) return "no memory";
    for (uint32_t n = 0; n < tree->node_count && !reason; n++) {
        if (!frc_sphere_tree_owns(tree, n)) continue;
        if (seen[tree->nodes[n].point]) reason = "a point has two own nodes";
        seen[tree->nodes[n].point] = 1, owners++;
    }
    if (!reason && owners != tree->point_count) reason = "the number of points is wrong";
    frc_release(context, seen, size);
    return reason;
}
