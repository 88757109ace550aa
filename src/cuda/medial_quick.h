/// @file medial_quick.h  Device code: one lane of geom/medial_lanes.c, which has the bounds.
/// Filters that only reject.
#pragma once
#include "cuda/medial_step.h"

/// The way between two bodies, and what the filters need of both.
typedef struct frc_medial_between {
    double start[3], end[3];  // from the place of the first body to that of the second
    double size;              // of frc_lane_pairs
    double tolerance;
} frc_medial_between;

FRC_DEVICE frc_medial_between frc_medial_between_make(const frc_medial_device_body* a,
                                                      const frc_medial_device_body* b,
                                                      double tolerance);

/// frc_medial_lanes_meet, during the whole step.
FRC_DEVICE bool frc_medial_quick_meet(const frc_medial_slot* a, const frc_medial_slot* b,
                                      const frc_medial_between* between);

/// frc_medial_lanes_apart. The spheres of a primitive are found by their numbers.
FRC_DEVICE bool frc_medial_quick_apart(const frc_lane_sphere* spheres_a,
                                       const frc_medial_primitive* a,
                                       const frc_lane_sphere* spheres_b,
                                       const frc_medial_primitive* b,
                                       const frc_medial_between* between);
