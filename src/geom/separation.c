// Separation, stage by stage: filters over blocks, floating point, exact arithmetic.
#include "geom/separation_stages.h"

enum { BLOCK = 256 };  // candidates whose points stay in the first-level cache between the filters

// a - b > d, exactly: rounding is monotone, so only a rounded difference of d itself leaves it
// open, and then the sign of what was rounded off tells (Knuth's sum).
static bool exceeds(double a, double b, double d) {
    const double x = a - b;
    if (x != d) return x > d;
    const double back = a - x, again = x + back;
    return (a - again) + (back - b) > 0;
}

// On one axis at one end: 1 when b lies above a by more than the distance, -1 when below, else 0.
static int axis_side(frc_ccd_kind kind, const double x[4], double distance) {
    const int split = kind == FRC_CCD_VF ? 1 : 2;
    double low[2] = {x[0], x[3]}, high[2] = {x[0], x[3]};
    for (int i = 1; i < 3; i++) {
        const int side = i >= split;
        if (x[i] < low[side]) low[side] = x[i];
        if (x[i] > high[side]) high[side] = x[i];
    }
    if (exceeds(low[1], high[0], distance)) return 1;
    return exceeds(low[0], high[1], distance) ? -1 : 0;
}

// Certainly further apart along an axis from end `first` to t = 1. No pair is reported whose boxes
// are, so that a search over boxes finds exactly what one over all pairs finds, also in the band
// where either answer would do.
static bool axes_apart(frc_ccd_kind kind, const frc_point* const p[4], int first, double distance) {
    for (int k = 0; k < 3; k++) {
        int side[2];
        for (int j = first; j < 2; j++) {
            const double x[4] = {frc_point_axis(p[0], k)[j], frc_point_axis(p[1], k)[j],
                                 frc_point_axis(p[2], k)[j], frc_point_axis(p[3], k)[j]};
            side[j] = axis_side(kind, x, distance);
        }
        if (side[1] && side[first] == side[1]) return true;
    }
    return false;
}

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
        return !axes_apart(kind, p, 0, options->distance);
    case FRC_SEPARATION_UNSURE:
        break;
    }
    counts->exact++;
    if (axes_apart(kind, p, 0, options->distance)) return false;
    if (!frc_separation_exact(kind, p, options->distance, tolerance, hit)) return false;
    counts->exact_hit++;
    // Touching at that time: the shortest connection has no direction, the contact may have one.
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

bool frc_separation_static(frc_ccd_kind kind, const frc_point points[4], double distance,
                           frc_closest* out) {
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    frc_point still[4];
    frc_ccd_query q;
    frc_closest unused;
    if (!out) out = &unused;
    const frc_point* const moving[4] = {&points[0], &points[1], &points[2], &points[3]};
    if (axes_apart(kind, moving, 1, distance)) return false;
    for (int i = 0; i < 4; i++) {
        const frc_point* const p = &points[i];
        still[i] = (frc_point){
            {p->x[1],  p->x[1]},
            {p->y[1],        p->y[1]},
            {p->z[1],p->z[1]},
            {0 }
        };
    }
    frc_ccd_query_make(kind, still, &pair, &q);
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
