/// @file map.h  A hash table from 32-bit keys to 32-bit values, of fixed capacity.
#pragma once
#include "base/arena.h"

#define FRC_MAP_NONE UINT32_MAX  // neither a key nor a value may be this number

typedef struct frc_map {
    uint32_t* cells;  // key, value, key, value, ...
    uint32_t mask, count;
} frc_map;

/// Create an empty map for at most `count` keys, in memory of the arena. False: no memory.
bool frc_map_create(frc_arena* arena, frc_map* map, size_t count);

/// The value of a key, or FRC_MAP_NONE.
uint32_t frc_map_find(const frc_map* map, uint32_t key);
/// Insert a key or change its value. At most `count` keys.
void frc_map_set(frc_map* map, uint32_t key, uint32_t value);
