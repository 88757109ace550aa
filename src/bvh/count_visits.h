/// @file count_visits.h  Count the box tests of a query: the reference for cost metrics.
#pragma once
#include "bvh/tree.h"

/// Fit the nodes of a shape that was built over `prims`; `boxes` has the primitives by id.
void frc_shape_fit(frc_shape* shape, const frc_prim* prims, const frc_prim* boxes);

/// The number of box tests in the query of a tree with itself, down to pairs of leaves. A node
/// counts one test per child in use.
uint64_t frc_count_self(const frc_node* nodes);
/// The same for two trees.
uint64_t frc_count_pair(const frc_node* a, const frc_node* b);
