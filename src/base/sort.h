/// @file sort.h  Sorting keys by counting.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Sort `count` keys by their bits from `from_bit` (below 64) up, those with equal ones in
/// the order they were in. `spare` has room for as many. Returns where the result is: one of the
/// two.
uint64_t* frc_sort_keys(uint64_t* keys, uint64_t* spare, size_t count, int from_bit);

/// The same by all bits, in about half the time where few keys have the same upper half.
uint64_t* frc_sort_halves(uint64_t* keys, uint64_t* spare, size_t count);

/// Two sorted lists, in neither of which a key is twice, as one of the same kind, which is no part
/// of them. Returns how many keys it has.
size_t frc_merge_keys(const uint64_t* a, size_t a_count, const uint64_t* b, size_t b_count,
                      uint64_t* out);
