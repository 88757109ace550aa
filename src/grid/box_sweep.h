/// @file box_sweep.h  Pairs of overlapping boxes of bodies: sort and sweep.
#pragma once
#include "base/array.h"

typedef struct frc_sweep_box {
    double lo[3], hi[3];
    uint32_t number;  // of the body
    bool fixed;
} frc_sweep_box;

typedef struct frc_body_pair {
    uint32_t a, b;  // numbers, a < b
} frc_body_pair;

typedef FRC_ARRAY(frc_body_pair) frc_body_pairs;

/// Append all pairs of boxes that overlap or touch and are not both fixed, sorted. False: no
/// memory.
bool frc_box_sweep(fracas_context* context, const frc_sweep_box* boxes, uint32_t count,
                   frc_body_pairs* out);
