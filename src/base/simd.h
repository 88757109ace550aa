/// @file simd.h  Vectors of floats and doubles; simd_int.h has integers. The only files with
/// intrinsics. Every operation gives the same bits on NEON, SSE2, SSE4, AVX2 and in the scalar
/// build: one IEEE operation per lane, no fused multiply-add, no approximation.
///
/// min/max differ between instruction sets when a lane is NaN or both are zeros of different sign;
/// callers keep NaN out and do not depend on the sign of a zero.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(FRC_SIMD_SCALAR)
#define FRC_SIMD_NAME "scalar"
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define FRC_SIMD_NEON 1
#define FRC_SIMD_NAME "neon"
#include <arm_neon.h>
#elif defined(__SSE2__)
#define FRC_SIMD_SSE2 1
#include <emmintrin.h>
#if defined(__SSE4_2__) && defined(__POPCNT__)
#define FRC_SIMD_SSE4 1
#include <immintrin.h>
#endif
#if defined(__AVX2__)
#define FRC_SIMD_NAME "avx2"
#elif defined(FRC_SIMD_SSE4)
#define FRC_SIMD_NAME "sse4"
#else
#define FRC_SIMD_NAME "sse2"
#endif
#else
#define FRC_SIMD_NAME "scalar"
#endif

/// False: the CPU lacks instructions that the library was built for.
static inline bool cpu_is_supported(void) {
#if defined(__AVX2__)
    return __builtin_cpu_supports("avx2");
#elif defined(FRC_SIMD_SSE4)
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
#else
    return true;
#endif
}

/// The pause instruction, for spin loops.
static inline void cpu_pause(void) {
#if defined(FRC_SIMD_SSE2)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* ---- four floats; _axes sets the fourth lane to 0. If it has the bits of an id, arithmetic can
 * take a hundred times as long, because these may be subnormal numbers (x86_64)
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
typedef float32x4_t f32x4;
typedef uint32x4_t m32x4;
static inline f32x4 f32x4_load(const float* p) { return vld1q_f32(p); }
static inline void f32x4_store(float* p, f32x4 a) { vst1q_f32(p, a); }
static inline f32x4 f32x4_splat(float a) { return vdupq_n_f32(a); }
static inline f32x4 f32x4_splat_at(const float* p) { return vld1q_dup_f32(p); }
static inline f32x4 f32x4_min(f32x4 a, f32x4 b) { return vminq_f32(a, b); }
static inline f32x4 f32x4_max(f32x4 a, f32x4 b) { return vmaxq_f32(a, b); }
static inline f32x4 f32x4_add(f32x4 a, f32x4 b) { return vaddq_f32(a, b); }
static inline f32x4 f32x4_sub(f32x4 a, f32x4 b) { return vsubq_f32(a, b); }
static inline f32x4 f32x4_mul(f32x4 a, f32x4 b) { return vmulq_f32(a, b); }
static inline f32x4 f32x4_div(f32x4 a, f32x4 b) { return vdivq_f32(a, b); }
static inline f32x4 f32x4_sqrt(f32x4 a) { return vsqrtq_f32(a); }
static inline f32x4 f32x4_axes(f32x4 a) { return vsetq_lane_f32(0, a, 3); }
static inline f32x4 f32x4_zip_low(f32x4 a, f32x4 b) { return vzip1q_f32(a, b); }
static inline f32x4 f32x4_zip_high(f32x4 a, f32x4 b) { return vzip2q_f32(a, b); }
static inline m32x4 f32x4_le(f32x4 a, f32x4 b) { return vcleq_f32(a, b); }
static inline m32x4 f32x4_lt(f32x4 a, f32x4 b) { return vcltq_f32(a, b); }
static inline m32x4 m32x4_and(m32x4 a, m32x4 b) { return vandq_u32(a, b); }
static inline m32x4 m32x4_or(m32x4 a, m32x4 b) { return vorrq_u32(a, b); }
static inline m32x4 m32x4_xor(m32x4 a, m32x4 b) { return veorq_u32(a, b); }
static inline f32x4 f32x4_choose(m32x4 m, f32x4 a, f32x4 b) { return vbslq_f32(m, a, b); }
static inline unsigned m32x4_bits(m32x4 a) {
    const uint32_t weight[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(a, vld1q_u32(weight)));
}
#elif defined(FRC_SIMD_SSE2)
typedef __m128 f32x4;
typedef __m128 m32x4;
static inline f32x4 f32x4_load(const float* p) { return _mm_loadu_ps(p); }
static inline void f32x4_store(float* p, f32x4 a) { _mm_storeu_ps(p, a); }
static inline f32x4 f32x4_splat(float a) { return _mm_set1_ps(a); }
static inline f32x4 f32x4_min(f32x4 a, f32x4 b) { return _mm_min_ps(a, b); }
static inline f32x4 f32x4_max(f32x4 a, f32x4 b) { return _mm_max_ps(a, b); }
static inline f32x4 f32x4_add(f32x4 a, f32x4 b) { return _mm_add_ps(a, b); }
static inline f32x4 f32x4_sub(f32x4 a, f32x4 b) { return _mm_sub_ps(a, b); }
static inline f32x4 f32x4_mul(f32x4 a, f32x4 b) { return _mm_mul_ps(a, b); }
static inline f32x4 f32x4_div(f32x4 a, f32x4 b) { return _mm_div_ps(a, b); }
static inline f32x4 f32x4_sqrt(f32x4 a) { return _mm_sqrt_ps(a); }
static inline f32x4 f32x4_axes(f32x4 a) {
    return _mm_and_ps(a, _mm_castsi128_ps(_mm_set_epi32(0, -1, -1, -1)));
}
static inline f32x4 f32x4_zip_low(f32x4 a, f32x4 b) { return _mm_unpacklo_ps(a, b); }
static inline f32x4 f32x4_zip_high(f32x4 a, f32x4 b) { return _mm_unpackhi_ps(a, b); }
static inline m32x4 f32x4_le(f32x4 a, f32x4 b) { return _mm_cmple_ps(a, b); }
static inline m32x4 f32x4_lt(f32x4 a, f32x4 b) { return _mm_cmplt_ps(a, b); }
static inline m32x4 m32x4_and(m32x4 a, m32x4 b) { return _mm_and_ps(a, b); }
static inline m32x4 m32x4_or(m32x4 a, m32x4 b) { return _mm_or_ps(a, b); }
static inline m32x4 m32x4_xor(m32x4 a, m32x4 b) { return _mm_xor_ps(a, b); }
static inline f32x4 f32x4_choose(m32x4 m, f32x4 a, f32x4 b) {
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
static inline unsigned m32x4_bits(m32x4 a) { return (unsigned)_mm_movemask_ps(a); }
#else
typedef struct {
    float v[4];
} f32x4;
typedef struct {
    unsigned v[4];
} m32x4;
static inline f32x4 f32x4_load(const float* p) {
    f32x4 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline void f32x4_store(float* p, f32x4 a) { memcpy(p, &a, sizeof a); }
static inline f32x4 f32x4_splat(float a) {
    return (f32x4){
        {a, a, a, a}
    };
}
static inline f32x4 f32x4_min(f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = b.v[i] < a.v[i] ? b.v[i] : a.v[i];
    return a;
}
static inline f32x4 f32x4_max(f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = b.v[i] > a.v[i] ? b.v[i] : a.v[i];
    return a;
}
static inline f32x4 f32x4_add(f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] + b.v[i];
    return a;
}
static inline f32x4 f32x4_sub(f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] - b.v[i];
    return a;
}
static inline f32x4 f32x4_mul(f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] * b.v[i];
    return a;
}
static inline f32x4 f32x4_div(f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = a.v[i] / b.v[i];
    return a;
}
static inline f32x4 f32x4_sqrt(f32x4 a) {
    for (int i = 0; i < 4; i++) a.v[i] = sqrtf(a.v[i]);
    return a;
}
static inline f32x4 f32x4_axes(f32x4 a) {
    a.v[3] = 0;
    return a;
}
static inline f32x4 f32x4_zip_low(f32x4 a, f32x4 b) {
    return (f32x4){
        {a.v[0], b.v[0], a.v[1], b.v[1]}
    };
}
static inline f32x4 f32x4_zip_high(f32x4 a, f32x4 b) {
    return (f32x4){
        {a.v[2], b.v[2], a.v[3], b.v[3]}
    };
}
static inline m32x4 f32x4_lt(f32x4 a, f32x4 b) {
    m32x4 r;
    for (int i = 0; i < 4; i++) r.v[i] = a.v[i] < b.v[i];
    return r;
}
static inline m32x4 f32x4_le(f32x4 a, f32x4 b) {
    m32x4 r;
    for (int i = 0; i < 4; i++) r.v[i] = a.v[i] <= b.v[i];
    return r;
}
static inline m32x4 m32x4_and(m32x4 a, m32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] &= b.v[i];
    return a;
}
static inline m32x4 m32x4_or(m32x4 a, m32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] |= b.v[i];
    return a;
}
static inline m32x4 m32x4_xor(m32x4 a, m32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] ^= b.v[i];
    return a;
}
static inline f32x4 f32x4_choose(m32x4 m, f32x4 a, f32x4 b) {
    for (int i = 0; i < 4; i++) a.v[i] = m.v[i] ? a.v[i] : b.v[i];
    return a;
}
static inline unsigned m32x4_bits(m32x4 a) {
    return a.v[0] | a.v[1] << 1 | a.v[2] << 2 | a.v[3] << 3;
}
#endif

/* The first three lanes of four registers, lane by lane. */
static inline void f32x4_transpose3(const f32x4 in[4], f32x4 out[3]) {
    f32x4 low_even = f32x4_zip_low(in[0], in[2]), low_odd = f32x4_zip_low(in[1], in[3]);
    out[0] = f32x4_zip_low(low_even, low_odd);
    out[1] = f32x4_zip_high(low_even, low_odd);
    out[2] = f32x4_zip_low(f32x4_zip_high(in[0], in[2]), f32x4_zip_high(in[1], in[3]));
}

#if !defined(FRC_SIMD_NEON)
static inline f32x4 f32x4_splat_at(const float* p) { return f32x4_splat(*p); }
#endif

/* Masks of at most eight groups of four lanes as the bits of one number: lane i of group g is bit
   4 g + i. On NEON the slow conversion from lanes to a number is then done once for all groups. */

#if defined(FRC_SIMD_NEON)
typedef uint32x4_t lane_bits;
static inline lane_bits lane_bits_none(void) { return vdupq_n_u32(0); }
static inline lane_bits lane_bits_add(lane_bits bits, m32x4 mask, unsigned group) {
    const uint32_t weight[4] = {1, 2, 4, 8};
    uint32x4_t shifted = vshlq_u32(vld1q_u32(weight), vdupq_n_s32((int)(4 * group)));
    return vorrq_u32(bits, vandq_u32(mask, shifted));
}
static inline uint32_t lane_bits_get(lane_bits bits) { return vaddvq_u32(bits); }
#else
typedef uint32_t lane_bits;
static inline lane_bits lane_bits_none(void) { return 0; }
static inline lane_bits lane_bits_add(lane_bits bits, m32x4 mask, unsigned group) {
    return bits | m32x4_bits(mask) << (4 * group);
}
static inline uint32_t lane_bits_get(lane_bits bits) { return bits; }
#endif

/* Eight rows of eight masks as one number: lane j of row i is bit 8 i + j. `rows[2 i]` and
   `rows[2 i + 1]` are the halves of row i. */

#if defined(FRC_SIMD_NEON)
static inline uint64_t m32x4_grid(const m32x4 rows[16]) {
    static const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t weights = vld1q_u8(weight);
    uint8x16_t two[4];
    for (int i = 0; i < 4; i++) {
        const uint16x8_t even =
            vuzp1q_u16(vreinterpretq_u16_u32(rows[4 * i]), vreinterpretq_u16_u32(rows[4 * i + 1]));
        const uint16x8_t odd = vuzp1q_u16(vreinterpretq_u16_u32(rows[4 * i + 2]),
                                          vreinterpretq_u16_u32(rows[4 * i + 3]));
        two[i] =
            vandq_u8(vuzp1q_u8(vreinterpretq_u8_u16(even), vreinterpretq_u8_u16(odd)), weights);
    }
    const uint8x16_t four = vpaddq_u8(vpaddq_u8(two[0], two[1]), vpaddq_u8(two[2], two[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(four, four)), 0);
}
#elif defined(FRC_SIMD_SSE2)
static inline uint64_t m32x4_grid(const m32x4 rows[16]) {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i even =
            _mm_packs_epi32(_mm_castps_si128(rows[4 * i]), _mm_castps_si128(rows[4 * i + 1]));
        const __m128i odd =
            _mm_packs_epi32(_mm_castps_si128(rows[4 * i + 2]), _mm_castps_si128(rows[4 * i + 3]));
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(even, odd)) << 16 * i;
    }
    return bits;
}
#else
static inline uint64_t m32x4_grid(const m32x4 rows[16]) {
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++) bits |= (uint64_t)m32x4_bits(rows[i]) << 4 * i;
    return bits;
}
#endif

/* ---- two doubles
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
typedef float64x2_t f64x2;
static inline f64x2 f64x2_load(const double* p) { return vld1q_f64(p); }
static inline void f64x2_store(double* p, f64x2 a) { vst1q_f64(p, a); }
static inline f64x2 f64x2_splat(double a) { return vdupq_n_f64(a); }
static inline f64x2 f64x2_add(f64x2 a, f64x2 b) { return vaddq_f64(a, b); }
static inline f64x2 f64x2_sub(f64x2 a, f64x2 b) { return vsubq_f64(a, b); }
static inline f64x2 f64x2_mul(f64x2 a, f64x2 b) { return vmulq_f64(a, b); }
static inline f64x2 f64x2_min(f64x2 a, f64x2 b) { return vminq_f64(a, b); }
static inline f64x2 f64x2_max(f64x2 a, f64x2 b) { return vmaxq_f64(a, b); }
static inline f64x2 f64x2_abs(f64x2 a) { return vabsq_f64(a); }
static inline f64x2 f64x2_neg(f64x2 a) { return vnegq_f64(a); }
static inline f64x2 f64x2_swap(f64x2 a) { return vextq_f64(a, a, 1); }
static inline f64x2 f64x2_low_low(f64x2 a, f64x2 b) { return vzip1q_f64(a, b); }
static inline f64x2 f64x2_high_high(f64x2 a, f64x2 b) { return vzip2q_f64(a, b); }
static inline f64x2 f64x2_pair_min(f64x2 a, f64x2 b) { return vpminq_f64(a, b); }
static inline f64x2 f64x2_pair_max(f64x2 a, f64x2 b) { return vpmaxq_f64(a, b); }
static inline double f64x2_low(f64x2 a) { return vgetq_lane_f64(a, 0); }
static inline double f64x2_high(f64x2 a) { return vgetq_lane_f64(a, 1); }
typedef uint64x2_t m64x2;
static inline f64x2 f64x2_div(f64x2 a, f64x2 b) { return vdivq_f64(a, b); }
static inline f64x2 f64x2_sqrt(f64x2 a) { return vsqrtq_f64(a); }
static inline m64x2 f64x2_lt(f64x2 a, f64x2 b) { return vcltq_f64(a, b); }
static inline m64x2 f64x2_le(f64x2 a, f64x2 b) { return vcleq_f64(a, b); }
static inline m64x2 f64x2_eq(f64x2 a, f64x2 b) { return vceqq_f64(a, b); }
static inline m64x2 m64x2_and(m64x2 a, m64x2 b) { return vandq_u64(a, b); }
static inline m64x2 m64x2_or(m64x2 a, m64x2 b) { return vorrq_u64(a, b); }
static inline f64x2 f64x2_choose(m64x2 m, f64x2 a, f64x2 b) { return vbslq_f64(m, a, b); }
static inline unsigned m64x2_bits(m64x2 a) {
    return (unsigned)(vgetq_lane_u64(a, 0) & 1) | (unsigned)(vgetq_lane_u64(a, 1) & 2);
}
#elif defined(FRC_SIMD_SSE2)
typedef __m128d f64x2;
static inline f64x2 f64x2_load(const double* p) { return _mm_loadu_pd(p); }
static inline void f64x2_store(double* p, f64x2 a) { _mm_storeu_pd(p, a); }
static inline f64x2 f64x2_splat(double a) { return _mm_set1_pd(a); }
static inline f64x2 f64x2_add(f64x2 a, f64x2 b) { return _mm_add_pd(a, b); }
static inline f64x2 f64x2_sub(f64x2 a, f64x2 b) { return _mm_sub_pd(a, b); }
static inline f64x2 f64x2_mul(f64x2 a, f64x2 b) { return _mm_mul_pd(a, b); }
static inline f64x2 f64x2_min(f64x2 a, f64x2 b) { return _mm_min_pd(a, b); }
static inline f64x2 f64x2_max(f64x2 a, f64x2 b) { return _mm_max_pd(a, b); }
static inline f64x2 f64x2_abs(f64x2 a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
static inline f64x2 f64x2_neg(f64x2 a) { return _mm_xor_pd(_mm_set1_pd(-0.0), a); }
static inline f64x2 f64x2_swap(f64x2 a) { return _mm_shuffle_pd(a, a, 1); }
static inline f64x2 f64x2_low_low(f64x2 a, f64x2 b) { return _mm_unpacklo_pd(a, b); }
static inline f64x2 f64x2_high_high(f64x2 a, f64x2 b) { return _mm_unpackhi_pd(a, b); }
static inline double f64x2_low(f64x2 a) { return _mm_cvtsd_f64(a); }
static inline double f64x2_high(f64x2 a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a)); }
typedef __m128d m64x2;
static inline f64x2 f64x2_div(f64x2 a, f64x2 b) { return _mm_div_pd(a, b); }
static inline f64x2 f64x2_sqrt(f64x2 a) { return _mm_sqrt_pd(a); }
static inline m64x2 f64x2_lt(f64x2 a, f64x2 b) { return _mm_cmplt_pd(a, b); }
static inline m64x2 f64x2_le(f64x2 a, f64x2 b) { return _mm_cmple_pd(a, b); }
static inline m64x2 f64x2_eq(f64x2 a, f64x2 b) { return _mm_cmpeq_pd(a, b); }
static inline m64x2 m64x2_and(m64x2 a, m64x2 b) { return _mm_and_pd(a, b); }
static inline m64x2 m64x2_or(m64x2 a, m64x2 b) { return _mm_or_pd(a, b); }
static inline f64x2 f64x2_choose(m64x2 m, f64x2 a, f64x2 b) {
    return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b));
}
static inline unsigned m64x2_bits(m64x2 a) { return (unsigned)_mm_movemask_pd(a); }
#else
typedef struct {
    double v[2];
} f64x2;
static inline f64x2 f64x2_load(const double* p) {
    return (f64x2){
        {p[0], p[1]}
    };
}
static inline void f64x2_store(double* p, f64x2 a) {
    p[0] = a.v[0];
    p[1] = a.v[1];
}
static inline f64x2 f64x2_splat(double a) {
    return (f64x2){
        {a, a}
    };
}
static inline f64x2 f64x2_add(f64x2 a, f64x2 b) {
    return (f64x2){
        {a.v[0] + b.v[0], a.v[1] + b.v[1]}
    };
}
static inline f64x2 f64x2_sub(f64x2 a, f64x2 b) {
    return (f64x2){
        {a.v[0] - b.v[0], a.v[1] - b.v[1]}
    };
}
static inline f64x2 f64x2_mul(f64x2 a, f64x2 b) {
    return (f64x2){
        {a.v[0] * b.v[0], a.v[1] * b.v[1]}
    };
}
static inline f64x2 f64x2_min(f64x2 a, f64x2 b) {
    return (f64x2){
        {b.v[0] < a.v[0] ? b.v[0] : a.v[0], b.v[1] < a.v[1] ? b.v[1] : a.v[1]}
    };
}
static inline f64x2 f64x2_max(f64x2 a, f64x2 b) {
    return (f64x2){
        {b.v[0] > a.v[0] ? b.v[0] : a.v[0], b.v[1] > a.v[1] ? b.v[1] : a.v[1]}
    };
}
static inline f64x2 f64x2_abs(f64x2 a) {
    return (f64x2){
        {__builtin_fabs(a.v[0]), __builtin_fabs(a.v[1])}
    };
}
static inline f64x2 f64x2_neg(f64x2 a) {
    return (f64x2){
        {-a.v[0], -a.v[1]}
    };
}
static inline f64x2 f64x2_swap(f64x2 a) {
    return (f64x2){
        {a.v[1], a.v[0]}
    };
}
static inline f64x2 f64x2_low_low(f64x2 a, f64x2 b) {
    return (f64x2){
        {a.v[0], b.v[0]}
    };
}
static inline f64x2 f64x2_high_high(f64x2 a, f64x2 b) {
    return (f64x2){
        {a.v[1], b.v[1]}
    };
}
static inline double f64x2_low(f64x2 a) { return a.v[0]; }
static inline double f64x2_high(f64x2 a) { return a.v[1]; }
typedef struct {
    unsigned v[2];
} m64x2;
static inline f64x2 f64x2_div(f64x2 a, f64x2 b) {
    return (f64x2){
        {a.v[0] / b.v[0], a.v[1] / b.v[1]}
    };
}
static inline f64x2 f64x2_sqrt(f64x2 a) {
    return (f64x2){
        {sqrt(a.v[0]), sqrt(a.v[1])}
    };
}
static inline m64x2 f64x2_lt(f64x2 a, f64x2 b) {
    return (m64x2){
        {a.v[0] < b.v[0], a.v[1] < b.v[1]}
    };
}
static inline m64x2 f64x2_le(f64x2 a, f64x2 b) {
    return (m64x2){
        {a.v[0] <= b.v[0], a.v[1] <= b.v[1]}
    };
}
static inline m64x2 f64x2_eq(f64x2 a, f64x2 b) {
    return (m64x2){
        {a.v[0] == b.v[0], a.v[1] == b.v[1]}
    };
}
static inline m64x2 m64x2_and(m64x2 a, m64x2 b) {
    return (m64x2){
        {a.v[0] & b.v[0], a.v[1] & b.v[1]}
    };
}
static inline m64x2 m64x2_or(m64x2 a, m64x2 b) {
    return (m64x2){
        {a.v[0] | b.v[0], a.v[1] | b.v[1]}
    };
}
static inline f64x2 f64x2_choose(m64x2 m, f64x2 a, f64x2 b) {
    return (f64x2){
        {m.v[0] ? a.v[0] : b.v[0], m.v[1] ? a.v[1] : b.v[1]}
    };
}
static inline unsigned m64x2_bits(m64x2 a) { return a.v[0] | a.v[1] << 1; }
#endif
#if !defined(FRC_SIMD_NEON)
/// The smaller lane of a, the smaller lane of b.
static inline f64x2 f64x2_pair_min(f64x2 a, f64x2 b) {
    return f64x2_min(f64x2_low_low(a, b), f64x2_high_high(a, b));
}
static inline f64x2 f64x2_pair_max(f64x2 a, f64x2 b) {
    return f64x2_max(f64x2_low_low(a, b), f64x2_high_high(a, b));
}
#endif
static inline f64x2 f64x2_set(double low, double high) {
    const double pair[2] = {low, high};
    return f64x2_load(pair);
}
#if defined(FRC_SIMD_NEON)
static inline double f64x2_min_lane(f64x2 a) { return vminvq_f64(a); }
static inline double f64x2_max_lane(f64x2 a) { return vmaxvq_f64(a); }
#else
static inline double f64x2_min_lane(f64x2 a) { return f64x2_low(f64x2_min(a, f64x2_swap(a))); }
static inline double f64x2_max_lane(f64x2 a) { return f64x2_low(f64x2_max(a, f64x2_swap(a))); }
#endif

/* ---- f32x4_from: two times two doubles to four floats, rounded to nearest; _swap_pairs swaps
 * lanes 0 and 1, and lanes 2 and 3
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
static inline f32x4 f32x4_from(f64x2 a, f64x2 b) { return vcvt_high_f32_f64(vcvt_f32_f64(a), b); }
static inline f32x4 f32x4_swap_pairs(f32x4 a) { return vrev64q_f32(a); }
static inline f32x4 f32x4_abs(f32x4 a) { return vabsq_f32(a); }
#elif defined(FRC_SIMD_SSE2)
static inline f32x4 f32x4_from(f64x2 a, f64x2 b) {
    return _mm_movelh_ps(_mm_cvtpd_ps(a), _mm_cvtpd_ps(b));
}
static inline f32x4 f32x4_swap_pairs(f32x4 a) {
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1));
}
static inline f32x4 f32x4_abs(f32x4 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
#else
static inline f32x4 f32x4_from(f64x2 a, f64x2 b) {
    return (f32x4){
        {(float)a.v[0], (float)a.v[1], (float)b.v[0], (float)b.v[1]}
    };
}
static inline f32x4 f32x4_swap_pairs(f32x4 a) {
    return (f32x4){
        {a.v[1], a.v[0], a.v[3], a.v[2]}
    };
}
static inline f32x4 f32x4_abs(f32x4 a) {
    for (int i = 0; i < 4; i++) a.v[i] = __builtin_fabsf(a.v[i]);
    return a;
}
#endif

/* ---- rounding finite doubles down to floats

   `below` is the largest float that is not above the double, and never -0. The conversion to
   nearest is at most one float above it. Floats of one sign have the same order as their bits, so
   the step to an adjacent float is the addition of 1 or, for negative numbers, the subtraction. A
   zero keeps its sign in that step, because a double that rounds to it has that sign. `next` is
   the next larger float, for all floats except -0 and +inf; NaN stays NaN. `even` returns lanes 0
   and 2 of both arguments, `odd` lanes 1 and 3.
 * ---------------------------------------------------------------------------------- */

#if defined(FRC_SIMD_NEON)
static inline uint32x4_t f32x4_step(f32x4 f) {
    return vorrq_u32(vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_f32(f), 31)),
                     vdupq_n_u32(1));
}
static inline f32x4 f32x4_below(f64x2 a, f64x2 b) {
    const f32x4 f = f32x4_from(a, b);
    const f64x2 fa = vcvt_f64_f32(vget_low_f32(f)), fb = vcvt_high_f64_f32(f);
    const uint32x4_t above = vuzp1q_u32(vreinterpretq_u32_u64(vcgtq_f64(fa, a)),
                                        vreinterpretq_u32_u64(vcgtq_f64(fb, b)));
    const uint32x4_t bits = vsubq_u32(vreinterpretq_u32_f32(f), vandq_u32(f32x4_step(f), above));
    return vaddq_f32(vreinterpretq_f32_u32(bits), vdupq_n_f32(0));
}
static inline f32x4 f32x4_next(f32x4 f) {
    return vreinterpretq_f32_u32(vaddq_u32(vreinterpretq_u32_f32(f), f32x4_step(f)));
}
static inline f32x4 f32x4_even(f32x4 a, f32x4 b) { return vuzp1q_f32(a, b); }
static inline f32x4 f32x4_odd(f32x4 a, f32x4 b) { return vuzp2q_f32(a, b); }
#elif defined(FRC_SIMD_SSE2)
static inline __m128i f32x4_step(f32x4 f) {
    return _mm_or_si128(_mm_srai_epi32(_mm_castps_si128(f), 31), _mm_set1_epi32(1));
}
static inline f32x4 f32x4_below(f64x2 a, f64x2 b) {
    const f32x4 f = f32x4_from(a, b);
    const f64x2 fa = _mm_cvtps_pd(f), fb = _mm_cvtps_pd(_mm_movehl_ps(f, f));
    const __m128 above =
        _mm_shuffle_ps(_mm_castpd_ps(_mm_cmpgt_pd(fa, a)), _mm_castpd_ps(_mm_cmpgt_pd(fb, b)),
                       _MM_SHUFFLE(2, 0, 2, 0));
    const __m128i bits =
        _mm_sub_epi32(_mm_castps_si128(f), _mm_and_si128(f32x4_step(f), _mm_castps_si128(above)));
    return _mm_add_ps(_mm_castsi128_ps(bits), _mm_setzero_ps());
}
static inline f32x4 f32x4_next(f32x4 f) {
    return _mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(f), f32x4_step(f)));
}
static inline f32x4 f32x4_even(f32x4 a, f32x4 b) {
    return _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
}
static inline f32x4 f32x4_odd(f32x4 a, f32x4 b) {
    return _mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}
#else
static inline uint32_t f32_moved(float f, int32_t by) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits >> 31 ? bits - (uint32_t)by : bits + (uint32_t)by;
}
static inline f32x4 f32x4_below(f64x2 a, f64x2 b) {
    const double d[4] = {a.v[0], a.v[1], b.v[0], b.v[1]};
    f32x4 out;
    for (int i = 0; i < 4; i++) {
        float f = (float)d[i];
        const uint32_t bits = f32_moved(f, (double)f > d[i] ? -1 : 0);
        memcpy(&f, &bits, sizeof f);
        out.v[i] = f + 0.0F;
    }
    return out;
}
static inline f32x4 f32x4_next(f32x4 f) {
    for (int i = 0; i < 4; i++) {
        const uint32_t bits = f32_moved(f.v[i], 1);
        memcpy(&f.v[i], &bits, sizeof bits);
    }
    return f;
}
static inline f32x4 f32x4_even(f32x4 a, f32x4 b) {
    return (f32x4){
        {a.v[0], a.v[2], b.v[0], b.v[2]}
    };
}
static inline f32x4 f32x4_odd(f32x4 a, f32x4 b) {
    return (f32x4){
        {a.v[1], a.v[3], b.v[1], b.v[3]}
    };
}
#endif
