/// @file surface.h  The surface of a body, and how far a point is from it.
///
/// The surface is the faces of exactly one tetrahedron of the body; one with a repeated corner has
/// no faces. Faces are triples of vertices, counted from the body's first.
#pragma once
#include "tets/box_tree.h"

typedef struct frc_face {
    uint32_t corner[3];  // in growing order
} frc_face;

typedef struct frc_surface {
    frc_face* faces;  // in the order of their corners
    uint32_t count, capacity;
    frc_box_tree tree;
} frc_surface;

/// Find the faces. `tets` counts vertices from the body's first. False: no memory.
bool frc_surface_find(fracas_context* context, const uint32_t* tets, uint32_t tet_count,
                      uint32_t vertex_count, frc_surface* out);
void frc_surface_release(fracas_context* context, frc_surface* surface);

/// Positions of the body's vertices: `stride` bytes apart, three doubles each.
typedef struct frc_surface_points {
    const char* data;
    size_t stride;
} frc_surface_points;

/// Build the tree for where vertices are now. False: no memory or cancelled.
bool frc_surface_build(fracas_context* context, frc_surface* surface, frc_surface_points points);
void frc_surface_refit(fracas_context* context, frc_surface* surface, frc_surface_points points);

/// How far the nearest point of the surface is, and the unit vector towards it (zero at distance
/// zero). Faces with the corner `except` are left out (FRACAS_NONE: none). Without any face the
/// distance is zero. By the tree, or by all faces: the same bits.
double frc_surface_nearest(const frc_surface* surface, frc_surface_points points, const double p[3],
                           uint32_t except, double direction[3]);
double frc_surface_nearest_brute(const frc_surface* surface, frc_surface_points points,
                                 const double p[3], uint32_t except, double direction[3]);
