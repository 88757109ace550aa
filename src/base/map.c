/// @file map.c  A hash table with open addressing and linear probing, at most half full.
#include "base/map.h"
#include <string.h>

bool frc_map_create(frc_arena* arena, frc_map* map, size_t count) {
    size_t cells = 16;
    while (cells < 2 * count) cells *= 2;
    if (cells > UINT32_MAX) return false;
    map->count = 0;
    map->mask = (uint32_t)(cells - 1);
    map->cells = frc_arena_allocate(arena, cells, 2 * sizeof *map->cells);
    if (!map->cells) return false;
    memset(map->cells, 0xff, cells * 2 * sizeof *map->cells);
    return true;
}

// The cell of `key`, or the empty cell where it is inserted. Sixteen consecutive keys have
// consecutive cells: most keys are parts of runs, which then need two cache lines.
static uint32_t find_cell(const frc_map* map, uint32_t key) {
    uint32_t row = (uint32_t)(((key >> 4) * 0x9E3779B97F4A7C15u) >> 32);
    uint32_t cell = (row << 4 | (key & 15)) & map->mask;
    while (map->cells[2 * cell] != FRC_MAP_NONE && map->cells[2 * cell] != key)
        cell = (cell + 1) & map->mask;
    return cell;
}

uint32_t frc_map_find(const frc_map* map, uint32_t key) {
    return map->cells[2 * find_cell(map, key) + 1];
}

void frc_map_set(frc_map* map, uint32_t key, uint32_t value) {
    uint32_t cell = find_cell(map, key);
    if (map->cells[2 * cell] == FRC_MAP_NONE) map->count++;
    map->cells[2 * cell] = key;
    map->cells[2 * cell + 1] = value;
}
