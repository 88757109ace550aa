/// @file weld.h  Find points at bit-equal positions.
#pragma once
#include "base/context.h"

/// Number the distinct positions of `points` (three doubles each, no NaN) in the order in which
/// they first occur: `names[i]` is the number of point i, `*distinct` the count. -0 equals 0.
/// @return FRACAS_OK or FRACAS_ERROR_OUT_OF_MEMORY.
fracas_status frc_weld(fracas_context* context, const double* points, uint32_t count,
                       uint32_t* names, uint32_t* distinct);
