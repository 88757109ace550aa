/// @file apart.h  Leaves of two bodies whose boxes meet, and that a direction tells apart.
#pragma once
#include "bvh/block.h"
#include "geom/point.h"

/// A leaf, and its boxes at the start and at the end of the step.
typedef struct frc_moving_leaf {
    const frc_block* block;
    const frc_leaf* leaf;
    const frc_box* box;
} frc_moving_leaf;

/// Do the two never touch during the step? False: nobody knows. The boxes are of the whole step.
bool frc_leaves_apart(const frc_point* points, const frc_moving_leaf* a, const frc_moving_leaf* b);
