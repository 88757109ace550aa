/// @file tets_hash_table.h  Hash table of the cells of an unbounded grid, emptied by a time stamp.
///
/// Based on: teschner2003. Every bucket has a time stamp; a bucket with an older one is empty.
/// Deviations, and why: entries are counted first, so that those of a bucket are contiguous; they
/// store their position, which distinguishes cells that share a bucket; products are unsigned,
/// because signed ones overflow and may have a negative remainder; when the time stamp wraps
/// around, the table is cleared once.
#pragma once
#include "base/array.h"
#include "grid/cells.h"

typedef enum frc_hash_function { FRC_HASH_XOR, FRC_HASH_ADD, FRC_HASH_ROTATE } frc_hash_function;

/// A position in units (grid/cells.h), and the item in lane 3.
typedef struct frc_hash_entry {
    int32_t at[4];
} frc_hash_entry;

typedef struct frc_hash_bucket {
    uint32_t time;  // 0: never written
    uint32_t first, count;
    uint32_t filled;  // inserted so far
} frc_hash_bucket;

typedef struct frc_hash_table {
    frc_hash_bucket* buckets;
    uint32_t size;
    uint64_t inverse;  // 2^64 / size, rounded up: gives remainders by two products
    uint32_t time;     // of the current contents
    frc_hash_function function;
    FRC_ARRAY(frc_hash_entry) entries;  // entries.count: entries counted so far
    uint32_t assigned;                  // entries assigned to buckets
} frc_hash_table;

/// Empty the table. Then count all items, reserve `entries`, insert all items.
/// False: no memory, the table is unchanged.
bool frc_hash_begin(fracas_context* context, frc_hash_table* table, uint32_t size,
                    frc_hash_function function);
void frc_hash_release(fracas_context* context, frc_hash_table* table);

__extension__ typedef unsigned __int128 frc_uint128;

static inline uint32_t frc_hash_rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

static inline uint32_t frc_hash_of(const frc_hash_table* table, const int32_t cell[3]) {
    const uint32_t x = (uint32_t)cell[0], y = (uint32_t)cell[1], z = (uint32_t)cell[2];
    uint32_t h;
    if (table->function == FRC_HASH_XOR)
        h = x * 73856093u ^ y * 19349663u ^ z * 83492791u;
    else if (table->function == FRC_HASH_ADD)
        h = x * 73856093u + y * 19349663u + z * 83492791u;
    else
        h = frc_hash_rotate(frc_hash_rotate(x, 5) ^ y, 13) ^ z;
    // h mod size: the fractional part of h / size in 64 bits, times size. Exact for 32-bit numbers.
    return (uint32_t)((frc_uint128)(table->inverse * h) * table->size >> 64);
}

static inline void frc_hash_count(frc_hash_table* table, const int32_t cell[3]) {
    frc_hash_bucket* bucket = &table->buckets[frc_hash_of(table, cell)];
    if (bucket->time != table->time) *bucket = (frc_hash_bucket){table->time, 0, 0, 0};
    bucket->count++;
    table->entries.count++;
}

/// Insert an item that was counted in this cell.
static inline void frc_hash_insert(frc_hash_table* table, const int32_t cell[3],
                                   const int32_t at[3], uint32_t item) {
    frc_hash_bucket* bucket = &table->buckets[frc_hash_of(table, cell)];
    if (bucket->filled == 0) bucket->first = table->assigned, table->assigned += bucket->count;
    table->entries.data[bucket->first + bucket->filled++] = (frc_hash_entry){
        {at[0], at[1], at[2], (int32_t)item}
    };
}

/// The entries of a cell's bucket, which may be shared with other cells.
static inline const frc_hash_entry* frc_hash_find(const frc_hash_table* table,
                                                  const int32_t cell[3], uint32_t* count) {
    const frc_hash_bucket* bucket = &table->buckets[frc_hash_of(table, cell)];
    *count = bucket->time == table->time ? bucket->count : 0;
    return *count > 0 ? &table->entries.data[bucket->first] : NULL;
}
