/// @file validate.h  What every border function does with a mesh of the caller's.
#pragma once
#include "base/context.h"
#include "fracas/mesh.h"

/// Misuse: a scalar that is none, a stride too small, a pointer that is NULL with a count. Looks at
/// no element. INVALID_ARGUMENT.
fracas_status frc_points_check(fracas_context* context, const fracas_points* points);
fracas_status frc_mesh_check(fracas_context* context, const fracas_mesh_view* mesh);

/// Bad data: a coordinate that is not finite, an index out of range. After frc_mesh_check.
fracas_status frc_points_validate(fracas_context* context, const fracas_points* points);
fracas_status frc_mesh_validate(fracas_context* context, const fracas_mesh_view* mesh);

/// The same for tetrahedra.
fracas_status frc_tets_check(fracas_context* context, const fracas_tet_view* view);
fracas_status frc_tets_validate(fracas_context* context, const fracas_tet_view* view);
