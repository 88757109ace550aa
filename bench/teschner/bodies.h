/// @file bodies.h  Deforming tetrahedral bodies: the setups of the paper, and larger ones.
#pragma once
#include "fracas/mesh.h"

/// The shape of all bodies of a setup. Tetrahedra are conforming and positively oriented.
typedef struct teschner_shape {
    double* points;  ///< three coordinates each
    uint32_t* tets;  ///< four vertices each
    uint32_t point_count, tet_count;
} teschner_shape;

/// Bodies of one shape at different places, which move and bend from step to step.
typedef struct teschner_setup {
    char name[16];
    teschner_shape shape;
    uint32_t body_count;
    double* places;   ///< per body: its centre, and two phases in [0, 1) of its motion
    double* scratch;  ///< points of one body
    double spread;    ///< amplitude of a body's path, in side lengths of a cube of its grid
} teschner_setup;

/// Setups 'A' to 'E', with as many bodies, tetrahedra and vertices as in the paper.
teschner_setup teschner_paper_setup(char name);
/// `times` separate copies of setup C, so that the work per tetrahedron does not depend on the
/// size.
teschner_setup teschner_large_setup(uint32_t times);
void teschner_setup_release(teschner_setup* setup);

/// The points of a body in a step. Valid until the next call.
const double* teschner_pose(const teschner_setup* setup, uint32_t body, uint32_t step);
fracas_tet_view teschner_view(const teschner_setup* setup, const double* points);
