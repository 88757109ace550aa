/// @file rebuild_bodies.h  One new block for all triangles of a body.
#pragma once
#include "scene/place_features.h"

/// Build each of these bodies as a whole, in parallel: all its triangles, pending or in a block,
/// come into one new block; blocks of free elements stay. The tree inherits the order of the tree
/// that the triangles were in, unless the state of the body is FRC_BODY_REBUILD. No triangle is
/// pending afterwards. False: no memory, or cancelled; each body is then as it was, or done.
bool frc_rebuild_bodies(fracas_scene* scene, const uint32_t* bodies, uint32_t count);
