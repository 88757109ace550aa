/// @file catch.h  What one worker finds: candidates in batches, and the pairs that are left.
#pragma once
#include "tets/tets.h"

enum { FRC_CATCH_BATCH = 512 };

struct frc_catch {
    _Alignas(64) const fracas_tets* tets;
    bool self, inter;
    bool no_memory;
    uint32_t count;
    uint64_t cells, candidates, tested, exact;
    // Rank of the vertex, rank of the tetrahedron; after frc_catch_finish in order, each once.
    uint64_t* keys;
    size_t key_count, key_room;
    uint64_t* more;  // where they are when they are many, or NULL
    uint32_t vertices[FRC_CATCH_BATCH + 4], on[FRC_CATCH_BATCH + 4];  // candidates: and tetrahedra
    // What the filter finds inside.
    uint32_t inside[FRC_CATCH_BATCH + 4], inside_on[FRC_CATCH_BATCH + 4];
    uint64_t few[FRC_CATCH_BATCH];  // keys
};

void frc_catch_begin(frc_catch* c, const fracas_tets* tets, const fracas_tets_query* query);
void frc_catch_release(frc_catch* c);
/// Decide the pairs that have been gathered.
void frc_catch_flush(frc_catch* c);
/// The same, and put what there is in order.
void frc_catch_finish(frc_catch* c);
/// A pair that is one in the other.
void frc_catch_keep(frc_catch* c, uint32_t vertex, uint32_t tet);

static inline bool frc_is_corner(const frc_tet_corners* t, uint32_t vertex) {
    return (t->corner[0] == vertex) | (t->corner[1] == vertex) | (t->corner[2] == vertex) |
           (t->corner[3] == vertex);
}

/// Does the query ask for pairs of these two bodies?
static inline bool frc_catch_wants(const frc_catch* c, uint32_t vertex, uint32_t tet) {
    const fracas_tets* tets = c->tets;
    const bool same = tets->vertices.data[vertex].body == tets->tet_bodies.data[tet];
    return same ? c->self : c->inter;
}

/// Gather a vertex and a tetrahedron which may be one in the other. A corner is left out.
static inline void frc_catch_add(frc_catch* c, uint32_t vertex, uint32_t tet) {
    c->vertices[c->count] = vertex, c->on[c->count] = tet;
    c->count += !frc_is_corner(&c->tets->tets.data[tet], vertex);
    if (c->count >= FRC_CATCH_BATCH) frc_catch_flush(c);
}
