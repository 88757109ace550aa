/// @file pair_box.c  The box of one fragment around the posed box of another, with a margin.
///
/// A point x of a is looked up in b at p = R x + t + e, where R and t are the computed relative
/// pose and e the rounding of its application. Let p be in the box of b, enlarged by the distance:
/// in every axis within h of its centre c. Then
///     x = R' (p - t - e) + (I - R' R) x,    R' the transposed R,
/// so in axis k x is within sum_j |R_jk| h_j of (R' (c - t))_k, but for two errors. With S the sum
/// of the largest coordinates of both boxes, of t and of the distance along the three axes, and
/// u = 2^-53: |e| is below 16 u S. A pose has rows that are orthonormal up to 16 u in every entry,
/// and R has 3 u more in every entry, so |I - R' R| is below 128 u, and the second error below
/// 128 u S. The computation of centre and sum has 30 roundings of numbers below 4 S: 120 u S. The
/// margin of 2^-40 S, which is 8192 u S, exceeds their sum. The points of a are in its own box, or
/// on cracks, whose points have some roundings of coordinates in the box.
#include "fragment/pair_box.h"
#include <math.h>

static double larger(double x, double y) { return x > y ? x : y; }

static double margin_of(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                        double distance) {
    double sum = 3 * distance;
    for (int k = 0; k < 3; k++) {
        const frc_occupancy *o = &a->occupancy, *p = &b->occupancy;
        sum += larger(fabs(o->lo[k]), fabs(o->hi[k])) + larger(fabs(p->lo[k]), fabs(p->hi[k])) +
               fabs(pose->translation[k]);
    }
    return 0x1p-40 * sum;
}

bool frc_pair_box_make(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                       double distance, frc_pair_box* out) {
    const double margin = margin_of(a, b, pose, distance);
    const frc_occupancy *own = &a->occupancy, *other = &b->occupancy;
    double way[3], half[3];
    for (int j = 0; j < 3; j++) {
        way[j] = (other->lo[j] + other->hi[j]) / 2 - pose->translation[j];
        half[j] = (other->hi[j] - other->lo[j]) / 2 + distance;
    }
    for (int k = 0; k < 3; k++) {
        double centre = 0, reach = margin;
        for (int j = 0; j < 3; j++) {
            const double r = pose->rotation[3 * j + k];
            centre += r * way[j];
            reach += fabs(r) * half[j];
        }
        out->lo[k] = larger(centre - reach, own->lo[k] - margin);
        out->hi[k] = -larger(-centre - reach, -own->hi[k] - margin);
        if (out->lo[k] > out->hi[k]) return false;
    }
    return true;
}
