/// @file point_sets.h  Sets of points for tests of orders and sphere trees.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum point_set {
    SET_CUBE = 0,      // random in a cube
    SET_SPHERE = 1,    // random on a sphere: many pairs at almost the diameter
    SET_LATTICE = 2,   // many ties
    SET_CLUSTERS = 3,  // sizes that differ by powers of ten
    SET_LINE = 4,
    SET_PLANE = 5,
    SET_COPIES = 6,  // few different points
    SET_HUGE = 7,
    SET_TINY = 8,
    SET_MIXED = 9,  // a tiny cluster in a huge cube
    SET_ARCS = 10,  // two arcs, each at an equal distance from the centre of the other
    SET_COUNT = 11
} point_set;

static inline double next_unit(uint64_t* random) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 11) * 0x1p-53;
}

static inline uint32_t next_below_count(uint64_t* random, uint32_t count) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % count;
}

static inline void make_point(point_set set, uint64_t* random, double at[3]) {
    double length = 0, factor = 1;
    for (int k = 0; k < 3; k++) at[k] = next_unit(random) * 2 - 1, length += at[k] * at[k];
    const double s = at[0];
    switch (set) {
    case SET_SPHERE:
        factor = 1 / sqrt(length);
        break;
    case SET_LATTICE:
        for (int k = 0; k < 3; k++) at[k] = floor(at[k] * 6);
        break;
    case SET_CLUSTERS: {
        const uint32_t c = next_below_count(random, 7);
        for (int k = 0; k < 3; k++) at[k] = at[k] * pow(10, -2.0 * c) + (c * (k + 1)) % 5;
        break;
    }
    case SET_LINE:
        at[1] = 2 * s, at[2] = 5;
        break;
    case SET_PLANE:
        at[2] = at[0] + at[1];
        break;
    case SET_COPIES:
        for (int k = 0; k < 3; k++) at[k] = at[k] > 0;
        break;
    case SET_HUGE:
        factor = 1e60;
        break;
    case SET_TINY:
        factor = 1e-60;
        break;
    case SET_MIXED:
        factor = next_below_count(random, 2) ? 1e60 : 1;
        break;
    case SET_ARCS:
        at[0] = cos(s * 0.3) - (at[1] > 0), at[2] = at[1] > 0 ? 0 : sin(s * 0.3);
        at[1] = at[1] > 0 ? sin(s * 0.3) : 0;
        if (at[2] == 0) at[0] = 1 - cos(s * 0.3);
        break;
    default:
        break;
    }
    for (int k = 0; k < 3; k++) at[k] *= factor;
}

/// `count` points, to be freed.
static inline double (*make_points(point_set set, uint32_t count, uint64_t* random))[3] {
    double(*points)[3] = calloc(count > 0 ? count : 1, sizeof *points);
    for (uint32_t i = 0; points && i < count; i++) make_point(set, random, points[i]);
    return points;
}
