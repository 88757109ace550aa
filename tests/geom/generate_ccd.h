/// @file generate_ccd.h  Motions that are difficult to decide, each generated from a number.
#pragma once
#include "geom/ccd.h"

/// 0 small grid; 1 grid made degenerate; 2 the same, scaled and moved exactly; 3 with single units
/// in the last place; 4 contact constructed, then rounded; 5 random; 6 grid with axes scaled by
/// 2^+-900; 7 exponents within 100; 8 all exponents; 9 the largest doubles; 10 the smallest; 11
/// slow flat cloth; 12 rigid translation; 13 mirrored ends; 14 grid together with doubles; 15 two
/// roots 2^-104 apart; 16 planar; 17 planar aslant; 18 static coplanar; 19 on one line; 20 small
/// features far out; 21 needles; 22 floats; 23 grazing; 24 features that were one at the start.
enum { GENERATE_CCD_COUNT = 25 };

typedef struct generator {
    uint64_t state;
} generator;

uint64_t generate_bits(generator* g);
frc_ccd_kind generate_ccd(generator* g, int mode, frc_point points[4]);

/// Features that coincide at the start, in a point or, for two edges, in both: they separate,
/// slide, rotate, stay in a plane, touch again. At all sizes, some outside the range of the
/// filters.
frc_ccd_kind generate_parting(generator* g, frc_point points[4]);

/// Features that move past each other, each as a whole, at different distances, and just touch or
/// just do not. At all sizes, some outside the range of the filters.
frc_ccd_kind generate_past(generator* g, frc_point points[4]);
