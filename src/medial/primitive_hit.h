/// @file primitive_hit.h  Contact in time of two primitives of moving bodies, in three steps.
#pragma once
#include "geom/medial.h"
#include "medial/shape.h"

/// The spheres of a moving body, by their numbers in its shape.
typedef struct frc_medial_spheres {
    const double (*own)[4];  // relative to the centre
    const double (*start)[4], (*end)[4];
    const double* bulge;  // how far a sphere deviates from the straight way at most
} frc_medial_spheres;

/// A primitive of a moving body.
typedef struct frc_medial_gathered {
    double own[3][4], start[3][4], end[3][4];
    double bulge;
    int count;
} frc_medial_gathered;

FRC_DEVICE void frc_medial_gather(const frc_medial_spheres* spheres,
                                  const frc_medial_primitive* primitive, frc_medial_gathered* out);

typedef enum frc_medial_verdict {
    FRC_MEDIAL_APART,
    FRC_MEDIAL_HIT,
    FRC_MEDIAL_UNSURE  // the next step decides
} frc_medial_verdict;

/// Do they touch when the step begins, or does the direction between them then separate them
/// throughout the step? Unsure: that direction is in `hit`.
FRC_DEVICE frc_medial_verdict frc_medial_test_start(const frc_medial_gathered* a,
                                                    const frc_medial_gathered* b, double tolerance,
                                                    frc_medial_hit* hit);
/// The first contact on straight ways, after frc_medial_test_start. Unsure: those are not near
/// enough to the motion, or `unfinished` after `most` directions.
FRC_DEVICE frc_medial_verdict frc_medial_test_ways(const frc_medial_gathered* a,
                                                   const frc_medial_gathered* b, double tolerance,
                                                   int most, frc_medial_hit* hit);
/// The first contact of the motion itself, from the hit of frc_medial_test_ways on. Unsure:
/// unfinished.
FRC_DEVICE frc_medial_verdict frc_medial_test_motion(
    const frc_medial_gathered* a, const frc_rigid_motion* motion_a, const frc_medial_gathered* b,
    const frc_rigid_motion* motion_b, double tolerance, int most, frc_medial_hit* hit);
