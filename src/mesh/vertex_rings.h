/// @file vertex_rings.h  The neighbours of each vertex in the order in which its triangles join
/// them.
///
/// A ring is made for a vertex whose triangles form one fan, closed or open, all turning the same
/// way. Any other vertex has none. Rings are made for a whole body at once; afterwards a vertex
/// that gets another triangle loses its ring (frc_vertex_use.rings), one that loses a triangle
/// keeps it: the ring then speaks of more triangles than there are.
#pragma once
#include "mesh/topology.h"

enum { FRC_VERTEX_RING_MAX = 16 };  // neighbours; more is rare, and such a vertex has no ring

/// Rings of one shape. Four of them make a packet: the four centres, then the four first
/// neighbours, and so on. The last packet repeats a ring where there are not enough.
typedef struct frc_vertex_ring_group {
    uint32_t neighbours;
    bool closed;
    uint32_t first, packets;  // where in `ids`
} frc_vertex_ring_group;

typedef struct frc_vertex_rings {
    uint32_t serial;  // what frc_vertex_use.rings holds of vertices whose ring stands here; 0: none
    uint32_t count;
    FRC_ARRAY(frc_vertex_ring_group) groups;
    FRC_ARRAY(uint32_t) ids;
} frc_vertex_rings;

/// The triangles and points of one body, by number; FRACAS_NONE: gone. Where a point stands in the
/// list its tag says.
typedef struct frc_vertex_rings_input {
    const uint32_t *triangles, *points;
    size_t triangle_count, point_count;
    uint32_t serial;  // not 0, and no other rings' number
} frc_vertex_rings_input;

/// Make the rings of a body. False: no memory, and nothing was changed.
bool frc_vertex_rings_build(frc_topology* topology, const frc_vertex_rings_input* input,
                            frc_vertex_rings* out);
void frc_vertex_rings_release(fracas_context* context, frc_vertex_rings* rings);
