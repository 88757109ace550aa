/// @file leaves.h  What pairs of leaves have to do with each other.
#pragma once
#include "detect/probe.h"

/// A block, and the tree over it that is asked.
typedef struct side {
    const frc_block* block;
    const frc_tree* tree;
} side;

/// Leaves of the two that wait (`walk->leaves`), at rest or over the step; then none waits.
void frc_pair_waiting(frc_walk* walk, side a, side b);

/// One pair, given by references.
void frc_pair_leaves(frc_walk* walk, side a, uint32_t ref_a, side b, uint32_t ref_b);

// Four boxes in registers.
typedef struct box_lanes {
    f32x4 lo[3], hi[3];
} box_lanes;

static inline box_lanes load_lanes(const frc_box4* packet) {
    box_lanes l;
    for (int k = 0; k < 3; k++) {
        l.lo[k] = f32x4_load(packet->lo[k]);
        l.hi[k] = f32x4_load(packet->hi[k]);
    }
    return l;
}

static inline m32x4 lane_meets(const frc_box4* a, uint32_t lane, const box_lanes* b) {
    m32x4 meet[3];
    for (int k = 0; k < 3; k++)
        meet[k] = m32x4_and(f32x4_le(f32x4_splat_at(&a->lo[k][lane]), b->hi[k]),
                            f32x4_le(b->lo[k], f32x4_splat_at(&a->hi[k][lane])));
    return m32x4_and(m32x4_and(meet[0], meet[1]), meet[2]);
}
