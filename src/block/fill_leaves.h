/// @file fill_leaves.h  From features to primitives, and from leaves to slots: what building a
/// block needs.
#pragma once
#include "block/block.h"

/// Primitives of an input; `prims` has room for all of its lists. Returns how many there are: edges
/// and points that belong to a triangle of the input, or a free edge, are none.
uint32_t frc_make_prims(frc_topology* topology, const frc_block_input* input, frc_prim* prims);

/// Leaf by leaf, features are put into arrays that are large enough for anything.
typedef struct frc_filler {
    frc_topology* topology;
    const frc_block_input* input;
    uint32_t number;  // of the input, at hand
    bool whole;       // likewise
    frc_leaf* leaves;
    frc_face_slot* faces;
    frc_edge_slot* edges;
    uint32_t* vertices;
    // Twins (half_edges.c) are found on the way: by half-edge, and which half-edge took each edge,
    // as four times its slot and its corner. NULL: not wanted.
    uint32_t *twin, *taker;
    size_t leaf_room, face_room, edge_room, vertex_room;
    uint32_t face, edge, vertex, live;  // filled
} frc_filler;

bool frc_filler_allocate(fracas_context* context, const frc_shape* shape, frc_filler* f);
void frc_filler_release(fracas_context* context, frc_filler* f);

/// Takes the features of each leaf that no earlier one has taken, and writes their places. `prims`
/// NULL: they are the triangles of the input in their order.
void frc_fill_leaves(frc_filler* f, const frc_shape* shape, const frc_prim* prims);

/// Which leaf each four slots belong to, for some of the leaves.
void frc_write_leaf_numbers(frc_block* block, uint32_t first, uint32_t count);
