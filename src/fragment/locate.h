/// @file locate.h  Is a point inside a fragment, and how deep?
#pragma once
#include "fragment/crack.h"

/// The number of corners of a tetrahedron that are nodes of the fragment.
int frc_count_corners(const frc_object* object, uint32_t tet, uint32_t fragment);

/// The tetrahedron that contains a point if the point is in the closed fragment; else FRACAS_NONE.
/// Exact for the given points.
uint32_t frc_fragment_find_tet(const frc_object* object, uint32_t fragment, const double p[3]);

/// The depth of a point in a tetrahedron of the fragment. In published modes whole tetrahedra
/// average the fields of their nodes (equations 1 and 2).
void frc_fragment_depth(const frc_object* object, uint32_t fragment, fracas_field_update mode,
                        uint32_t tet, const double p[3], fracas_depth* out);

/// The distance of a point outside a fragment, if it is less than `limit`; the direction is that
/// towards the surface.
bool frc_fragment_near(const frc_object* object, uint32_t fragment, const double p[3], double limit,
                       fracas_depth* out);
