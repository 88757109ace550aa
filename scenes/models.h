/// @file models.h  Closed models: a generated dragon and rabbit, and a mesh read from a file.
#pragma once
#include "scenes.h"
#include "shapes.h"

/// 12 * cells * cells triangles each, around the origin, with a radius of about 1.5 m. Return false
/// and an empty mesh when there is no memory.
bool scenes_make_dragon(scenes_mesh* mesh, uint32_t cells);
bool scenes_make_rabbit(scenes_mesh* mesh, uint32_t cells);

/// Read options->mesh, which has to be closed, and divide every triangle into four until there are
/// about `size`. A finer mesh is not changed.
fracas_status scenes_read_model(const scenes_options* options, double size, scenes_mesh* mesh);

/// Scale the mesh so that the largest side of its box is `length`, centre it at x = z = 0, and
/// place its lowest point `above` the ground.
void scenes_place_on_ground(scenes_mesh* mesh, double length, double above);
