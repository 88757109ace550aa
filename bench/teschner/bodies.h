/// @file bodies.h  Deforming tetrahedral bodies in the numbers of the paper's setups, and any
/// number of them.
#pragma once
#include "fracas/mesh.h"

/// One shape, of which a setup has many. Tets are conforming and positively oriented.
typedef struct teschner_shape {
    double* points;  ///< three each
    uint32_t* tets;  ///< four each
    uint32_t point_count, tet_count;
} teschner_shape;

/// Bodies of one shape, each at a place of its own, that sway and bend from step to step.
typedef struct teschner_setup {
    char name[16];
    teschner_shape shape;
    uint32_t body_count;
    double* places;   ///< of each body: its middle, and two numbers in [0, 1) that make it differ
    double* scratch;  ///< points of one body
    double spread;    ///< length of a body's way, in sizes of a cube of its grid
} teschner_setup;

/// Setups 'A' to 'E' of the paper: as many bodies, tetrahedra and vertices.
teschner_setup teschner_paper_setup(char name);
/// Setup C so many times, side by side: as much to find for each tetrahedron, whatever the number.
teschner_setup teschner_large_setup(uint32_t times);
void teschner_setup_release(teschner_setup* setup);

/// The points of a body in a step. Valid until the next call.
const double* teschner_pose(const teschner_setup* setup, uint32_t body, uint32_t step);
fracas_tet_view teschner_view(const teschner_setup* setup, const double* points);
