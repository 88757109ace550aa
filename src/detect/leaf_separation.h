/// @file leaf_separation.h  A separating direction for two leaves whose boxes overlap.
#pragma once
#include "block/block.h"
#include "geom/point.h"

/// A leaf, and its boxes at the start and at the end of the step.
typedef struct frc_moving_leaf {
    const frc_block* block;
    const frc_leaf* leaf;
    const frc_box* box;
} frc_moving_leaf;

/// True: the two leaves never touch during the step. False: unknown. The boxes must cover the whole
/// step.
bool frc_leaves_separated(const frc_point* points, const frc_moving_leaf* a,
                          const frc_moving_leaf* b);
