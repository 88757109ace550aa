/// @file validate.h  Checks of meshes and points for public functions.
#pragma once
#include "base/context.h"
#include "fracas/mesh.h"

/// Check for misuse: an invalid scalar type, a stride smaller than a point, NULL with a count.
/// Reads no element. @return FRACAS_OK or FRACAS_ERROR_INVALID_ARGUMENT.
fracas_status frc_points_check(fracas_context* context, const fracas_points* points);
fracas_status frc_mesh_check(fracas_context* context, const fracas_mesh_view* mesh);

/// Check for bad data: a coordinate that is not finite, an index out of range. To be called after
/// the checks above. @return FRACAS_OK or FRACAS_ERROR_BAD_DATA.
fracas_status frc_points_validate(fracas_context* context, const fracas_points* points);
fracas_status frc_mesh_validate(fracas_context* context, const fracas_mesh_view* mesh);

/// The same for tetrahedra.
fracas_status frc_tets_check(fracas_context* context, const fracas_tet_view* view);
fracas_status frc_tets_validate(fracas_context* context, const fracas_tet_view* view);
