/// @file pccd.h  A search run by the scheduler of PCCD, to be compared with our own (search.c).
#pragma once
#include "detect/search.h"

/// One walk for each worker, begun. `progress` is what this search is of the whole query. A walk
/// that has run out of memory or left work undone says so.
void frc_pccd_run(const frc_world* world, frc_walk** walks, const double progress[2],
                  fracas_statistics* statistics);
