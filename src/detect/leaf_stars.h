/// @file leaf_stars.h  Which triangles of two leaves have a common vertex.
#pragma once
#include "base/simd_int.h"
#include "block/block.h"

/// Pairs of triangles of two leaves with a common vertex whose triangles touch nowhere else (the
/// vertex is *settled*): bit 8 i + j. For each vertex of b the function finds the slot of a vertex
/// of a with the same two low bytes of the id, and takes its triangles if the other bytes are equal
/// too and the vertex is settled. If several vertices of a have the same low bytes only one of them
/// is compared; the exact test decides the pairs that are missed.
static inline uint64_t frc_common_vertices(const frc_leaf_star* a, const frc_leaf_star* b) {
    const u16x8 low = u16x8_load(b->low), high = u16x8_load(b->low + 8);
    u16x8 place[2] = {u16x8_splat(UINT16_MAX), u16x8_splat(UINT16_MAX)};
    for (uint32_t i = 0; i < FRC_LEAF_STARS; i++) {
        const u16x8 one = u16x8_splat_at(&a->low[i]), number = u16x8_splat((uint16_t)i);
        place[0] = u16x8_choose(u16x8_eq(one, low), number, place[0]);
        place[1] = u16x8_choose(u16x8_eq(one, high), number, place[1]);
    }
    const u8x16 at = u16x8_narrow(place[0], place[1]), fourth = u8x16_load(b->fourth);
    const u8x16 same =
        u8x16_and(u8x16_eq(u8x16_lookup(u8x16_load(a->third), at), u8x16_load(b->third)),
                  u8x16_eq(u8x16_lookup(u8x16_load(a->fourth), at), fourth));
    const u8x16 rows = u8x16_and(u8x16_lookup(u8x16_load(a->faces), at), same);
    return u8x16_outer(u8x16_keep_positive(rows, fourth), u8x16_load(b->faces));
}
