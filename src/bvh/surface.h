/// @file surface.h  A set of triangles with a tree, and the nearest point on them.
#pragma once
#include "bvh/box_tree.h"

typedef struct frc_face {
    uint32_t corner[3];
} frc_face;

typedef struct frc_surface {
    frc_face* faces;
    uint32_t count, capacity;
    frc_box_tree tree;
} frc_surface;

void frc_surface_release(fracas_context* context, frc_surface* surface);

/// Positions of the vertices: three doubles each, `stride` bytes from one to the next.
typedef struct frc_surface_points {
    const char* data;
    size_t stride;
} frc_surface_points;

/// Build the tree for the current positions; refit it before the first query. False: no memory or
/// cancelled.
bool frc_surface_build(fracas_context* context, frc_surface* surface, frc_surface_points points);
void frc_surface_refit(fracas_context* context, frc_surface* surface, frc_surface_points points);

/// The box of a triangle, rounded outward.
frc_float_box frc_surface_box(const frc_surface* surface, frc_surface_points points, uint32_t face);

/// The distance of a point from a triangle, and the unit vector towards its nearest point (zero at
/// distance zero).
double frc_triangle_distance(const double p[3], const double* const corner[3], double direction[3]);

/// The nearest face, the first of several at the same distance; the distance, and the unit vector
/// towards the nearest point (zero at distance zero). All zero but `face` FRACAS_NONE without
/// faces.
typedef struct frc_nearest {
    uint32_t face;
    double distance, direction[3];
} frc_nearest;

/// Faces with the corner `except` are skipped (FRACAS_NONE: no face is).
typedef frc_nearest frc_surface_nearest_fn(const frc_surface* surface, frc_surface_points points,
                                           const double p[3], uint32_t except);
/// With the tree, and by testing all faces: the results are the same bits.
frc_surface_nearest_fn frc_surface_nearest, frc_surface_nearest_brute;

/// The same, given a face and its distance: it is the result if no other face is nearer.
frc_nearest frc_surface_nearer(const frc_surface* surface, frc_surface_points points,
                               const double p[3], const frc_nearest* known);
