/// @file pair.h  The four kinds of pairs of vertices, edges and faces as candidates of the two
/// tests: an edge as the face (a, b, b), a vertex as the face (a, a, a).
#pragma once
#include "fracas/elementary.h"
#include "geom/ccd.h"

static inline frc_ccd_kind frc_pair_test(fracas_contact_kind kind) {
    return kind == FRACAS_CONTACT_EE ? FRC_CCD_EE : FRC_CCD_VF;
}

static inline uint32_t frc_pair_size(fracas_contact_kind kind) {
    return kind == FRACAS_CONTACT_VV ? 2 : kind == FRACAS_CONTACT_VE ? 3 : 4;
}

/// The candidate of a pair with the points `i`, of which there are frc_pair_size().
static inline frc_ccd_pair frc_pair_candidate(fracas_contact_kind kind, const uint32_t* i) {
    const uint32_t last = frc_pair_size(kind) - 1;
    return (frc_ccd_pair){
        {i[0], i[1], i[last < 2 ? last : 2], i[last]}
    };
}

/// The impact of a hit of that candidate.
fracas_impact frc_pair_impact(fracas_contact_kind kind, const frc_ccd_hit* hit);

enum { FRC_PAIR_BLOCK = 256 };

/// The impacts of a block of candidates, at most FRC_PAIR_BLOCK; `hits` as of frc_ccd_batch.
size_t frc_pair_impacts(fracas_contact_kind kind, const frc_point* points,
                        const frc_ccd_pair* pairs, size_t count, double min_separation,
                        double tolerance, frc_ccd_counts* counts, frc_ccd_hit* hits);

/// The distances of a block of candidates, at most FRC_PAIR_BLOCK, whose points are at rest. Writes
/// those within `max_distance` to `out`, unless NULL, and their candidates, ascending, to `found`;
/// both have capacity `count`. Returns their number.
size_t frc_pair_distances(fracas_contact_kind kind, const frc_point* points,
                          const frc_ccd_pair* pairs, size_t count, double max_distance,
                          uint16_t* found, fracas_distance* out);
