/// @file narrow_phase.h  Candidate pairs of one worker, decided in batches, and the pairs that are
/// inside.
#pragma once
#include "tets/tets.h"

enum { FRC_TETS_BATCH = 512 };

struct frc_tets_narrow_phase {
    _Alignas(64) const fracas_tets* tets;
    bool self, inter;
    bool out_of_memory;
    uint32_t count;  // of candidates
    uint64_t cells, candidates, tested, exact;
    // Rank of the vertex << 32 | rank of the tetrahedron; sorted and unique after `finish`.
    uint64_t* keys;
    size_t key_count, key_capacity;
    uint64_t* heap_keys;  // NULL while inline_keys has capacity for all keys
    // Candidates; vector stores may write up to three elements more.
    uint32_t vertices[FRC_TETS_BATCH + 4], candidate_tets[FRC_TETS_BATCH + 4];
    // Output of the filter: pairs that are certainly inside.
    uint32_t inside[FRC_TETS_BATCH + 4], inside_tets[FRC_TETS_BATCH + 4];
    uint64_t inline_keys[FRC_TETS_BATCH];
};

void frc_tets_narrow_phase_begin(frc_tets_narrow_phase* n, const fracas_tets* tets,
                                 const fracas_tets_query* query);
void frc_tets_narrow_phase_release(frc_tets_narrow_phase* n);
/// Decide all candidates.
void frc_tets_flush(frc_tets_narrow_phase* n);
/// Flush, then sort the keys and drop duplicates.
void frc_tets_narrow_phase_finish(frc_tets_narrow_phase* n);
/// Add the key of a pair that is inside.
void frc_tets_add_pair(frc_tets_narrow_phase* n, uint32_t vertex, uint32_t tet);
/// Default of fracas_tets.decide: filter on units, doubles, exact signs.
void frc_tets_decide(frc_tets_narrow_phase* n);

static inline bool frc_tet_has_corner(const frc_tet_corners* t, uint32_t vertex) {
    return (t->corner[0] == vertex) | (t->corner[1] == vertex) | (t->corner[2] == vertex) |
           (t->corner[3] == vertex);
}

/// Does the query include pairs of these two bodies?
static inline bool frc_tets_wants(const frc_tets_narrow_phase* n, uint32_t vertex, uint32_t tet) {
    const fracas_tets* tets = n->tets;
    const bool same = tets->vertices.data[vertex].body == tets->tet_bodies.data[tet];
    return same ? n->self : n->inter;
}

/// Add a candidate pair, unless the vertex is a corner of the tetrahedron.
static inline void frc_tets_add_candidate(frc_tets_narrow_phase* n, uint32_t vertex, uint32_t tet) {
    n->vertices[n->count] = vertex, n->candidate_tets[n->count] = tet;
    n->count += !frc_tet_has_corner(&n->tets->tets.data[tet], vertex);
    if (n->count >= FRC_TETS_BATCH) frc_tets_flush(n);
}
