/// @file quick_after_start.h  Device code: filters for features that coincided when the step began,
/// in doubles; geom/ccd_filter_after_start.c has their derivation and bounds. They only reject.
#pragma once
#include "cuda/quick_query.h"

/// True: no contact in (0, 1]. `p` are the points of the candidate.
FRC_DEVICE bool frc_quick_after_start_rejects(frc_ccd_kind kind, const frc_moving_point* points,
                                              const uint32_t p[4]);
