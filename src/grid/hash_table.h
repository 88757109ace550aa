/// @file hash_table.h  Cells of an endless grid in a table of buckets, which is never cleared.
///
/// Based on: teschner2003. Every bucket has the time at which it was last written; what is older is
/// empty. Deviations, and why: entries are counted first, so that those of a bucket stand side by
/// side; they keep their place, so that cells which share a bucket are told apart; products are of
/// unsigned numbers, which wrap around as defined, and are cut to the table without a sign; when
/// the clock has run round, the table is cleared once.
#pragma once
#include "base/array.h"
#include "grid/cells.h"

typedef enum frc_hash_function { FRC_HASH_XOR, FRC_HASH_ADD, FRC_HASH_ROTATE } frc_hash_function;

/// A thing in a cell: where it is there, in units (cells.h), and its number.
typedef struct frc_hash_entry {
    int32_t at[4];
} frc_hash_entry;

/// Entries of a bucket stand side by side.
typedef struct frc_hash_bucket {
    uint32_t time;  // 0: never written
    uint32_t first, count;
    uint32_t filled;  // of count, so far
} frc_hash_bucket;

typedef struct frc_hash_table {
    frc_hash_bucket* buckets;
    uint32_t size;
    uint64_t inverse;  // of the size: a remainder is two products
    uint32_t time;     // of what is being written
    frc_hash_function function;
    FRC_ARRAY(frc_hash_entry) entries;  // count: how many there will be
    uint32_t given;                     // of these, to buckets
} frc_hash_table;

/// Make ready for other things, which are first all counted, then, when there is room, all put in.
/// False: no memory, the table is as it was.
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
    // h mod size: the fraction of h / size in 64 bits, times size. Exact for 32-bit numbers.
    return (uint32_t)((frc_uint128)(table->inverse * h) * table->size >> 64);
}

static inline void frc_hash_count(frc_hash_table* table, const int32_t cell[3]) {
    frc_hash_bucket* bucket = &table->buckets[frc_hash_of(table, cell)];
    if (bucket->time != table->time) *bucket = (frc_hash_bucket){table->time, 0, 0, 0};
    bucket->count++;
    table->entries.count++;
}

/// Put a thing into a cell, with where it is there. It was counted, and there is room for all.
static inline void frc_hash_put(frc_hash_table* table, const int32_t cell[3], const int32_t at[3],
                                uint32_t thing) {
    frc_hash_bucket* bucket = &table->buckets[frc_hash_of(table, cell)];
    if (bucket->filled == 0) bucket->first = table->given, table->given += bucket->count;
    table->entries.data[bucket->first + bucket->filled++] = (frc_hash_entry){
        {at[0], at[1], at[2], (int32_t)thing}
    };
}

/// The entries of a cell's bucket, among them all of the cell's.
static inline const frc_hash_entry* frc_hash_find(const frc_hash_table* table,
                                                  const int32_t cell[3], uint32_t* count) {
    const frc_hash_bucket* bucket = &table->buckets[frc_hash_of(table, cell)];
    *count = bucket->time == table->time ? bucket->count : 0;
    return table->entries.data + bucket->first;
}
