/// @file overhead.h  The cost of topology changes: a scene that breaks, compared with the same
/// motion of pieces that were cut before the first frame.
#pragma once
#include "fastcd/summary.h"
#include "fastcd/track.h"

/// Means over all frames but the first, in which the pre-cut version is cut and all trees are
/// built. Index 0: the breaking version; 1: the pre-cut one.
typedef struct fastcd_overhead {
    double ms[2], edit[2];  ///< update and query; edits
    /// Update and query in the frames after the last edit, in which both versions have the same
    /// pieces but different trees; 0 when there are no such frames.
    double after[2];
    double contacts[2];
} fastcd_overhead;

fastcd_overhead fastcd_overhead_of(const fastcd_table tables[2], uint32_t method);
/// `apart`: distance between the two versions after the last frame.
void fastcd_print_overhead(const fastcd_table tables[2], fastcd_apart apart);
void fastcd_print_overhead_json(const fastcd_table tables[2], fastcd_apart apart);
