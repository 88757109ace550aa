/// @file tet_filter.c  Four vertex-tetrahedron pairs at a time, on coordinates rounded to integers.
///
/// The volumes of tet.c are computed in floats from integer coordinates, in units of a small
/// fraction of a cell, relative to the vertex. In most pairs the vertex is far outside or far
/// inside; these are decided here.
///
/// Error bound. Let m be the largest difference of two coordinates that occurs, at most 2^20, so
/// that all differences are exact in floats, and each differs by d <= 1.001 from the true one. A
/// volume has six terms of three differences, so this changes it by at most
/// 6 ((m+d)^3 - m^3) <= 18.02 m^2 + 18.04 m + 6.02. Evaluated in floats, with v = 2^-24, each term
/// carries two products and three sums, so 5v/(1-5v) times the sum of the magnitudes of the terms,
/// at most 6 m^3: below 31v m^3. The bound below, 64v m^3 + 19 m^2 + 19 m + 7, is computed with an
/// error below 8v of itself and exceeds the sum of both by more than that.
#include "base/simd_int.h"
#include "geom/tet.h"
#include "geom/vec3_simd.h"

#ifndef FRC_TET_FILTER_UNIT
#define FRC_TET_FILTER_UNIT 1.0f  // 0: a filter without bounds, which tests must catch
#endif

enum { LANES = 4, LARGEST = 1 << 20 };

static inline f32x4 largest(frc_vec3x4 a) {
    return f32x4_max(f32x4_max(f32x4_abs(a.x), f32x4_abs(a.y)), f32x4_abs(a.z));
}

// Corner i of four pairs relative to the vertices, lane by lane.
static inline frc_vec3x4 gather(const int32_t (*spots)[4], const uint32_t* const corners[LANES],
                                const i32x4 origin[LANES], int i) {
    f32x4 rows[LANES], out[3];
    for (int lane = 0; lane < LANES; lane++)
        rows[lane] = f32x4_from_i32x4(i32x4_sub(i32x4_load(spots[corners[lane][i]]), origin[lane]));
    f32x4_transpose3(rows, out);
    return (frc_vec3x4){out[0], out[1], out[2]};
}

// Bits of the pairs whose vertex is certainly inside, or certainly outside.
typedef struct certain {
    unsigned inside, outside;
} certain;

FRC_INLINE certain decide(const int32_t (*spots)[4], const uint32_t (*corners)[4],
                          const uint32_t* vertices, const uint32_t* tets) {
    const uint32_t* of[LANES];
    i32x4 origin[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        of[lane] = corners[tets[lane]];
        origin[lane] = i32x4_load(spots[vertices[lane]]);
    }
    const frc_vec3x4 a = gather(spots, of, origin, 0), b = gather(spots, of, origin, 1);
    const frc_vec3x4 c = gather(spots, of, origin, 2), d = gather(spots, of, origin, 3);
    const frc_vec3x4 cd = frc_vec3x4_cross(c, d), ab = frc_vec3x4_cross(a, b);
    const f32x4 zero = f32x4_splat(0);
    const f32x4 w0 = frc_vec3x4_dot(b, cd), w1 = f32x4_sub(zero, frc_vec3x4_dot(a, cd));
    const f32x4 w2 = frc_vec3x4_dot(d, ab), w3 = f32x4_sub(zero, frc_vec3x4_dot(c, ab));
    const f32x4 m = f32x4_max(f32x4_max(largest(a), largest(b)), f32x4_max(largest(c), largest(d)));
    const f32x4 unit = f32x4_splat(19 * FRC_TET_FILTER_UNIT);
    f32x4 bound = f32x4_mul(m, f32x4_splat(64 * 0x1p-24f * FRC_TET_FILTER_UNIT));
    bound = f32x4_mul(f32x4_add(f32x4_mul(f32x4_add(bound, unit), m), unit), m);
    bound = f32x4_add(bound, f32x4_splat(7 * FRC_TET_FILTER_UNIT));
    const f32x4 high = f32x4_max(f32x4_max(w0, w1), f32x4_max(w2, w3));
    const f32x4 low = f32x4_min(f32x4_min(w0, w1), f32x4_min(w2, w3));
    const f32x4 below = f32x4_sub(zero, bound);
    const m32x4 small = f32x4_le(m, f32x4_splat(LARGEST));
    const m32x4 both = m32x4_and(f32x4_lt(bound, high), f32x4_lt(low, below));
    const m32x4 one = m32x4_or(f32x4_lt(bound, low), f32x4_lt(high, below));
    return (certain){m32x4_bits(m32x4_and(one, small)), m32x4_bits(m32x4_and(both, small))};
}

void frc_tet_filter(const int32_t (*spots)[4], const uint32_t (*corners)[4], frc_tet_pairs* pairs,
                    frc_tet_pairs* inside) {
    uint32_t *vertices = pairs->vertices, *tets = pairs->tets;
    const uint32_t count = pairs->count;
    uint32_t kept = 0, in = inside->count;
    if (count == 0) return;
    for (uint32_t i = count; i % LANES; i++) vertices[i] = vertices[0], tets[i] = tets[0];
    for (uint32_t i = 0; i < count; i += LANES) {
        const u32x4 v = u32x4_load(vertices + i), t = u32x4_load(tets + i);
        const uint32_t left = count - i < LANES ? count - i : LANES;
        const unsigned valid = (1u << left) - 1;
        const certain c = decide(spots, corners, vertices + i, tets + i);
        const unsigned open = ~(c.outside | c.inside) & valid;
        u32x4_compress(vertices + kept, v, open);
        kept += u32x4_compress(tets + kept, t, open);
        u32x4_compress(inside->vertices + in, v, c.inside & valid);
        in += u32x4_compress(inside->tets + in, t, c.inside & valid);
    }
    pairs->count = kept;
    inside->count = in;
}
