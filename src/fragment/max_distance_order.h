/// @file max_distance_order.h  Maximum-distance order of points: each prefix samples the set
/// evenly.
#pragma once
#include "base/context.h"

/// Order the points points[items[0 .. count)]: first the two that are furthest apart, then always
/// the one that is furthest from all before it. Ties: the smallest index in `items`. `items` NULL:
/// points[0 .. count). Coordinates are finite. `order` receives the items, which are different.
/// `covering`, if not NULL, receives in [m] the covering radius of the first m items: the distance
/// of order[m] from the nearest of them; it is infinite for m = 0, and never increases.
/// Time O(n log n) for points of a body. False: no memory.
bool frc_max_distance_order(fracas_context* context, const double (*points)[3],
                            const uint32_t* items, uint32_t count, uint32_t* order,
                            double* covering);
