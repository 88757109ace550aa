/// @file box_distance.h  Lower bounds of distances from boxes, and when they exclude a subtree.
#pragma once
#include "base/simd.h"
#include "geom/box.h"
#include "geom/triangle_distance.h"
#include "scene/scene.h"
#include <float.h>
#include <math.h>

/// A box, each bound in all four lanes; for a point rounded down and up.
typedef struct frc_point_lanes {
    f32x4 lo[3], hi[3];
} frc_point_lanes;

static inline frc_point_lanes frc_make_point_lanes(const double p[3]) {
    frc_point_lanes lanes;
    for (int k = 0; k < 3; k++) {
        lanes.lo[k] = f32x4_splat(frc_round_down(p[k]));
        lanes.hi[k] = f32x4_splat(frc_round_up(p[k]));
    }
    return lanes;
}

static inline frc_point_lanes frc_make_box_lanes(const frc_box* box) {
    frc_point_lanes lanes;
    for (int k = 0; k < 3; k++) {
        lanes.lo[k] = f32x4_splat(box->lo[k]);
        lanes.hi[k] = f32x4_splat(box->hi[k]);
    }
    return lanes;
}

/// The squares of the distances of four boxes, within a few units in the last place, if they
/// neither overflow nor underflow. Empty lanes: any number, or NaN.
static inline void frc_point_box_distances(const frc_point_lanes* p, const frc_box4* box,
                                           float out[4]) {
    f32x4 sum = f32x4_splat(0);
    for (int k = 0; k < 3; k++) {
        const f32x4 below = f32x4_sub(f32x4_load(box->lo[k]), p->hi[k]),
                    above = f32x4_sub(p->lo[k], f32x4_load(box->hi[k]));
        const f32x4 gap = f32x4_max(f32x4_max(below, above), f32x4_splat(0));
        sum = f32x4_add(sum, f32x4_mul(gap, gap));
    }
    f32x4_store(out, sum);
}

/// Which boxes can contain something that is as near as the best result.
typedef struct frc_reach {
    double slack;   // above all errors of triangle distances
    double square;  // a box with a larger square is excluded
} frc_reach;

/// `size`: at least the largest distance between corners of triangles that are compared.
static inline frc_reach frc_make_reach(double size) {
    return (frc_reach){2 * FRC_TRIANGLE_DISTANCE_ERROR * size, INFINITY};
}

static inline void frc_reach_set(frc_reach* reach, double best) {
    const double most = best + reach->slack;
    // Above the rounding errors of a square in floats, and above its underflow.
    reach->square = most * most * (1 + 0x1p-18) + FLT_MIN;
}

/// An infinite square is an overflow.
static inline bool frc_reach_excludes(const frc_reach* reach, float square) {
    return (double)square > reach->square && square <= FLT_MAX;
}

/// The children of a node by distance: the nearest first, at equal distances in their order.
/// Returns their number.
static inline uint32_t frc_sort_children(const frc_node* node, const float square[4],
                                         uint32_t order[4]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
        uint32_t at = count++;
        for (; at > 0 && square[order[at - 1]] > square[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

/// The box of a block for the positions at t = 1.
static inline void frc_block_end_box(const frc_block* block, frc_box* out) {
    const frc_boxes boxes = block->tree[FRC_BOXES_END].nodes ? FRC_BOXES_END : FRC_BOXES_STEP;
    for (int k = 0; k < 3; k++) out->lo[k] = block->lo[boxes][k], out->hi[k] = block->hi[boxes][k];
    out->lo[3] = out->hi[3] = 0;
}

/// At least the largest distance between a point of the block's box and one of the box lo, hi.
static inline double frc_far_distance(const frc_block* block, const double lo[3],
                                      const double hi[3]) {
    frc_box box;
    double sum = 0;
    frc_block_end_box(block, &box);
    for (int k = 0; k < 3; k++)
        sum += fmax((double)box.hi[k], hi[k]) - fmin((double)box.lo[k], lo[k]);
    return sum;
}

/// The corners of a triangle at t = 1.
static inline const frc_triangle* frc_get_corners(const fracas_scene* scene, uint32_t id,
                                                  double out[3][3]) {
    const frc_triangle* t = &scene->topology.triangles.data[id];
    for (int i = 0; i < 3; i++) frc_get_point(&scene->topology.points.data[t->point[i]], 1, out[i]);
    return t;
}
