/// @file pair_box.h  Where in its own frame a fragment may touch another one.
#pragma once
#include "fragment/fragments.h"

typedef struct frc_pair_box {
    double lo[3], hi[3];
} frc_pair_box;

/// The box of all points of `a` that are in `b` or within a distance of it; `pose` is that of a,
/// seen from b. False: there are no such points.
bool frc_pair_box_make(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                       double distance, frc_pair_box* out);

/// False: no point within a radius of `at` is in the box. A difference of coordinates has the right
/// sign and a relative error of 2^-53, so the sum of the squares is above the exact one by less
/// than 2^-50 of it. Where a square vanishes the sum is too small.
static inline bool frc_pair_box_meets(const frc_pair_box* box, const double at[3], double radius) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double below = box->lo[k] - at[k], above = at[k] - box->hi[k];
        const double way = below > above ? below : above;
        sum += way > 0 ? way * way : 0;
    }
    return !(sum > radius * radius * (1 + 0x1p-48));
}

static inline bool frc_pair_box_has(const frc_pair_box* box, const double p[3]) {
    return p[0] >= box->lo[0] && p[0] <= box->hi[0] && p[1] >= box->lo[1] && p[1] <= box->hi[1] &&
           p[2] >= box->lo[2] && p[2] <= box->hi[2];
}
