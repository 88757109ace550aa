/// @file stage_boxes.c  Device code: boxes of features, of clusters, of bundles and of groups.
#include "cuda/lists.h"
#include "fracas/contact.h"
#include "geom/box.h"
#include <math.h>

// The float below a bound that has been lowered by half the reach. x - h is rounded to double: one
// float more is far beyond that error.
FRC_DEVICE static float lower(double x, double h) {
    const float f = frc_round_down(x - h);
    return h > 0 && f > -INFINITY ? frc_float_step(f == 0 ? -0.0f : f, -1, 1) : f;
}

FRC_DEVICE static float upper(double x, double h) {
    const float f = frc_round_up(x + h);
    return h > 0 && f < INFINITY ? frc_float_step(f == 0 ? 0.0f : f, 1, 1) : f;
}

FRC_DEVICE static frc_bounds no_bounds(void) {
    frc_bounds b;
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3; k++) b.lo[e][k] = INFINITY, b.hi[e][k] = -INFINITY;
    return b;
}

FRC_DEVICE static frc_bounds bounds_of(const frc_step* s, const frc_feature* f) {
    frc_bounds b = no_bounds();
    if (f->point[0] == FRACAS_NONE) return b;
    for (int k = 0; k < 3; k++) {
        double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 3; i++)
            for (int e = 0; e < 2; e++) {
                const double x = s->points[f->point[i]].x[k][s->ends == FRC_ENDS_LAST ? 1 : e];
                lo[e] = x < lo[e] ? x : lo[e];
                hi[e] = x > hi[e] ? x : hi[e];
            }
        if (s->ends == FRC_ENDS_SWEPT) {
            lo[0] = lo[1] = lo[0] < lo[1] ? lo[0] : lo[1];
            hi[0] = hi[1] = hi[0] > hi[1] ? hi[0] : hi[1];
        }
        for (int e = 0; e < 2; e++) {
            b.lo[e][k] = lower(lo[e], s->half_reach);
            b.hi[e][k] = upper(hi[e], s->half_reach);
        }
    }
    return b;
}

// The union of the boxes of all lanes.
FRC_DEVICE static frc_bounds unite(const frc_bounds* b) {
    frc_bounds sum;
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3; k++) {
            float lo[FRC_LANES], minus_hi[FRC_LANES];
            FRC_EACH_LANE(i) lo[i] = b[i].lo[e][k], minus_hi[i] = -b[i].hi[e][k];
            sum.lo[e][k] = frc_warp_min(lo);
            sum.hi[e][k] = -frc_warp_min(minus_hi);
        }
    return sum;
}

// A warp fits one cluster.
FRC_DEVICE static void fit_features(const frc_step* s, const frc_feature_set* set, uint32_t warp,
                                    uint32_t warps) {
    for (uint32_t c = warp; c < set->cluster_count; c += warps) {
        frc_bounds b[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint32_t slot = c * FRC_WARP + FRC_LANE(i);
            b[i] = bounds_of(s, &set->features[slot]);
            set->boxes[slot] = b[i];
        }
        const frc_bounds sum = unite(b);
        FRC_EACH_LANE(i) if (FRC_LANE(i) == 0) set->clusters[c] = sum;
    }
}

FRC_STAGE(boxes) {
    fit_features(s, &s->a, warp, warps);
    if (!s->same) fit_features(s, &s->b, warp, warps);
}

// A warp unites 32 boxes.
FRC_DEVICE static void fit_unions(const frc_bounds* from, uint32_t count, frc_bounds* to,
                                  uint32_t warp, uint32_t warps) {
    for (uint32_t n = warp; n * FRC_WARP < count; n += warps) {
        frc_bounds b[FRC_LANES];
        FRC_EACH_LANE(i) {
            const uint32_t c = n * FRC_WARP + FRC_LANE(i);
            b[i] = c < count ? from[c] : no_bounds();
        }
        const frc_bounds sum = unite(b);
        FRC_EACH_LANE(i) if (FRC_LANE(i) == 0) to[n] = sum;
    }
}

FRC_STAGE(bundles) {
    fit_unions(s->a.clusters, s->a.cluster_count, s->a.bundles, warp, warps);
    if (!s->same) fit_unions(s->b.clusters, s->b.cluster_count, s->b.bundles, warp, warps);
}

FRC_STAGE(groups) {
    fit_unions(s->a.bundles, s->a.bundle_count, s->a.groups, warp, warps);
    if (!s->same) fit_unions(s->b.bundles, s->b.bundle_count, s->b.groups, warp, warps);
}
