/// @file medial_exact.h  Integer arithmetic on spheres, as vectors of four numbers.
#pragma once
#include "exact/bigint.h"

/// Up to six vectors as integers, all scaled by one power of two.
typedef int frc_medial_exact_fn(frc_big_arena arena, const frc_big (*x)[4], const void* task);

/// The result of `fn` with an arena for B-bit integers x, where B is what the doubles need:
/// (600 B + 4000) / 64 + 240 limbs behind those of x.
int frc_medial_run_exact(frc_medial_exact_fn* fn, const double (*x)[4], int count,
                         const void* task);

/// The scalar product of the centres minus the product of the radii.
frc_big frc_medial_product(frc_big_arena* arena, const frc_big a[4], const frc_big b[4]);
void frc_medial_subtract(frc_big_arena* arena, const frc_big a[4], const frc_big b[4],
                         frc_big out[4]);
