/// @file leaf_separation.c  One direction for a pair of leaves: if one leaf is behind a plane and
/// the other in front of it at both ends of the step, they never touch, as all points move in
/// straight lines.
///
/// Where bodies have just broken apart, and where they slide along each other, boxes of leaves
/// overlap though the leaves do not touch: half of all pairs of features are among them
/// (docs/bvh.md). The direction is the one between the centres when they are nearest to each other:
/// perpendicular to the motion of leaves that pass by, along the motion of leaves that separate.
#include "detect/leaf_separation.h"
#include "base/simd.h"
#include <math.h>

typedef struct direction {
    double d[3];
    double error;  // upper bound of the error of a product with a point
} direction;

static void offset_of_centres(const frc_moving_leaf* a, const frc_moving_leaf* b, int end,
                              double out[3]) {
    const frc_box *p = &a->box[end], *q = &b->box[end];
    for (int k = 0; k < 3; k++)
        out[k] = 0.5 * ((double)q->lo[k] + (double)q->hi[k]) -
                 0.5 * ((double)p->lo[k] + (double)p->hi[k]);
}

// The largest coordinate of both leaves, at both ends.
static double largest(const frc_moving_leaf* a, const frc_moving_leaf* b, int k) {
    float most = 0;
    for (int end = 0; end < 2; end++) {
        const frc_box *p = &a->box[end], *q = &b->box[end];
        const float low = p->lo[k] < q->lo[k] ? p->lo[k] : q->lo[k];
        const float high = p->hi[k] > q->hi[k] ? p->hi[k] : q->hi[k];
        most = most > -low ? most : -low;
        most = most > high ? most : high;
    }
    return (double)most;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// u = 2^-53, one rounding per operation. With S = |dx| Mx + |dy| My + |dz| Mz, M the largest
// coordinates: each product of d.p passes its own rounding and two of the sum, so that d.p errs by
// (3 u + 3 u^2 + ...) S, and by 3 * 2^-1075 where products underflow. S itself passes three
// roundings; 5 u S bounds both, and the rounding of the difference of two such products, of which
// each has one error. Where a product overflows S is infinite, and no gap is larger; nor is it
// where d is not a number.
#if !defined(FRC_SEPARATION_UNIT)
#define FRC_SEPARATION_UNIT 0x1p-53  // a mutation test sets 0
#endif

static direction nearest_offset(const frc_moving_leaf* a, const frc_moving_leaf* b) {
    double start[3], change[3];
    offset_of_centres(a, b, 0, start);
    offset_of_centres(a, b, 1, change);
    for (int k = 0; k < 3; k++) change[k] -= start[k];
    const double along = -dot(start, change), square = dot(change, change);
    const double t = along <= 0 ? 0 : along >= square ? 1 : along / square;
    direction out;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        out.d[k] = start[k] + t * change[k];
        size += fabs(out.d[k]) * largest(a, b, k);
    }
    out.error = 5 * FRC_SEPARATION_UNIT * size + 0x1p-1000;
    return out;
}

// The extent of a leaf along a direction, at both ends of the step: (start, end).
typedef struct extent {
    f64x2 low, high;
} extent;

static inline extent extent_of(const frc_point* points, const frc_moving_leaf* m,
                               const direction* d) {
    const f64x2 x = f64x2_splat(d->d[0]), y = f64x2_splat(d->d[1]), z = f64x2_splat(d->d[2]);
    const frc_face_slot* face = &m->block->faces[m->leaf->face];
    extent e[3];
    for (int k = 0; k < 3; k++)
        e[k] = (extent){f64x2_splat((double)INFINITY), f64x2_splat((double)-INFINITY)};
    for (uint32_t i = 0; i < m->leaf->face_count; i++) {
        if (face[i].id == FRACAS_NONE) continue;
        for (int k = 0; k < 3; k++) {
            const frc_point* p = &points[face[i].point[k]];
            const f64x2 at =
                f64x2_add(f64x2_add(f64x2_mul(x, f64x2_load(p->x)), f64x2_mul(y, f64x2_load(p->y))),
                          f64x2_mul(z, f64x2_load(p->z)));
            e[k].low = f64x2_min(e[k].low, at);
            e[k].high = f64x2_max(e[k].high, at);
        }
    }
    return (extent){f64x2_min(f64x2_min(e[0].low, e[1].low), e[2].low),
                    f64x2_max(f64x2_max(e[0].high, e[1].high), e[2].high)};
}

static inline bool is_behind(const extent* behind, const extent* front, const direction* d) {
    const f64x2 gap = f64x2_sub(front->low, behind->high);
    const double least = f64x2_low(gap) < f64x2_high(gap) ? f64x2_low(gap) : f64x2_high(gap);
    return least > 2 * d->error;
}

bool frc_leaves_separated(const frc_point* points, const frc_moving_leaf* a,
                          const frc_moving_leaf* b) {
    // Features that belong to no triangle of the leaf are not covered by its corners.
    if (a->leaf->loose | b->leaf->loose) return false;
    const direction d = nearest_offset(a, b);
    const extent of_a = extent_of(points, a, &d), of_b = extent_of(points, b, &d);
    return is_behind(&of_a, &of_b, &d) || is_behind(&of_b, &of_a, &d);
}
