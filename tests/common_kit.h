/// @file common_kit.h  Random numbers, and cubes of six tetrahedra, for kits of tests and
/// benchmarks.
#pragma once
#include "exact/predicates.h"
#include <stdint.h>

/// xorshift*; 53 bits. The state is not 0.
static inline uint64_t kit_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545f4914f6cdd1dull >> 11;
}

/// In [lo, hi).
static inline double kit_uniform(uint64_t* state, double lo, double hi) {
    return lo + (hi - lo) * ((double)kit_random(state) * 0x1p-53);
}

/// The six positive tetrahedra of a cube of a lattice: its first point, and the steps from a point
/// to the next one in each direction.
static inline void kit_fill_cube(const double (*points)[3], uint32_t first, const uint32_t step[3],
                                 uint32_t (*tets)[4]) {
    static const int order[6][3] = {
        {0, 1, 2},
        {0, 2, 1},
        {1, 0, 2},
        {1, 2, 0},
        {2, 0, 1},
        {2, 1, 0}
    };
    for (int t = 0; t < 6; t++) {
        uint32_t corner = first, *tet = tets[t];
        for (int i = 0; i < 4; i++) {
            tet[i] = corner;
            if (i < 3) corner += step[order[t][i]];
        }
        if (frc_orient3d(points[tet[0]], points[tet[1]], points[tet[2]], points[tet[3]]) < 0) {
            const uint32_t other = tet[2];
            tet[2] = tet[3];
            tet[3] = other;
        }
    }
}
