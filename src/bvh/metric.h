/// @file metric.h  How good is a tree: the expected number of nodes that a query visits.
///
/// Based on: heo2010 (traversal cost), larsson2006 (ratio of volumes). metric.c has the formulas
/// and where they come from.
#pragma once
#include "bvh/tree.h"

/// Of one node, from its children's.
typedef struct frc_cost {
    float inter;   // nodes visited below it by a query with something else, itself counted
    float self;    // by the query of everything below it with itself
    float leaves;  // below it
} frc_cost;

/// What the chance is taken from that a query which meets a node meets its child.
typedef enum frc_measure { FRC_MEASURE_VOLUME = 0, FRC_MEASURE_SURFACE = 1 } frc_measure;

/// What the query between two children is taken to cost; see metric.c.
typedef enum frc_pair_term {
    FRC_PAIR_SUM = 0,      // the sum of their own: the paper's
    FRC_PAIR_MEETING = 1,  // the same, 0 when they are apart
    FRC_PAIR_OVERLAP = 2   // of each the leaves in the common box, each a query with the other
} frc_pair_term;

typedef struct frc_metric {
    frc_measure measure;
    frc_pair_term pair;
} frc_metric;

/// The cost of a leaf.
static inline frc_cost frc_leaf_cost(void) { return (frc_cost){1, 0, 1}; }

/// The cost of a node with the given costs of its children. Bit i of `culled`: child i needs no
/// query with itself. Lanes that are empty do not count.
frc_cost frc_node_cost(const frc_metric* metric, const frc_node* node, const frc_cost child[4],
                       unsigned culled);

/// Costs of all nodes of a depth-first tree. `culled` has four bits for each node, or is NULL.
void frc_tree_costs(const frc_metric* metric, const frc_node* nodes, uint32_t node_count,
                    const uint8_t* culled, frc_cost* out);
/// The same for one node and those above it: after its boxes have changed.
void frc_path_costs(const frc_metric* metric, const frc_node* nodes, uint32_t node,
                    const uint8_t* culled, frc_cost* costs);

/// The LM metric of each node: its volume over the sum of its children's volumes; it is small when
/// children overlap. 1 for a node of one child.
void frc_tree_volumes(const frc_node* nodes, uint32_t node_count, float* out);
float frc_node_volumes(const frc_node* node);
