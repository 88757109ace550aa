/// @file morton_order.h  An order of points along a curve that fills space: what is near in it is
/// near in space.
#pragma once
#include "fracas/mesh.h"

/// Numbers of points in that order, in the lower halves of `*count` keys; equal places in the order
/// of the numbers. Points whose entry in `left_out` is FRACAS_NONE are left out; NULL: none. `keys`
/// and `spare` have room for all points; returns the one that holds the result.
uint64_t* frc_morton_order(const fracas_points* points, const uint32_t* left_out, uint64_t* keys,
                           uint64_t* spare, size_t* count);
