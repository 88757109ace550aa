/// @file broad_phase.h  Pairs of fragments whose boxes in the world overlap.
#pragma once
#include "fragment/fragments.h"
#include "grid/box_sweep.h"

/// All pairs that are not both fixed, sorted. False: no memory.
bool frc_broad_phase(const fracas_fragments* fragments, frc_body_pairs* out);
