/// @file arena.c  Allocates from chunks, each at least twice as large as the previous one.
#include "base/arena.h"
#include <string.h>

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 14 };

struct frc_arena_chunk {
    frc_arena_chunk* before;
    size_t size, used;  // bytes, including this header
};

void* frc_arena_allocate(frc_arena* arena, size_t count, size_t size) {
    if (count > (SIZE_MAX / 4) / size) return NULL;
    size_t wanted = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    frc_arena_chunk* chunk = arena->chunk;
    if (!chunk || chunk->size - chunk->used < wanted) {
        size_t bytes = chunk ? 2 * chunk->size : FIRST_CHUNK;
        if (bytes < wanted + ALIGNMENT) bytes = wanted + ALIGNMENT;
        chunk = frc_allocate(arena->context, bytes);
        if (!chunk) return NULL;
        *chunk = (frc_arena_chunk){arena->chunk, bytes, ALIGNMENT};
        arena->chunk = chunk;
    }
    void* memory = (char*)chunk + chunk->used;
    chunk->used += wanted;
    return memory;
}

void* frc_arena_allocate_zero(frc_arena* arena, size_t count, size_t size) {
    void* memory = frc_arena_allocate(arena, count, size);
    if (memory) memset(memory, 0, count * size);
    return memory;
}

void frc_arena_release(frc_arena* arena) {
    while (arena->chunk) {
        frc_arena_chunk* before = arena->chunk->before;
        frc_release(arena->context, arena->chunk, arena->chunk->size);
        arena->chunk = before;
    }
}
