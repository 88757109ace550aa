/// @file field.h  The fragment distance field: distances inside fragments, at the nodes.
#pragma once
#include "fragment/crack.h"

/// Corners of a triangle: of the surface of the solid, or of a crack (frc_field_node.nearest).
void frc_field_triangle(const frc_object* object, uint32_t triangle, const double* out[3]);

/// The distance of a point from a triangle, and the unit vector towards its nearest point, zero at
/// distance zero. As frc_triangle_distance, but without scaling: for coordinates between the limits
/// of a solid.
double frc_near_triangle(const double p[3], const double* const corner[3], double direction[3]);

/// The same for a numbered triangle; at distance 0 the direction is its normal.
double frc_field_distance(const frc_object* object, uint32_t triangle, const double p[3],
                          double direction[3]);

/// Call `visit` for each crack triangle of a cut tetrahedron that bounds a fragment.
typedef void frc_crack_fn(void* data, uint32_t triangle, int corner);
void frc_crack_for_each(const frc_object* object, uint32_t tet, uint32_t fragment,
                        frc_crack_fn* visit, void* data);

/// Memory for an update, allocated before anything changes.
typedef struct frc_field_update {
    fracas_field_update mode;
    const uint32_t *nodes, *tets;  // of the broken fragment; with a new cut
    uint32_t node_count, tet_count;
    uint32_t *front, *next;  // capacity for all nodes
    uint32_t* steps;         // by point of the solid; FRACAS_NONE: of another fragment
} frc_field_update;

/// Fill `steps`.
void frc_field_begin(const frc_object* object, frc_field_update* update);

/// Update the distances of nodes that have been assigned to new fragments. Nothing fails.
void frc_field_propagate(frc_object* object, frc_field_update* update);

/// The exact distances of the nodes of a fragment: from its closed surface. False: no memory or
/// cancelled; some distances may have changed.
bool frc_field_measure(fracas_context* context, frc_object* object, uint32_t fragment,
                       const uint32_t* nodes, uint32_t count);
