/// @file separation_stages.h  What the stages of the separation tests hand to each other.
#pragma once
#include "geom/ccd_stages.h"
#include "geom/separation.h"

/// How much further than asked a reported pair may be, relative to the distance.
#define FRC_SEPARATION_BAND 0x1p-20

/// No tolerance below this is honoured.
#define FRC_SEPARATION_TOLERANCE_MIN 0x1p-48

typedef enum frc_separation_verdict {
    FRC_SEPARATION_FAR,
    FRC_SEPARATION_NEAR,
    FRC_SEPARATION_UNSURE
} frc_separation_verdict;

/// Pass a block of candidates through the rejecting filters. `keep` (room for `count`) gets the
/// numbers of those left, ascending; returns how many.
size_t frc_separation_filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                             size_t count, double distance, uint16_t* keep, frc_ccd_counts* counts);

/// Decide in floating point. NEAR: `hit` is filled in but for the pair. UNSURE: hit->toi is a time
/// before which the pair is certainly further apart than `distance`.
frc_separation_verdict frc_separation_float(const frc_ccd_query* query, double distance,
                                            double tolerance, frc_ccd_hit* hit);

/// Decide at t = 0 in floating point. NEAR: `out` is filled in.
frc_separation_verdict frc_separation_float_static(const frc_ccd_query* query, double distance,
                                                   frc_closest* out);

/// Decide exactly, any finite doubles, from the time hit->toi on.
bool frc_separation_exact(frc_ccd_kind kind, const frc_point* const points[4], double distance,
                          double tolerance, frc_ccd_hit* hit);

/// Decide at t = 1 exactly; distance >= 0.
bool frc_separation_exact_static(frc_ccd_kind kind, const frc_point* const points[4],
                                 double distance, frc_closest* out);
