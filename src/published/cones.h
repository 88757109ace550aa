/// @file cones.h  Cones of normals and binormals of the nodes of a block.
///
/// Based on: provot1997 and tang2009 (normals, at rest and over a step), heo2010 (binormals).
#pragma once
#include "cull/cull_state.h"

typedef enum frc_cone_state { FRC_CONE_EMPTY, FRC_CONE_SET, FRC_CONE_OPEN } frc_cone_state;

/// The half angle is below a right angle; a wider cone is open.
typedef struct frc_cone {
    double axis[3], cos, sin;
    frc_cone_state state;
} frc_cone;

/// The cones of a node or leaf.
typedef struct frc_node_cones {
    frc_cone normals, binormals;  // binormals: of the boundary edges of manifold pieces
} frc_node_cones;

/// Cones of all nodes and leaves of a block, by frc_cull_place. `dual`: binormals too.
void frc_cones_fit(const frc_topology* topology, const frc_block* block, frc_boxes boxes, bool dual,
                   frc_node_cones* out);

/// Are the triangles of a node or leaf one piece? The cull state keeps the result until an edit;
/// call frc_cones_forget_edited first in an update. Different nodes may be tested at the same time.
/// False also without memory, then it sets `*out_of_memory`.
bool frc_cones_is_connected(fracas_context* context, frc_cull_state* state, uint32_t ref,
                            bool* out_of_memory);
/// Forget the results for nodes with an edit below.
void frc_cones_forget_edited(frc_cull_state* state);

/// The unit control vectors of the outward binormal of edge k, over the step or at its end: up to
/// four. Returns their number; vectors without a length are left out.
int frc_cones_binormals(const frc_topology* topology, const frc_face_slot* face, int k, bool moving,
                        double out[4][3]);

/// Is edge k of a triangle on the boundary of a manifold piece of the mesh: does it not belong to
/// exactly two triangles?
bool frc_cones_is_boundary(const frc_topology* topology, const frc_face_slot* face, int k);
