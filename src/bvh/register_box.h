/// @file register_box.h  Boxes in two registers, and how four of them become a packet.
#pragma once
#include "base/simd.h"
#include "bvh/block.h"
#include <math.h>

typedef struct box {
    f32x4 lo, hi;
} box;

static inline box empty_box(void) { return (box){f32x4_splat(INFINITY), f32x4_splat(-INFINITY)}; }

// What an empty slot has.
static inline box no_box(void) { return (box){f32x4_splat(NAN), f32x4_splat(NAN)}; }

static inline box load_box(const frc_point_box* p) {
    return (box){f32x4_load(p->lo), f32x4_load(p->hi)};
}

static inline box join(box a, box b) { return (box){f32x4_min(a.lo, b.lo), f32x4_max(a.hi, b.hi)}; }

static inline box edge_box(const frc_point_box* point_box, const uint32_t p[2]) {
    return join(load_box(&point_box[p[0]]), load_box(&point_box[p[1]]));
}

static inline box face_box(const frc_point_box* point_box, const uint32_t p[3]) {
    return join(edge_box(point_box, p), load_box(&point_box[p[2]]));
}

// The boxes of a point at both ends of the step.
static inline void fit_point_boxes(const frc_point* p, box at[2]) {
    f32x4 xy[2], z[2];
    f32x4_around(f64x2_load(p->x), f64x2_load(p->y), &xy[0], &xy[1]);
    f32x4_around(f64x2_load(p->z), f64x2_splat(0), &z[0], &z[1]);
    at[0] = (box){f32x4_even(xy[0], z[0]), f32x4_even(xy[1], z[1])};
    at[1] = (box){f32x4_odd(xy[0], z[0]), f32x4_odd(xy[1], z[1])};
}

static inline void store_box(frc_point_box* to, box b) {
    f32x4_store(to->lo, b.lo);
    f32x4_store(to->hi, b.hi);
}

// Four boxes, one per lane.
static inline void store_packet(frc_box4* packet, const box boxes[4]) {
    f32x4 rows[3];
    const f32x4 lo[4] = {boxes[0].lo, boxes[1].lo, boxes[2].lo, boxes[3].lo};
    const f32x4 hi[4] = {boxes[0].hi, boxes[1].hi, boxes[2].hi, boxes[3].hi};
    f32x4_transpose3(lo, rows);
    for (int k = 0; k < 3; k++) f32x4_store(packet->lo[k], rows[k]);
    f32x4_transpose3(hi, rows);
    for (int k = 0; k < 3; k++) f32x4_store(packet->hi[k], rows[k]);
}
