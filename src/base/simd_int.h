/// @file simd_int.h  Vectors of integers of 8, 16 and 32 bits; see simd.h.
#pragma once
#include "base/simd.h"

/* ---- four unsigned integers; _eq returns all ones or zero, _same a mask like comparisons of
 * floats; _less subtracts one from the lanes of a mask; _sums are prefix sums, including the lane
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
typedef uint32x4_t u32x4;
static inline u32x4 u32x4_load(const uint32_t* p) { return vld1q_u32(p); }
static inline u32x4 u32x4_splat_first(u32x4 a) { return vdupq_laneq_u32(a, 0); }
static inline u32x4 u32x4_splat(uint32_t a) { return vdupq_n_u32(a); }
static inline u32x4 u32x4_splat_at(const uint32_t* p) { return vld1q_dup_u32(p); }
static inline u32x4 u32x4_eq(u32x4 a, u32x4 b) { return vceqq_u32(a, b); }
static inline m32x4 u32x4_same(u32x4 a, u32x4 b) { return vceqq_u32(a, b); }
static inline u32x4 u32x4_less(u32x4 a, m32x4 mask) { return vaddq_u32(a, mask); }
static inline u32x4 u32x4_and(u32x4 a, u32x4 b) { return vandq_u32(a, b); }
static inline u32x4 u32x4_or(u32x4 a, u32x4 b) { return vorrq_u32(a, b); }
static inline uint32_t u32x4_sum(u32x4 a) { return vaddvq_u32(a); }
static inline u32x4 u32x4_add(u32x4 a, u32x4 b) { return vaddq_u32(a, b); }
static inline u32x4 u32x4_splat_last(u32x4 a) { return vdupq_laneq_u32(a, 3); }
static inline u32x4 u32x4_sums(u32x4 a) {
    const u32x4 none = vdupq_n_u32(0);
    a = vaddq_u32(a, vextq_u32(none, a, 3));
    return vaddq_u32(a, vextq_u32(none, a, 2));
}
#elif defined(FRC_SIMD_SSE2)
typedef __m128i u32x4;
static inline u32x4 u32x4_load(const uint32_t* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline u32x4 u32x4_splat_first(u32x4 a) { return _mm_shuffle_epi32(a, 0); }
static inline u32x4 u32x4_splat(uint32_t a) { return _mm_set1_epi32((int)a); }
static inline u32x4 u32x4_eq(u32x4 a, u32x4 b) { return _mm_cmpeq_epi32(a, b); }
static inline m32x4 u32x4_same(u32x4 a, u32x4 b) { return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)); }
static inline u32x4 u32x4_less(u32x4 a, m32x4 mask) {
    return _mm_add_epi32(a, _mm_castps_si128(mask));
}
static inline u32x4 u32x4_and(u32x4 a, u32x4 b) { return _mm_and_si128(a, b); }
static inline u32x4 u32x4_or(u32x4 a, u32x4 b) { return _mm_or_si128(a, b); }
static inline uint32_t u32x4_sum(u32x4 a) {
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(a, _mm_shuffle_epi32(a, 0xb1)));
}
static inline u32x4 u32x4_add(u32x4 a, u32x4 b) { return _mm_add_epi32(a, b); }
static inline u32x4 u32x4_splat_last(u32x4 a) { return _mm_shuffle_epi32(a, 0xff); }
static inline u32x4 u32x4_sums(u32x4 a) {
    a = _mm_add_epi32(a, _mm_slli_si128(a, 4));
    return _mm_add_epi32(a, _mm_slli_si128(a, 8));
}
#else
typedef struct {
    uint32_t v[4];
} u32x4;
static inline u32x4 u32x4_load(const uint32_t* p) {
    u32x4 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline u32x4 u32x4_splat_first(u32x4 a) {
    return (u32x4){
        {a.v[0], a.v[0], a.v[0], a.v[0]}
    };
}
static inline u32x4 u32x4_splat(uint32_t a) {
    return (u32x4){
        {a, a, a, a}
    };
}
static inline m32x4 u32x4_same(u32x4 a, u32x4 b) {
    m32x4 r;
    for (int i = 0; i < 4; i++) r.v[i] = a.v[i] == b.v[i];
    return r;
}
static inline u32x4 u32x4_less(u32x4 a, m32x4 mask) {
    for (int i = 0; i < 4; i++) a.v[i] -= mask.v[i];
    return a;
}
static inline u32x4 u32x4_eq(u32x4 a, u32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] == b.v[i] ? UINT32_MAX : 0;
    return a;
}
static inline u32x4 u32x4_and(u32x4 a, u32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] &= b.v[i];
    return a;
}
static inline u32x4 u32x4_or(u32x4 a, u32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] |= b.v[i];
    return a;
}
static inline uint32_t u32x4_sum(u32x4 a) { return a.v[0] + a.v[1] + a.v[2] + a.v[3]; }
static inline u32x4 u32x4_add(u32x4 a, u32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] += b.v[i];
    return a;
}
static inline u32x4 u32x4_splat_last(u32x4 a) {
    return (u32x4){
        {a.v[3], a.v[3], a.v[3], a.v[3]}
    };
}
static inline u32x4 u32x4_sums(u32x4 a) {
    for (int i = 1; i < 4; i++) a.v[i] += a.v[i - 1];
    return a;
}
#endif
#if !defined(FRC_SIMD_NEON)
static inline u32x4 u32x4_splat_at(const uint32_t* p) { return u32x4_splat(*p); }
#endif

/* ---- eight and sixteen small numbers. A comparison returns all ones or zero; _keep_positive
 * returns 0 where the highest bit of `of` is set; _lookup returns table[at], and 0 where `at` is
 * 255
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
typedef uint16x8_t u16x8;
typedef uint8x16_t u8x16;
static inline u16x8 u16x8_load(const uint16_t* p) { return vld1q_u16(p); }
static inline u16x8 u16x8_splat(uint16_t a) { return vdupq_n_u16(a); }
static inline u16x8 u16x8_splat_at(const uint16_t* p) { return vld1q_dup_u16(p); }
static inline u16x8 u16x8_eq(u16x8 a, u16x8 b) { return vceqq_u16(a, b); }
static inline u16x8 u16x8_choose(u16x8 mask, u16x8 a, u16x8 b) { return vbslq_u16(mask, a, b); }
static inline u8x16 u16x8_narrow(u16x8 low, u16x8 high) {
    return vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
}
static inline u8x16 u8x16_load(const uint8_t* p) { return vld1q_u8(p); }
static inline u8x16 u8x16_eq(u8x16 a, u8x16 b) { return vceqq_u8(a, b); }
static inline u8x16 u8x16_and(u8x16 a, u8x16 b) { return vandq_u8(a, b); }
static inline u8x16 u8x16_keep_positive(u8x16 a, u8x16 of) {
    return vbicq_u8(a, vcltzq_s8(vreinterpretq_s8_u8(of)));
}
static inline u8x16 u8x16_lookup(u8x16 table, u8x16 at) { return vqtbl1q_u8(table, at); }
#elif defined(FRC_SIMD_SSE2)
typedef __m128i u16x8;
typedef __m128i u8x16;
static inline u16x8 u16x8_load(const uint16_t* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline u16x8 u16x8_splat(uint16_t a) { return _mm_set1_epi16((short)a); }
static inline u16x8 u16x8_splat_at(const uint16_t* p) { return u16x8_splat(*p); }
static inline u16x8 u16x8_eq(u16x8 a, u16x8 b) { return _mm_cmpeq_epi16(a, b); }
static inline u16x8 u16x8_choose(u16x8 mask, u16x8 a, u16x8 b) {
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}
static inline u8x16 u16x8_narrow(u16x8 low, u16x8 high) {
    const __m128i byte = _mm_set1_epi16(255);
    return _mm_packus_epi16(_mm_and_si128(low, byte), _mm_and_si128(high, byte));
}
static inline u8x16 u8x16_load(const uint8_t* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline u8x16 u8x16_eq(u8x16 a, u8x16 b) { return _mm_cmpeq_epi8(a, b); }
static inline u8x16 u8x16_and(u8x16 a, u8x16 b) { return _mm_and_si128(a, b); }
static inline u8x16 u8x16_keep_positive(u8x16 a, u8x16 of) {
    return _mm_andnot_si128(_mm_cmplt_epi8(of, _mm_setzero_si128()), a);
}
#if defined(FRC_SIMD_SSE4)
static inline u8x16 u8x16_lookup(u8x16 table, u8x16 at) { return _mm_shuffle_epi8(table, at); }
#else
static inline u8x16 u8x16_lookup(u8x16 table, u8x16 at) {
    uint8_t from[16], where[16];
    memcpy(from, &table, sizeof from);
    memcpy(where, &at, sizeof where);
    for (int i = 0; i < 16; i++) where[i] = where[i] == 255 ? 0 : from[where[i]];
    return u8x16_load(where);
}
#endif
#else
typedef struct {
    uint16_t v[8];
} u16x8;
typedef struct {
    uint8_t v[16];
} u8x16;
static inline u16x8 u16x8_load(const uint16_t* p) {
    u16x8 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline u16x8 u16x8_splat(uint16_t a) {
    return (u16x8){
        {a, a, a, a, a, a, a, a}
    };
}
static inline u16x8 u16x8_splat_at(const uint16_t* p) { return u16x8_splat(*p); }
static inline u16x8 u16x8_eq(u16x8 a, u16x8 b) {
    for (int i = 0; i < 8; i++) a.v[i] = a.v[i] == b.v[i] ? UINT16_MAX : 0;
    return a;
}
static inline u16x8 u16x8_choose(u16x8 mask, u16x8 a, u16x8 b) {
    for (int i = 0; i < 8; i++) a.v[i] = mask.v[i] ? a.v[i] : b.v[i];
    return a;
}
static inline u8x16 u16x8_narrow(u16x8 low, u16x8 high) {
    u8x16 r;
    for (int i = 0; i < 16; i++) r.v[i] = (uint8_t)(i < 8 ? low.v[i] : high.v[i - 8]);
    return r;
}
static inline u8x16 u8x16_load(const uint8_t* p) {
    u8x16 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline u8x16 u8x16_eq(u8x16 a, u8x16 b) {
    for (int i = 0; i < 16; i++) a.v[i] = a.v[i] == b.v[i] ? UINT8_MAX : 0;
    return a;
}
static inline u8x16 u8x16_and(u8x16 a, u8x16 b) {
    for (int i = 0; i < 16; i++) a.v[i] &= b.v[i];
    return a;
}
static inline u8x16 u8x16_keep_positive(u8x16 a, u8x16 of) {
    for (int i = 0; i < 16; i++) a.v[i] = of.v[i] >> 7 ? 0 : a.v[i];
    return a;
}
static inline u8x16 u8x16_lookup(u8x16 table, u8x16 at) {
    for (int i = 0; i < 16; i++) at.v[i] = at.v[i] == 255 ? 0 : table.v[at.v[i]];
    return at;
}
#endif

/* Eight signed numbers of sixteen bits, which wrap around. `lane` must be a constant. Bit 8 i + j
   of the grid is lane j of row i of a comparison. */

#if defined(FRC_SIMD_NEON)
typedef int16x8_t i16x8;
static inline i16x8 i16x8_load(const uint16_t* p) { return vreinterpretq_s16_u16(vld1q_u16(p)); }
static inline i16x8 i16x8_splat_at(const uint16_t* p) {
    return vreinterpretq_s16_u16(vld1q_dup_u16(p));
}
#define i16x8_splat_lane(a, lane) vdupq_laneq_s16(a, lane)
static inline i16x8 i16x8_sub(i16x8 a, i16x8 b) {
    return vreinterpretq_s16_u16(vsubq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b)));
}
static inline i16x8 i16x8_or(i16x8 a, i16x8 b) { return vorrq_s16(a, b); }
static inline i16x8 i16x8_gt(i16x8 a, i16x8 b) { return vreinterpretq_s16_u16(vcgtq_s16(a, b)); }
static inline uint64_t i16x8_grid(const i16x8 rows[8]) {
    static const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t weights = vld1q_u8(weight);
    uint8x16_t two[4];
    for (int i = 0; i < 4; i++)
        two[i] = vandq_u8(
            vuzp1q_u8(vreinterpretq_u8_s16(rows[2 * i]), vreinterpretq_u8_s16(rows[2 * i + 1])),
            weights);
    const uint8x16_t four = vpaddq_u8(vpaddq_u8(two[0], two[1]), vpaddq_u8(two[2], two[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(four, four)), 0);
}
#elif defined(FRC_SIMD_SSE2)
typedef __m128i i16x8;
static inline i16x8 i16x8_load(const uint16_t* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline i16x8 i16x8_splat_at(const uint16_t* p) { return _mm_set1_epi16((short)*p); }
#if defined(FRC_SIMD_SSE4)
#define i16x8_splat_lane(a, lane) _mm_shuffle_epi8(a, _mm_set1_epi16(0x0202 * (lane) + 0x0100))
#else
#define i16x8_splat_lane(a, lane) _mm_set1_epi16((short)_mm_extract_epi16(a, lane))
#endif
static inline i16x8 i16x8_sub(i16x8 a, i16x8 b) { return _mm_sub_epi16(a, b); }
static inline i16x8 i16x8_or(i16x8 a, i16x8 b) { return _mm_or_si128(a, b); }
static inline i16x8 i16x8_gt(i16x8 a, i16x8 b) { return _mm_cmpgt_epi16(a, b); }
static inline uint64_t i16x8_grid(const i16x8 rows[8]) {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(rows[2 * i], rows[2 * i + 1]))
                << 16 * i;
    return bits;
}
#else
typedef struct {
    int16_t v[8];
} i16x8;
static inline i16x8 i16x8_load(const uint16_t* p) {
    i16x8 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline i16x8 i16x8_splat_lane(i16x8 a, int lane) {
    const int16_t one = a.v[lane];
    for (int i = 0; i < 8; i++) a.v[i] = one;
    return a;
}
static inline i16x8 i16x8_splat_at(const uint16_t* p) {
    i16x8 r;
    for (int i = 0; i < 8; i++) r.v[i] = (int16_t)*p;
    return r;
}
static inline i16x8 i16x8_sub(i16x8 a, i16x8 b) {
    for (int i = 0; i < 8; i++) a.v[i] = (int16_t)((uint16_t)a.v[i] - (uint16_t)b.v[i]);
    return a;
}
static inline i16x8 i16x8_or(i16x8 a, i16x8 b) {
    for (int i = 0; i < 8; i++) a.v[i] |= b.v[i];
    return a;
}
static inline i16x8 i16x8_gt(i16x8 a, i16x8 b) {
    for (int i = 0; i < 8; i++) a.v[i] = a.v[i] > b.v[i] ? -1 : 0;
    return a;
}
static inline uint64_t i16x8_grid(const i16x8 rows[8]) {
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) bits |= (uint64_t)(rows[i / 8].v[i % 8] != 0) << i;
    return bits;
}
#endif

/* Sixteen pairs of sets of eight elements: one set of each pair is a byte of `a`, the other the
   same byte of `b`. Bit 8 i + j of the result: for some pair i is in the first set and j in the
   second. */

#if defined(FRC_SIMD_NEON)
static inline uint64_t u8x16_outer(u8x16 a, u8x16 b) {
    static const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    static const uint8_t first_two[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    uint8x16_t pairs = vdupq_n_u8(0);
    // Two sets at a time. Eight copies of each: copy i keeps element i.
    for (uint8_t two = 0; two < 16; two += 2) {
        const uint8x16_t which = vaddq_u8(vld1q_u8(first_two), vdupq_n_u8(two));
        const uint8x16_t in = vtstq_u8(vqtbl1q_u8(a, which), vld1q_u8(weight));
        pairs = vorrq_u8(pairs, vandq_u8(in, vqtbl1q_u8(b, which)));
    }
    const uint64x2_t halves = vreinterpretq_u64_u8(pairs);
    return vgetq_lane_u64(halves, 0) | vgetq_lane_u64(halves, 1);
}
#elif defined(FRC_SIMD_SSE4)
static inline uint64_t u8x16_outer(u8x16 a, u8x16 b) {
    const __m128i weight = _mm_set1_epi64x((long long)0x8040201008040201u);
    const __m128i first_two = _mm_set_epi64x(0x0101010101010101, 0);
    __m128i pairs = _mm_setzero_si128();
    // Two sets at a time. Eight copies of each: copy i keeps element i.
    for (char two = 0; two < 16; two += 2) {
        const __m128i which = _mm_add_epi8(first_two, _mm_set1_epi8(two));
        const __m128i own = _mm_and_si128(_mm_shuffle_epi8(a, which), weight);
        const __m128i in = _mm_cmpeq_epi8(own, weight);
        pairs = _mm_or_si128(pairs, _mm_and_si128(in, _mm_shuffle_epi8(b, which)));
    }
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(pairs, _mm_unpackhi_epi64(pairs, pairs)));
}
#else
static inline uint64_t u8x16_outer(u8x16 a, u8x16 b) {
    uint8_t sets[16], partners[16];
    uint64_t pairs = 0;
    memcpy(sets, &a, sizeof sets);
    memcpy(partners, &b, sizeof partners);
    for (int n = 0; n < 16; n++) {
        // Move bit i to bit 8 i. The product has bit i + 7 k for all k; bits of the lowest seven
        // never coincide.
        const uint64_t rows =
            ((sets[n] & 127u) * (uint64_t)0x0002040810204081 & 0x0101010101010101) |
            (uint64_t)(sets[n] & 128u) << 49;
        pairs |= rows * partners[n];
    }
    return pairs;
}
#endif

/* ---- four signed integers; differences and products wrap around; conversion to float is exact
 * below 2^24; _down is an arithmetic shift right, _down_each shifts the first lane by another
 * number of bits; _sums are the sums of all lanes of a, of b, of c, of c; _from_f64 truncates
 * towards zero, _from_f32x4 too, for numbers of at most 2^30 (undefined for others); _store_low
 * keeps the lowest sixteen bits of each lane
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
typedef int32x4_t i32x4;
static inline i32x4 i32x4_load(const int32_t* p) { return vld1q_s32(p); }
static inline void i32x4_store(int32_t* p, i32x4 a) { vst1q_s32(p, a); }
static inline i32x4 i32x4_sub(i32x4 a, i32x4 b) {
    return vreinterpretq_s32_u32(vsubq_u32(vreinterpretq_u32_s32(a), vreinterpretq_u32_s32(b)));
}
static inline i32x4 i32x4_min(i32x4 a, i32x4 b) { return vminq_s32(a, b); }
static inline i32x4 i32x4_max(i32x4 a, i32x4 b) { return vmaxq_s32(a, b); }
static inline i32x4 i32x4_down(i32x4 a, int bits) { return vshlq_s32(a, vdupq_n_s32(-bits)); }
static inline m32x4 i32x4_same(i32x4 a, i32x4 b) { return vceqq_s32(a, b); }
static inline m32x4 i32x4_lt(i32x4 a, i32x4 b) { return vcltq_s32(a, b); }
static inline i32x4 i32x4_splat(int32_t a) { return vdupq_n_s32(a); }
static inline i32x4 i32x4_and(i32x4 a, i32x4 b) { return vandq_s32(a, b); }
static inline i32x4 i32x4_mul(i32x4 a, i32x4 b) {
    return vreinterpretq_s32_u32(vmulq_u32(vreinterpretq_u32_s32(a), vreinterpretq_u32_s32(b)));
}
static inline i32x4 i32x4_down_each(i32x4 a, int first, int rest) {
    return vshlq_s32(a, vsetq_lane_s32(-first, vdupq_n_s32(-rest), 0));
}
static inline int32_t i32x4_sum(i32x4 a) { return vaddvq_s32(a); }
static inline i32x4 i32x4_sums(i32x4 a, i32x4 b, i32x4 c) {
    return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, c));
}
static inline i32x4 i32x4_from_f64(f64x2 a, f64x2 b) {
    return vuzp1q_s32(vreinterpretq_s32_s64(vcvtq_s64_f64(a)),
                      vreinterpretq_s32_s64(vcvtq_s64_f64(b)));
}
static inline f32x4 f32x4_from_i32x4(i32x4 a) { return vcvtq_f32_s32(a); }
static inline i32x4 i32x4_from_f32x4(f32x4 a) { return vcvtq_s32_f32(a); }
static inline void i32x4_store_low(uint16_t* p, i32x4 a) {
    vst1_u16(p, vmovn_u32(vreinterpretq_u32_s32(a)));
}
static inline u32x4 u32x4_sub(u32x4 a, u32x4 b) { return vsubq_u32(a, b); }
static inline void u32x4_store(uint32_t* p, u32x4 a) { vst1q_u32(p, a); }
#elif defined(FRC_SIMD_SSE2)
typedef __m128i i32x4;
static inline i32x4 i32x4_load(const int32_t* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline void i32x4_store(int32_t* p, i32x4 a) { _mm_storeu_si128((__m128i*)p, a); }
static inline i32x4 i32x4_sub(i32x4 a, i32x4 b) { return _mm_sub_epi32(a, b); }
#if defined(FRC_SIMD_SSE4)
static inline i32x4 i32x4_min(i32x4 a, i32x4 b) { return _mm_min_epi32(a, b); }
static inline i32x4 i32x4_max(i32x4 a, i32x4 b) { return _mm_max_epi32(a, b); }
static inline i32x4 i32x4_mul(i32x4 a, i32x4 b) { return _mm_mullo_epi32(a, b); }
#else
static inline i32x4 i32x4_min(i32x4 a, i32x4 b) {
    const __m128i less = _mm_cmplt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(less, a), _mm_andnot_si128(less, b));
}
static inline i32x4 i32x4_max(i32x4 a, i32x4 b) {
    const __m128i less = _mm_cmplt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(less, b), _mm_andnot_si128(less, a));
}
static inline i32x4 i32x4_mul(i32x4 a, i32x4 b) {
    const __m128i even = _mm_mul_epu32(a, b);
    const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
}
#endif
static inline m32x4 i32x4_same(i32x4 a, i32x4 b) { return u32x4_same(a, b); }
static inline i32x4 i32x4_down(i32x4 a, int bits) { return _mm_srai_epi32(a, bits); }
static inline m32x4 i32x4_lt(i32x4 a, i32x4 b) { return _mm_castsi128_ps(_mm_cmplt_epi32(a, b)); }
static inline i32x4 i32x4_splat(int32_t a) { return _mm_set1_epi32(a); }
static inline i32x4 i32x4_and(i32x4 a, i32x4 b) { return _mm_and_si128(a, b); }
static inline i32x4 i32x4_down_each(i32x4 a, int first, int rest) {
#if defined(FRC_SIMD_SSE4)
    return _mm_blend_epi16(i32x4_down(a, rest), i32x4_down(a, first), 0x03);
#else
    const __m128i one = _mm_cvtsi32_si128(-1);
    return _mm_or_si128(_mm_and_si128(one, i32x4_down(a, first)),
                        _mm_andnot_si128(one, i32x4_down(a, rest)));
#endif
}
static inline int32_t i32x4_sum(i32x4 a) { return (int32_t)u32x4_sum(a); }
static inline i32x4 i32x4_sums(i32x4 a, i32x4 b, i32x4 c) {
    const __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    const __m128i cc = _mm_add_epi32(_mm_unpacklo_epi32(c, c), _mm_unpackhi_epi32(c, c));
    return _mm_add_epi32(_mm_unpacklo_epi64(ab, cc), _mm_unpackhi_epi64(ab, cc));
}
static inline i32x4 i32x4_from_f64(f64x2 a, f64x2 b) {
    return _mm_unpacklo_epi64(_mm_cvttpd_epi32(a), _mm_cvttpd_epi32(b));
}
static inline f32x4 f32x4_from_i32x4(i32x4 a) { return _mm_cvtepi32_ps(a); }
static inline i32x4 i32x4_from_f32x4(f32x4 a) { return _mm_cvttps_epi32(a); }
static inline void i32x4_store_low(uint16_t* p, i32x4 a) {
    const __m128i low = _mm_srai_epi32(_mm_slli_epi32(a, 16), 16);  // in the range of _packs
    _mm_storel_epi64((__m128i*)(void*)p, _mm_packs_epi32(low, low));
}
static inline u32x4 u32x4_sub(u32x4 a, u32x4 b) { return _mm_sub_epi32(a, b); }
static inline void u32x4_store(uint32_t* p, u32x4 a) { _mm_storeu_si128((__m128i*)p, a); }
#else
typedef struct {
    int32_t v[4];
} i32x4;
static inline i32x4 i32x4_load(const int32_t* p) {
    i32x4 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline void i32x4_store(int32_t* p, i32x4 a) { memcpy(p, &a, sizeof a); }
static inline i32x4 i32x4_sub(i32x4 a, i32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = (int32_t)((uint32_t)a.v[i] - (uint32_t)b.v[i]);
    return a;
}
static inline i32x4 i32x4_min(i32x4 a, i32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return a;
}
static inline i32x4 i32x4_max(i32x4 a, i32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return a;
}
static inline m32x4 i32x4_same(i32x4 a, i32x4 b) {
    m32x4 r;
    for (int i = 0; i < 4; i++) r.v[i] = a.v[i] == b.v[i];
    return r;
}
static inline i32x4 i32x4_down(i32x4 a, int bits) {
    for (int i = 0; i < 4; i++) a.v[i] >>= bits;
    return a;
}
static inline m32x4 i32x4_lt(i32x4 a, i32x4 b) {
    m32x4 r;
    for (int i = 0; i < 4; i++) r.v[i] = a.v[i] < b.v[i];
    return r;
}
static inline i32x4 i32x4_splat(int32_t a) {
    return (i32x4){
        {a, a, a, a}
    };
}
static inline i32x4 i32x4_and(i32x4 a, i32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] &= b.v[i];
    return a;
}
static inline i32x4 i32x4_mul(i32x4 a, i32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = (int32_t)((uint32_t)a.v[i] * (uint32_t)b.v[i]);
    return a;
}
static inline i32x4 i32x4_down_each(i32x4 a, int first, int rest) {
    for (int i = 0; i < 4; i++) a.v[i] >>= i ? rest : first;
    return a;
}
static inline int32_t i32x4_sum(i32x4 a) {
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) sum += (uint32_t)a.v[i];
    return (int32_t)sum;
}
static inline i32x4 i32x4_sums(i32x4 a, i32x4 b, i32x4 c) {
    uint32_t sum[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        sum[0] += (uint32_t)a.v[i], sum[1] += (uint32_t)b.v[i], sum[2] += (uint32_t)c.v[i];
    return (i32x4){
        {(int32_t)sum[0], (int32_t)sum[1], (int32_t)sum[2], (int32_t)sum[2]}
    };
}
static inline i32x4 i32x4_from_f64(f64x2 a, f64x2 b) {
    return (i32x4){
        {(int32_t)a.v[0], (int32_t)a.v[1], (int32_t)b.v[0], (int32_t)b.v[1]}
    };
}
static inline f32x4 f32x4_from_i32x4(i32x4 a) {
    f32x4 r;
    for (int i = 0; i < 4; i++) r.v[i] = (float)a.v[i];
    return r;
}
static inline i32x4 i32x4_from_f32x4(f32x4 a) {
    i32x4 r;
    for (int i = 0; i < 4; i++)
        r.v[i] = a.v[i] >= -0x1p30f && a.v[i] <= 0x1p30f ? (int32_t)a.v[i] : 0;
    return r;
}
static inline void i32x4_store_low(uint16_t* p, i32x4 a) {
    for (int i = 0; i < 4; i++) p[i] = (uint16_t)a.v[i];
}
static inline u32x4 u32x4_sub(u32x4 a, u32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] -= b.v[i];
    return a;
}
static inline void u32x4_store(uint32_t* p, u32x4 a) { memcpy(p, &a, sizeof a); }
#endif

/* Store the values whose bits are set to consecutive elements of `out`, which has capacity for
   four; returns their number. Without a branch that depends on the bits. */

#if defined(FRC_SIMD_NEON) || defined(FRC_SIMD_SSE4)
static inline uint32_t u32x4_compress(uint32_t* out, u32x4 values, unsigned bits) {
#define ROW(a, b, c, d)                                                                            \
    {                                                                                              \
        4 * (a), 4 * (a) + 1, 4 * (a) + 2, 4 * (a) + 3, 4 * (b), 4 * (b) + 1, 4 * (b) + 2,         \
            4 * (b) + 3, 4 * (c), 4 * (c) + 1, 4 * (c) + 2, 4 * (c) + 3, 4 * (d), 4 * (d) + 1,     \
            4 * (d) + 2, 4 * (d) + 3                                                               \
    }
    static const uint8_t shuffle[16][16] = {
        ROW(0, 0, 0, 0), ROW(0, 0, 0, 0), ROW(1, 0, 0, 0), ROW(0, 1, 0, 0),
        ROW(2, 0, 0, 0), ROW(0, 2, 0, 0), ROW(1, 2, 0, 0), ROW(0, 1, 2, 0),
        ROW(3, 0, 0, 0), ROW(0, 3, 0, 0), ROW(1, 3, 0, 0), ROW(0, 1, 3, 0),
        ROW(2, 3, 0, 0), ROW(0, 2, 3, 0), ROW(1, 2, 3, 0), ROW(0, 1, 2, 3)};
#undef ROW
#if defined(FRC_SIMD_NEON)
    vst1q_u8((uint8_t*)out, vqtbl1q_u8(vreinterpretq_u8_u32(values), vld1q_u8(shuffle[bits])));
    return (uint32_t)(0x4332322132212110ull >> 4 * bits) & 15;
#else
    const __m128i order = _mm_loadu_si128((const __m128i*)(const void*)shuffle[bits]);
    _mm_storeu_si128((__m128i*)(void*)out, _mm_shuffle_epi8(values, order));
    return (uint32_t)_mm_popcnt_u32(bits);
#endif
}
#elif defined(FRC_SIMD_SSE2)
/* Two lanes at a time: if the first of two is not selected the second moves to its place. */
static inline uint32_t u32x4_compress(uint32_t* out, u32x4 values, unsigned bits) {
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(values);
    const uint64_t high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(values, values));
    const uint64_t first = low >> (~bits << 5 & 32), second = high >> (~bits << 3 & 32);
    const uint32_t count = (bits & 1) + (bits >> 1 & 1);
    memcpy(out, &first, sizeof first);
    memcpy(out + count, &second, sizeof second);
    return (uint32_t)(0x4332322132212110ull >> 4 * bits) & 15;
}
#else
static inline uint32_t u32x4_compress(uint32_t* out, u32x4 values, unsigned bits) {
    uint32_t lanes[4], count = 0;
    memcpy(lanes, &values, sizeof lanes);
    for (unsigned i = 0; i < 4; i++) {
        out[count] = lanes[i];
        count += bits >> i & 1;
    }
    return count;
}
#endif
