// Separation, stage by stage: filters over blocks, floating point, exact arithmetic.
#include "geom/separation_stages.h"

enum { BLOCK = 256 };  // candidates whose points stay in the first-level cache between the filters

static bool decide(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pair,
                   const frc_separation_options* options, double tolerance, frc_ccd_counts* counts,
                   frc_ccd_hit* hit) {
    frc_ccd_query q;
    frc_ccd_query_make(kind, points, pair, &q);
    switch (frc_separation_float(&q, options->distance, tolerance, hit)) {
    case FRC_SEPARATION_FAR:
        counts->separated++;
        return false;
    case FRC_SEPARATION_NEAR:
        counts->hit++;
        return true;
    case FRC_SEPARATION_UNSURE:
        break;
    }
    const frc_point* const p[4] = {&points[pair->point[0]], &points[pair->point[1]],
                                   &points[pair->point[2]], &points[pair->point[3]]};
    counts->exact++;
    if (!frc_separation_exact(kind, p, options->distance, tolerance, hit)) return false;
    counts->exact_hit++;
    // Touching at that time: the shortest connection has no direction, the contact may have one.
    if (hit->normal[0] == 0 && hit->normal[1] == 0 && hit->normal[2] == 0)
        frc_ccd_impact(&q, p, hit);
    return true;
}

static void add_counts(frc_ccd_counts* to, const frc_ccd_counts* from) {
    to->axis += from->axis;
    to->directions += from->directions;
    to->separated += from->separated;
    to->hit += from->hit;
    to->exact += from->exact;
    to->exact_hit += from->exact_hit;
}

size_t frc_separation_batch(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, const frc_separation_options* options,
                            frc_ccd_hit* hits) {
    const double tolerance = options->tolerance > FRC_SEPARATION_TOLERANCE_MIN
                                 ? options->tolerance
                                 : FRC_SEPARATION_TOLERANCE_MIN;
    frc_ccd_counts counts = {0};
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
    if (options->counts) add_counts(options->counts, &counts);
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

// Exact: fl(x) > d only if x > d.
static bool axis_apart(frc_ccd_kind kind, const double a[4], double distance) {
    double low, high;
    if (kind == FRC_CCD_VF) {
        low = a[1] < a[2] ? a[1] : a[2], low = a[3] < low ? a[3] : low;
        high = a[1] > a[2] ? a[1] : a[2], high = a[3] > high ? a[3] : high;
        return low - a[0] > distance || a[0] - high > distance;
    }
    low = (a[2] < a[3] ? a[2] : a[3]) - (a[0] > a[1] ? a[0] : a[1]);
    high = (a[0] < a[1] ? a[0] : a[1]) - (a[2] > a[3] ? a[2] : a[3]);
    return low > distance || high > distance;
}

static bool any_axis_apart(frc_ccd_kind kind, const frc_point p[4], double distance) {
    const double x[4] = {p[0].x[1], p[1].x[1], p[2].x[1], p[3].x[1]};
    const double y[4] = {p[0].y[1], p[1].y[1], p[2].y[1], p[3].y[1]};
    const double z[4] = {p[0].z[1], p[1].z[1], p[2].z[1], p[3].z[1]};
    return axis_apart(kind, x, distance) || axis_apart(kind, y, distance) ||
           axis_apart(kind, z, distance);
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
    if (any_axis_apart(kind, points, distance)) return false;
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
