/// @file separation_stages.h  The interface between the stages of the separation tests; private to
/// separation*.c.
#pragma once
#include "geom/ccd_stages.h"
#include "geom/separation.h"

/// Width of the band above the distance in which either result is valid, relative to the distance.
#define FRC_SEPARATION_BAND 0x1p-20

/// Lower tolerances are raised to this.
#define FRC_SEPARATION_TOLERANCE_MIN 0x1p-48

typedef enum frc_separation_verdict {
    FRC_SEPARATION_FAR,
    FRC_SEPARATION_NEAR,
    FRC_SEPARATION_UNSURE
} frc_separation_verdict;

/// Pass a block of candidates through the rejecting filters. `keep` (capacity `count`) gets the
/// indices of the remaining candidates, ascending; returns their number.
size_t frc_separation_filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                             size_t count, double distance, uint16_t* keep, frc_ccd_counts* counts);

/// True if the boxes are further apart than the distance along an axis from t = `first` (0 or 1) to
/// t = 1. Such pairs are never reported, so that a search over boxes finds exactly the pairs that
/// an exhaustive search finds, also in the band where either result is valid.
FRC_DEVICE bool frc_separation_axes_apart(frc_ccd_kind kind, const frc_point* const p[4], int first,
                                          double distance);

/// Decide in floating point. NEAR: sets `hit` except hit->pair. UNSURE: sets hit->toi to a time
/// before which the pair is certainly further apart than `distance`.
FRC_DEVICE frc_separation_verdict frc_separation_float(const frc_ccd_query* query, double distance,
                                                       double tolerance, frc_ccd_hit* hit);

/// Decide at t = 0 in floating point. NEAR: sets `out`.
FRC_DEVICE frc_separation_verdict frc_separation_float_static(const frc_ccd_query* query,
                                                              double distance, frc_closest* out);

/// Decide exactly for any finite doubles, starting at the time hit->toi.
bool frc_separation_exact(frc_ccd_kind kind, const frc_point* const points[4], double distance,
                          double tolerance, frc_ccd_hit* hit);

/// Decide at t = 1 exactly; distance >= 0.
bool frc_separation_exact_static(frc_ccd_kind kind, const frc_point* const points[4],
                                 double distance, frc_closest* out);
