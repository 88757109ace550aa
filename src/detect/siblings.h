/// @file siblings.h  Candidates between siblings: vertices that were one before a split.
///
/// Siblings that stay together are one vertex to the rules of meshes. Pairs of features whose
/// siblings separate during the step touch at its start; only a later contact counts.
#pragma once
#include "detect/worker.h"

/// The tag that siblings of this query have in common; 0: a point has no siblings.
static inline int frc_sibling_tag(const frc_detect_worker* worker) {
    return worker->siblings == FRACAS_SIBLINGS_IGNORE ? FRC_TAG_FAMILY : FRC_TAG_TOGETHER;
}

/// Test the pairs of triangles from number `first` on that have siblings, and take them out of the
/// batch.
void frc_test_sibling_triangles(frc_detect_worker* worker, uint32_t first);

/// Take pairs with siblings out of a batch. Those that separate are gathered for a test of their
/// own. `face` may be NULL. Returns how many pairs are left.
uint32_t frc_drop_sibling_pairs(frc_detect_worker* worker, frc_ccd_kind kind, frc_ccd_pair* pairs,
                                uint32_t* face, uint32_t count);

/// Test the gathered pairs that separate.
void frc_test_separating_pairs(frc_detect_worker* worker, frc_ccd_kind kind);
