/// @file tets_hash_table.c  Empty a hash table by a new time stamp; release it.
#include "published/tets_hash_table.h"
#include <string.h>

bool frc_hash_begin(fracas_context* context, frc_hash_table* table, uint32_t size,
                    frc_hash_function function) {
    if (size != table->size) {
        frc_hash_bucket* buckets = frc_allocate_zero(context, size * sizeof *buckets);
        if (!buckets) return false;
        frc_release(context, table->buckets, table->size * sizeof *table->buckets);
        table->buckets = buckets;
        table->size = size;
        table->inverse = UINT64_MAX / size + 1;
        table->time = 0;
    }
    if (++table->time == 0) {
        memset(table->buckets, 0, size * sizeof *table->buckets);
        table->time = 1;
    }
    table->function = function;
    table->entries.count = 0;
    table->assigned = 0;
    return true;
}

void frc_hash_release(fracas_context* context, frc_hash_table* table) {
    frc_release(context, table->buckets, table->size * sizeof *table->buckets);
    FRC_ARRAY_RELEASE(context, &table->entries);
    *table = (frc_hash_table){0};
}
