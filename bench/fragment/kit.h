/// @file kit.h  Solids, fractures and queries of the parts of fracas-bench-fragment.
#pragma once
#include "common_kit.h"
#include "fracas/fracas.h"
#include "timing.h"
#include <stdio.h>

typedef struct bench_settings {
    fracas_context* context;  ///< of one thread
    bool full;                ///< as many runs as the published experiments had
    uint32_t drops;           ///< into the bowl, for each number of contacts; 0: the default
    uint32_t processes;       ///< that share them; 0: one per processor
    const char* csv;          ///< file for data; NULL: none
} bench_settings;

/// The parts. They return false when a check failed.
typedef bool bench_part_fn(const bench_settings* settings);
bench_part_fn bench_field, bench_update, bench_resolution, bench_spread, bench_bowl, bench_rolling,
    bench_steps, bench_scenes;

/// End the program with the message of the context unless the status is FRACAS_OK.
void bench_need(const bench_settings* settings, fracas_status status, const char* what);
/// End the program if there is no memory.
void* bench_memory(void* memory);

/// Ends the program if the tetrahedra are refused.
fracas_solid* bench_make_solid(const bench_settings* settings, const fracas_tet_view* view);

/// Which cubes of a lattice are solid.
typedef enum bench_mask { BENCH_BOX, BENCH_ANGLE, BENCH_BALL } bench_mask;

/// n x n x n cubes of side 1 / n, six tetrahedra each; inner corners are displaced at random.
fracas_solid* bench_make_lattice(const bench_settings* settings, uint32_t n, bench_mask mask);

/// A ball of radius 0.5, filled with about this number of tetrahedra.
fracas_solid* bench_make_ball(const bench_settings* settings, uint32_t tets);

/// A ball of radius 1 in layers. Layer 0 is its surface: an icosahedron with `edge` segments per
/// edge, 20 edge^2 triangles. Each next layer has as many segments or half of them; the last one
/// surrounds the centre.
typedef struct bench_layer {
    uint32_t edge;
    double radius;
} bench_layer;
fracas_solid* bench_make_layered_ball(const bench_settings* settings, const bench_layer* layers,
                                      uint32_t count);

/// A profile of (radius, height) from the axis back to the axis, counter-clockwise, turned about z
/// and filled with this number of cells along its longest side.
fracas_solid* bench_make_turned(const bench_settings* settings, const double (*profile)[2],
                                uint32_t count, uint32_t cells);

/// A Voronoi fracture with sites at random in the box of a fragment; NULL if it would not break.
fracas_fracture_pattern* bench_make_cells(const bench_settings* settings,
                                          const fracas_fragments* fragments,
                                          fracas_fragment fragment, uint32_t sites,
                                          uint64_t* random);

/// A file for data, NULL if none is wanted. Ends the program if it cannot be made.
FILE* bench_open_csv(const bench_settings* settings);

/// All contacts at the present poses.
typedef struct bench_contacts {
    uint64_t count, hash;  ///< the hash does not depend on their order
    double deepest;
} bench_contacts;
bench_contacts bench_find_all(const bench_settings* settings, const fracas_fragments* fragments);

/// Are all contacts those that are found without trees, by locating each point of each fragment in
/// each other one? Prints their number and hash.
bool bench_check_all(const bench_settings* settings, const fracas_fragments* fragments);
