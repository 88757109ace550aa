/// @file pair_slab.h  How far two fragments overlap in a direction in which they overlap little.
#pragma once
#include "fragment/fragments.h"

/// A half-space of a fragment's frame: normal . x >= least.
typedef struct frc_pair_slab {
    double normal[3], least;
} frc_pair_slab;

/// Half-spaces that contain all points of `a` that are in `b` or within a distance of it, out[0] in
/// the frame of a, and all points of `b` near `a`, out[1] in the frame of b. `pose` is that of a,
/// seen from b. False: there are no such points.
bool frc_pair_slab_make(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                        double distance, frc_pair_slab out[2]);

/// False: no point within a radius of `at` is in the half-space.
static inline bool frc_pair_slab_meets(const frc_pair_slab* slab, const double at[3],
                                       double radius) {
    const double* n = slab->normal;
    return n[0] * at[0] + n[1] * at[1] + n[2] * at[2] + radius >= slab->least;
}
