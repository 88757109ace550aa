/// @file medial_core.h  The minimisation behind separation, overlap and contact in time.
#pragma once
#include "geom/medial.h"

/// Two primitives relative to the first sphere of the first one, scaled by 2^-exponent.
typedef struct frc_medial_pair {
    double a[3][4], b[3][4];
    int na, nb, exponent;
    double origin[3];
    double error;  ///< of the bounds in frc_medial_nearest, see medial_pair.c
} frc_medial_pair;

void frc_medial_load(const double (*a)[4], int na, const double (*b)[4], int nb,
                     frc_medial_pair* out);

/// The parts of two primitives that span the nearest spheres. Starts the next search well if the
/// primitives moved a little.
typedef struct frc_medial_face {
    int count_a, count_b;
    int a[3], b[3];
    double weight_a[3], weight_b[3];  ///< of a[] and b[]
    double direction[3];
    double value;
} frc_medial_face;

typedef enum frc_medial_goal {
    FRC_MEDIAL_BOUNDS,   ///< as tight as possible
    FRC_MEDIAL_DECISION  ///< stop as soon as lower > 0 or upper <= 0
} frc_medial_goal;

/// lower <= separation <= upper, in units of 2^exponent. `direction` belongs to `lower`, the
/// weights to `upper`.
typedef struct frc_medial_bounds {
    double lower, upper;
    double direction[3];
    double weight_a[3], weight_b[3];
} frc_medial_bounds;

void frc_medial_nearest(const frc_medial_pair* pair, frc_medial_goal goal, frc_medial_bounds* out);
