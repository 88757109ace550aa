/// @file simd_box.h  Boxes in two registers, and packets of four boxes from them.
#pragma once
#include "base/simd.h"
#include "block/block.h"
#include <math.h>

typedef struct box {
    f32x4 lo, hi;
} box;

static inline void store_box(frc_box* to, box b) {
    f32x4_store(to->lo, b.lo);
    f32x4_store(to->hi, b.hi);
}

// ---- boxes of rounded positions

// The rounded positions of a point at both ends of the step.
static inline void fit_lows(const frc_point* p, f32x4 at[2]) {
    const f32x4 xy = f32x4_below(f64x2_load(p->x), f64x2_load(p->y));
    const f32x4 z = f32x4_below(f64x2_load(p->z), f64x2_splat(0));
    at[0] = f32x4_even(xy, z);
    at[1] = f32x4_odd(xy, z);
}

// Minimum and maximum of the rounded-down positions of some points. span_box moves the upper bound
// to the next float; that step is monotone, so it is done once per box.
typedef struct span {
    f32x4 lo, hi;
} span;

static inline span empty_span(void) {
    return (span){f32x4_splat(INFINITY), f32x4_splat(-INFINITY)};
}

// The span of an empty slot.
static inline span empty_slot_span(void) { return (span){f32x4_splat(NAN), f32x4_splat(NAN)}; }

static inline span span_of(frc_lows lows, int end, uint32_t point) {
    return (span){f32x4_load(lows.lo[point].at[end]), f32x4_load(lows.hi[point].at[end])};
}

// Both bounds from one list, the common case: the compiler then loads each position once.
static inline frc_lows same_lows(const frc_low* lows) { return (frc_lows){lows, lows}; }

static inline span span_both(span a, span b) {
    return (span){f32x4_min(a.lo, b.lo), f32x4_max(a.hi, b.hi)};
}

static inline span edge_span(frc_lows lows, int end, const uint32_t p[2]) {
    return span_both(span_of(lows, end, p[0]), span_of(lows, end, p[1]));
}

static inline span face_span(frc_lows lows, int end, const uint32_t p[3]) {
    return span_both(edge_span(lows, end, p), span_of(lows, end, p[2]));
}

static inline box span_box(span s) { return (box){s.lo, f32x4_next(s.hi)}; }

// The boxes of four spans, one per lane.
static inline void store_packet(frc_box4* packet, const span spans[4]) {
    f32x4 rows[3];
    const f32x4 lo[4] = {spans[0].lo, spans[1].lo, spans[2].lo, spans[3].lo};
    const f32x4 hi[4] = {spans[0].hi, spans[1].hi, spans[2].hi, spans[3].hi};
    f32x4_transpose3(lo, rows);
    for (int k = 0; k < 3; k++) f32x4_store(packet->lo[k], rows[k]);
    f32x4_transpose3(hi, rows);
    for (int k = 0; k < 3; k++) f32x4_store(packet->hi[k], f32x4_next(rows[k]));
}
