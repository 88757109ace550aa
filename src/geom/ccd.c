// The stages in order: filters over blocks, the common case of the roots two at a time, then root
// enclosure, separating directions and exact arithmetic for each survivor.
#include "geom/ccd_stages.h"

enum { BLOCK = 256 };  // candidates whose points stay in the first-level cache between the filters

typedef struct task {
    frc_ccd_kind kind;
    const frc_point* points;
    const frc_ccd_options* options;
    double tolerance;
    frc_ccd_counts counts;
} task;

// What the floating stages say of one candidate after the filters.
static frc_ccd_verdict judge(task* t, const frc_ccd_query* q, double* toi) {
    const bool after_start = t->options->after_start;
    const int together = after_start ? frc_ccd_roots_at_start(q) : 0;
    const frc_ccd_verdict verdict = frc_ccd_roots(q, t->tolerance, after_start, together, toi);
    if (verdict != FRC_CCD_UNSURE) return verdict;
    // No plane separates what is one point.
    return !together && frc_ccd_separated(q) ? FRC_CCD_SEPARATED : FRC_CCD_UNSURE;
}

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

// Candidates that the filters left, a few at a time: what the quick stage cannot tell is judged one
// by one.
static size_t decide(task* t, const frc_ccd_pair* pairs, size_t begin, const uint16_t* keep,
                     size_t count, frc_ccd_hit* hits) {
    frc_ccd_pair group[FRC_CCD_GROUP];
    frc_ccd_query queries[FRC_CCD_GROUP];
    frc_ccd_verdict verdicts[FRC_CCD_GROUP];
    double toi[FRC_CCD_GROUP];
    size_t hit_count = 0;
    for (size_t i = 0; i < count; i++) {
        const frc_ccd_pair* const pair = &pairs[begin + keep[i]];
        group[i] = t->options->arranged ? frc_ccd_arrange(t->kind, t->points, pair) : *pair;
        frc_ccd_query_make(t->kind, t->points, &group[i], &queries[i]);
    }
    for (size_t i = 0; i < count; i++) verdicts[i] = FRC_CCD_UNSURE;
    if (!t->options->after_start)
        frc_ccd_roots_simd(t->kind, queries, count, t->tolerance, verdicts, toi);
    for (size_t i = 0; i < count; i++) {
        frc_ccd_hit* const hit = &hits[hit_count];
        if (verdicts[i] == FRC_CCD_UNSURE) verdicts[i] = judge(t, &queries[i], &toi[i]);
        hit->toi = toi[i];
        if (!conclude(t, &group[i], &queries[i], verdicts[i], hit)) continue;
        hit->pair = (uint32_t)(begin + keep[i]);
        hit_count++;
    }
    return hit_count;
}

size_t frc_ccd_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                     size_t count, const frc_ccd_options* options, frc_ccd_hit* hits) {
    task t = {.kind = kind, .points = points, .options = options, .tolerance = options->tolerance};
    // What the candidates before tell, the filters go by.
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
