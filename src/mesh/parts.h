/// @file parts.h  Parts of a mesh by union and find over its vertices.
#pragma once
#include <stdint.h>

static inline uint32_t frc_parts_root(uint32_t* parents, uint32_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
}

/// The smaller root is the root of both, so that paths are the same whatever the order.
static inline void frc_parts_join(uint32_t* parents, uint32_t a, uint32_t b) {
    a = frc_parts_root(parents, a);
    b = frc_parts_root(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}
