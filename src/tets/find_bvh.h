/// @file find_bvh.h  What the tree over tetrahedra keeps.
#pragma once
#include "base/array.h"
#include "bvh/tree.h"

typedef struct frc_float_point {
    float at[4];
} frc_float_point;

typedef struct frc_tets_leaf {
    frc_box4 box;
    uint32_t tet[4];
} frc_tets_leaf;

typedef struct frc_tets_bvh {
    frc_shape shape;
    frc_tets_leaf* leaves;
    uint32_t leaf_count;
    FRC_ARRAY(frc_float_point) points;  // vertices
} frc_tets_bvh;
