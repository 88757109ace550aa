/// @file curve.h  Places along a curve that fills space: what is near on it is near in space.
#pragma once
#include "fracas/mesh.h"

/// The box of some points, and what scales it to the grid of the curve.
typedef struct frc_curve {
    double lo[3], scale;
} frc_curve;

frc_curve frc_curve_over(const fracas_points* points);
/// 30 bits; for points that it was made over.
uint32_t frc_curve_place(const frc_curve* curve, const double point[3]);
