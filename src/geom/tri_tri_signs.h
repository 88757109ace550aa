/// @file tri_tri_signs.h  Which corner of a triangle is alone on its side of the other's plane;
/// private to tri_tri*.c. tri_tri_signs.c has the derivation.
#pragma once
#include <stdint.h>

enum { FRC_ALONE_FLAT = 8, FRC_ALONE_MISS = 16 };

/// From the sets (bit i: corner i) of corners strictly above and strictly below: the corner that is
/// alone, plus 4 when it is below; FRC_ALONE_MISS when all are strictly on one side, FRC_ALONE_FLAT
/// when none is off the plane. Corners in the plane go below, or above when nothing else is.
static inline int frc_alone(unsigned above, unsigned below) {
    if (above == 7 || below == 7) return FRC_ALONE_MISS;
    if (!(above | below)) return FRC_ALONE_FLAT;
    const unsigned up = above ? above : 7 & ~below;
    // One corner up: it is alone above. Two: the third is alone below.
    static const uint8_t alone[8] = {0, 0, 1, 4 + 2, 2, 4 + 1, 4 + 0, 0};
    return alone[up];
}

/// The corners of both triangles, renamed so that corner 0 of each is alone and above.
typedef struct frc_tri_order {
    uint8_t a[3], b[3];
} frc_tri_order;

static inline frc_tri_order frc_order_corners(int alone_a, int alone_b) {
    static const uint8_t next[5] = {0, 1, 2, 0, 1};
    const int a = alone_a & 3, b = alone_b & 3;
    // a0 below B: exchange b1 and b2, which turns B's normal; and the other way round.
    const int turn_a = alone_b >> 2, turn_b = alone_a >> 2;
    return (frc_tri_order){
        .a = {next[a], next[a + 1 + turn_a], next[a + 2 - turn_a]},
        .b = {next[b], next[b + 1 + turn_b], next[b + 2 - turn_b]},
    };
}
