/// @file apart.c  One direction for a pair of leaves: what lies behind one plane at both ends of
/// the step, and in front of it the other, is apart all along, as all points move in straight
/// lines.
///
/// Where bodies have just broken apart, and where they slide along each other, boxes of leaves meet
/// though the leaves do not: half of all pairs of features are among them (docs/bvh.md). The
/// direction is the one from leaf to leaf when their middles are nearest to each other. It is at a
/// right angle to their motion where they pass by each other, and is along it where they part.
#include "detect/apart.h"
#include "base/simd.h"
#include <math.h>

typedef struct direction {
    double d[3];
    double error;  // of a product with a point, at most
} direction;

// From the middle of one leaf to that of another: at the start of the step, and how that changes.
typedef struct passage {
    double start[3], change[3];
} passage;

static void middle(const frc_box* box, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = 0.5 * ((double)box->lo[k] + (double)box->hi[k]);
}

static void offset(const frc_moving_leaf* a, const frc_moving_leaf* b, int end, double out[3]) {
    double from[3];
    middle(&a->box[end], from);
    middle(&b->box[end], out);
    for (int k = 0; k < 3; k++) out[k] -= from[k];
}

// The largest coordinate of both, at both ends.
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

// u = 2^-53, one rounding per operation. With S = |dx| Mx + |dy| My + |dz| Mz, M the largest
// coordinates: each product of d.p passes its own rounding and two of the sum, so that d.p errs by
// (3 u + 3 u^2 + ...) S, and by 3 * 2^-1075 where products underflow. S itself passes three
// roundings; 5 u S is more than both, and than the rounding of the difference of two such products,
// of which each has one error. Where a product overflows S is infinite, and nothing is told apart;
// nor is it where d is not a number.
#if !defined(FRC_APART_UNIT)
#define FRC_APART_UNIT 0x1p-53  // a test takes 0
#endif

static direction direction_along(const frc_moving_leaf* a, const frc_moving_leaf* b,
                                 const double d[3]) {
    direction out;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        out.d[k] = d[k];
        size += fabs(d[k]) * largest(a, b, k);
    }
    out.error = 5 * FRC_APART_UNIT * size + 0x1p-1000;
    return out;
}

static passage passage_of(const frc_moving_leaf* a, const frc_moving_leaf* b) {
    passage p;
    double end[3];
    offset(a, b, 0, p.start);
    offset(a, b, 1, end);
    for (int k = 0; k < 3; k++) p.change[k] = end[k] - p.start[k];
    return p;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From a to b when they are nearest to each other.
static void nearest(const passage* p, double out[3]) {
    const double along = -dot(p->start, p->change), square = dot(p->change, p->change);
    const double t = along <= 0 ? 0 : along >= square ? 1 : along / square;
    for (int k = 0; k < 3; k++) out[k] = p->start[k] + t * p->change[k];
}

// ---- where they are along a direction

// How far a leaf reaches along a direction: (start, end).
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

// Is all of one leaf behind all of the other, at both ends?
static inline bool is_clear(const extent* behind, const extent* before, const direction* d) {
    const f64x2 gap = f64x2_sub(before->low, behind->high);
    const double least = f64x2_low(gap) < f64x2_high(gap) ? f64x2_low(gap) : f64x2_high(gap);
    return least > 2 * d->error;
}

bool frc_leaves_apart(const frc_point* points, const frc_moving_leaf* a, const frc_moving_leaf* b) {
    // What is not of a triangle of the leaf is not looked at.
    if (a->leaf->loose | b->leaf->loose) return false;
    const passage p = passage_of(a, b);
    double along[3];
    nearest(&p, along);
    const direction d = direction_along(a, b, along);
    const extent of_a = extent_of(points, a, &d), of_b = extent_of(points, b, &d);
    return is_clear(&of_a, &of_b, &d) || is_clear(&of_b, &of_a, &d);
}
