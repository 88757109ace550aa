/// @file fill_leaves.h  Make primitives from features, and slots of leaves from a built tree.
#pragma once
#include "block/block.h"

/// The primitives of an input; `prims` has space for all of its lists. Returns how many there are:
/// edges and points that belong to a triangle of the input, or to a free edge, are none.
uint32_t frc_make_prims(frc_topology* topology, const frc_block_input* input, frc_prim* prims);

/// The slots of a block during its construction, in arrays that are large enough for any input.
typedef struct frc_filler {
    frc_topology* topology;
    const frc_block_input* input;
    uint32_t number;  // copy from the input
    bool whole;       // copy from the input
    frc_leaf* leaves;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t* vertices;
    // For half_edges.c: the opposite by half-edge; and by edge slot its first half-edge, as four
    // times the face slot plus the corner. NULL: not wanted.
    uint32_t *opposite, *first_half;
    size_t leaf_capacity, face_capacity, edge_capacity, vertex_capacity;
    uint32_t face, edge, vertex;  // slots in use
    uint32_t live;                // features in them
} frc_filler;

bool frc_filler_allocate(fracas_context* context, const frc_shape* shape, frc_filler* f);
void frc_filler_release(fracas_context* context, frc_filler* f);

/// Assign to each leaf the features that no earlier leaf has, and write their places. `prims` NULL:
/// the primitives are the triangles of the input in their order.
void frc_fill_leaves(frc_filler* f, const frc_shape* shape, const frc_prim* prims);

/// Write the `leaf_of_...` entries of leaves [first, first + count).
void frc_write_leaf_numbers(frc_block* block, uint32_t first, uint32_t count);
