/// @file oracle_medial.h  Separation of medial primitives and boxes by subdivision of the parameter
/// domain with certified bounds, and contacts with known truth.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct oracle_random {
    uint64_t state;
} oracle_random;
uint64_t oracle_bits(oracle_random* r);
double oracle_real(oracle_random* r);           ///< in [-1, 1)
int oracle_below(oracle_random* r, int count);  ///< in [0, count)

/// 1: certainly apart; -1: certainly overlapping; 0: within 1e-9 of touching.
int oracle_medial_pair(const double (*a)[4], int na, const double (*b)[4], int nb);
int oracle_medial_box(const double (*a)[4], int na, const double lo[3], const double hi[3]);

/// A separation that some two spheres have, near the smallest: by random descent from the given
/// weights.
double oracle_medial_descent(oracle_random* r, const double (*a)[4], int na, const double (*b)[4],
                             int nb, const double weight_a[3], const double weight_b[3]);

/// Two primitives with a gap of exactly `gap` units between them (negative: so deep), all
/// coordinates integers below 2^20 in magnitude: they touch planes orthogonal to a rational
/// direction, at the same point of the planes. Kinds vary the configuration: general, parallel,
/// points, segments of length 0, coincident spheres.
typedef struct oracle_contact {
    double a[3][4], b[3][4];
    double lo[3], hi[3];  ///< a box that touches `a` in the same way; only for touches_box
    double normal[3];     ///< from a to b, times `length`
    double length;
} oracle_contact;
void oracle_make_contact(oracle_random* r, int na, int nb, int gap, oracle_contact* out);

/// The same for a sphere or cone and a box, `gap` units between them.
void oracle_make_box_contact(oracle_random* r, int na, int gap, oracle_contact* out);
