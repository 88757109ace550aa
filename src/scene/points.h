/// @file points.h  Parallel loops over the points of many bodies.
#pragma once
#include "scene/scene.h"

/// Called with some points; FRACAS_NONE among the ids is a vertex that has been removed.
typedef void frc_points_fn(fracas_scene* scene, const uint32_t* ids, size_t count);

/// Which bodies of a list are visited.
typedef enum frc_visit {
    FRC_VISIT_STALE,  // those whose boxes are out of date
    FRC_VISIT_MOVED,  // those in motion whose points are up to date
    FRC_VISIT_POSED   // those whose points have the positions of an older pose
} frc_visit;

/// Call `fn` for the points of these bodies; `bodies` lists all of them, and maybe others. False:
/// no memory, nothing was done.
bool frc_each_point(fracas_scene* scene, const frc_ids* bodies, frc_visit visit, frc_points_fn* fn);
/// Call `fn` for the points listed.
void frc_each_of(fracas_scene* scene, const frc_ids* ids, frc_points_fn* fn);

/// Called with items [begin, end) of one of several lists.
typedef void frc_stretch_fn(size_t list, size_t begin, size_t end, void* data);
/// Call `fn` for all items of `count` lists, in stretches of `each` items of the concatenated
/// lists. `begin` has the start of each list in the concatenation, and at `count` its length.
void frc_each_stretch(fracas_context* context, const size_t* begin, size_t count, size_t each,
                      frc_stretch_fn* fn, void* data);
