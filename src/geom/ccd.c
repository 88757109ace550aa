/// @file ccd.c  The stages of the continuous tests in order: filters over blocks, the common cases
/// of the roots in SIMD lanes, then root enclosure, separating directions and exact arithmetic for
/// each remaining candidate.
#include "geom/ccd_stages.h"

enum {
    BLOCK = 256
};  // candidates per block; their points stay in the L1 cache between the filters

typedef struct task {
    frc_ccd_kind kind;
    const frc_point* points;
    const frc_ccd_options* options;
    double tolerance;
    frc_ccd_counts counts;
} task;

// Count a verdict, decide exactly if it is unsure, and complete a hit whose toi is set.
static bool conclude(task* t, const frc_ccd_pair* pair, const frc_ccd_query* q,
                     frc_ccd_verdict verdict, frc_ccd_hit* hit) {
    const frc_point* const p[4] = {&t->points[pair->point[0]], &t->points[pair->point[1]],
                                   &t->points[pair->point[2]], &t->points[pair->point[3]]};
    switch (verdict) {
    case FRC_CCD_NO_ROOT:
        t->counts.no_root++;
        return false;
    case FRC_CCD_SEPARATED:
        t->counts.separated++;
        return false;
    case FRC_CCD_OUTSIDE:
        t->counts.outside++;
        return false;
    case FRC_CCD_HIT:
        t->counts.hit++;
        break;
    case FRC_CCD_UNSURE:
        t->counts.exact++;
        if (!frc_ccd_exact_within(t->kind, p, t->options->after_start, t->tolerance, &hit->toi))
            return false;
        t->counts.exact_hit++;
    }
    frc_ccd_impact(q, p, hit);
    return true;
}

// Decide a group of candidates that passed the filters: in SIMD lanes, then one by one where that
// is unsure.
static size_t decide(task* t, const frc_ccd_pair* pairs, size_t begin, const uint16_t* keep,
                     size_t count, frc_ccd_hit* hits) {
    frc_ccd_pair group[FRC_CCD_GROUP];
    frc_ccd_query queries[FRC_CCD_GROUP];
    frc_ccd_verdict verdicts[FRC_CCD_GROUP];
    double toi[FRC_CCD_GROUP];
    size_t hit_count = 0;
    for (size_t i = 0; i < count; i++) {
        const frc_ccd_pair* const pair = &pairs[begin + keep[i]];
        group[i] =
            t->options->canonical ? frc_ccd_canonical_order(t->kind, t->points, pair) : *pair;
        frc_ccd_query_make(t->kind, t->points, &group[i], &queries[i]);
    }
    const bool after_start = t->options->after_start;
    for (size_t i = 0; i < count; i++) verdicts[i] = FRC_CCD_UNSURE;
    if (!after_start) frc_ccd_roots_simd(t->kind, queries, count, t->tolerance, verdicts, toi);
    for (size_t i = 0; i < count; i++) {
        const frc_ccd_query* const q = &queries[i];
        frc_ccd_hit* const hit = &hits[hit_count];
        if (verdicts[i] == FRC_CCD_UNSURE) {
            const int at_start = after_start ? frc_ccd_roots_at_start(q) : 0;
            verdicts[i] = frc_ccd_roots(q, t->tolerance, after_start, at_start, &toi[i]);
            // No plane separates features with a coincident point.
            if (verdicts[i] == FRC_CCD_UNSURE && !at_start && frc_ccd_separated(q, FRC_CCD_BUDGET))
                verdicts[i] = FRC_CCD_SEPARATED;
        }
        hit->toi = toi[i];
        if (!conclude(t, &group[i], q, verdicts[i], hit)) continue;
        hit->pair = (uint32_t)(begin + keep[i]);
        hit_count++;
    }
    return hit_count;
}

size_t frc_ccd_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                     size_t count, const frc_ccd_options* options, frc_ccd_hit* hits) {
    task t = {.kind = kind, .points = points, .options = options, .tolerance = options->tolerance};
    // The filters are ordered by the counts so far.
    if (options->counts) t.counts = *options->counts;
    if (!(t.tolerance > FRC_CCD_TOLERANCE_MIN)) t.tolerance = FRC_CCD_TOLERANCE_MIN;
    uint16_t keep[BLOCK];
    size_t hit_count = 0;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const size_t size = count - begin < BLOCK ? count - begin : BLOCK;
        const size_t left =
            options->after_start
                ? frc_ccd_filter_after_start(kind, points, pairs + begin, size, keep, &t.counts)
                : frc_ccd_filter(kind, points, pairs + begin, size, options, keep, &t.counts);
        for (size_t i = 0; i < left; i += FRC_CCD_GROUP)
            hit_count +=
                decide(&t, pairs, begin, keep + i,
                       left - i < FRC_CCD_GROUP ? left - i : FRC_CCD_GROUP, hits + hit_count);
    }
    if (options->counts) *options->counts = t.counts;
    return hit_count;
}

bool frc_ccd_one(frc_ccd_kind kind, const frc_point points[4], const frc_ccd_options* options,
                 frc_ccd_hit* hit) {
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    return frc_ccd_batch(kind, points, &pair, 1, options, hit) == 1;
}
