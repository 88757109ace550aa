/// @file overhead.h  What it costs that a topology may change: a scene that breaks beside the same
/// flight of pieces that were cut before it began.
#pragma once
#include "fastcd/summary.h"
#include "fastcd/track.h"

/// Means over all frames but the first, in which the second version is cut and both are built.
typedef struct fastcd_overhead {
    double ms[2], edit[2];  ///< of what breaks, of what is pre-cut: update and query; edits
    /// Update and query in the frames after the last edit: both have the same pieces then, one in
    /// trees that grew with the breaking. 0: there are none.
    double after[2];
    double contacts[2];
} fastcd_overhead;

fastcd_overhead fastcd_overhead_of(const fastcd_table tables[2], uint32_t method);
/// `apart`: how far the two versions are from each other after the last frame.
void fastcd_print_overhead(const fastcd_table tables[2], fastcd_apart apart);
void fastcd_print_overhead_json(const fastcd_table tables[2], fastcd_apart apart);
