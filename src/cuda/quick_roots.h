/// @file quick_roots.h  Device code for one candidate: the forms for one thread of what the CPU
/// computes in SIMD lanes, with the same bits.
#pragma once
#include "cuda/step.h"
#include "geom/ccd_stages.h"

/// frc_ccd_query_make (geom/ccd_filter.c).
FRC_DEVICE void frc_quick_query(frc_ccd_kind kind, const frc_moving_point* points,
                                const frc_ccd_pair* pair, frc_ccd_query* out);

/// True: the filters of geom/ccd_filter.c reject the candidate, without the order of operations
/// there.
FRC_DEVICE bool frc_quick_reject(frc_ccd_kind kind, const frc_moving_point points[4]);

/// Whether the features touch at t = 0, exactly (stage_start.c).
typedef enum frc_start_contact {
    FRC_START_APART,
    FRC_START_CONTACT,
    FRC_START_UNSURE  // coordinates span too many bits
} frc_start_contact;
FRC_DEVICE frc_start_contact frc_contact_at_start(frc_ccd_kind kind, const frc_moving_point p[4]);

/// frc_ccd_roots_simd (geom/ccd_roots_simd.c).
FRC_DEVICE frc_ccd_verdict frc_quick_roots(const frc_ccd_query* q, double tolerance, double* toi);
