/// @file vec3_simd.h  3-vectors in SIMD lanes: two of doubles, or four of floats.
#pragma once
#include "base/simd.h"

#define FRC_INLINE static inline __attribute__((always_inline))

typedef struct frc_vec3x2 {
    f64x2 x, y, z;
} frc_vec3x2;

FRC_INLINE frc_vec3x2 frc_vec3x2_add(frc_vec3x2 a, frc_vec3x2 b) {
    return (frc_vec3x2){f64x2_add(a.x, b.x), f64x2_add(a.y, b.y), f64x2_add(a.z, b.z)};
}
FRC_INLINE frc_vec3x2 frc_vec3x2_sub(frc_vec3x2 a, frc_vec3x2 b) {
    return (frc_vec3x2){f64x2_sub(a.x, b.x), f64x2_sub(a.y, b.y), f64x2_sub(a.z, b.z)};
}
FRC_INLINE frc_vec3x2 frc_vec3x2_min(frc_vec3x2 a, frc_vec3x2 b) {
    return (frc_vec3x2){f64x2_min(a.x, b.x), f64x2_min(a.y, b.y), f64x2_min(a.z, b.z)};
}
FRC_INLINE frc_vec3x2 frc_vec3x2_max(frc_vec3x2 a, frc_vec3x2 b) {
    return (frc_vec3x2){f64x2_max(a.x, b.x), f64x2_max(a.y, b.y), f64x2_max(a.z, b.z)};
}
FRC_INLINE frc_vec3x2 frc_vec3x2_abs(frc_vec3x2 a) {
    return (frc_vec3x2){f64x2_abs(a.x), f64x2_abs(a.y), f64x2_abs(a.z)};
}
/// The two lanes exchanged.
FRC_INLINE frc_vec3x2 frc_vec3x2_swap(frc_vec3x2 a) {
    return (frc_vec3x2){f64x2_swap(a.x), f64x2_swap(a.y), f64x2_swap(a.z)};
}
FRC_INLINE frc_vec3x2 frc_vec3x2_cross(frc_vec3x2 a, frc_vec3x2 b) {
    return (frc_vec3x2){f64x2_sub(f64x2_mul(a.y, b.z), f64x2_mul(a.z, b.y)),
                        f64x2_sub(f64x2_mul(a.z, b.x), f64x2_mul(a.x, b.z)),
                        f64x2_sub(f64x2_mul(a.x, b.y), f64x2_mul(a.y, b.x))};
}
FRC_INLINE f64x2 frc_vec3x2_dot(frc_vec3x2 a, frc_vec3x2 b) {
    return f64x2_add(f64x2_add(f64x2_mul(a.x, b.x), f64x2_mul(a.y, b.y)), f64x2_mul(a.z, b.z));
}
/// The largest component per lane.
FRC_INLINE f64x2 frc_vec3x2_largest(frc_vec3x2 a) { return f64x2_max(f64x2_max(a.x, a.y), a.z); }

typedef struct frc_vec3x4 {
    f32x4 x, y, z;
} frc_vec3x4;

FRC_INLINE frc_vec3x4 frc_vec3x4_add(frc_vec3x4 a, frc_vec3x4 b) {
    return (frc_vec3x4){f32x4_add(a.x, b.x), f32x4_add(a.y, b.y), f32x4_add(a.z, b.z)};
}
FRC_INLINE frc_vec3x4 frc_vec3x4_sub(frc_vec3x4 a, frc_vec3x4 b) {
    return (frc_vec3x4){f32x4_sub(a.x, b.x), f32x4_sub(a.y, b.y), f32x4_sub(a.z, b.z)};
}
FRC_INLINE frc_vec3x4 frc_vec3x4_cross(frc_vec3x4 a, frc_vec3x4 b) {
    return (frc_vec3x4){f32x4_sub(f32x4_mul(a.y, b.z), f32x4_mul(a.z, b.y)),
                        f32x4_sub(f32x4_mul(a.z, b.x), f32x4_mul(a.x, b.z)),
                        f32x4_sub(f32x4_mul(a.x, b.y), f32x4_mul(a.y, b.x))};
}
FRC_INLINE f32x4 frc_vec3x4_dot(frc_vec3x4 a, frc_vec3x4 b) {
    return f32x4_add(f32x4_add(f32x4_mul(a.x, b.x), f32x4_mul(a.y, b.y)), f32x4_mul(a.z, b.z));
}
