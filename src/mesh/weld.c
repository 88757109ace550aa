/// @file weld.c  Find equal points by a hash table with open addressing, at most half full.
#include "mesh/weld.h"
#include <string.h>

// Equal points have equal hashes: adding 0 turns -0 into 0 and changes no other number.
static uint64_t hash_point(const double point[3]) {
    uint64_t hash = 0;
    for (int axis = 0; axis < 3; axis++) {
        double value = point[axis] + 0.0;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

fracas_status frc_weld(fracas_context* context, const double* points, uint32_t count,
                       uint32_t* names, uint32_t* distinct) {
    size_t slots = 16;
    while (slots < 2 * (size_t)count) slots *= 2;
    uint32_t* first = frc_allocate_zero(context, slots * sizeof(uint32_t));  // point + 1; 0: empty
    if (!first) return frc_fail_memory(context, slots * sizeof(uint32_t));
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double* point = points + 3 * (size_t)i;
        size_t slot = hash_point(point) & (slots - 1);
        for (; first[slot]; slot = (slot + 1) & (slots - 1)) {
            const double* other = points + 3 * (size_t)(first[slot] - 1);
            if (other[0] == point[0] && other[1] == point[1] && other[2] == point[2]) break;
        }
        if (!first[slot]) {
            first[slot] = i + 1;
            names[i] = next++;
        } else {
            names[i] = names[first[slot] - 1];
        }
    }
    frc_release(context, first, slots * sizeof(uint32_t));
    *distinct = next;
    return FRACAS_OK;
}
