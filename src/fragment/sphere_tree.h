/// @file sphere_tree.h  The sphere tree of a fracturable rigid body.
///
/// A node has a representative, which is a point of its subtree, and a sphere around it that
/// contains all points of the subtree. A point represents a chain of nodes: from the highest node
/// that has it down to its own node, the lowest. Each point has one own node; a node is the own
/// node of its point if no child has the same point. So a traversal meets each point of a subtree,
/// and a point that a parent has in common with a child is tested once.
///
/// Every other node has at least two children, so n points have at most 2 n - 1 nodes. Trees have
/// fewer than 2^30 points.
#pragma once
#include "base/context.h"
#include "fracas/contact.h"

/// The positions of points: ids below `first_count` are in `first`, the others in `second`.
typedef struct frc_sphere_points {
    const double (*first)[3];
    const double (*second)[3];
    uint32_t first_count;
} frc_sphere_points;

static inline const double* frc_sphere_points_at(const frc_sphere_points* points, uint32_t id) {
    return id < points->first_count ? points->first[id] : points->second[id - points->first_count];
}

/// Nodes are in breadth-first order: node 0 is the root, and the children of a node are adjacent.
/// Among them the next node of the chain is the first.
typedef struct frc_sphere_node {
    double at[3];     // of the representative
    double radius;    // from `at`; rounded up. 0 without children
    uint32_t point;   // the id of the representative
    uint32_t parent;  // FRACAS_NONE: the root
    uint32_t first_child;
    uint32_t child_count;
} frc_sphere_node;

/// Zero bytes are a tree without points.
typedef struct frc_sphere_tree {
    frc_sphere_node* nodes;
    uint32_t node_count, point_count;
} frc_sphere_tree;

/// Whether node `index` is the own node of its point.
static inline bool frc_sphere_tree_owns(const frc_sphere_tree* tree, uint32_t index) {
    const frc_sphere_node* node = &tree->nodes[index];
    return node->child_count == 0 || tree->nodes[node->first_child].point != node->point;
}

/// Build over `count` different points in maximum-distance order. Level l has the first 2^l points;
/// the parent of a new point is the nearest point of the level above. False: no memory, and `*out`
/// is empty.
bool frc_sphere_tree_build(fracas_context* context, const double (*points)[3],
                           const uint32_t* order, uint32_t count, frc_sphere_tree* out);
void frc_sphere_tree_release(fracas_context* context, frc_sphere_tree* tree);

typedef enum frc_sphere_restructure {
    // A node that lost its point gets the nearest point of its subtree: Glondu et al., section 6.2.
    FRC_RESTRUCTURE_NEAREST = 0,
    // It gets the point of its first child: the earlier method, for comparison.
    FRC_RESTRUCTURE_NONE = 1
} frc_sphere_restructure;

/// Split a tree into `part_count` trees out[0 .. part_count). part_of[id]: the part of a point of
/// the tree, or FRACAS_NONE to drop it. Radii of changed nodes exceed the distance of the furthest
/// point by an eighth at most. False: no memory, and all `out` are empty. `tree` is not changed.
bool frc_sphere_tree_split(fracas_context* context, const frc_sphere_tree* tree,
                           const uint32_t* part_of, uint32_t part_count,
                           frc_sphere_restructure restructure, frc_sphere_tree* out);

/// A new point, and a point near it that is in the tree already, but not in the same list.
typedef struct frc_sphere_insertion {
    uint32_t point, near;
} frc_sphere_insertion;

/// Insert points one after another as children of the points near them: at the lowest node of the
/// chain whose radius exceeds the distance, or at the highest node if there is none. False: no
/// memory, and the tree is unchanged.
bool frc_sphere_tree_insert(fracas_context* context, frc_sphere_tree* tree,
                            const frc_sphere_points* points, const frc_sphere_insertion* list,
                            uint32_t count);

/// NULL: links are consistent, each point has one own node, positions are those of `points`, and
/// each sphere contains the points of its subtree. Otherwise the reason; also if there is no
/// memory.
const char* frc_sphere_tree_check(fracas_context* context, const frc_sphere_tree* tree,
                                  const frc_sphere_points* points);
