/// @file leaf_separation.c  A separating direction for a pair of leaves: if one leaf is behind a
/// plane and the other in front of it at both ends of the step, they never touch, because all
/// points move in straight lines.
///
/// Where bodies have just broken apart, and where they slide along each other, boxes of leaves
/// overlap although the leaves do not touch: half of all pairs of features are in such leaves
/// (docs/bvh.md). The direction is the offset of the centres at the time of their smallest
/// distance: perpendicular to the relative motion when leaves pass each other, along it when they
/// separate.
#include "detect/leaf_separation.h"
#include "base/simd.h"
#include <math.h>

typedef struct direction {
    double d[3];
    double error;  // upper bound of the error of the product d.p with a point p
} direction;

static void offset_of_centres(const frc_moving_leaf* a, const frc_moving_leaf* b, int end,
                              double out[3]) {
    const frc_box *p = &a->box[end], *q = &b->box[end];
    for (int k = 0; k < 3; k++)
        out[k] = 0.5 * ((double)q->lo[k] + (double)q->hi[k]) -
                 0.5 * ((double)p->lo[k] + (double)p->hi[k]);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// u = 2^-53, one rounding per operation. Let S = |dx| Mx + |dy| My + |dz| Mz, with M the largest
// absolute coordinates of both leaves. Each product of d.p is rounded once, and at most twice more
// in the sum, so the error of d.p is at most (3 u + 3 u^2 + ...) S, plus 3 * 2^-1075 where products
// underflow. The computed S has three roundings itself. 5 u S bounds both, and also the rounding of
// the difference of two such d.p, each of which has one `error`. If a product overflows, S is
// infinite and no gap is larger; the same holds when d is NaN.
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
        // The largest absolute coordinate of both leaves, at both ends of the step.
        float largest = 0;
        for (int end = 0; end < 2; end++) {
            const frc_box *p = &a->box[end], *q = &b->box[end];
            const float low = p->lo[k] < q->lo[k] ? p->lo[k] : q->lo[k];
            const float high = p->hi[k] > q->hi[k] ? p->hi[k] : q->hi[k];
            largest = largest > -low ? largest : -low;
            largest = largest > high ? largest : high;
        }
        size += fabs(out.d[k]) * (double)largest;
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
    // The extents are those of triangles: they do not cover features outside the leaf's triangles.
    if (a->leaf->loose | b->leaf->loose) return false;
    const direction d = nearest_offset(a, b);
    const extent of_a = extent_of(points, a, &d), of_b = extent_of(points, b, &d);
    return is_behind(&of_a, &of_b, &d) || is_behind(&of_b, &of_a, &d);
}
