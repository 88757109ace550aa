/// @file creature.h  Closed models: a dragon, a rabbit, and the user's own mesh made finer.
#pragma once
#include "scenes.h"
#include "shapes.h"

/// 12 * cells * cells triangles each, around the origin, within about a metre and a half. False,
/// and an empty mesh, without memory.
bool scenes_make_dragon(scenes_mesh* mesh, uint32_t cells);
bool scenes_make_rabbit(scenes_mesh* mesh, uint32_t cells);

/// Read options->mesh, which has to be closed, and cut every triangle into four until there are
/// about `size`. A mesh that is finer is left as it is.
fracas_status scenes_read_creature(const scenes_options* options, double size, scenes_mesh* mesh);

/// Make the largest side of its box `length` and let it stand `above` the ground.
void scenes_stand(scenes_mesh* mesh, double length, double above);
