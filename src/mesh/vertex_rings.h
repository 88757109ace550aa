/// @file vertex_rings.h  The neighbours of each vertex, in the order of its triangles.
///
/// A vertex has a ring if its triangles form a single fan, closed or open, with consistent
/// orientation. Rings are made for a whole body at once. Afterwards a vertex that gets another
/// triangle loses its ring (frc_vertex_use.rings is reset). A vertex that loses a triangle keeps
/// its ring, which then contains triangles that no longer exist.
#pragma once
#include "mesh/topology.h"

enum { FRC_VERTEX_RING_MAX = 16 };  // neighbours; a vertex with more, which is rare, has no ring

/// Rings of one shape, in packets of four: the four centres, then the four first neighbours, and so
/// on. The last packet is filled up with copies of the last ring.
typedef struct frc_vertex_ring_group {
    uint32_t neighbours;
    bool closed;
    uint32_t first, packets;  // begin in `ids`, number of packets
} frc_vertex_ring_group;

typedef struct frc_vertex_rings {
    uint32_t serial;  // frc_vertex_use.rings of the vertices with a ring in here; 0: none
    uint32_t count;   // of rings
    FRC_ARRAY(frc_vertex_ring_group) groups;
    FRC_ARRAY(uint32_t) ids;
} frc_vertex_rings;

/// The ids of triangles and points of one body, by the caller's numbers; FRACAS_NONE: removed. The
/// position of a point in the list is its FRC_TAG_NUMBER.
typedef struct frc_vertex_rings_input {
    const uint32_t *triangles, *points;
    size_t triangle_count, point_count;
    uint32_t serial;  // not 0, and unique
} frc_vertex_rings_input;

/// Make the rings of a body. False: out of memory, and nothing has changed.
bool frc_vertex_rings_build(frc_topology* topology, const frc_vertex_rings_input* input,
                            frc_vertex_rings* out);
void frc_vertex_rings_release(fracas_context* context, frc_vertex_rings* rings);
