/// @file points.h  Something is done with each point of many bodies, on all workers.
#pragma once
#include "scene/scene.h"

/// With some points; FRACAS_NONE among them is a vertex that is gone.
typedef void frc_points_fn(fracas_scene* scene, const uint32_t* ids, size_t count);

/// With those of all bodies listed, or of those of them whose boxes are out of date (`fit`). False:
/// no memory, nothing was done.
bool frc_each_point(fracas_scene* scene, const frc_ids* bodies, bool fit, frc_points_fn* fn);
/// With those listed.
void frc_each_of(fracas_scene* scene, const frc_ids* ids, frc_points_fn* fn);
