/// @file ccd_hull_edges.h  Edges of the Minkowski difference of two features: the cross products
/// whose signs decide whether the origin is inside.
#pragma once
#include "base/host_device.h"

/// P_i = D_x x D_y; on contact sign * P_i is a non-negative multiple of the common normal N. VF:
/// the three edges of the triangle relative to the vertex, N their sum. EE: the ends a, b of one
/// edge relative to cd, then c, d relative to ab; N = P_0 - P_1.
typedef struct frc_hull_edge {
    int x, y, sign;
} frc_hull_edge;

FRC_DEVICE static const frc_hull_edge FRC_HULL_EDGES[2][4] = {
    {{0, 1, 1}, {1, 2, 1},  {2, 0, 1},  {0, 0, 0}},
    {{0, 1, 1}, {2, 3, -1}, {0, 2, -1}, {1, 3, 1}}
};
FRC_DEVICE static const int FRC_HULL_EDGE_COUNT[2] = {3, 4};
