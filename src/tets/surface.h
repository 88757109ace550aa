/// @file surface.h  The surface of a body, and the nearest point on it.
///
/// The surface consists of the faces that belong to exactly one tetrahedron; a tetrahedron with a
/// repeated corner has no faces. Vertex indices count from the body's first vertex.
#pragma once
#include "tets/box_tree.h"

typedef struct frc_face {
    uint32_t corner[3];  // ascending
} frc_face;

typedef struct frc_surface {
    frc_face* faces;  // sorted by their corners
    uint32_t count, capacity;
    frc_box_tree tree;
} frc_surface;

/// Find the faces. False: no memory.
bool frc_surface_find(fracas_context* context, const uint32_t* tets, uint32_t tet_count,
                      uint32_t vertex_count, frc_surface* out);
void frc_surface_release(fracas_context* context, frc_surface* surface);

/// Positions of the body's vertices: three doubles each, `stride` bytes from one to the next.
typedef struct frc_surface_points {
    const char* data;
    size_t stride;
} frc_surface_points;

/// Build the tree for the current positions. False: no memory or cancelled.
bool frc_surface_build(fracas_context* context, frc_surface* surface, frc_surface_points points);
void frc_surface_refit(fracas_context* context, frc_surface* surface, frc_surface_points points);

/// Distance to the nearest point of the surface, and the unit vector towards it (zero at distance
/// zero). Faces with the corner `except` are skipped (FRACAS_NONE: no face is). Zero without faces.
typedef double frc_surface_nearest_fn(const frc_surface* surface, frc_surface_points points,
                                      const double p[3], uint32_t except, double direction[3]);
/// With the tree, and by testing all faces: the results are the same bits.
frc_surface_nearest_fn frc_surface_nearest, frc_surface_nearest_brute;
