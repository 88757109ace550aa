/// @file cull_shapes.h  Patches that are difficult for certificates: strips, ramps, pipes, folded
/// sheets, non-manifold joints, torn meshes, layers, each with a motion. Used by the tests of
/// src/cull and by the search for missed pairs.
#pragma once
#include "fracas/mesh.h"
#include <stdbool.h>

typedef struct cull_shape {
    double (*points)[2][3];  ///< [vertex][end of the step]
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count, point_room, triangle_room;
} cull_shape;

typedef enum cull_kind {
    CULL_STRIP,
    CULL_RAMP,
    CULL_PIPE,
    CULL_FOLDED,
    CULL_JOINTS,
    CULL_TORN,
    CULL_LAYERS,
    CULL_FAN,
    CULL_KINDS
} cull_kind;

/// Random numbers; `*state` must not be 0.
uint64_t cull_random(uint64_t* state);
double cull_uniform(uint64_t* state, double lo, double hi);
uint32_t cull_below(uint64_t* state, uint32_t count);

/// A shape of about `size` triangles, which depends on `*state` only.
cull_shape cull_make_shape(cull_kind kind, uint32_t size, uint64_t* state);
void cull_free_shape(cull_shape* shape);

uint32_t cull_add_point(cull_shape* shape, double x, double y, double z);
void cull_add_triangle(cull_shape* shape, uint32_t a, uint32_t b, uint32_t c);
/// Set the positions at the end of the step, by one of several motions, or none.
void cull_set_moving(cull_shape* shape, uint64_t* state);
