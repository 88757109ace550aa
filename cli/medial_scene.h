/// @file medial_scene.h  Scenes of spheres, cones and slabs, of the command `scene`.
#pragma once
#include <stdbool.h>

/// Is it the name of such a scene?
bool cli_medial_is_scene(const char* name);
/// Print a line for each.
void cli_medial_list(void);
/// `fracas scene NAME`, with its own options.
int cli_medial_scene(int argc, char** argv);
