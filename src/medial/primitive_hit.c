/// @file primitive_hit.c  First at rest, then on straight ways, then in the motion itself.
#include "medial/primitive_hit.h"
#include "geom/vec3.h"
#include <math.h>
#include <string.h>

FRC_DEVICE void frc_medial_gather(const frc_medial_spheres* spheres,
                                  const frc_medial_primitive* primitive, frc_medial_gathered* out) {
    out->bulge = 0;
    out->count = (int)primitive->count;
    for (uint32_t i = 0; i < primitive->count; i++) {
        const uint32_t s = primitive->sphere[i];
        memcpy(out->own[i], spheres->own[s], sizeof out->own[i]);
        memcpy(out->start[i], spheres->start[s], sizeof out->start[i]);
        memcpy(out->end[i], spheres->end[s], sizeof out->end[i]);
        if (spheres->bulge[s] > out->bulge) out->bulge = spheres->bulge[s];
    }
}

FRC_DEVICE static frc_medial_sweep sweep_of(const frc_medial_gathered* g) {
    return (frc_medial_sweep){(const double(*)[4])g->start, (const double(*)[4])g->end, g->count,
                              g->bulge};
}

// Gap of two primitives along a unit vector at the start or the end.
FRC_DEVICE static double gap_along(const double n[3], const double (*a)[4], int na,
                                   const double (*b)[4], int nb) {
    double first = -INFINITY, second = INFINITY;
    for (int i = 0; i < na; i++) {
        const double x = frc_vec3_dot(n, a[i]) + a[i][3];
        if (x > first) first = x;
    }
    for (int i = 0; i < nb; i++) {
        const double x = frc_vec3_dot(n, b[i]) - b[i][3];
        if (x < second) second = x;
    }
    return second - first;
}

// Are they apart along a direction of length 1? Then the gap of spheres on straight ways is a
// minimum of linear functions of time, so it is least at an end. The slack in the bulges exceeds
// the rounding.
FRC_DEVICE static bool are_apart(const frc_medial_sweep* a, const frc_medial_sweep* b,
                                 double tolerance, const double n[3]) {
    const double reach = tolerance + a->bulge + b->bulge;
    return gap_along(n, a->start, a->count, b->start, b->count) > reach &&
           gap_along(n, a->end, a->count, b->end, b->count) > reach;
}

// A contact when the step begins.
FRC_DEVICE static frc_medial_hit touching(const frc_medial_gap* gap) {
    frc_medial_hit hit = {.t = 0, .gap = gap->upper};
    memcpy(hit.direction, gap->direction, sizeof hit.direction);
    for (int k = 0; k < 3; k++) hit.point[k] = (gap->point_a[k] + gap->point_b[k]) / 2;
    return hit;
}

FRC_DEVICE frc_medial_verdict frc_medial_test_start(const frc_medial_gathered* a,
                                                    const frc_medial_gathered* b, double tolerance,
                                                    frc_medial_hit* hit) {
    const frc_medial_sweep x = sweep_of(a), y = sweep_of(b);
    frc_medial_gap gap;
    frc_medial_separation(x.start, x.count, y.start, y.count, &gap);
    *hit = touching(&gap);
    if (gap.upper <= tolerance) return FRC_MEDIAL_HIT;
    return are_apart(&x, &y, tolerance, gap.direction) ? FRC_MEDIAL_APART : FRC_MEDIAL_UNSURE;
}

FRC_DEVICE frc_medial_verdict frc_medial_test_ways(const frc_medial_gathered* a,
                                                   const frc_medial_gathered* b, double tolerance,
                                                   int most, frc_medial_hit* hit) {
    const frc_medial_sweep x = sweep_of(a), y = sweep_of(b);
    double guess[3];
    memcpy(guess, hit->direction, sizeof guess);
    const bool found = frc_medial_ccd_within(&x, &y, tolerance, guess, most, hit);
    if (hit->unfinished) return FRC_MEDIAL_UNSURE;
    if (!found) return FRC_MEDIAL_APART;
    return x.bulge + y.bulge <= 0.25 * tolerance ? FRC_MEDIAL_HIT : FRC_MEDIAL_UNSURE;
}

FRC_DEVICE frc_medial_verdict frc_medial_test_motion(
    const frc_medial_gathered* a, const frc_rigid_motion* motion_a, const frc_medial_gathered* b,
    const frc_rigid_motion* motion_b, double tolerance, int most, frc_medial_hit* hit) {
    const bool found = frc_medial_ccd_rigid_within((const double(*)[4])a->own, a->count, motion_a,
                                                   (const double(*)[4])b->own, b->count, motion_b,
                                                   tolerance, hit, most, hit);
    if (hit->unfinished) return FRC_MEDIAL_UNSURE;
    return found ? FRC_MEDIAL_HIT : FRC_MEDIAL_APART;
}
