/// @file union_find.h  Disjoint sets of vertices: connected components of a mesh.
#pragma once
#include <stdint.h>

static inline uint32_t frc_union_find_root(uint32_t* parents, uint32_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
}

/// The smaller root becomes the root of both, so roots do not depend on the order of joins.
static inline void frc_union_find_join(uint32_t* parents, uint32_t a, uint32_t b) {
    a = frc_union_find_root(parents, a);
    b = frc_union_find_root(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}
