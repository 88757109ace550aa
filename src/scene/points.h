/// @file points.h  Something is done with each point of many bodies, on all workers.
#pragma once
#include "scene/scene.h"

/// With some points; FRACAS_NONE among them is a vertex that is gone.
typedef void frc_points_fn(fracas_scene* scene, const uint32_t* ids, size_t count);

/// With those of all bodies listed, or of those of them whose boxes are out of date (`fit`). False:
/// no memory, nothing was done.
bool frc_each_point(fracas_scene* scene, const frc_ids* bodies, bool fit, frc_points_fn* fn);
/// Some of one of several lists.
typedef void frc_stretch_fn(size_t list, size_t begin, size_t end, void* data);
/// All of `count` lists, one after the other, in stretches of `each` that all workers take. `begin`
/// says where each list begins among all, and in the end how long they are together.
void frc_each_stretch(fracas_context* context, const size_t* begin, size_t count, size_t each,
                      frc_stretch_fn* fn, void* data);

/// With those listed.
void frc_each_of(fracas_scene* scene, const frc_ids* ids, frc_points_fn* fn);
