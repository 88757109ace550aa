/// @file metric.h  The cost of a tree: the expected number of nodes that a query visits.
///
/// Based on: heo2010 (traversal cost), larsson2006 (ratio of volumes). metric.c has the formulas
/// and their derivation.
#pragma once
#include "bvh/tree.h"

/// The cost of one subtree.
typedef struct frc_cost {
    float inter;   // nodes visited by a query with another object, its root included
    float self;    // nodes visited by the query of the subtree with itself
    float leaves;  // in the subtree
} frc_cost;

/// The measure of boxes whose ratio is the probability that a query visits a child of a node.
typedef enum frc_measure { FRC_MEASURE_VOLUME = 0, FRC_MEASURE_SURFACE = 1 } frc_measure;

/// The estimated cost of the query between two children; see metric.c.
typedef enum frc_pair_term {
    FRC_PAIR_SUM = 0,             // the sum of their costs: the paper's
    FRC_PAIR_SUM_IF_OVERLAP = 1,  // the same, but 0 when they are disjoint
    FRC_PAIR_OVERLAP = 2          // each leaf in the common box costs a query with the other child
} frc_pair_term;

typedef struct frc_metric {
    frc_measure measure;
    frc_pair_term pair;
} frc_metric;

/// The cost of a leaf.
static inline frc_cost frc_leaf_cost(void) { return (frc_cost){1, 0, 1}; }

/// The cost of a node with the given costs of its children. Bit i of `culled`: child i needs no
/// query with itself. Empty lanes do not count.
frc_cost frc_node_cost(const frc_metric* metric, const frc_node* node, const frc_cost child[4],
                       unsigned culled);

/// Costs of all nodes of a depth-first tree. `culled` has four bits for each node, or is NULL.
void frc_tree_costs(const frc_metric* metric, const frc_node* nodes, uint32_t node_count,
                    const uint8_t* culled, frc_cost* out);
/// The same for one node and its ancestors: after its boxes have changed.
void frc_path_costs(const frc_metric* metric, const frc_node* nodes, uint32_t node,
                    const uint8_t* culled, frc_cost* costs);

/// The LM metric of each node: its volume over the sum of the volumes of its children, which is
/// small when they overlap. 1 for a node with one child.
void frc_tree_volumes(const frc_node* nodes, uint32_t node_count, float* out);
float frc_node_volumes(const frc_node* node);
