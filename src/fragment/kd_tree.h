/// @file kd_tree.h  A k-d tree over points, for orders and nearest neighbours that are equal to
/// those of brute force to the bit.
///
/// Coordinates are scaled by a power of two, so that squared distances neither overflow nor lose
/// bits, whatever the unit is. Bounds by boxes need no margin: each operation rounds monotonically,
/// so the computed distance of a box is not above the computed distance of any point in it.
#pragma once
#include "base/context.h"
#include "geom/vec3.h"

typedef struct frc_kd_point {
    double at[3];   // scaled
    uint32_t item;  // the index in the list given to build
} frc_kd_point;

/// Points [first, end). The left child of an inner node i is i + 1.
typedef struct frc_kd_node {
    double lo[3], hi[3];
    uint32_t first, end;
    uint32_t right;   // 0: a leaf
    uint32_t lowest;  // the smallest item in the node
} frc_kd_node;

typedef struct frc_kd_tree {
    frc_kd_point* points;
    frc_kd_node* nodes;
    uint32_t count, node_count, node_capacity;
    int exponent;  // an original distance is the scaled one * 2^exponent
} frc_kd_tree;

/// Build over points[items[0]], points[items[1]], ..., or over points[0 .. count) if `items` is
/// NULL. Coordinates are finite. False: no memory, and `*out` is empty. Count 0 gives no nodes.
bool frc_kd_tree_build(fracas_context* context, const double (*points)[3], const uint32_t* items,
                       uint32_t count, frc_kd_tree* out);
void frc_kd_tree_release(fracas_context* context, frc_kd_tree* tree);

/// Of the items below `limit` > 0 the one nearest to `at`, which is scaled. Ties: the smallest
/// item.
uint32_t frc_kd_tree_nearest(const frc_kd_tree* tree, const double at[3], uint32_t limit);

/// Squared distance; a and b may be exchanged.
static inline double frc_distance_squared(const double a[3], const double b[3]) {
    double d[3];
    frc_vec3_subtract(a, b, d);
    return frc_vec3_dot(d, d);
}

/// Squared distance of a point from the box of a node.
static inline double frc_kd_box_distance_squared(const frc_kd_node* node, const double at[3]) {
    double d[3];
    for (int k = 0; k < 3; k++) {
        const double below = node->lo[k] - at[k], above = at[k] - node->hi[k];
        const double outside = below > above ? below : above;
        d[k] = outside > 0 ? outside : 0;
    }
    return frc_vec3_dot(d, d);
}
