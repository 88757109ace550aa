/// @file certify.h  The certificate of one node: proof that no two of its triangles touch.
#pragma once
#include "cull/cull_state.h"
#include "cull/patch.h"

/// Does `ref` have a certificate? False also when there is no memory, then scratch->out_of_memory
/// is set.
bool frc_certify(const frc_topology* topology, frc_cull_state* state, frc_boxes boxes, uint32_t ref,
                 frc_cull_scratch* scratch);

/// The patch of a reference over the whole step: slots, size, origin. False: it has no triangle, or
/// its coordinates are out of range.
bool frc_make_patch(const frc_topology* topology, const frc_cull_state* state, frc_boxes boxes,
                    uint32_t ref, frc_patch* out);
