/// @file world.h  The flat, read-only view of a scene that queries work on.
#pragma once
#include "bvh/lazy.h"
#include "bvh/top.h"
#include "cull/cull.h"

typedef struct frc_body_filter {
    uint32_t group, mask;
    uint32_t generation;
    bool self_collision;
} frc_body_filter;

/// What a query leaves for the next one, so that it need not ask for memory: one walk for each
/// worker (search.c). Whoever finds nothing there, because another query has it, makes its own.
typedef struct frc_spare {
    _Atomic(struct frc_walk**) walks;
} frc_spare;
void frc_spare_release(fracas_context* context, frc_spare* spare);

typedef struct frc_world {
    fracas_context* context;
    const frc_topology* topology;
    frc_block* const* blocks;
    uint32_t block_count;
    const frc_top* top;
    const frc_body_filter* bodies;  // by the body numbers of points, triangles and blocks
    uint32_t modes;                 // what is prepared
    bool siblings;                  // some vertices have siblings
    frc_cull_counts cull_counts;    // of the last update, to be told with what a query did
    double cull_ms, refit_ms, restructure_ms;  // likewise
    frc_spare* spare;
    const frc_lazy* lazy;  // trees may be built anew on the way; NULL: they may not
} frc_world;

/// May features of these bodies meet at all?
static inline bool frc_bodies_meet(const frc_world* world, uint32_t a, uint32_t b) {
    const frc_body_filter *fa = &world->bodies[a], *fb = &world->bodies[b];
    if (a == b) return fa->self_collision;
    return (fa->group & fb->mask) && (fb->group & fa->mask);
}
