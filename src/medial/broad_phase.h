/// @file broad_phase.h  Pairs of bodies that may touch during a step.
#pragma once
#include "grid/box_sweep.h"
#include "medial/moving.h"

/// Bodies that exist, by number; the others have no body.
typedef struct frc_medial_step {
    frc_medial_moving* moving;
    uint32_t count;
} frc_medial_step;

/// All pairs that are not both fixed and that may touch, sorted. False: no memory.
bool frc_medial_broad_phase(fracas_context* context, const frc_medial_step* step,
                            fracas_medial_broad_phase how, frc_body_pairs* out);
