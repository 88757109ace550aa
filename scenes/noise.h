/// @file noise.h  Pseudo-random numbers by hashing: the same on every machine.
#pragma once
#include <stdint.h>

static inline uint32_t scenes_hash(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/// A number in [-1, 1).
static inline double scenes_noise(uint32_t seed) { return scenes_hash(seed) / 2147483648.0 - 1; }
