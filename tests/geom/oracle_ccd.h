/// @file oracle_ccd.h  A slow and simple oracle of continuous contact, on GMP.
///
/// It shares nothing with src/geom: all axes have one scale, positions instead of differences, the
/// normal N of the face or edges and scalar products with it (polynomials of degree 4), |X x Y|^2 =
/// 0 and X.Y <= 0 for a point on a segment, roots counted by Sturm sequences, signs at roots by
/// Sturm–Tarski queries, "just after 0" by a rational number below all events.
///
/// Weak where it agrees with the code by construction: the theorem that contact begins at a root of
/// the coplanarity cubic or, where that vanishes, of one of the conditions. Contact tests at t =
/// j/8 check it: they must not find contacts that the roots missed. GMP is trusted.
#pragma once
#include "geom/ccd.h"

/// A claimed time of impact, and whether it is valid: not later than the first contact, and at most
/// `tolerance` earlier.
typedef struct oracle_claim {
    double toi, tolerance;
    bool not_late, close;
} oracle_claim;

/// Whether the features touch at some time in [0, 1], or (0, 1] with `after_start`; if so,
/// evaluates the claims.
bool oracle_ccd(frc_ccd_kind kind, const frc_point points[4], bool after_start,
                oracle_claim* claims, int count);

/// The same by the lemmas of the code, but entirely on GMP: faster, less independent.
bool oracle_ccd_fast(frc_ccd_kind kind, const frc_point points[4], bool after_start,
                     oracle_claim* claims, int count);
