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

FRC_DEVICE void frc_medial_load(const double (*a)[4], int na, const double (*b)[4], int nb,
                                frc_medial_pair* out);

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

/// `guess`: about the direction from a to b, or NULL; only the time depends on it, and rounding.
FRC_DEVICE void frc_medial_nearest(const frc_medial_pair* pair, frc_medial_goal goal,
                                   const double* guess, frc_medial_bounds* out);

/// Where centre surfaces intersect: replaces the weights by those of the intersection if that is
/// less than `upper`, and improves `lower`; direction and `upper` stay.
FRC_DEVICE void frc_medial_cross(const frc_medial_pair* pair, frc_medial_bounds* out);
