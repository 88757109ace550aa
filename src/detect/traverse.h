/// @file traverse.h  Pairs of nodes, down to pairs of leaves.
#pragma once
#include "detect/leaf_pairs.h"

/// Run a task: process all pairs below `work`, except for the pairs that are published to idle
/// workers.
void frc_traverse(frc_detect_worker* worker, const frc_work* work, void* unused);

/// Append the pairs of children that `work` consists of to `out`. False: it cannot be split,
/// nothing is appended. Without memory worker->out_of_memory is set.
bool frc_split_work(frc_detect_worker* worker, const frc_work* work, frc_work_list* out);

static inline frc_side frc_block_side(const frc_detect_worker* worker, uint32_t number) {
    const frc_block* block = worker->world->blocks[number];
    return (frc_side){block, worker->trees ? &worker->trees[number] : &block->tree[worker->boxes]};
}

/// Does a certificate prove that the features below the reference do not touch each other?
static inline bool frc_is_certified(const frc_detect_worker* worker, frc_side a, frc_side b,
                                    uint32_t ref_a, uint32_t ref_b) {
    return ref_a == ref_b && a.block == b.block && worker->cull &&
           frc_block_skips(a.block, worker->boxes, ref_a);
}
