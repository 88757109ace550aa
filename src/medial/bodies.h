/// @file bodies.h  Bodies and their motions.
#pragma once
#include "base/handles.h"
#include "medial/shape.h"

typedef struct frc_medial_body {
    const fracas_medial_shape* shape;
    frc_rigid_motion motion;  // of the shape's centre
    bool fixed;
} frc_medial_body;

struct fracas_medial_bodies {
    fracas_context* context;
    frc_handles handles;
    FRC_ARRAY(frc_medial_body) list;  // by number
};
