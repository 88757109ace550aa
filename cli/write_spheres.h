/// @file write_spheres.h  Write the spheres of a medial mesh as JSON or YAML.
#pragma once
#include "fracas/medial_mesh.h"

typedef enum cli_spheres_format {
    CLI_SPHERES_NONE,
    CLI_SPHERES_JSON,
    CLI_SPHERES_YAML
} cli_spheres_format;

bool cli_has_ending(const char* path, const char* ending);

/// By the ending: .json, .yaml or .yml.
cli_spheres_format cli_spheres_format_of(const char* path);

/// After a failure the incomplete file is removed. @return CLI_DONE, or CLI_BAD_INPUT after a
/// message.
int cli_write_spheres(const char* path, cli_spheres_format format, const fracas_medial_view* view,
                      const fracas_medial_mesh_info* info);
