/// @file medial_lanes.c  A direction that separates two primitives at both ends of a step separates
/// them at all times of it: the gap along it is the least of linear functions of time.
///
/// The search is that of Gilbert (1966) in the hull P of the differences of spheres, one of each
/// primitive, at both ends: p = (w - v, s + r) for spheres (v, r) and (w, s). From some p in P the
/// vertex q of P that is least along the direction of p is added, and the next p is the nearest
/// point of the edge pq in the sense of f(p) = |p_xyz| - p_r, which is at least the gap along any
/// direction. Every direction that is tried is also tested by itself: rounding of the search costs
/// time only.
///
/// Errors of a gap. Let u = 2^-24 and X the size of both bodies plus the largest coordinate of the
/// way between them: it exceeds all coordinates and radii here. Spheres and way are rounded, and
/// added: errors of u X in a coordinate of a, 2u X in one of b, so 3 * 1.74u X for n of length 1.
/// The scalar products have three products and two sums of at most 1.74 X: 2 * 7u X. The radii are
/// rounded, added to scalar products, and the results subtracted: 2u X + 2 * 2.8u X + 5.5u X. |n|
/// differs from 1 by at most 5u: 5u * 3.5 X. In all less than 50u X; 64u X covers the rounding of
/// the reach too. Squares do not overflow and lose nothing that counts where X is between 2^-40 and
/// 2^40 and the square of a direction's length exceeds 2^-100; else the lane is not apart.
///
/// Errors of the distance of nodes. The way between the bodies is rounded, and added: a coordinate
/// has errors of 5u X at the start and 14u X in its change (which is at most 4 X); at a time in [0,
/// 1] with a relative error of 12u these make 19u X, 6u X from the sum, so 44u X in length. Near
/// the nearest time, a wrong time adds at most 12u of the change along it, 20u X. The sum of
/// squares has four relative roundings, u * 14 X, the reach four, u * 12 X: less than 100u X of
/// 128.
#include "geom/medial_lanes.h"
#include "geom/vec3.h"
#include "geom/vec3_simd.h"
#include <math.h>

#ifndef FRC_MEDIAL_LANE_UNIT
#define FRC_MEDIAL_LANE_UNIT 0x1p-24F  // 0: bounds without rounding errors, which tests must catch
#endif

enum { STEPS = 4 };

// Spheres in four lanes.
typedef struct corner {
    frc_vec3x4 start, end;
    f32x4 radius;
} corner;

typedef struct lanes {
    corner a[3], b[3];  // b: relative to the first body
    int count_a, count_b;
    f32x4 reach;
} lanes;

// As f32x4_transpose3, with the fourth lanes; `out` may be `in`.
static inline void transpose(const f32x4 in[4], f32x4 out[4]) {
    const f32x4 fourth = f32x4_zip_high(f32x4_zip_high(in[0], in[2]), f32x4_zip_high(in[1], in[3]));
    f32x4 three[3];
    f32x4_transpose3(in, three);
    for (int k = 0; k < 3; k++) out[k] = three[k];
    out[3] = fourth;
}

static inline void load(const frc_lane_sphere* const spheres[FRC_MEDIAL_LANES][3], int i,
                        corner* out, f32x4* bulge) {
    f32x4 start[4], end[4];
    for (int l = 0; l < 4; l++) {
        start[l] = f32x4_load(spheres[l][i]->start);
        end[l] = f32x4_load(spheres[l][i]->end);
    }
    transpose(start, start);
    transpose(end, end);
    out->start = (frc_vec3x4){start[0], start[1], start[2]};
    out->end = (frc_vec3x4){end[0], end[1], end[2]};
    out->radius = start[3];
    *bulge = f32x4_max(*bulge, end[3]);
}

static inline frc_vec3x4 splat(const double x[3]) {
    return (frc_vec3x4){f32x4_splat((float)x[0]), f32x4_splat((float)x[1]),
                        f32x4_splat((float)x[2])};
}

static inline frc_vec3x4 add_scaled(frc_vec3x4 p, frc_vec3x4 e, f32x4 x) {
    return (frc_vec3x4){f32x4_add(p.x, f32x4_mul(x, e.x)), f32x4_add(p.y, f32x4_mul(x, e.y)),
                        f32x4_add(p.z, f32x4_mul(x, e.z))};
}

static inline frc_vec3x4 choose(m32x4 m, frc_vec3x4 a, frc_vec3x4 b) {
    return (frc_vec3x4){f32x4_choose(m, a.x, b.x), f32x4_choose(m, a.y, b.y),
                        f32x4_choose(m, a.z, b.z)};
}

static void load_all(const frc_lane_pairs* pairs, double size, lanes* out) {
    const frc_vec3x4 start = splat(pairs->start), end = splat(pairs->end);
    f32x4 bulge_a = f32x4_splat(0), bulge_b = f32x4_splat(0);
    out->count_a = pairs->count_a;
    out->count_b = pairs->count_b;
    for (int i = 0; i < out->count_a; i++) load(pairs->a, i, &out->a[i], &bulge_a);
    for (int j = 0; j < out->count_b; j++) {
        load(pairs->b, j, &out->b[j], &bulge_b);
        out->b[j].start = frc_vec3x4_add(out->b[j].start, start);
        out->b[j].end = frc_vec3x4_add(out->b[j].end, end);
    }
    const float margin =
        (float)pairs->tolerance * (1 + 0x1p-20F) + 64 * FRC_MEDIAL_LANE_UNIT * (float)size;
    out->reach = f32x4_add(f32x4_mul(f32x4_add(bulge_a, bulge_b), f32x4_splat(1 + 0x1p-20F)),
                           f32x4_splat(margin));
}

// Squares of lengths neither overflow nor vanish.
static inline bool is_ordinary(double size) { return size >= 0x1p-40 && size <= 0x1p40; }

// A point of P and its radius.
typedef struct point {
    frc_vec3x4 at;
    f32x4 radius;
} point;

// The sphere that reaches farthest along n, at one end of the step; returns how far.
static inline f32x4 find_farthest(const corner* c, int count, frc_vec3x4 n, bool end, point* out) {
    *out = (point){end ? c->end : c->start, c->radius};
    f32x4 best = f32x4_add(frc_vec3x4_dot(n, out->at), out->radius);
    for (int i = 1; i < count; i++) {
        const frc_vec3x4 at = end ? c[i].end : c[i].start;
        const f32x4 along = f32x4_add(frc_vec3x4_dot(n, at), c[i].radius);
        const m32x4 more = f32x4_lt(best, along);
        out->at = choose(more, at, out->at);
        out->radius = f32x4_choose(more, c[i].radius, out->radius);
        best = f32x4_choose(more, along, best);
    }
    return best;
}

// The gap along n at one end of the step, and the vertex of P there.
static inline f32x4 find_gap(const lanes* k, frc_vec3x4 n, bool end, point* vertex) {
    const f32x4 zero = f32x4_splat(0);
    const frc_vec3x4 back = {f32x4_sub(zero, n.x), f32x4_sub(zero, n.y), f32x4_sub(zero, n.z)};
    point v, w;
    const f32x4 a = find_farthest(k->a, k->count_a, n, end, &v);
    const f32x4 b = find_farthest(k->b, k->count_b, back, end, &w);
    *vertex = (point){frc_vec3x4_sub(w.at, v.at), f32x4_add(w.radius, v.radius)};
    return f32x4_sub(zero, f32x4_add(a, b));
}

// The point of the edge from p to q where f is least. Where that is no number p stays.
static inline void step(point* p, const point* q) {
    const f32x4 zero = f32x4_splat(0), one = f32x4_splat(1);
    const frc_vec3x4 e = frc_vec3x4_sub(q->at, p->at);
    const f32x4 slope = f32x4_sub(q->radius, p->radius), ee = frc_vec3x4_dot(e, e);
    const f32x4 along = f32x4_div(frc_vec3x4_dot(e, p->at), ee), c = f32x4_div(slope, ee);
    const f32x4 height = f32x4_max(
        f32x4_sub(frc_vec3x4_dot(p->at, p->at), f32x4_mul(f32x4_mul(along, along), ee)), zero);
    const f32x4 sine = f32x4_sub(one, f32x4_mul(slope, c));
    // One sphere of the edge is in the other: the larger one is nearest.
    const m32x4 steep = f32x4_le(sine, zero);
    f32x4 x = f32x4_sub(f32x4_mul(c, f32x4_sqrt(f32x4_div(height, sine))), along);
    x = f32x4_choose(f32x4_lt(zero, x), x, zero);  // also where x is not a number
    x = f32x4_choose(f32x4_lt(x, one), x, one);
    x = f32x4_choose(steep, f32x4_choose(f32x4_lt(zero, slope), one, zero), x);
    p->at = add_scaled(p->at, e, x);
    p->radius = f32x4_add(p->radius, f32x4_mul(x, slope));
}

// The middle of the first and the last spheres.
static inline point start_point(const lanes* k) {
    const corner *a = &k->a[0], *b = &k->b[0], *c = &k->a[k->count_a - 1],
                 *d = &k->b[k->count_b - 1];
    const f32x4 half = f32x4_splat(0.5F);
    const frc_vec3x4 zero = {f32x4_splat(0), f32x4_splat(0), f32x4_splat(0)};
    const frc_vec3x4 both =
        frc_vec3x4_add(frc_vec3x4_sub(b->start, a->start), frc_vec3x4_sub(d->start, c->start));
    return (point){add_scaled(zero, both, half),
                   f32x4_mul(half, f32x4_add(f32x4_add(a->radius, b->radius),
                                             f32x4_add(c->radius, d->radius)))};
}

unsigned frc_medial_lanes_apart(const frc_lane_pairs* pairs) {
    const double size =
        fmax(frc_vec3_largest(pairs->start), frc_vec3_largest(pairs->end)) + pairs->size;
    if (!is_ordinary(size)) return 0;
    lanes k;
    load_all(pairs, size, &k);
    point p = start_point(&k);
    unsigned apart = 0, done = 0;
    for (int i = 0; i < STEPS; i++) {
        const f32x4 square = frc_vec3x4_dot(p.at, p.at), length = f32x4_sqrt(square);
        const f32x4 inverse = f32x4_div(f32x4_splat(1), length);
        const frc_vec3x4 n = {f32x4_mul(p.at.x, inverse), f32x4_mul(p.at.y, inverse),
                              f32x4_mul(p.at.z, inverse)};
        point first, last;
        const f32x4 gap0 = find_gap(&k, n, false, &first), gap1 = find_gap(&k, n, true, &last);
        const m32x4 long_enough = f32x4_lt(f32x4_splat(0x1p-100F), square);
        const m32x4 both = m32x4_and(f32x4_lt(k.reach, gap0), f32x4_lt(k.reach, gap1));
        // A lane that is done stays so: it does not depend on the others.
        apart |= m32x4_bits(m32x4_and(both, long_enough)) & ~done;
        // No direction is better than f(p).
        done |= apart | m32x4_bits(f32x4_le(f32x4_sub(length, p.radius), k.reach));
        if (done == 15) break;
        const m32x4 later = f32x4_lt(gap1, gap0);
        const point next = {choose(later, last.at, first.at),
                            f32x4_choose(later, last.radius, first.radius)};
        step(&p, &next);
    }
    return apart;
}

// ---- nodes

static inline f32x4 pick_a(const float* x, frc_lane_choice choice) {
    if (choice != FRC_LANE_BOTH) return f32x4_splat_at(x + choice);
    const f32x4 both = f32x4_load(x);
    return f32x4_zip_low(both, both);
}

static inline f32x4 pick_b(const float* x, frc_lane_choice choice) {
    return choice == FRC_LANE_BOTH ? f32x4_load(x) : f32x4_splat_at(x + choice);
}

unsigned frc_medial_lanes_meet(const frc_lane_nodes* a, frc_lane_choice choice_a,
                               const frc_lane_nodes* b, frc_lane_choice choice_b,
                               const double start[3], const double way[3], double size,
                               double until) {
    const f32x4 zero = f32x4_splat(0);
    f32x4 p[3], v[3], vv = zero, pv = zero, square = zero;
    if (!is_ordinary(size)) return 15;
    for (int k = 0; k < 3; k++) {
        p[k] = f32x4_sub(f32x4_sub(pick_a(a->start[k], choice_a), pick_b(b->start[k], choice_b)),
                         f32x4_splat((float)start[k]));
        v[k] = f32x4_sub(f32x4_sub(pick_a(a->way[k], choice_a), pick_b(b->way[k], choice_b)),
                         f32x4_splat((float)way[k]));
        vv = f32x4_add(vv, f32x4_mul(v[k], v[k]));
        pv = f32x4_sub(pv, f32x4_mul(p[k], v[k]));
    }
    // When they are nearest, within [0, until]; 0 where they do not approach or nothing moves.
    const f32x4 last = f32x4_splat((float)until), t = f32x4_div(pv, vv);
    const f32x4 at =
        f32x4_choose(f32x4_lt(zero, t), f32x4_choose(f32x4_lt(t, last), t, last), zero);
    for (int k = 0; k < 3; k++) {
        const f32x4 x = f32x4_add(p[k], f32x4_mul(at, v[k]));
        square = f32x4_add(square, f32x4_mul(x, x));
    }
    const f32x4 reach =
        f32x4_add(f32x4_add(pick_a(a->radius, choice_a), pick_b(b->radius, choice_b)),
                  f32x4_splat(128 * FRC_MEDIAL_LANE_UNIT * (float)size));
    return m32x4_bits(f32x4_le(square, f32x4_mul(reach, reach)));
}
