/// @file rigid.h  Scenes of rigid bodies that break, of the command `scene`.
#pragma once
#include <stdbool.h>

/// Is it the name of such a scene?
bool cli_rigid_is_scene(const char* name);
/// Print a line for each.
void cli_rigid_list(void);
/// `fracas scene NAME`, with its own options.
int cli_rigid_scene(int argc, char** argv);
