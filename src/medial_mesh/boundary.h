/// @file boundary.h  Points on the boundary of medial primitives.
#pragma once
#include "medial_mesh/shape.h"

/// A point given relative to its primitive: it moves with the spheres.
typedef struct frc_boundary_point {
    uint32_t vertex[3];
    int count;
    double weight[3];  // of the interpolated sphere
    double turn[3];    // sphere: direction; cone: cosine and sine around the axis; slab: side -1, 1
} frc_boundary_point;

typedef FRC_ARRAY(frc_boundary_point) frc_boundary_points;

/// Points about `step` apart, on all spheres, edges and triangles, and at least `least` along an
/// edge or side of a triangle. False: no memory.
bool frc_medial_boundary(fracas_context* context, const fracas_medial_view* view, double step,
                         double least, frc_boundary_points* out);

/// The point, and the unit vector from the centre of its sphere. False: there the primitive has no
/// boundary, because one sphere contains another.
bool frc_medial_boundary_at(const double* spheres, const frc_boundary_point* point, double at[3],
                            double direction[3]);
