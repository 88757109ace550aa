/// @file world.h  The flat, read-only view of a scene that queries work on.
#pragma once
#include "bvh/lazy.h"
#include "bvh/top.h"
#include "cull/cull.h"

typedef struct frc_body_filter {
    uint32_t group, mask;
    uint32_t generation;
    bool self_collision;
    uint32_t rings;  // serial number of rings by which vertices are settled; 0: none (settle.c)
} frc_body_filter;

/// What a query leaves for the next one, so that it need not ask for memory: one walk for each
/// worker (search.c), and the table of cells (hash.c). Whoever finds nothing there, because another
/// query has it, makes its own.
typedef struct frc_spare {
    _Atomic(struct frc_walk**) walks;
    _Atomic(struct frc_hash*) hash;
} frc_spare;
void frc_spare_release(fracas_context* context, frc_spare* spare);

/// What queries have done in a block, counted in what is taken for nanoseconds: the same on every
/// machine. Of what two blocks have together each has half.
typedef atomic_uint_fast64_t frc_served;

/// What spatial hashing works on instead of blocks: points and triangles themselves.
typedef struct frc_hash_view {
    bool used;               // there are no blocks
    bool free_elements;      // there may be some
    bool all_meet;           // no two bodies are kept from meeting, nor one from itself
    double cell_size;        // 0: to be chosen
    const uint8_t* settled;  // by point id, see frc_body_filter.rings
} frc_hash_view;

typedef struct frc_world {
    fracas_context* context;
    const frc_topology* topology;
    frc_block* const* blocks;
    uint32_t block_count;
    const frc_top* top;
    frc_lows lows;
    const frc_body_filter* bodies;  // by the body numbers of points, triangles and blocks
    uint32_t modes;                 // what is prepared
    bool siblings;                  // some vertices have siblings
    frc_cull_counts cull_counts;    // of the last update, to be told with what a query did
    double cull_ms, refit_ms, restructure_ms;  // likewise
    frc_spare* spare;
    frc_served* served;    // by block; NULL: nobody wants to know
    const frc_lazy* lazy;  // trees may be built anew on the way; NULL: they may not
    frc_hash_view hash;
} frc_world;

/// May features of these bodies meet at all?
static inline bool frc_bodies_meet(const frc_world* world, uint32_t a, uint32_t b) {
    const frc_body_filter *fa = &world->bodies[a], *fb = &world->bodies[b];
    if (a == b) return fa->self_collision;
    return (fa->group & fb->mask) && (fb->group & fa->mask);
}
