/// @file separation.c  The stages of the separation tests: filters over blocks, floating point,
/// exact arithmetic.
#include "geom/separation_stages.h"
#include <math.h>

enum {
    BLOCK = 256
};  // candidates per block; their points stay in the L1 cache between the filters

// Decide one candidate that passed the filters.
static bool decide(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pair,
                   const frc_separation_options* options, double tolerance, frc_ccd_counts* counts,
                   frc_ccd_hit* hit) {
    frc_ccd_query q;
    frc_ccd_query_make(kind, points, pair, &q);
    const frc_point* const p[4] = {&points[pair->point[0]], &points[pair->point[1]],
                                   &points[pair->point[2]], &points[pair->point[3]]};
    switch (frc_separation_float(&q, options->distance, tolerance, hit)) {
    case FRC_SEPARATION_FAR:
        counts->separated++;
        return false;
    case FRC_SEPARATION_NEAR:
        counts->hit++;
        return !frc_separation_axes_apart(kind, p, 0, options->distance);
    case FRC_SEPARATION_UNSURE:
        break;
    }
    counts->exact++;
    if (frc_separation_axes_apart(kind, p, 0, options->distance)) return false;
    if (!frc_separation_exact(kind, p, options->distance, tolerance, hit)) return false;
    counts->exact_hit++;
    // Touching at that time: the closest points coincide, but the contact may have a normal.
    if (hit->normal[0] == 0 && hit->normal[1] == 0 && hit->normal[2] == 0)
        frc_ccd_impact(&q, p, hit);
    return true;
}

size_t frc_separation_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, const frc_separation_options* options,
                            frc_ccd_hit* hits) {
    const double tolerance = options->tolerance > FRC_SEPARATION_TOLERANCE_MIN
                                 ? options->tolerance
                                 : FRC_SEPARATION_TOLERANCE_MIN;
    frc_ccd_counts counts = {0};
    if (options->counts) counts = *options->counts;
    uint16_t keep[BLOCK];
    size_t hit_count = 0;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const size_t size = count - begin < BLOCK ? count - begin : BLOCK;
        const size_t left = frc_separation_filter(kind, points, pairs + begin, size,
                                                  options->distance, keep, &counts);
        for (size_t i = 0; i < left; i++) {
            frc_ccd_hit* const hit = &hits[hit_count];
            if (!decide(kind, points, &pairs[begin + keep[i]], options, tolerance, &counts, hit))
                continue;
            hit->pair = (uint32_t)(begin + keep[i]);
            hit_count++;
        }
    }
    if (options->counts) *options->counts = counts;
    return hit_count;
}

bool frc_separation_ccd(frc_ccd_kind kind, const frc_point points[4], double distance,
                        double tolerance, frc_ccd_hit* hit) {
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    const frc_separation_options options = {.distance = distance, .tolerance = tolerance};
    return frc_separation_batch(kind, points, &pair, 1, &options, hit) == 1;
}

// The points at t = 1, at both ends.
static void hold_still(const frc_point points[4], frc_point still[4]) {
    for (int i = 0; i < 4; i++) {
        const frc_point* const p = &points[i];
        still[i] = (frc_point){
            {p->x[1],  p->x[1]},
            {p->y[1],        p->y[1]},
            {p->z[1],p->z[1]},
            {0 }
        };
    }
}

static const frc_ccd_pair ONE = {
    {0, 1, 2, 3}
};

bool frc_separation_static(frc_ccd_kind kind, const frc_point points[4], double distance,
                           frc_closest* out) {
    frc_point still[4];
    frc_ccd_query q;
    frc_closest unused;
    if (!out) out = &unused;
    const frc_point* const moving[4] = {&points[0], &points[1], &points[2], &points[3]};
    if (frc_separation_axes_apart(kind, moving, 1, distance)) return false;
    hold_still(points, still);
    frc_ccd_query_make(kind, still, &ONE, &q);
    switch (frc_separation_float_static(&q, distance, out)) {
    case FRC_SEPARATION_FAR:
        return false;
    case FRC_SEPARATION_NEAR:
        return true;
    case FRC_SEPARATION_UNSURE:
        break;
    }
    const frc_point* const p[4] = {&still[0], &still[1], &still[2], &still[3]};
    return frc_separation_exact_static(kind, p, distance, out);
}

void frc_separation_closest(frc_ccd_kind kind, const frc_point points[4], frc_closest* out) {
    frc_point still[4];
    frc_ccd_query q;
    hold_still(points, still);
    frc_ccd_query_make(kind, still, &ONE, &q);
    if (frc_separation_float_static(&q, (double)INFINITY, out) == FRC_SEPARATION_NEAR) return;
    // The exact stage finds the closest points before it compares their distance.
    const frc_point* const p[4] = {&still[0], &still[1], &still[2], &still[3]};
    frc_separation_exact_static(kind, p, 0, out);
}

size_t frc_separation_static_filter(frc_ccd_kind kind, const frc_point* points,
                                    const frc_ccd_pair* pairs, size_t count, double distance,
                                    uint16_t* keep) {
    frc_ccd_counts unused = {0};
    return frc_separation_filter(kind, points, pairs, count, distance, keep, &unused);
}
