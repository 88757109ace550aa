/// @file array.c  Growth of arrays.
#include "base/array.h"
#include "base/parallel.h"
#include <string.h>

enum {
    PIECE = 1 << 18,  // bytes that one task copies
    LARGE = 1 << 20   // bytes that all workers copy: most of the time goes to new pages of memory
};

typedef struct copy {
    char* to;
    const char* from;
    size_t size;
} copy;

static void copy_pieces(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const copy* c = data;
    const size_t first = (size_t)begin * PIECE, last = (size_t)end * PIECE;
    (void)worker;
    memcpy(c->to + first, c->from + first, (last < c->size ? last : c->size) - first);
}

static void copy_array(fracas_context* context, void* to, const void* from, size_t size) {
    copy c = {to, from, size};
    if (size < LARGE)
        memcpy(to, from, size);
    else
        frc_parallel_for(context, (uint32_t)((size + PIECE - 1) / PIECE), 1, copy_pieces, &c);
}

bool frc_array_grow(fracas_context* context, void** data, size_t* capacity, size_t wanted,
                    size_t element_size) {
    size_t larger = *capacity + *capacity / 2;
    if (larger < wanted) larger = wanted;
    if (larger < 16) larger = 16;
    if (larger > SIZE_MAX / element_size) return false;
    void* moved = frc_allocate(context, larger * element_size);
    if (!moved) return false;
    if (*data) copy_array(context, moved, *data, *capacity * element_size);
    frc_release(context, *data, *capacity * element_size);
    *data = moved;
    *capacity = larger;
    return true;
}
