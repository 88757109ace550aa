/// @file certify.h  Deciding about one node.
#pragma once
#include "cull/notebook.h"
#include "cull/patch.h"

/// Is there a certificate for what is below `ref`? False also when there is no memory, which the
/// scratch then knows.
bool frc_certify(const frc_topology* topology, const frc_block* block, frc_boxes boxes,
                 uint32_t ref, frc_cull_scratch* scratch);

/// Patch of a reference over the whole step: slots, size, origin. False: it has no triangle, or its
/// numbers are out of range.
bool frc_make_patch(const frc_topology* topology, const frc_block* block, frc_boxes boxes,
                    uint32_t ref, frc_patch* out);
