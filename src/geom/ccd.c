// The stages in order: filters over blocks, then root enclosure, separating directions and exact
// arithmetic for each survivor.
#include "geom/ccd_stages.h"

enum { BLOCK = 256 };  // candidates whose points stay in the first-level cache between the filters

static bool decide(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pair,
                   const frc_ccd_options* options, double tolerance, frc_ccd_counts* counts,
                   frc_ccd_hit* hit) {
    frc_ccd_query q;
    frc_ccd_query_make(kind, points, pair, &q);
    const frc_point* const p[4] = {&points[pair->point[0]], &points[pair->point[1]],
                                   &points[pair->point[2]], &points[pair->point[3]]};
    if (options->after_start && frc_ccd_parting(&q)) {
        counts->separated++;
        return false;
    }
    const int together = options->after_start ? frc_ccd_together(&q) : 0;
    switch (frc_ccd_roots(&q, tolerance, options->after_start, together, &hit->toi)) {
    case FRC_CCD_NO_ROOT:
        counts->no_root++;
        return false;
    case FRC_CCD_OUTSIDE:
        counts->outside++;
        return false;
    case FRC_CCD_HIT:
        counts->hit++;
        frc_ccd_impact(&q, p, hit);
        return true;
    case FRC_CCD_UNSURE:
        break;
    }
    if (!together && frc_ccd_separated(&q)) {  // no plane separates what is one point
        counts->separated++;
        return false;
    }
    counts->exact++;
    if (!frc_ccd_exact_within(kind, p, options->after_start, tolerance, &hit->toi)) return false;
    counts->exact_hit++;
    frc_ccd_impact(&q, p, hit);
    return true;
}

size_t frc_ccd_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                     size_t count, const frc_ccd_options* options, frc_ccd_hit* hits) {
    const double tolerance =
        options->tolerance > FRC_CCD_TOLERANCE_MIN ? options->tolerance : FRC_CCD_TOLERANCE_MIN;
    frc_ccd_counts counts = {0};
    uint16_t keep[BLOCK];
    size_t hit_count = 0;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const size_t size = count - begin < BLOCK ? count - begin : BLOCK;
        const size_t left =
            frc_ccd_filter(kind, points, pairs + begin, size, options, keep, &counts);
        for (size_t i = 0; i < left; i++) {
            frc_ccd_hit* const hit = &hits[hit_count];
            if (!decide(kind, points, &pairs[begin + keep[i]], options, tolerance, &counts, hit))
                continue;
            hit->pair = (uint32_t)(begin + keep[i]);
            hit_count++;
        }
    }
    if (options->counts) frc_ccd_counts_add(options->counts, &counts);
    return hit_count;
}

bool frc_ccd_one(frc_ccd_kind kind, const frc_point points[4], const frc_ccd_options* options,
                 frc_ccd_hit* hit) {
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    return frc_ccd_batch(kind, points, &pair, 1, options, hit) == 1;
}
