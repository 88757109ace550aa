/// @file write_tets.h  Write tetrahedra to a file. Reading it gives the same bits.
#pragma once
#include "fracas/mesh.h"

/// Does the name end in .vtk or .msh? @return CLI_GO_ON, or CLI_BAD_USAGE after a message.
int cli_check_tets_name(const char* path);

/// Do both names mean one existing file?
bool cli_same_file(const char* a, const char* b);

/// Points are packed doubles. After a failure the incomplete file is removed.
/// @return CLI_DONE, or CLI_BAD_INPUT after a message.
int cli_write_tets(const char* path, const fracas_tet_view* view);
