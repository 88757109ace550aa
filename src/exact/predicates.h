/// @file predicates.h  Signs of determinants of coordinates, exact for all finite doubles.
/// On a GPU they have the limits of exact_det.h.
#pragma once
#include "base/host_device.h"

/// Sign (-1, 0, 1) of the area of a, b, c: positive when they turn left.
FRC_DEVICE int frc_orient2d(const double a[2], const double b[2], const double c[2]);

/// Sign of det(b - a, c - a, d - a): positive when a, b, c turn left as seen from d.
FRC_DEVICE int frc_orient3d(const double a[3], const double b[3], const double c[3],
                            const double d[3]);
