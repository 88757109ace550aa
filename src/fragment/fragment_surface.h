/// @file fragment_surface.h  The closed surface of a fragment.
#pragma once
#include "fragment/crack.h"

typedef struct frc_surface_triangle {
    // Numbers of points: of the solid, or its point_count and the number of a crack point.
    uint32_t corner[3];
    // The triangle that it is, or is a part of: as frc_field_node.nearest.
    uint32_t source;
} frc_surface_triangle;

typedef FRC_ARRAY(frc_surface_triangle) frc_surface_triangles;

/// Call `visit` for each triangle of a fragment's surface in one of its tetrahedra.
typedef void frc_surface_fn(void* data, const frc_surface_triangle* triangle);
void frc_fragment_visit_tet(const frc_object* object, uint32_t fragment, uint32_t tet,
                            frc_surface_fn* visit, void* data);

/// The triangles of a fragment, counter-clockwise seen from outside. False: no memory.
bool frc_fragment_list_triangles(fracas_context* context, const frc_object* object,
                                 uint32_t fragment, const uint32_t* nodes, uint32_t node_count,
                                 frc_surface_triangles* out);

static inline const double* frc_object_point(const frc_object* object, uint32_t number) {
    const uint32_t points = object->solid->point_count;
    return number < points ? object->solid->points[number]
                           : object->points.data[number - points].at;
}
