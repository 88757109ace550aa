/// @file sort.h  Radix sort of 64-bit keys, and a merge of sets.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Stable sort of `count` keys by their bits from `from_bit` (below 64) up. `spare` has the same
/// capacity as `keys`. Returns the result, which is in `keys` or in `spare`.
uint64_t* frc_sort_keys(uint64_t* keys, uint64_t* spare, size_t count, int from_bit);

/// Sort by all bits, in about half the time if few keys have equal upper halves.
uint64_t* frc_sort_halves(uint64_t* keys, uint64_t* spare, size_t count);

/// Union of two sorted lists without repeated keys, into `out`, which must not overlap them.
/// Returns its length.
size_t frc_merge_keys(const uint64_t* a, size_t a_count, const uint64_t* b, size_t b_count,
                      uint64_t* out);
