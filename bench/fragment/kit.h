/// @file kit.h  Solids, fractures and queries of the parts of fracas-bench-fragment.
#pragma once
#include "fracas/fracas.h"
#include "timing.h"

typedef struct bench_settings {
    fracas_context* context;  ///< of one thread
    bool full;                ///< take the time that the published experiments took
} bench_settings;

/// The parts. They return false when a check failed.
typedef bool bench_part_fn(const bench_settings* settings);
bench_part_fn bench_field, bench_update, bench_scenes, bench_bowl;

/// End the program with the message of the context unless the status is FRACAS_OK.
void bench_need(const bench_settings* settings, fracas_status status, const char* what);
/// End the program if there is no memory.
void* bench_memory(void* memory);

/// xorshift; in [lo, hi).
double bench_random(uint64_t* state, double lo, double hi);

/// Which cubes of a lattice are solid.
typedef enum bench_mask { BENCH_BOX, BENCH_ANGLE, BENCH_BALL } bench_mask;

/// n x n x n cubes of side 1 / n, six tetrahedra each; inner corners are displaced at random.
fracas_solid* bench_make_lattice(const bench_settings* settings, uint32_t n, bench_mask mask);

/// A ball of radius 0.5, filled with about this number of tetrahedra.
fracas_solid* bench_make_ball(const bench_settings* settings, uint32_t tets);

/// A profile of (radius, height) from the axis back to the axis, counter-clockwise, turned about z
/// and filled with this number of cells along its longest side.
fracas_solid* bench_make_turned(const bench_settings* settings, const double (*profile)[2],
                                uint32_t count, uint32_t cells);

/// A Voronoi fracture with sites at random in the box of a fragment; NULL if it would not break.
fracas_fracture_pattern* bench_make_cells(const bench_settings* settings,
                                          const fracas_fragments* fragments,
                                          fracas_fragment fragment, uint32_t sites,
                                          uint64_t* random);

/// All contacts at the present poses.
typedef struct bench_contacts {
    uint64_t count, hash;  ///< the hash does not depend on their order
    double deepest;
} bench_contacts;
bench_contacts bench_find_all(const bench_settings* settings, const fracas_fragments* fragments);
