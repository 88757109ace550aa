/// @file morton_order.h  Sort points along a space-filling curve: neighbours in the order are near
/// in space.
#pragma once
#include "fracas/mesh.h"

/// Sort the indices of points by Morton code, then by index. The lower halves of `*count` keys are
/// the indices. Points whose entry in `left_out` is FRACAS_NONE are left out; NULL: none are.
/// `keys` and `spare` have a capacity of all points. @return the one that contains the result
uint64_t* frc_morton_order(const fracas_points* points, const uint32_t* left_out, uint64_t* keys,
                           uint64_t* spare, size_t* count);
