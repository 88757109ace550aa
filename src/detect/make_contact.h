/// @file make_contact.h  Make a contact, in the caller's numbers, from a pair of features.
#pragma once
#include "detect/worker.h"

/// `face`: ids of the triangles, the first FRACAS_NONE for a free edge.
void frc_add_tt_contact(frc_detect_worker* worker, const uint32_t face[2],
                        const frc_tri_pair* pair);

/// `pair` is in the order of frc_arrange; `face` is the id of its triangle, or FRACAS_NONE.
void frc_add_ccd_contact(frc_detect_worker* worker, frc_ccd_kind kind, const frc_ccd_pair* pair,
                         uint32_t face, const frc_ccd_hit* hit, double distance);

/// The pair with its points in the order of the caller's numbers: times and parameters then depend
/// neither on trees, nor on storage, nor on earlier edits.
static inline frc_ccd_pair frc_arrange(const frc_detect_worker* worker, frc_ccd_kind kind,
                                       const frc_ccd_pair* pair) {
    _Static_assert(FRC_TAG_BODY == 0 && FRC_TAG_NUMBER == 1, "frc_point_order compares them");
    return frc_ccd_canonical_order(kind, worker->world->topology->points.data, pair);
}
