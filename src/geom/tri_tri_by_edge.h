/// @file tri_tri_by_edge.h  Disjoint triangles almost in one plane, which a line along an edge
/// separates: flat walls and sheets have many such pairs. Private to the filters of triangle pairs.
#pragma once
#include "base/host_device.h"
#include <stdbool.h>

/// Corners of a, then of b, relative to the first.
typedef struct frc_tri_six {
    double p[6][3];
} frc_tri_six;

/// True if the outward normal of an edge, in the plane of its triangle, certainly separates them.
FRC_DEVICE bool frc_tri_separated_by_edge(const frc_tri_six* s);
