/// @file broad_phase.h  Pairs of fragments whose boxes in the world overlap.
#pragma once
#include "base/arena.h"
#include "fragment/fragments.h"

typedef struct frc_fragment_pair {
    uint32_t a, b;  // numbers, a < b
} frc_fragment_pair;

typedef FRC_ARRAY(frc_fragment_pair) frc_fragment_pairs;

/// All pairs that are not both fixed, sorted. False: no memory.
bool frc_broad_phase(const fracas_fragments* fragments, frc_fragment_pairs* out);
