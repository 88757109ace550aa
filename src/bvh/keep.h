/// @file keep.h  A block that breaks into pieces: its leaves go over to new blocks as they are.
#pragma once
#include "bvh/fill.h"

/// Of the block that breaks, for all of its pieces.
struct frc_keep {
    const frc_block* from;
    uint32_t number;  // of that block
    uint8_t* kept;    // by its leaves, 1: goes over as it is
    uint32_t* shift;  // by its face slots: three times what to add for the one in the new block
};

/// False: no memory.
bool frc_keep_open(fracas_context* context, const frc_block* from, uint32_t number, frc_keep* keep);
void frc_keep_close(fracas_context* context, frc_keep* keep);

/// Once all pieces are filled: how many edges and points stand in leaves that do not go over. As
/// many must have been taken (frc_block.taken of the pieces), or something is lost.
uint64_t frc_keep_left(fracas_context* context, const frc_keep* keep);

/// Which leaves go over to a piece, and how many slots of edges and points it needs at most.
void frc_keep_choose(const frc_block_input* input, const frc_shape* shape, size_t* edges,
                     size_t* vertices);

/// Fill the leaves of a piece whose triangles stood in the slots `input->slots`, in this order.
/// Leaves have been chosen. Features of those that go over keep their old places: see
/// frc_block_write_places. All slots are filled, or empty: there is nothing to cut off.
void frc_fill_kept(frc_filler* f, const frc_shape* shape);
