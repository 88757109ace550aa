/// @file sort.c  From the lowest byte to the highest; bytes that are the same in all keys are
/// passed over.
///
/// A comparison sort of as many keys takes several times as long; for a few keys the passes over
/// bytes that differ are as many as their numbers have.
#include "base/sort.h"

enum { DIGITS = 256 };

static void sort_by_byte(const uint64_t* keys, uint64_t* out, size_t count, int bit) {
    size_t start[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) start[keys[i] >> bit & (DIGITS - 1)]++;
    for (int d = 0; d < DIGITS; d++) {
        size_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) out[start[keys[i] >> bit & (DIGITS - 1)]++] = keys[i];
}

uint64_t* frc_sort_keys(uint64_t* keys, uint64_t* spare, size_t count, int from_bit) {
    uint64_t differ = 0;
    for (size_t i = 1; i < count; i++) differ |= keys[i] ^ keys[0];
    for (int bit = from_bit; bit < 64; bit += 8) {
        if (!(differ >> bit & (DIGITS - 1))) continue;
        sort_by_byte(keys, spare, count, bit);
        uint64_t* t = keys;
        keys = spare, spare = t;
    }
    return keys;
}
