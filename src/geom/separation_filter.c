/// @file separation_filter.c  Filters that only reject: a direction along which the two features
/// are further apart than the distance at t = 0 and at t = 1, and so at all times in between, as
/// n . D_i is linear in time. Each is a branch-free pass over a block, like those of ccd_filter.c,
/// which defines u, D_i and L_k.
#include "geom/ccd_lanes.h"
#include "geom/separation_stages.h"
#include <math.h>

// Axes, exact: fl(D) > d only if D > d, since rounding is monotone and d is a double. No bound, no
// range.
FRC_INLINE bool axis_keeps(const frc_range* r, double distance) {
    const f64x2 a = f64x2_pair_min(r->low.x, r->low.y);
    const f64x2 b = f64x2_pair_min(f64x2_neg(r->high.x), f64x2_neg(r->high.y));
    const f64x2 c = f64x2_pair_min(r->low.z, f64x2_neg(r->high.z));
    return !(f64x2_max_lane(f64x2_max(f64x2_max(a, b), c)) > distance);
}

FRC_INLINE frc_vec3x2 both_ends(frc_vec3x2 a) { return frc_vec3x2_add(a, frc_vec3x2_swap(a)); }

// The normal of the face, or of both edges, at t = 1/2: any vector is a valid direction, so its own
// error does not matter. n . D_i has one rounding in the difference and three in the product:
// 4 u sum |n_k| L_k. The relative error of |n| is 3 u at most. The constants 8 u and 1 + 2^-40
// cover the second order and the roundings of the comparison, 2^-1000 any underflow. Range: |n| >
// 2^-300, extents below 2^300; otherwise nothing is rejected.
FRC_INLINE bool normal_keeps(frc_ccd_kind kind, const frc_vec3x2 d[4], const frc_range* r,
                             double distance) {
    const frc_vec3x2 e = both_ends(frc_vec3x2_sub(d[kind == FRC_CCD_VF ? 1 : 2], d[0]));
    const frc_vec3x2 f = both_ends(frc_vec3x2_sub(d[kind == FRC_CCD_VF ? 2 : 1], d[0]));
    const frc_vec3x2 n = frc_vec3x2_cross(e, f);
    f64x2 v[4];
    const int count = kind == FRC_CCD_VF ? 3 : 4;
    for (int i = 0; i < count; i++) v[i] = frc_vec3x2_dot(n, d[i]);
    const double apart = f64x2_max_lane(frc_margin(v, count)),
                 length2 = f64x2_low(frc_vec3x2_dot(n, n));
    const frc_extent l = frc_extent_of(r);
    const double sum =
        fabs(f64x2_low(n.x)) * l.x + fabs(f64x2_low(n.y)) * l.y + fabs(f64x2_low(n.z)) * l.z;
    const double least =
        distance * sqrt(length2) * (1 + 0x1p-40) + (8 * FRC_CCD_UNIT * sum + 0x1p-1000);
    const bool safe = (length2 > 0x1p-600) & (l.x + l.y + l.z < 0x1p300);
    return !((apart > least) & safe);
}

// Largest margins along the directions of length sqrt(2) and of length sqrt(3), in lanes.
typedef struct slants {
    f64x2 two, three;
} slants;

FRC_INLINE slants slanted(const frc_vec3x2 d[4], int n) {
    slants best = {f64x2_splat(0), f64x2_splat(0)};
    for (int sy = 0; sy < 2; sy++) {
        f64x2 xy[4], xz[4], yz[4], up[4], down[4];
        for (int i = 0; i < n; i++) {
            xy[i] = sy ? f64x2_sub(d[i].x, d[i].y) : f64x2_add(d[i].x, d[i].y);
            xz[i] = sy ? f64x2_sub(d[i].x, d[i].z) : f64x2_add(d[i].x, d[i].z);
            yz[i] = sy ? f64x2_sub(d[i].y, d[i].z) : f64x2_add(d[i].y, d[i].z);
            up[i] = f64x2_add(xy[i], d[i].z);
            down[i] = f64x2_sub(xy[i], d[i].z);
        }
        best.two = f64x2_max(best.two, f64x2_max(frc_margin(xy, n), frc_margin(xz, n)));
        best.two = f64x2_max(best.two, frc_margin(yz, n));
        best.three = f64x2_max(best.three, f64x2_max(frc_margin(up, n), frc_margin(down, n)));
    }
    return best;
}

// The directions x+-y, x+-z, y+-z and x+-y+-z. The errors of the sums are 3 u (Lx + Ly + Lz) as in
// ccd_filter.c; E = 4 u (Lx + Ly + Lz). The factors exceed sqrt(2) and sqrt(3) by more than 2^-26
// of themselves, which covers the rounding of the products; a distance below 2^-1000 is raised to
// that, which only rejects less. Range: sum of extents below 2^1000.
FRC_INLINE bool slants_keep(frc_ccd_kind kind, const frc_vec3x2 d[4], const frc_range* r,
                            double distance) {
    const frc_extent l = frc_extent_of(r);
    const double sum = l.x + l.y + l.z, e = 4 * FRC_CCD_UNIT * sum;
    const double reach = distance > 0x1p-1000 ? distance : 0x1p-1000;
    const slants best = slanted(d, kind == FRC_CCD_VF ? 3 : 4);
    const bool apart = (f64x2_max_lane(best.two) > 1.4142136 * reach + e) |
                       (f64x2_max_lane(best.three) > 1.7320509 * reach + e);
    return !(apart & (sum < 0x1p1000));
}

enum { AHEAD = 8 };  // prefetch distance in candidates

FRC_INLINE size_t axis_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                            size_t count, double distance, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const frc_ccd_pair* const next = &pairs[i + AHEAD < count ? i + AHEAD : i];
        for (int j = 0; j < 4; j++) __builtin_prefetch(&points[next->point[j]]);
        const frc_lanes q = frc_lanes_load(points, &pairs[i]);
        const frc_range r = frc_range_of(kind, &q);
        keep[n] = (uint16_t)i;
        n += axis_keeps(&r, distance);
    }
    return n;
}

FRC_INLINE size_t normal_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                              size_t count, double distance, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t at = keep[i];
        const frc_lanes q = frc_lanes_load(points, &pairs[at]);
        const frc_range r = frc_range_of(kind, &q);
        frc_vec3x2 d[4];
        frc_differences(kind, &q, d);
        keep[n] = at;
        n += normal_keeps(kind, d, &r, distance);
    }
    return n;
}

FRC_INLINE size_t slant_pass(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                             size_t count, double distance, uint16_t* keep) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t at = keep[i];
        const frc_lanes q = frc_lanes_load(points, &pairs[at]);
        const frc_range r = frc_range_of(kind, &q);
        frc_vec3x2 d[4];
        frc_differences(kind, &q, d);
        keep[n] = at;
        n += slants_keep(kind, d, &r, distance);
    }
    return n;
}

FRC_INLINE size_t filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                         size_t count, double distance, uint16_t* keep, frc_ccd_counts* counts) {
    const size_t a = axis_pass(kind, points, pairs, count, distance, keep);
    const size_t b = normal_pass(kind, points, pairs, a, distance, keep);
    const size_t c = slant_pass(kind, points, pairs, b, distance, keep);
    counts->axis += count - a;
    counts->directions += a - c;
    return c;
}

size_t frc_separation_filter(frc_ccd_kind kind, const frc_point* points, const frc_ccd_pair* pairs,
                             size_t count, double distance, uint16_t* keep,
                             frc_ccd_counts* counts) {
    return kind == FRC_CCD_VF ? filter(FRC_CCD_VF, points, pairs, count, distance, keep, counts)
                              : filter(FRC_CCD_EE, points, pairs, count, distance, keep, counts);
}
