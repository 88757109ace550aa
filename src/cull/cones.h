/// @file cones.h  The published criteria, for comparison. None of them is sound: docs/cull.md shows
/// what they miss.
///
/// Based on: provot1997 (normals within a cone), tang2009 (the same for the whole step, and the
/// contour), heo2010 (cones of normals and of binormals). A cone is kept as its axis and the cosine
/// and sine of its half angle: merging then needs no function of libm but sqrt.
#pragma once
#include "cull/notebook.h"
#include "cull/patch.h"

typedef enum frc_cone_state { FRC_CONE_EMPTY, FRC_CONE_SET, FRC_CONE_OPEN } frc_cone_state;

/// Half angle below a right angle; a cone that is as wide as that is open.
typedef struct frc_cone {
    double axis[3], cos, sin;
    frc_cone_state state;
} frc_cone;

/// What the criteria ask of a node or leaf.
typedef struct frc_cones {
    frc_cone normals, binormals;  // binormals: of real boundary edges
    bool connected;
} frc_cones;

/// The smallest cone around both.
frc_cone frc_cone_merge(const frc_cone* a, const frc_cone* b);

/// Cones of all nodes and leaves of a block, into `out`, by place.
void frc_cones_fit(const frc_topology* topology, const frc_block* block, frc_boxes boxes,
                   fracas_cull mode, frc_cones* out);
/// Which nodes are of one piece. False: no memory.
bool frc_cones_connect(fracas_context* context, const frc_block* block, frc_cones* out);

/// Does the criterion of `mode` leave out the self pairs of `ref`?
bool frc_cones_cull(const frc_topology* topology, const frc_block* block, frc_boxes boxes,
                    fracas_cull mode, uint32_t ref, const frc_cones* cones,
                    frc_cull_scratch* scratch);
