/// @file tri_tri_coplanar.h  Coplanar triangle pairs, projected along an axis; private to
/// tri_tri*.c.
///
/// Precondition: all corners lie in one plane. Each function returns 1 (they intersect beyond what
/// they share), 0, or -1 when a projection has no area: then the general test has to decide.
#pragma once
#include "base/host_device.h"

FRC_DEVICE int frc_coplanar_nonadjacent(const double* const a[3], const double* const b[3]);
FRC_DEVICE int frc_coplanar_at_vertex(const double* const a[3],
                                      const double* const b[3]);  ///< a[0] = b[0]
FRC_DEVICE int frc_coplanar_at_edge(const double* const a[3],
                                    const double* const b[3]);  ///< and a[1] = b[1]
