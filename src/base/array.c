/// @file array.c  Growth of arrays.
#include "base/array.h"
#include <string.h>

bool frc_array_grow(fracas_context* context, void** data, size_t* capacity, size_t wanted,
                    size_t element_size) {
    size_t larger = *capacity + *capacity / 2;
    if (larger < wanted) larger = wanted;
    if (larger < 16) larger = 16;
    if (larger > SIZE_MAX / element_size) return false;
    void* moved = frc_allocate(context, larger * element_size);
    if (!moved) return false;
    if (*data) memcpy(moved, *data, *capacity * element_size);
    frc_release(context, *data, *capacity * element_size);
    *data = moved;
    *capacity = larger;
    return true;
}
