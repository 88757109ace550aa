/// @file oracle_separation.h  Slow, obvious truth for minimum separation, on GMP.
///
/// The distance is at most D at time t when it is so for the inside of the face (or for the common
/// perpendicular of both edges), for a vertex and an edge, or for two vertices, and the foot of the
/// perpendicular lies inside. Each is a set of signs of polynomials of degree 6 at most. The first
/// such time is 0 or a root of one distance polynomial, or, where that vanishes throughout, of one
/// of its conditions. Roots and signs by Sturm sequences: no intervals, no directions, no
/// certificates, no grid, unlike the code under test.
///
/// Weak where it agrees with the code by construction: the list of parts and their foot conditions;
/// backed by tests at t = j/8, which must not find what the roots missed. And GMP is trusted.
#pragma once
#include "oracle_ccd.h"

/// Do they come within `distance`, times 1 + 2^-20 with `band`, at some time in [0, 1]? Judges the
/// claims if so: not_late says that no such time is before toi, close that one is at most
/// `tolerance` after toi.
bool oracle_separation(frc_ccd_kind kind, const frc_point points[4], double distance, bool band,
                       oracle_claim* claims, int count);

/// The same at t = 1 only; distance >= 0.
bool oracle_separation_end(frc_ccd_kind kind, const frc_point points[4], double distance,
                           bool band);
