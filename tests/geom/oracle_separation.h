/// @file oracle_separation.h  A slow and simple oracle of minimum separation, on GMP.
///
/// The distance is at most D at time t if that holds for the interior of the face (or the common
/// perpendicular of both edges), for a vertex and an edge, or for two vertices, and the foot of the
/// perpendicular lies inside. Each condition is a set of signs of polynomials of degree at most 6.
/// The first such time is 0 or a root of one distance polynomial or, where that vanishes
/// identically, of one of its conditions. Roots and signs by Sturm sequences: no intervals, no
/// directions, no certificates, no grid, unlike the code under test.
///
/// Weak where it agrees with the code by construction: the list of parts and their foot conditions.
/// Tests at t = j/8 check it: they must not find times that the roots missed. GMP is trusted.
#pragma once
#include "oracle_ccd.h"

/// Whether the features come within `distance`, times 1 + 2^-20 with `band`, at some time in [0,
/// 1]; if so, evaluates the claims: not_late means that no such time is before toi, close that one
/// is at most `tolerance` after toi.
bool oracle_separation(frc_ccd_kind kind, const frc_point points[4], double distance, bool band,
                       oracle_claim* claims, int count);

/// The same at t = 1 only; distance >= 0.
bool oracle_separation_end(frc_ccd_kind kind, const frc_point points[4], double distance,
                           bool band);
