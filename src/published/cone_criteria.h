/// @file cone_criteria.h  The published cull criteria. None of them is sound: docs/cull.md shows
/// what they miss.
///
/// Based on: provot1997 (normals within a cone), tang2009 (the same for the whole step, and the
/// contour), heo2010 (cones of normals and of binormals).
#pragma once
#include "cull/cull.h"

extern const frc_cull_criterion frc_cull_normal_cone;           // normals within a cone
extern const frc_cull_criterion frc_cull_normal_cone_boundary;  // also, the mesh boundary is simple
extern const frc_cull_criterion frc_cull_normal_cone_contour;   // also, the contour is simple
extern const frc_cull_criterion frc_cull_dual_cone;             // cones of normals and binormals
// The same condition with SIMD and a front that is kept between updates: dual_cone_front.c.
extern const frc_cull_criterion frc_cull_dual_cone_front;
