/// @file quick_near.h  Device code: the filters of geom/separation_filter.c for one candidate, with
/// the same result: within the band above the distance they are part of it.
#pragma once
#include "cuda/quick_query.h"

/// frc_separation_filter keeps the candidate.
FRC_DEVICE bool frc_quick_may_be_near(const frc_ccd_query* q, double distance);
