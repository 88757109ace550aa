/// @file pair_slab.c  Search for a direction in which the hulls of two fragments overlap little.
///
/// For a direction n let hi be the largest n . x of a's points x, and lo the least of b's points.
/// Points of a that are in b have n . x >= lo, points of b that are in a have n . x <= hi; if
/// hi < lo the fragments are apart. Where x and y are the points that have hi and lo, the part of
/// x - y across n is the gradient of hi - lo. The search goes against it, with shorter steps when
/// that was too far. It may end anywhere: each direction gives valid half-spaces.
///
/// Margin. Let S be the sum of the largest coordinates of both boxes and of the way between the
/// frames along the three axes, plus the distance. The components of n are at most 1. Points,
/// directions and the result of n . x, three products and two sums, are rounded to floats: an error
/// below 8 * 2^-24 S for each of hi and lo. Everything else is computed in doubles, with errors
/// below 2^-40 S as in pair_box.c. The margin 2^-19 S exceeds the sum. It also covers products that
/// are rounded to denormal numbers, because sizes are at least 10^-36.
#include "fragment/pair_slab.h"
#include "geom/pose.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

enum { STEPS = 6 };
#define LITTLE 0.01  // of the smaller radius: an overlap that need not be reduced

static double margin_of(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                        double distance) {
    double sum = 3 * distance;
    for (int k = 0; k < 3; k++) {
        const frc_occupancy *o = &a->occupancy, *p = &b->occupancy;
        sum += fmax(fabs(o->lo[k]), fabs(o->hi[k])) + fmax(fabs(p->lo[k]), fabs(p->hi[k])) +
               fabs(pose->translation[k]);
    }
    return 0x1p-19 * sum;
}

// Both ends of the overlap in a direction of b's frame.
typedef struct overlap {
    double to_a[3];  // the direction in the frame of a
    double lo, hi;   // in the frame of b
    double way[3];   // from b's point to a's
} overlap;

static overlap overlap_of(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                          const double n[3]) {
    overlap out;
    float forth[3], back[3], first[3], second[3];
    for (int k = 0; k < 3; k++) {
        const double* r = &pose->rotation[k];
        out.to_a[k] = r[0] * n[0] + r[3] * n[1] + r[6] * n[2];
        forth[k] = (float)out.to_a[k];
        back[k] = (float)-n[k];
    }
    out.hi = frc_support_find(&a->support, forth, first) + frc_vec3_dot(n, pose->translation);
    out.lo = -(double)frc_support_find(&b->support, back, second);
    const double x[3] = {first[0], first[1], first[2]};
    frc_pose_apply(pose, x, out.way);
    for (int k = 0; k < 3; k++) out.way[k] -= second[k];
    return out;
}

static bool make_unit(double n[3]) {
    const double largest = frc_vec3_largest(n);
    if (!(largest > 0)) return false;
    frc_vec3_scale(n, 1 / largest, n);
    frc_vec3_scale(n, 1 / sqrt(frc_vec3_dot(n, n)), n);
    return true;
}

// From the centre of a to that of b.
static bool first_direction(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                            double n[3]) {
    const frc_occupancy *o = &a->occupancy, *p = &b->occupancy;
    double centre[3];
    for (int k = 0; k < 3; k++) centre[k] = (o->lo[k] + o->hi[k]) / 2;
    frc_pose_apply(pose, centre, n);
    for (int k = 0; k < 3; k++) n[k] = (p->lo[k] + p->hi[k]) / 2 - n[k];
    return make_unit(n);
}

static void keep(const overlap* best, const double n[3], const fracas_pose* pose, double margin,
                 frc_pair_slab out[2]) {
    memcpy(out[0].normal, best->to_a, sizeof out[0].normal);
    out[0].least = best->lo - frc_vec3_dot(n, pose->translation) - margin;
    frc_vec3_scale(n, -1, out[1].normal);
    out[1].least = -best->hi - margin;
}

bool frc_pair_slab_make(const frc_fragment* a, const frc_fragment* b, const fracas_pose* pose,
                        double distance, frc_pair_slab out[2]) {
    const double margin = distance + margin_of(a, b, pose, distance);
    const double radius = fmin(a->radius, b->radius);
    double n[3], best_n[3];
    overlap best = {.hi = INFINITY};
    if (!first_direction(a, b, pose, n)) n[0] = 1, n[1] = n[2] = 0;
    double turn = 0.5;
    for (int step = 0; step < STEPS; step++) {
        const overlap here = overlap_of(a, b, pose, n);
        if (here.hi - here.lo < -margin) return false;
        if (here.hi - here.lo < best.hi - best.lo) {
            best = here;
            memcpy(best_n, n, sizeof n);
        } else {
            turn /= 2;
        }
        if (best.hi - best.lo < LITTLE * radius) break;
        double across[3];
        const double along = frc_vec3_dot(best.way, best_n);
        for (int k = 0; k < 3; k++) across[k] = best.way[k] - along * best_n[k];
        if (!make_unit(across)) break;
        for (int k = 0; k < 3; k++) n[k] = best_n[k] - turn * across[k];
        make_unit(n);
    }
    keep(&best, best_n, pose, margin, out);
    return true;
}
