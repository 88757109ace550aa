/// @file oracle_tri_random.h  Points that are difficult for orientation tests.
#pragma once
#include <stdint.h>

/// A reproducible stream of random numbers (splitmix64).
typedef struct tri_random {
    uint64_t state;
} tri_random;

uint64_t tri_random_next(tri_random* random);
int tri_random_below(tri_random* random, int count);  ///< 0 to count - 1
double tri_random_unit(tri_random* random);           ///< -1 to 1

enum { TRI_FAMILIES = 13 };
extern const char* const tri_family_name[TRI_FAMILIES];

/// `count` points (at most 16) of one family.
void tri_random_points(tri_random* random, int family, double out[][3], int count);
