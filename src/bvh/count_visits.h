/// @file count_visits.h  How many pairs of boxes a query looks at: to hold metrics against.
#pragma once
#include "bvh/tree.h"

/// Boxes for a shape that was built over `prims`; `boxes` has them by id.
void frc_shape_fit(frc_shape* shape, const frc_prim* prims, const frc_prim* boxes);

/// Tests of two boxes that the query of a tree with itself makes, one at a time, down to pairs of
/// leaves; each four in a node count for as many as are there.
uint64_t frc_count_self(const frc_node* nodes);
/// The same for two trees.
uint64_t frc_count_pair(const frc_node* a, const frc_node* b);
