/// @file separation_exact.c  Separation in time on integers, where floating point is unsure: any
/// finite doubles, any distance.
///
/// Units. The distance is d units of the grid, 2^30 <= d < 2^31. Coordinates are truncated to the
/// grid, which moves a D_i by less than 2 sqrt(3) units, and the distance by no more: with f the
/// true and g the computed distance in units, |f - g| < 3.5. A pair is far when
/// g > R = ceil(d) + 4, which implies f > d, and near when g <= A = floor(d (1 + 2^-20)) - 4, which
/// implies f <= d (1 + 2^-20). A - R > 2^10 - 10 > 1000 units. B, the bits of the longest D_i, is
/// at most log2(L / d) + 32, and at most 2098 + 32 for any doubles.
///
/// The dyadic intervals [m, m + 1] / 2^k are visited in order of time. An interval is passed when
/// g > R throughout, by one of two certificates derived from the nearest part at its middle:
///   1. one direction n, the exact one at the middle: n . D_i > R |n| for all i at both ends;
///   2. polynomials with positive Bernstein coefficients: (square of the distance to the carrier of
///      the part) > R^2, and all other corners not nearer along its direction.
/// The search ends with a hit when an interval starts near, or when it ends near and is no longer
/// than the tolerance, or when the first contact is within the tolerance of its start.
/// Otherwise the interval is halved.
///
/// Termination. Let g(middle) > A (else a half starts near, and the search ends there at the
/// latest) and V the largest speed. Certificate 1 holds once V 2^-k < 2 (A - R), so k <= B: no
/// interval is deeper. By the one-circle theorem certificate 2 holds unless a root of one of the
/// polynomials lies in the disc over the interval. There are at most 86 such roots
/// (EE: 6 face, 4 (4 + 2 * 4) sides, 4 (2 + 3 * 2) corners), so at most about 2 * 86 * B intervals
/// are visited, in practice a few per level where the pair is within the band, and a handful
/// otherwise.
///
/// Arena. A D_i at an end of an interval has B + k + 2 bits; k <= max(B, 52), so S = 2 max(B, 56) +
/// 8 bits hold it and the carries of sums. A value of degree j takes j S. Alive at once are the
/// coordinates and differences (48 S), three poses with their intermediate numbers and the squares
/// of A and R (120 S), and the largest certificate, that of the face: 78 S for N, 96 S for c, 150 S
/// for c^2, 196 S for |N|^2, 182 S for their difference. Together less than 900 S in less than 1600
/// numbers: LIMBS(B) = 1000 (2 B + 64) / 64 + 1600. The fuzz tests used half of it at most.
#include "geom/separation_exact.h"
#include "exact/double_parts.h"
#include <math.h>

typedef frc_big big;
typedef frc_big_arena arena;

#define LIMBS(bits) (1000 * (2 * (bits) + 64) / 64 + 1600)

enum {
    UNIT_BITS = 30,     // of the distance
    SMALL_BITS = 96,    // coordinates on the small stack
    LARGE_BITS = 2132,  // any finite doubles
};

typedef struct search {
    const frc_motion* motion;
    big far, near;  // R and A
    uint32_t width_bits;
    double contact;  // an interval that starts at or after this time is a hit
} search;

static big squared(arena* s, big a, uint32_t k) {
    const big shifted = frc_big_shift(s, a, k);
    return frc_big_multiply(s, shifted, shifted);
}

static bool within(arena s, const frc_hull* p, frc_hull_feature part, big a2) {
    big num, den;
    frc_hull_distance2(&s, p, part, &num, &den);
    return frc_big_compare(num, frc_big_multiply(&s, a2, den)) <= 0;
}

static bool is_near(arena s, const frc_hull* p, big a2) {
    return within(s, p, frc_hull_nearest(s, p), a2);
}

// ---- the search

typedef enum step { STEP_NEXT, STEP_HALVE, STEP_HIT } step;

// Test [m, m + 1] / 2^k; `test_start`: its start has not been tested yet.
static step test_interval(arena s, const search* f, big m, uint32_t k, bool test_start) {
    const big one = frc_big_make(&s, 1, 1, 0), start = frc_big_shift(&s, m, 1);
    const big middle = frc_big_add(&s, start, one), end = frc_big_add(&s, middle, one);
    const big a2 = squared(&s, f->near, k + 1), r2 = squared(&s, f->far, k + 1);
    frc_hull ends[2], half;
    frc_hull_at(&s, f->motion, start, k + 1, &ends[0]);
    if (test_start && is_near(s, &ends[0], a2)) return STEP_HIT;
    frc_hull_at(&s, f->motion, end, k + 1, &ends[1]);
    if (k >= f->width_bits && is_near(s, &ends[1], a2)) return STEP_HIT;
    frc_hull_at(&s, f->motion, middle, k + 1, &half);
    const frc_hull_feature part = frc_hull_nearest(s, &half);
    if (within(s, &half, part, a2)) return STEP_HALVE;
    return frc_hull_separated(s, ends, &half, part, r2) ? STEP_NEXT : STEP_HALVE;
}

// m / 2^k, rounded down; 0 where it is tiny.
static double time_of(big m, uint32_t k) {
    int32_t e;
    const double mantissa = (double)frc_big_leading(m, &e);
    e -= (int32_t)k;
    return e < -1000 ? 0 : mantissa * frc_power_of_two(e);
}

// Visit the intervals [m, m + 1] / 2^k in order of time. The numerator m is kept in `slot`.
static bool find_first(arena s, const search* f, frc_ccd_hit* hit) {
    // Start at a multiple of 2^-20 not after hit->toi: everything before is known to be far.
    uint64_t from = (uint64_t)(hit->toi * 0x1p20);
    if (from >> 20) from--;
    uint64_t* const slot = frc_big_slot(&s, f->motion->bits / 64 + 4);
    big m = frc_big_store(slot, frc_big_make(&s, 1, from, 0));
    uint32_t k = 20;
    while (k > 0 && (from >> (20 - k) & 1) == 0) k--;
    m = frc_big_store(slot, frc_big_shift_down(&s, m, 20 - k));
    for (bool test_start = true;;) {
        arena t = s;
        switch (time_of(m, k) >= f->contact ? STEP_HIT : test_interval(s, f, m, k, test_start)) {
        case STEP_HIT: {
            frc_hull p;
            frc_closest c;
            frc_hull_at(&t, f->motion, m, k, &p);
            frc_hull_closest(t, &p, frc_hull_nearest(t, &p), f->motion->exponent - (int)k, &c);
            hit->toi = time_of(m, k);
            hit->u = c.u;
            hit->v = c.v;
            for (int i = 0; i < 3; i++) hit->normal[i] = c.normal[i];
            return true;
        }
        case STEP_HALVE:
            m = frc_big_store(slot, frc_big_shift(&t, m, 1));
            k++;
            test_start = false;
            break;
        case STEP_NEXT: {
            // The largest interval that starts at the end of this one; none at the end of the step.
            const big end = frc_big_add(&t, m, frc_big_make(&t, 1, 1, 0));
            uint32_t zeros = 0;
            while (zeros < k && !(end.limb[zeros / 64] >> zeros % 64 & 1)) zeros++;
            m = frc_big_store(slot, frc_big_shift_down(&t, end, zeros));
            k -= zeros;
            if (k == 0) return false;
            test_start = true;
            break;
        }
        }
    }
}

typedef struct task {
    frc_ccd_kind kind;
    const frc_point* const* points;
    double distance, tolerance;
    int exponent;  // of the unit
} task;

typedef bool task_fn(arena s, const task* t, void* out);

// Not inlined: only coordinates with a large span need this stack frame.
__attribute__((noinline)) static bool run_large(task_fn* fn, const task* t, void* out) {
    uint64_t limbs[LIMBS(LARGE_BITS)];
    return fn((arena){limbs, limbs + LIMBS(LARGE_BITS)}, t, out);
}

// Run a task with an arena on the stack; coordinates are below 2^high.
static bool run(task_fn* fn, const task* t, int high, void* out) {
    if (high - t->exponent >= SMALL_BITS) return run_large(fn, t, out);
    uint64_t limbs[LIMBS(SMALL_BITS)];
    return fn((arena){limbs, limbs + LIMBS(SMALL_BITS)}, t, out);
}

static bool decide(arena s, const task* t, void* out) {
    frc_motion motion;
    frc_motion_set(&s, t->kind, t->points, t->exponent, &motion);
    const uint64_t d = frc_big_from_double(&s, t->distance, t->exponent).limb[0];
    search f = {.motion = &motion,
                .far = frc_big_make(&s, 1, d + 5, 0),
                .near = frc_big_make(&s, 1, d + (d >> 20) - 4, 0),
                .width_bits = 1,
                .contact = INFINITY};
    // Intervals of 2^-width_bits are at most half the tolerance wide.
    for (double width = 0x1p-1; f.width_bits < 51 && !(2 * width <= t->tolerance); width *= 0.5)
        f.width_bits++;
    // For a distance tiny relative to the coordinates the first contact, if any, is computed: the
    // search then stops shortly before it and avoids the deep levels there.
    double toi;
    if (motion.bits >= UNIT_BITS + 34 &&
        frc_ccd_exact_within(t->kind, t->points, false, t->tolerance / 4, &toi))
        f.contact = toi - t->tolerance / 2;
    return find_first(s, &f, out);
}

bool frc_separation_exact(frc_ccd_kind kind, const frc_point* const points[4], double distance,
                          double tolerance, frc_ccd_hit* hit) {
    frc_double_span span = FRC_DOUBLE_SPAN_EMPTY;
    frc_double_span_add(&span, frc_double_split(distance));
    const task t = {kind, points, distance, tolerance, span.high - UNIT_BITS - 1};
    return run(decide, &t, frc_motion_span(points).high, hit);
}

// Nothing is truncated here: the unit is the lowest bit set in any of the numbers.
static bool decide_static(arena s, const task* t, void* out) {
    frc_motion motion;
    frc_hull p;
    frc_motion_set(&s, t->kind, t->points, t->exponent, &motion);
    frc_hull_at(&s, &motion, FRC_BIG_ZERO, 0, &p);
    const frc_hull_feature part = frc_hull_nearest(s, &p);
    frc_hull_closest(s, &p, part, t->exponent, out);
    const big d = frc_big_from_double(&s, t->distance, t->exponent);
    const big d2 = frc_big_multiply(&s, d, d);
    return within(s, &p, part, d2);
}

bool frc_separation_exact_static(frc_ccd_kind kind, const frc_point* const points[4],
                                 double distance, frc_closest* out) {
    frc_double_span span = frc_motion_span(points);
    frc_double_span_add(&span, frc_double_split(distance));
    const task t = {kind, points, distance, 0, span.low};
    return run(decide_static, &t, span.high, out);
}
