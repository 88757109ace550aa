/// @file vertex_stars.h  Vertices whose triangles certainly meet in nothing but what they share.
///
/// Most triangle pairs whose boxes overlap share a vertex, and hardly any of them is a contact. One
/// test per vertex, whether its star (the triangles around it) is embedded, rules out all pairs of
/// its triangles.
#pragma once
#include "block/block.h"
#include "mesh/vertex_rings.h"

/// Is the star embedded at the end of the step? Sets `embedded[id]` to 1 or 0 for every vertex with
/// a ring in packets [begin, end) of a group; entries of other vertices stay unchanged. `size` is
/// the size of the body's box, which sets the unit of length of the filter.
void frc_vertex_stars_test_packets(const frc_topology* topology, const frc_vertex_rings* rings,
                                   uint32_t group, uint32_t begin, uint32_t end, double size,
                                   uint8_t* embedded);
/// The same for all packets.
void frc_vertex_stars_test(const frc_topology* topology, const frc_vertex_rings* rings, double size,
                           uint8_t* embedded);

/// Write into `stars` of leaves [begin, end) of the block which vertices have an embedded star:
/// `embedded` must be 0 for vertices without a ring.
void frc_vertex_stars_mark(const uint8_t* embedded, frc_block* block, uint32_t begin, uint32_t end);
