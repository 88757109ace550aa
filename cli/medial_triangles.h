/// @file medial_triangles.h  The boundaries of spheres, cones and slabs as triangles.
#pragma once
#include "triangles.h"

/// Append the boundary of each slab, of each cone that is no side of a slab, and of each sphere
/// without either. Each is a closed mesh by itself whose vertices are on the boundary; those of
/// neighbours overlap. Degenerate slabs are three cones; points and lines without thickness are
/// left out.
/// @param sides  of a full turn; a multiple of 12, at most 48
void cli_medial_triangles(const fracas_medial_view* view, uint32_t sides, cli_triangles* out);
