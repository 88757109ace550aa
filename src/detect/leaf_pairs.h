/// @file leaf_pairs.h  Pairs of leaves: candidate pairs of their features.
#pragma once
#include "detect/worker.h"

/// A block, and the tree over it whose boxes are tested.
typedef struct frc_side {
    const frc_block* block;
    const frc_tree* tree;
} frc_side;

/// Process the collected pairs of leaves of the two sides (`worker->leaf_pairs`): with boxes at the
/// end of the step, and with boxes over the step.
void frc_pair_leaves_discrete(frc_detect_worker* worker, frc_side a, frc_side b);
void frc_pair_leaves_continuous(frc_detect_worker* worker, frc_side a, frc_side b);

/// Call the function for the boxes of the search; the list is empty afterwards.
static inline void frc_pair_leaves(frc_detect_worker* worker, frc_side a, frc_side b) {
    if (worker->boxes == FRC_BOXES_END)
        frc_pair_leaves_discrete(worker, a, b);
    else
        frc_pair_leaves_continuous(worker, a, b);
    worker->leaf_pairs.count = 0;
}

// ---- shared by the two

static inline const frc_leaf* frc_pair_leaf_a(const frc_detect_worker* worker, frc_side a,
                                              uint32_t i) {
    return &a.block->leaves[(worker->leaf_pairs.pair[i] >> 32) & ~FRC_REF_LEAF];
}

static inline const frc_leaf* frc_pair_leaf_b(const frc_detect_worker* worker, frc_side b,
                                              uint32_t i) {
    return &b.block->leaves[worker->leaf_pairs.pair[i] & ~FRC_REF_LEAF];
}

/// The entry of a leaf in a direct-mapped cache: adjacent leaves have adjacent entries.
static inline size_t frc_cache_entry(const frc_leaf* leaf, size_t size) {
    return (uintptr_t)leaf / sizeof *leaf % size;
}

static inline void frc_prefetch_corners(const frc_detect_worker* worker, frc_side s,
                                        const frc_leaf* leaf) {
    const frc_point* points = worker->world->topology->points.data;
    const frc_face_slot* faces = &s.block->faces[leaf->face];
    for (uint32_t i = 0; i < leaf->face_count; i++)
        for (int k = 0; k < 3; k++) __builtin_prefetch(&points[faces[i].point[k]]);
}

/// Prefetch distance of slots, and of the points that they refer to, in pairs of leaves.
enum { FRC_SLOTS_AHEAD = 6, FRC_POINTS_AHEAD = 3 };
