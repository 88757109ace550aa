/// @file map.h  A hash table from 32-bit keys to 32-bit values, of fixed capacity.
#pragma once
#include "base/arena.h"

#define FRC_MAP_NONE UINT32_MAX  // no key may have this value, no value either

typedef struct frc_map {
    uint32_t* cells;  // key, value, key, value, ...
    uint32_t mask, count;
} frc_map;

/// Room for `count` keys, from an arena. False: no memory.
bool frc_map_create(frc_arena* arena, frc_map* map, size_t count);

/// The value of a key, or FRC_MAP_NONE.
uint32_t frc_map_find(const frc_map* map, uint32_t key);
/// Set the value of a key, new or not. There must be room.
void frc_map_set(frc_map* map, uint32_t key, uint32_t value);
