/// @file sort.c  Radix sort of 64-bit keys, least significant digit first, and a merge. Bits that
/// are equal in all keys are skipped. Digits are as short as the number of passes allows: short
/// digits have few counters to clear.
#include "base/sort.h"
#include <stdbool.h>
#include <string.h>

enum { MOST_BITS = 8, DIGITS = 1 << MOST_BITS };

uint64_t* frc_sort_keys(uint64_t* keys, uint64_t* spare, size_t count, int from_bit) {
    uint64_t differ = 0;
    for (size_t i = 1; i < count; i++) differ |= keys[i] ^ keys[0];
    differ &= UINT64_MAX << from_bit;
    while (differ) {
        const int bit = __builtin_ctzll(differ), span = 64 - __builtin_clzll(differ) - bit;
        const int passes = (span + MOST_BITS - 1) / MOST_BITS, bits = (span + passes - 1) / passes;
        // Sort by the digit of `bits` bits from `bit` up, into `spare`.
        const uint64_t digits = (uint64_t)1 << bits;
        size_t start[DIGITS], sum = 0;
        memset(start, 0, digits * sizeof *start);
        for (size_t i = 0; i < count; i++) start[keys[i] >> bit & (digits - 1)]++;
        for (uint64_t d = 0; d < digits; d++) {
            const size_t n = start[d];
            start[d] = sum;
            sum += n;
        }
        for (size_t i = 0; i < count; i++) spare[start[keys[i] >> bit & (digits - 1)]++] = keys[i];
        uint64_t* t = keys;
        keys = spare, spare = t;
        differ = bit + bits < 64 ? differ & UINT64_MAX << (bit + bits) : 0;
    }
    return keys;
}

// Insertion sort. False: stopped after 4 steps per key, the keys are not sorted.
static bool insertion_sort(uint64_t* keys, size_t count) {
    size_t steps = 0;
    for (size_t i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        size_t k = i;
        for (; k > 0 && keys[k - 1] > key; k--) keys[k] = keys[k - 1];
        keys[k] = key;
        steps += i - k;
        if (steps > 4 * count) return false;
    }
    return true;
}

uint64_t* frc_sort_halves(uint64_t* keys, uint64_t* spare, size_t count) {
    uint64_t* sorted = frc_sort_keys(keys, spare, count, 32);
    if (insertion_sort(sorted, count)) return sorted;
    return frc_sort_keys(sorted, sorted == keys ? spare : keys, count, 0);
}

size_t frc_merge_keys(const uint64_t* a, size_t a_count, const uint64_t* b, size_t b_count,
                      uint64_t* out) {
    const uint64_t *a_end = a + a_count, *b_end = b + b_count;
    uint64_t* at = out;
    while (a < a_end && b < b_end) {
        const uint64_t x = *a, y = *b;
        *at++ = x < y ? x : y;
        a += x <= y, b += y <= x;
    }
    const size_t a_left = (size_t)(a_end - a), b_left = (size_t)(b_end - b);
    if (a_left) memcpy(at, a, a_left * sizeof *at);
    if (b_left) memcpy(at, b, b_left * sizeof *at);
    return (size_t)(at - out) + a_left + b_left;
}
