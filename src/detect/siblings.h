/// @file siblings.h  Candidates with sibling vertices: vertices that a split made from one vertex.
///
/// Siblings that coincide during the whole step are treated as one common vertex. Pairs of features
/// whose siblings separate during the step touch at its start; only a later contact counts.
#pragma once
#include "detect/worker.h"

/// The tag that is equal for siblings in this query. A point whose tag is 0 has no siblings.
static inline int frc_sibling_tag(const frc_detect_worker* worker) {
    return worker->siblings == FRACAS_SIBLINGS_IGNORE ? FRC_TAG_FAMILY : FRC_TAG_SIBLING_GROUP;
}

/// Test those pairs of triangles from index `first` on that have siblings, and remove them from the
/// batch.
void frc_test_sibling_triangles(frc_detect_worker* worker, uint32_t first);

/// Remove pairs with siblings from a batch. Pairs whose siblings separate are collected for
/// frc_test_separating_pairs. `face` may be NULL. Returns how many pairs are left.
uint32_t frc_drop_sibling_pairs(frc_detect_worker* worker, frc_ccd_kind kind, frc_ccd_pair* pairs,
                                uint32_t* face, uint32_t count);

/// Test the collected pairs whose siblings separate.
void frc_test_separating_pairs(frc_detect_worker* worker, frc_ccd_kind kind);
