/// @file arena.h  Scratch memory that is given back all at once.
///
/// For work whose many small arrays live and die together. Taking never moves what was taken
/// before.
#pragma once
#include "base/context.h"

typedef struct frc_arena_chunk frc_arena_chunk;
typedef struct frc_arena {
    fracas_context* context;
    frc_arena_chunk* chunk;  // the newest; it knows the one before
} frc_arena;

static inline frc_arena frc_arena_make(fracas_context* context) {
    return (frc_arena){context, NULL};
}

/// `count` elements of `size` bytes, aligned to 64, not cleared. NULL: no memory. Count 0 gives a
/// pointer that must not be read.
void* frc_arena_take(frc_arena* arena, size_t count, size_t size);
void* frc_arena_take_zero(frc_arena* arena, size_t count, size_t size);
void frc_arena_release(frc_arena* arena);
