/// @file arena.h  Scratch memory that is released all at once.
///
/// For many small arrays with the same lifetime. An allocation never moves earlier ones.
#pragma once
#include "base/context.h"

typedef struct frc_arena_chunk frc_arena_chunk;
typedef struct frc_arena {
    fracas_context* context;
    frc_arena_chunk* chunk;  // the newest; chunks are linked to older ones
} frc_arena;

static inline frc_arena frc_arena_make(fracas_context* context) {
    return (frc_arena){context, NULL};
}

/// `count` elements of `size` bytes, aligned to 64, not cleared. NULL: no memory. Count 0 gives a
/// pointer that must not be read.
void* frc_arena_allocate(frc_arena* arena, size_t count, size_t size);
void* frc_arena_allocate_zero(frc_arena* arena, size_t count, size_t size);
void frc_arena_release(frc_arena* arena);
