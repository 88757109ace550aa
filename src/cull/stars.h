/// @file stars.h  Vertices whose triangles certainly meet in nothing but what they share.
///
/// Of the triangle pairs whose boxes meet, most have a common vertex: about six in each triangle's
/// neighbourhood, on every mesh and in every frame. Hardly any of them counts. Deciding for a
/// vertex, once, that its star is embedded disposes of all pairs of its triangles.
#pragma once
#include "bvh/block.h"
#include "mesh/vertex_rings.h"

/// Which vertices have an embedded star at the end of the step: `settled[id]` becomes 1 or 0 for
/// every vertex with a ring in packets [begin, end) of a group. Vertices without a ring are not
/// touched. `size` is that of the body's box: the filter works in units of it.
void frc_stars_settle_packets(const frc_topology* topology, const frc_vertex_rings* rings,
                              uint32_t group, uint32_t begin, uint32_t end, double size,
                              uint8_t* settled);
/// The same for all packets.
void frc_stars_settle(const frc_topology* topology, const frc_vertex_rings* rings, double size,
                      uint8_t* settled);

/// Write into `stars` of leaves [begin, end) of the block which vertices are settled: `settled`
/// must be 0 for those without a ring.
void frc_stars_mark(const uint8_t* settled, frc_block* block, uint32_t begin, uint32_t end);
