/// @file diameter.h  The two points of a set that are furthest apart.
#pragma once
#include "fragment/kd_tree.h"

/// The items i < j of a tree of at least two points with the greatest computed distance. Ties: the
/// smallest i, then the smallest j. False: no memory.
bool frc_diameter(fracas_context* context, const frc_kd_tree* tree, uint32_t* i, uint32_t* j);
