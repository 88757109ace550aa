/// @file exact_det.h  Signs of orientation determinants in integer arithmetic, for all finite
/// doubles. On a GPU: for coordinates that span at most FRC_EXACT_DET_BITS on each axis.
#pragma once
#include "base/host_device.h"

/// Bits from the lowest bit set in any coordinate of an axis to the highest.
enum { FRC_EXACT_DET_BITS = 125 };

/// frc_orient2d and frc_orient3d without the floating-point filter.
FRC_DEVICE int frc_exact_orient2d(const double a[2], const double b[2], const double c[2]);
FRC_DEVICE int frc_exact_orient3d(const double a[3], const double b[3], const double c[3],
                                  const double d[3]);
