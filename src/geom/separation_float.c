/// @file separation_float.c  Separation in time in floating point: divide the step where needed,
/// earliest part first.
///
/// A node is a time with the closest points at that time: a witness (the vector between them),
/// whose length bounds the distance from above, and a direction n, along which all D_i are at least
/// `lower` away. Between two nodes the direction is interpolated linearly, so n(t) . D_i(t) is a
/// quadratic with the Bernstein coefficients n0.D_i(0), (n0.D_i(1) + n1.D_i(0)) / 2 and n1.D_i(1);
/// where all exceed d the distance does, as |n(t)| <= 1. The direction rotates with the features,
/// so the loss is of second order in the time between the nodes.
///
/// All lengths are scaled so that the largest extent lies in [1, 2); L < 2, u = 2^-53.
///   D(t) has an error of 8 u L per component (ccd_roots.c).
///   Witness: weights within 2 u of non-negative ones that sum to 1, so 8 u L + 4 u L for the
///     weights, 3 u L for products and sums: norm sqrt(3) 15 u L < 52 u; the length 3 u of at most
///     2 sqrt(3): 63 u; d (1 + 2^-20) and the difference to E, 8 u for d <= 4: below 72 u.
///   Direction: the error of n.D is sqrt(3) 8 u L from D and 3 u sqrt(3) L from the product: 40 u;
///     the mean adds 4 u; |n| <= 1 + 5 u adds 18 u for d <= 2 sqrt(3): below 64 u.
/// E = 128 u covers both, second order and underflow (2^-400 at most) included. For a larger d the
/// witness at t = 0 is already near. Range: largest extent in [2^-900, 2^900].
#include "exact/double_parts.h"
#include "geom/closest_points.h"
#include "geom/separation_stages.h"
#include "geom/vec3.h"
#include <math.h>

#define E (128 * FRC_CCD_UNIT)

typedef struct scaled {
    frc_ccd_kind kind;
    int count;
    double d[4][3], v[4][3];  // D_i = d + t v
    double far, near;         // computed lengths above far: certainly further than d; at most near:
                              // certainly within d (1 + 2^-20)
    double target;            // in the middle of the band
    double unscale;
} scaled;

typedef struct node {
    double t, x[4][3];
    double n[3], lower;  // |n| = 1 and n.D_i >= lower for all i, or both are 0
    double u, v, upper;  // the witness
} node;

FRC_DEVICE static bool scale(const frc_ccd_query* q, double distance, scaled* s) {
    const double most = frc_vec3_largest(q->extent);
    if (!(most >= 0x1p-900 && most <= 0x1p900)) return false;
    const double factor = frc_power_of_two(-frc_exponent(most));
    s->kind = q->kind;
    s->count = q->count;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < q->count; i++) {
            s->d[i][k] = q->d[i][k][0] * factor;
            s->v[i][k] = q->d[i][k][1] * factor - s->d[i][k];
        }
    }
    const double d = distance * factor;
    s->far = d + E;
    s->near = d * (1 + FRC_SEPARATION_BAND) - E;
    s->target = d * (1 + FRC_SEPARATION_BAND / 2);
    s->unscale = frc_power_of_two(frc_exponent(most));
    return true;
}

// The hull of the D_i is x0 + u e + v f, with the parameters u and v of a hit in a triangle or a
// square.
typedef struct span {
    double e[3], f[3];
} span;

FRC_DEVICE static span span_of(const scaled* s, const node* a) {
    const double(*const x)[3] = (const double(*)[3])a->x;
    const int along_u = s->kind == FRC_CCD_VF ? 1 : 2, along_v = s->kind == FRC_CCD_VF ? 2 : 1;
    span r;
    frc_vec3_subtract(x[along_u], x[0], r.e);
    frc_vec3_subtract(x[along_v], x[0], r.f);
    return r;
}

// Set a->upper and p, the witness for the parameters of `a`.
FRC_DEVICE static void set_witness(const scaled* s, node* a, double p[3]) {
    const double(*const x)[3] = (const double(*)[3])a->x;
    const double u = a->u, v = a->v;
    for (int k = 0; k < 3; k++)
        p[k] = s->kind == FRC_CCD_VF ? (1 - u - v) * x[0][k] + u * x[1][k] + v * x[2][k]
                                     : (1 - u) * ((1 - v) * x[0][k] + v * x[1][k]) +
                                           u * ((1 - v) * x[2][k] + v * x[3][k]);
    a->upper = sqrt(frc_vec3_dot(p, p));
}

// Use the direction n, of any length, if all D_i are further away along it than along the current
// one.
FRC_DEVICE static void try_direction(const scaled* s, node* a, const double n[3]) {
    double unit[3];
    const double length = sqrt(frc_vec3_dot(n, n));
    if (!(length > 0x1p-400)) return;
    for (int k = 0; k < 3; k++) unit[k] = n[k] / length;
    double lower = frc_vec3_dot(unit, a->x[0]);
    for (int i = 1; i < s->count; i++) {
        const double y = frc_vec3_dot(unit, a->x[i]);
        if (y < lower) lower = y;
    }
    if (!(lower > a->lower)) return;
    a->lower = lower;
    for (int k = 0; k < 3; k++) a->n[k] = unit[k];
}

// One correction step of the normal equations from the witness p, if the result stays inside and is
// shorter.
FRC_DEVICE static void correct(const scaled* s, node* a, const span* h, double p[3]) {
    const double ee = frc_vec3_dot(h->e, h->e), ef = frc_vec3_dot(h->e, h->f),
                 ff = frc_vec3_dot(h->f, h->f);
    const double ep = frc_vec3_dot(h->e, p), fp = frc_vec3_dot(h->f, p), det = ee * ff - ef * ef;
    node b = *a;
    b.u += (fp * ef - ep * ff) / det;
    b.v += (ep * ef - fp * ee) / det;
    const double most = s->kind == FRC_CCD_VF ? 1 - b.u : 1;
    if (!(det > 0 && b.u >= 0 && b.v >= 0 && b.u <= 1 && b.v <= most)) return;
    double q[3];
    set_witness(s, &b, q);
    if (!(b.upper < a->upper)) return;
    *a = b;
    for (int k = 0; k < 3; k++) p[k] = q[k];
}

// The direction of a witness that is short relative to the features has few correct digits. Better
// candidates are the common normal, and the witness orthogonalised against each side.
FRC_DEVICE static void sharpen(const scaled* s, node* a, double p[3]) {
    const span h = span_of(s, a);
    correct(s, a, &h, p);
    double side[3][3], n[3];
    frc_vec3_cross(h.e, h.f, n);
    memcpy(side[0], h.e, sizeof h.e);
    memcpy(side[1], h.f, sizeof h.f);
    frc_vec3_subtract(h.f, h.e, side[2]);
    if (frc_vec3_dot(n, a->x[0]) < 0)
        for (int k = 0; k < 3; k++) n[k] = -n[k];
    try_direction(s, a, n);
    for (int i = 0; i < (s->kind == FRC_CCD_VF ? 3 : 2); i++) {
        const double length2 = frc_vec3_dot(side[i], side[i]);
        if (!(length2 > 0x1p-800)) continue;
        const double along = frc_vec3_dot(p, side[i]) / length2;
        for (int k = 0; k < 3; k++) n[k] = p[k] - along * side[i][k];
        try_direction(s, a, n);
    }
}

FRC_DEVICE static void set_node(const scaled* s, double t, node* a) {
    double p[3];
    a->t = t;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) a->x[i][k] = s->d[i][k] + t * s->v[i][k];
    const double(*const x)[3] = (const double(*)[3])a->x;
    if (s->kind == FRC_CCD_VF)
        frc_closest_triangle(x, &a->u, &a->v);
    else {
        span h = span_of(s, a);
        for (int k = 0; k < 3; k++) h.e[k] = -h.e[k];
        frc_closest_segments(x[0], h.e, h.f, &a->u, &a->v);
    }
    set_witness(s, a, p);
    a->lower = a->n[0] = a->n[1] = a->n[2] = 0;
    try_direction(s, a, p);
    if (!(a->upper - a->lower < FRC_SEPARATION_BAND / 16 * a->upper)) sharpen(s, a, p);
}

// Certainly further apart than the distance at all times from a to b.
FRC_DEVICE static bool separated(const scaled* s, const node* a, const node* b) {
    if (!(a->lower > s->far && b->lower > s->far)) return false;
    for (int i = 0; i < s->count; i++)
        if (!(0.5 * (frc_vec3_dot(a->n, b->x[i]) + frc_vec3_dot(b->n, a->x[i])) > s->far))
            return false;
    return true;
}

// The time of the next node. If the later node is near: on either side of the interpolated first
// time within the distance. If the directions are opposite: where the features cross. Otherwise,
// and every fourth time, as the distance may not be close to linear: the midpoint.
FRC_DEVICE static double split_time(const scaled* s, const node* a, const node* b, double tolerance,
                                    int turn) {
    const double middle = 0.5 * (a->t + b->t), length = b->t - a->t;
    if (turn % 4 == 3) return middle;
    double t = middle;
    if (b->upper <= s->near) {
        t = a->t + length * ((a->upper - s->target) / (a->upper - b->upper));
        t = b->t - t > 0.5 * tolerance ? t + 0.25 * tolerance : t - 0.25 * tolerance;
    } else if (frc_vec3_dot(a->n, b->n) < 0) {
        t = a->t + length * (a->upper / (a->upper + b->upper));
    }
    return t > a->t && t < b->t ? t : middle;
}

FRC_DEVICE static frc_separation_verdict finish(const node* at, frc_ccd_hit* hit) {
    hit->toi = at->t;
    hit->u = at->u;
    hit->v = at->v;
    for (int k = 0; k < 3; k++) hit->normal[k] = 0 - at->n[k];
    return FRC_SEPARATION_NEAR;
}

// Nodes before the pair is left to the exact stage, and nodes that are kept. In the memory of a
// thread of a GPU there is room for few of them, which is enough for nearly all pairs.
enum { BUDGET = 64, NODES = FRC_ON_DEVICE ? 12 : BUDGET };

FRC_DEVICE frc_separation_verdict frc_separation_float(const frc_ccd_query* q, double distance,
                                                       double tolerance, frc_ccd_hit* hit) {
    scaled s;
    node left, later[NODES];  // the pair is separated before `left`; a stack of the nodes after it
    int count = 1, turn = 0;
    hit->toi = 0;
    if (!scale(q, distance, &s)) return FRC_SEPARATION_UNSURE;
    set_node(&s, 0, &left);
    if (left.upper <= s.near)
        return left.upper > 0x1p-26 ? finish(&left, hit) : FRC_SEPARATION_UNSURE;
    set_node(&s, 1, &later[0]);
    while (count) {
        const node* const right = &later[count - 1];
        if (separated(&s, &left, right)) {
            left = *right;
            count--;
            continue;
        }
        const bool near = right->upper <= s.near;
        if (near && right->t - left.t <= tolerance) return finish(&left, hit);
        hit->toi = left.t;
        // A node that is neither certainly far nor certainly near cannot be decided here.
        if (!(left.lower > s.far) || !(near || right->lower > s.far) || count == NODES ||
            turn == BUDGET)
            return FRC_SEPARATION_UNSURE;
        set_node(&s, split_time(&s, &left, right, tolerance, turn++), &later[count]);
        count++;
    }
    return FRC_SEPARATION_FAR;
}

// The reported distance lies between the bounds of the witness and of its direction, which must
// agree. Below 2^-16 of the extent it has lost digits to cancellation and needs the exact stage.
FRC_DEVICE frc_separation_verdict frc_separation_float_static(const frc_ccd_query* q,
                                                              double distance, frc_closest* out) {
    scaled s;
    node a;
    if (!scale(q, distance, &s)) return FRC_SEPARATION_UNSURE;
    set_node(&s, 0, &a);
    if (a.lower > s.far) return FRC_SEPARATION_FAR;
    if (!(a.upper <= s.near && a.upper > 0x1p-16 && a.upper - a.lower < E))
        return FRC_SEPARATION_UNSURE;
    *out = (frc_closest){.distance = a.upper * s.unscale, .u = a.u, .v = a.v};
    for (int k = 0; k < 3; k++) out->normal[k] = 0 - a.n[k];
    return FRC_SEPARATION_NEAR;
}
