/// @file world.h  The flat, read-only view of a scene that queries work on.
#pragma once
#include "block/top_tree.h"
#include "geom/ccd.h"

typedef struct frc_body_filter {
    uint32_t group, mask;
    uint32_t generation;
    bool self_collision;
    double thickness;
    uint32_t rings;  // serial number of the body's vertex rings (frc_vertex_use.rings); 0: none
} frc_body_filter;

/// Workers that queries reuse (worker.c). A query that finds none, because another query is using
/// them, creates new ones.
typedef struct frc_spare {
    _Atomic(struct frc_detect_worker**) workers;
} frc_spare;
void frc_spare_release(fracas_context* context, frc_spare* spare);

typedef struct frc_world {
    fracas_context* context;
    const frc_topology* topology;
    frc_block* const* blocks;
    uint32_t block_count;
    const frc_top_tree* top;
    frc_lows lows;
    const frc_body_filter* bodies;  // by the body numbers of points, triangles and blocks
    uint32_t modes;                 // bits of fracas_mode: prepared by the last update
    bool siblings;                  // some vertices have siblings
    double thickest;                // no body has a larger thickness
    frc_spare* spare;
    const struct frc_pair_filter* filter;    // NULL: no pair is left out
    const struct frc_search_method* method;  // how pairs are found (search.h)
    void* method_data;                       // of the scene
    void* method_query;                      // of this query; NULL: none
    frc_ccd_filters filters;                 // of this query
    bool no_cull;                            // of this query: ignore certificates
} frc_world;

/// Do the filters of these bodies allow contacts between them?
static inline bool frc_bodies_can_collide(const frc_world* world, uint32_t a, uint32_t b) {
    const frc_body_filter *fa = &world->bodies[a], *fb = &world->bodies[b];
    if (a == b) return fa->self_collision;
    return (fa->group & fb->mask) && (fb->group & fa->mask);
}
