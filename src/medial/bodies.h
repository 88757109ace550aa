/// @file bodies.h  Bodies and their motions.
#pragma once
#include "base/handles.h"
#include "medial/shape.h"

typedef struct frc_medial_body {
    const fracas_medial_shape* shape;
    frc_rigid_motion motion;  // of the shape's centre
    bool fixed;
} frc_medial_body;

typedef struct frc_medial_method frc_medial_method;  // narrow_phase.h

struct fracas_medial_bodies {
    fracas_context* context;
    const frc_medial_method* method;
    void* method_data;
    frc_handles handles;
    FRC_ARRAY(frc_medial_body) list;  // by number
    uint64_t version;                 // counts bodies that were added or removed
};
