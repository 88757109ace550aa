/// @file ccd_lanes.h  One candidate in vector registers: the two lanes of a register are one
/// coordinate at t = 0 and at t = 1.
#pragma once
#include "geom/ccd.h"
#include "geom/vec3_simd.h"

typedef struct frc_lanes {
    frc_vec3x2 p[4];
} frc_lanes;

// Smallest and largest D_i per axis and end. Rounding is monotone, so the difference of extremes is
// the extreme difference.
typedef struct frc_range {
    frc_vec3x2 low, high;
} frc_range;

FRC_INLINE frc_lanes frc_lanes_load(const frc_point* points, const frc_ccd_pair* pair) {
    frc_lanes r;
    for (int i = 0; i < 4; i++) {
        const frc_point* const p = &points[pair->point[i]];
        r.p[i] = (frc_vec3x2){f64x2_load(p->x), f64x2_load(p->y), f64x2_load(p->z)};
    }
    return r;
}

FRC_INLINE frc_range frc_range_of(frc_ccd_kind kind, const frc_lanes* q) {
    const frc_vec3x2* p = q->p;
    if (kind == FRC_CCD_VF)
        return (frc_range){frc_vec3x2_sub(frc_vec3x2_min(frc_vec3x2_min(p[1], p[2]), p[3]), p[0]),
                           frc_vec3x2_sub(frc_vec3x2_max(frc_vec3x2_max(p[1], p[2]), p[3]), p[0])};
    return (frc_range){frc_vec3x2_sub(frc_vec3x2_min(p[2], p[3]), frc_vec3x2_max(p[0], p[1])),
                       frc_vec3x2_sub(frc_vec3x2_max(p[2], p[3]), frc_vec3x2_min(p[0], p[1]))};
}

FRC_INLINE void frc_differences(frc_ccd_kind kind, const frc_lanes* q, frc_vec3x2 d[4]) {
    if (kind == FRC_CCD_VF)
        for (int i = 0; i < 3; i++) d[i] = frc_vec3x2_sub(q->p[1 + i], q->p[0]);
    else
        for (int i = 0; i < 4; i++) d[i] = frc_vec3x2_sub(q->p[2 + i % 2], q->p[i / 2]);
}

typedef struct frc_extent {
    double x, y, z;
} frc_extent;

FRC_INLINE frc_extent frc_extent_of(const frc_range* r) {
    const f64x2 x = f64x2_max(f64x2_neg(r->low.x), r->high.x);
    const f64x2 y = f64x2_max(f64x2_neg(r->low.y), r->high.y);
    const f64x2 z = f64x2_max(f64x2_neg(r->low.z), r->high.z);
    const f64x2 xy = f64x2_pair_max(x, y);
    return (frc_extent){f64x2_low(xy), f64x2_high(xy), f64x2_max_lane(z)};
}

// v: the products of all D_i with one direction. The margin by which they are on one side of 0 at
// both ends: lanes (positive side, negative side).
FRC_INLINE f64x2 frc_margin(const f64x2 v[4], int count) {
    f64x2 low = f64x2_min(v[0], v[1]), high = f64x2_max(v[0], v[1]);
    for (int i = 2; i < count; i++) {
        low = f64x2_min(low, v[i]);
        high = f64x2_max(high, v[i]);
    }
    return f64x2_pair_min(low, f64x2_neg(high));
}
