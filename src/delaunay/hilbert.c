/// @file hilbert.c  The Hilbert curve in three dimensions.
///
/// Based on: skilling2004.
#include "delaunay/delaunay.h"

enum { BITS = 9, COORDINATE_BITS = 20 };

uint32_t frc_hilbert_key(const int32_t at[3]) {
    uint32_t x[3];
    for (int k = 0; k < 3; k++) {
        const uint32_t last = FRC_DELAUNAY_MOST - 1, value = (uint32_t)at[k];
        x[k] = (value < last ? value : last) >> (COORDINATE_BITS - BITS);
    }
    // Undo the rotations and reflections of sub-cubes, from the largest down.
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
        for (int k = 0; k < 3; k++) {
            const uint32_t t = x[k] & q ? 0 : (x[0] ^ x[k]) & (q - 1);
            if (x[k] & q) x[0] ^= q - 1;
            x[0] ^= t, x[k] ^= t;
        }
    // Gray code.
    uint32_t t = 0, key = 0;
    x[1] ^= x[0], x[2] ^= x[1];
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
        if (x[2] & q) t ^= q - 1;
    for (int k = 0; k < 3; k++) x[k] ^= t;
    for (int bit = BITS - 1; bit >= 0; bit--)
        for (int k = 0; k < 3; k++) key = key << 1 | (x[k] >> bit & 1);
    return key;
}
