/// @file box_test.h  One box against four at a time: at one end of the step, or over the step.
#pragma once
#include "base/simd_int.h"
#include "detect/worker.h"
#include "geom/box.h"

// For each set bit of `bits`, lowest first; `i` is its index.
#define EACH_BIT(bits, i)                                                                          \
    for (uint32_t rest_##i = (bits), i; rest_##i && (i = (uint32_t)__builtin_ctz(rest_##i), true); \
         rest_##i &= rest_##i - 1)

// ---- boxes at one end of the step

/// One box, each bound in all four lanes.
typedef struct frc_splat_box {
    f32x4 lo[3], hi[3];
} frc_splat_box;

/// Enlarged by the reach of the query.
static inline frc_splat_box frc_make_splat_box(const frc_detect_worker* worker, const float lo[3],
                                               const float hi[3]) {
    frc_splat_box one;
    for (int k = 0; k < 3; k++) {
        one.lo[k] = f32x4_splat(lo[k]);
        one.hi[k] = f32x4_splat(hi[k]);
    }
    // The bounds of the other box are floats: rounding the sum outward to float keeps every
    // overlap.
    if (worker->reach > 0)
        for (int k = 0; k < 3; k++) {
            one.lo[k] = f32x4_splat(frc_round_down((double)lo[k] - worker->reach));
            one.hi[k] = f32x4_splat(frc_round_up((double)hi[k] + worker->reach));
        }
    return one;
}

static inline frc_splat_box frc_lane_box(const frc_detect_worker* worker, const frc_box4* packet,
                                         uint32_t lane) {
    const float lo[3] = {packet->lo[0][lane], packet->lo[1][lane], packet->lo[2][lane]};
    const float hi[3] = {packet->hi[0][lane], packet->hi[1][lane], packet->hi[2][lane]};
    return frc_make_splat_box(worker, lo, hi);
}

static inline m32x4 frc_overlap_mask(const frc_splat_box* one, const frc_box4* packet) {
    m32x4 x = m32x4_and(f32x4_le(one->lo[0], f32x4_load(packet->hi[0])),
                        f32x4_le(f32x4_load(packet->lo[0]), one->hi[0]));
    m32x4 y = m32x4_and(f32x4_le(one->lo[1], f32x4_load(packet->hi[1])),
                        f32x4_le(f32x4_load(packet->lo[1]), one->hi[1]));
    m32x4 z = m32x4_and(f32x4_le(one->lo[2], f32x4_load(packet->hi[2])),
                        f32x4_le(f32x4_load(packet->lo[2]), one->hi[2]));
    return m32x4_and(m32x4_and(x, y), z);
}

/// Which of `count` boxes starting at slot `first` overlap the box, one bit each. A leaf has at
/// most 24 slots of a kind.
static inline uint32_t frc_overlap_slots(const frc_splat_box* one, const frc_box4* boxes,
                                         uint32_t first, uint32_t count) {
    lane_bits bits = lane_bits_none();
    const frc_box4* packet = &boxes[first / 4];
    for (uint32_t group = 0; 4 * group < count; group++)
        bits = lane_bits_add(bits, frc_overlap_mask(one, &packet[group]), group);
    return lane_bits_get(bits);
}

/// Four boxes in registers.
typedef struct frc_box_lanes {
    f32x4 lo[3], hi[3];
} frc_box_lanes;

static inline frc_box_lanes frc_load_lanes(const frc_box4* packet) {
    frc_box_lanes lanes;
    for (int k = 0; k < 3; k++) {
        lanes.lo[k] = f32x4_load(packet->lo[k]);
        lanes.hi[k] = f32x4_load(packet->hi[k]);
    }
    return lanes;
}

/// Which boxes of b overlap box `lane` of a. For queries without reach.
static inline m32x4 frc_overlap_lane(const frc_box4* a, uint32_t lane, const frc_box_lanes* b) {
    m32x4 overlap[3];
    for (int k = 0; k < 3; k++)
        overlap[k] = m32x4_and(f32x4_le(f32x4_splat_at(&a->lo[k][lane]), b->hi[k]),
                               f32x4_le(b->lo[k], f32x4_splat_at(&a->hi[k][lane])));
    return m32x4_and(m32x4_and(overlap[0], overlap[1]), overlap[2]);
}

/// Pairs of children of two nodes that overlap: bit 4 i + j for child i of a and child j of b. One
/// word, because each loop over bits ends with a branch that mispredicts. A lane without a child
/// overlaps nothing.
static inline uint32_t frc_overlap_children(const frc_detect_worker* worker, const frc_node* a,
                                            const frc_node* b) {
    const frc_box_lanes lanes = frc_load_lanes(&b->box);
    lane_bits bits = lane_bits_none();
    for (uint32_t i = 0; i < 4; i++) {
        if (worker->reach > 0) {
            const frc_splat_box one = frc_lane_box(worker, &a->box, i);
            bits = lane_bits_add(bits, frc_overlap_mask(&one, &b->box), i);
        } else {
            bits = lane_bits_add(bits, frc_overlap_lane(&a->box, i, &lanes), i);
        }
    }
    return lane_bits_get(bits);
}

// ---- boxes over the step: a box at its start and a box at its end

typedef struct frc_moving_box {
    frc_splat_box at[2];
} frc_moving_box;

// Two boxes that are disjoint along an axis, in the same order at both ends, are disjoint in
// between, because all points move in straight lines. Empty lanes are NaN: every comparison with
// them is false, so they overlap nothing.
static inline m32x4 frc_moving_overlap_axis(const frc_moving_box* one, const frc_box4* start,
                                            const frc_box4* end, int k) {
    m32x4 below = m32x4_or(f32x4_le(one->at[0].lo[k], f32x4_load(start->hi[k])),
                           f32x4_le(one->at[1].lo[k], f32x4_load(end->hi[k])));
    m32x4 above = m32x4_or(f32x4_le(f32x4_load(start->lo[k]), one->at[0].hi[k]),
                           f32x4_le(f32x4_load(end->lo[k]), one->at[1].hi[k]));
    return m32x4_and(below, above);
}

static inline m32x4 frc_moving_overlap_mask(const frc_moving_box* one, const frc_box4* packets) {
    const frc_box4 *start = &packets[0], *end = &packets[1];
    return m32x4_and(m32x4_and(frc_moving_overlap_axis(one, start, end, 0),
                               frc_moving_overlap_axis(one, start, end, 1)),
                     frc_moving_overlap_axis(one, start, end, 2));
}

// For candidates a box is that of the whole step, at both ends. Compared with the boxes of another
// feature at its two ends, it overlaps when it overlaps the box of that feature over the step.
static inline void frc_sweep_box(const frc_detect_worker* worker, frc_moving_box* swept) {
    if (!worker->swept) return;
    for (int k = 0; k < 3; k++) {
        swept->at[0].lo[k] = f32x4_min(swept->at[0].lo[k], swept->at[1].lo[k]);
        swept->at[0].hi[k] = f32x4_max(swept->at[0].hi[k], swept->at[1].hi[k]);
    }
    swept->at[1] = swept->at[0];
}

static inline frc_moving_box frc_lane_moving_box(const frc_detect_worker* worker,
                                                 const frc_box4* packets, uint32_t lane) {
    frc_moving_box moving = {
        {frc_lane_box(worker, &packets[0], lane), frc_lane_box(worker, &packets[1], lane)}
    };
    frc_sweep_box(worker, &moving);
    return moving;
}

/// frc_overlap_slots over the step.
static inline uint32_t frc_overlap_moving_slots(const frc_moving_box* one, const frc_box4* boxes,
                                                uint32_t count) {
    lane_bits bits = lane_bits_none();
    for (uint32_t group = 0; 4 * group < count; group++)
        bits = lane_bits_add(bits, frc_moving_overlap_mask(one, &boxes[2 * group]), group);
    return lane_bits_get(bits);
}
