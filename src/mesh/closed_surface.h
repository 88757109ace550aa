/// @file closed_surface.h  A copy of a closed surface, checked: each edge is traversed as often in
/// one direction as in the other, and the surface encloses a positive volume.
#pragma once
#include "base/context.h"
#include "fracas/mesh.h"

/// Half-edges by their smaller vertex: (larger vertex) << 32 | 3 * triangle + corner. Sorted, so
/// those of one edge follow each other.
typedef struct frc_half_edges {
    uint64_t *keys, *spare;
    size_t* first;  // by vertex, one more
    size_t count, vertex_count;
} frc_half_edges;

typedef struct frc_closed_surface {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count;
    frc_half_edges edges;
    double lo[3], hi[3], volume;  // of the triangles
} frc_closed_surface;

/// Zero `s` before the call; it is released by the caller, on failure too. The view is valid
/// (fracas_mesh_validate); free edges and points are ignored.
/// @return FRACAS_ERROR_BAD_DATA for a surface that is not closed, not consistently oriented,
/// inside out or flat, or has a repeated index in a triangle; the message names the place.
fracas_status frc_closed_surface_read(fracas_context* context, const fracas_mesh_view* view,
                                      frc_closed_surface* s);
void frc_closed_surface_release(fracas_context* context, frc_closed_surface* s);

/// The vertex at the begin (`next` 0) or the end (1) of a half-edge.
static inline uint32_t frc_corner_of(const frc_closed_surface* s, uint32_t half_edge,
                                     uint32_t next) {
    return s->triangles[half_edge / 3][(half_edge % 3 + next) % 3];
}
