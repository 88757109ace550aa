// Every operation compared with plain C, lane by lane, on special and random values. The scalar
// build runs the same test.
#include "base/simd_int.h"
#include "cmocka_all.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static const double SPECIAL[] = {0.0,      1.0,       -1.0,      0.5,        DBL_MAX, -DBL_MAX,
                                 DBL_MIN,  -DBL_MIN,  0x1p-1074, -0x1p-1074, 1e300,   -1e300,
                                 INFINITY, -INFINITY, 3.0,       1.0 / 3.0};
enum { SPECIALS = sizeof SPECIAL / sizeof *SPECIAL };

// No NaN and no -0: minima and maxima of these differ between instruction sets, so callers exclude
// them.
static double random_double(uint64_t* state) {
    uint64_t bits = next_random(state);
    if (bits % 4 == 0) return SPECIAL[bits / 4 % SPECIALS];
    if (bits % 4 == 1) return (double)(int64_t)(bits >> 4) * 0x1p-60;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d != d || d == 0 ? 1.5 : d;
}

static float random_float(uint64_t* state) {
    float f = (float)random_double(state);
    return f == 0 ? 0 : f;
}

static void same_double(double a, double b) {
    // All NaNs are equivalent.
    if (a != a && b != b) return;
    assert_memory_equal(&a, &b, sizeof a);
}

enum { ROUNDS = 20000 };

static void four_floats(void** state) {
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < ROUNDS; round++) {
        float a[4], b[4], low[4], high[4], out[4];
        for (int i = 0; i < 4; i++) {
            a[i] = random_float(&random), b[i] = random_float(&random);
            if (round % 3 == 0 && i == round % 4) b[i] = a[i];
            low[i] = a[i] < b[i] ? a[i] : b[i];
            high[i] = a[i] > b[i] ? a[i] : b[i];
        }
        f32x4 x = f32x4_load(a), y = f32x4_load(b);
        f32x4_store(out, f32x4_min(x, y));
        assert_memory_equal(out, low, sizeof out);
        f32x4_store(out, f32x4_max(x, y));
        assert_memory_equal(out, high, sizeof out);
        const f32x4 sums[3] = {f32x4_add(x, y), f32x4_sub(x, y), f32x4_mul(x, y)};
        for (int op = 0; op < 3; op++) {
            f32x4_store(out, sums[op]);
            for (int i = 0; i < 4; i++) {
                const float wanted = op == 0 ? a[i] + b[i] : op == 1 ? a[i] - b[i] : a[i] * b[i];
                same_double(out[i], wanted);
            }
        }
        const f32x4 rows[4] = {x, y, f32x4_splat(a[0]), f32x4_splat(b[3])};
        f32x4 columns[3];
        f32x4_transpose3(rows, columns);
        for (int k = 0; k < 3; k++) {
            const float wanted[4] = {a[k], b[k], a[0], b[3]};
            f32x4_store(out, columns[k]);
            assert_memory_equal(out, wanted, sizeof wanted);
        }
        f32x4_store(out, f32x4_splat_at(&a[2]));
        for (int i = 0; i < 4; i++) assert_memory_equal(&out[i], &a[2], sizeof out[i]);
        f32x4_store(out, f32x4_splat(a[1]));
        for (int i = 0; i < 4; i++) assert_memory_equal(&out[i], &a[1], sizeof out[i]);
        f32x4_store(out, f32x4_axes(x));
        assert_memory_equal(out, a, 3 * sizeof *out);
        assert_true(out[3] == 0);
    }
}

static unsigned plain_le(const float a[4], const float b[4]) {
    unsigned bits = 0;
    for (int i = 0; i < 4; i++) bits |= (unsigned)(a[i] <= b[i]) << i;
    return bits;
}

// Masks of comparisons of floats and of integers, combined and counted.
static void masks(void** state) {
    (void)state;
    uint64_t random = 17;
    for (int round = 0; round < ROUNDS; round++) {
        float a[4], b[4];
        uint32_t c[4], d[4];
        unsigned less = 0, same = 0, left = 0;
        for (int i = 0; i < 4; i++) {
            a[i] = random_float(&random), b[i] = random_float(&random);
            if (round % 5 == i) b[i] = a[i];
            if (round % 7 == i) b[i] = NAN;
            c[i] = (uint32_t)next_random(&random) % 3, d[i] = (uint32_t)next_random(&random) % 3;
            less |= (unsigned)(a[i] < b[i]) << i;
            left |= (unsigned)(c[i] - (unsigned)(a[i] < b[i]) == d[i]) << i;
        }
        for (int i = 0; i < 4; i++) same |= (unsigned)(c[i] == d[3]) << i;
        const m32x4 lt = f32x4_lt(f32x4_load(a), f32x4_load(b));
        const m32x4 eq = u32x4_same(u32x4_load(c), u32x4_splat_at(&d[3]));
        assert_int_equal(m32x4_bits(lt), less);
        assert_int_equal(m32x4_bits(eq), same);
        assert_int_equal(m32x4_bits(m32x4_or(lt, eq)), less | same);
        assert_int_equal(m32x4_bits(m32x4_xor(lt, eq)), less ^ same);
        assert_int_equal(m32x4_bits(u32x4_same(u32x4_less(u32x4_load(c), lt), u32x4_load(d))),
                         left);
    }
}

// A lane that is NaN overlaps nothing: empty boxes rely on this.
static void comparisons(void** state) {
    (void)state;
    uint64_t random = 13;
    for (int round = 0; round < ROUNDS; round++) {
        float a[8][4], b[8][4];
        uint32_t wanted = 0;
        lane_bits bits = lane_bits_none();
        unsigned groups = 1 + (unsigned)round % 8;
        for (unsigned g = 0; g < groups; g++) {
            for (int i = 0; i < 4; i++) {
                a[g][i] = random_float(&random), b[g][i] = random_float(&random);
                uint64_t r = next_random(&random) % 16;
                if (r < 2) a[g][i] = NAN;
                if (r == 2) b[g][i] = NAN;
                if (r == 3) b[g][i] = a[g][i];
                if (r == 4) a[g][i] = -0.0f, b[g][i] = 0;
            }
            m32x4 mask = f32x4_le(f32x4_load(a[g]), f32x4_load(b[g]));
            assert_int_equal(m32x4_bits(mask), plain_le(a[g], b[g]));
            m32x4 back = f32x4_le(f32x4_load(b[g]), f32x4_load(a[g]));
            assert_int_equal(m32x4_bits(m32x4_and(mask, back)),
                             plain_le(a[g], b[g]) & plain_le(b[g], a[g]));
            bits = lane_bits_add(bits, mask, g);
            wanted |= plain_le(a[g], b[g]) << (4 * g);
        }
        assert_int_equal(lane_bits_get(bits), wanted);
    }
}

static void check_pair(f64x2 got, double low, double high) {
    double out[2];
    f64x2_store(out, got);
    same_double(out[0], low);
    same_double(out[1], high);
    same_double(f64x2_low(got), low);
    same_double(f64x2_high(got), high);
}

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

static void two_doubles(void** state) {
    (void)state;
    uint64_t random = 17;
    for (int round = 0; round < ROUNDS; round++) {
        double a[2] = {random_double(&random), random_double(&random)};
        double b[2] = {random_double(&random), random_double(&random)};
        f64x2 x = f64x2_load(a), y = f64x2_set(b[0], b[1]);
        check_pair(x, a[0], a[1]);
        check_pair(y, b[0], b[1]);
        check_pair(f64x2_splat(a[0]), a[0], a[0]);
        check_pair(f64x2_add(x, y), a[0] + b[0], a[1] + b[1]);
        check_pair(f64x2_sub(x, y), a[0] - b[0], a[1] - b[1]);
        check_pair(f64x2_mul(x, y), a[0] * b[0], a[1] * b[1]);
        check_pair(f64x2_min(x, y), smaller(a[0], b[0]), smaller(a[1], b[1]));
        check_pair(f64x2_max(x, y), larger(a[0], b[0]), larger(a[1], b[1]));
        check_pair(f64x2_abs(x), fabs(a[0]), fabs(a[1]));
        check_pair(f64x2_neg(x), -a[0], -a[1]);
        check_pair(f64x2_swap(x), a[1], a[0]);
        check_pair(f64x2_low_low(x, y), a[0], b[0]);
        check_pair(f64x2_high_high(x, y), a[1], b[1]);
        check_pair(f64x2_pair_min(x, y), smaller(a[0], a[1]), smaller(b[0], b[1]));
        check_pair(f64x2_pair_max(x, y), larger(a[0], a[1]), larger(b[0], b[1]));
        same_double(f64x2_min_lane(x), smaller(a[0], a[1]));
        same_double(f64x2_max_lane(x), larger(a[0], a[1]));
    }
}

// A product and a sum without fusing: the low half of the product must be lost.
static void nothing_is_fused(void** state) {
    (void)state;
    volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1;
    f64x2 r = f64x2_add(f64x2_mul(f64x2_splat(a), f64x2_splat(b)), f64x2_splat(c));
    same_double(f64x2_low(r), 0.0);
    same_double(a * b + c, 0.0);
}

// -0 has the magnitude 0; where the sign of a zero is kept, it must be the same on all machines.
static void zeros(void** state) {
    (void)state;
    check_pair(f64x2_abs(f64x2_set(-0.0, 0.0)), 0.0, 0.0);
    check_pair(f64x2_neg(f64x2_set(-0.0, 0.0)), 0.0, -0.0);
}

static void four_integers(void** state) {
    (void)state;
    uint64_t random = 19;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t a[4], b[4], equal = 0, both = 0, either = 0, all = 0;
        for (int i = 0; i < 4; i++) {
            a[i] = (uint32_t)next_random(&random);
            b[i] = next_random(&random) % 2 ? a[i] : (uint32_t)next_random(&random);
            equal += a[i] == b[i] ? UINT32_MAX : 0;
            both += a[i] & b[i];
            either += a[i] | b[i];
            all += a[i];
        }
        u32x4 x = u32x4_load(a), y = u32x4_load(b);
        assert_int_equal(u32x4_sum(x), all);
        assert_int_equal(u32x4_sum(u32x4_eq(x, y)), equal);
        assert_int_equal(u32x4_sum(u32x4_and(x, y)), both);
        assert_int_equal(u32x4_sum(u32x4_or(x, y)), either);
        assert_int_equal(u32x4_sum(u32x4_splat_first(x)), 4 * a[0]);
        assert_int_equal(u32x4_sum(u32x4_splat_last(x)), 4 * a[3]);
        uint32_t sums[4], more[4], so_far = 0;
        u32x4_store(sums, u32x4_sums(x));
        u32x4_store(more, u32x4_add(x, y));
        for (int i = 0; i < 4; i++) {
            assert_int_equal(sums[i], so_far += a[i]);
            assert_int_equal(more[i], a[i] + b[i]);
        }
    }
}

static void signed_integers(void** state) {
    (void)state;
    uint64_t random = 31;
    for (int round = 0; round < 4000; round++) {
        int32_t a[4], b[4], out[4];
        for (int i = 0; i < 4; i++) {
            a[i] = (int32_t)next_random(&random), b[i] = (int32_t)next_random(&random);
            if (round % 3 == 0) b[i] = a[i];
            if (round % 5 == 0) a[i] = i % 2 ? INT32_MIN : INT32_MAX;
        }
        const i32x4 x = i32x4_load(a), y = i32x4_load(b);
        i32x4_store(out, i32x4_min(x, y));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], a[i] < b[i] ? a[i] : b[i]);
        i32x4_store(out, i32x4_max(x, y));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], a[i] > b[i] ? a[i] : b[i]);
        i32x4_store(out, i32x4_sub(x, y));
        for (int i = 0; i < 4; i++)
            assert_int_equal(out[i], (int32_t)((uint32_t)a[i] - (uint32_t)b[i]));
        i32x4_store(out, i32x4_down(x, round % 32));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], a[i] >> round % 32);
        i32x4_store(out, i32x4_down_each(x, round % 32, round % 31));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], a[i] >> (i ? round % 31 : round % 32));
        i32x4_store(out, i32x4_and(x, y));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], a[i] & b[i]);
        i32x4_store(out, i32x4_mul(x, y));
        for (int i = 0; i < 4; i++)
            assert_int_equal(out[i], (int32_t)((uint32_t)a[i] * (uint32_t)b[i]));
        i32x4_store(out, i32x4_splat(a[0]));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], a[0]);
        const i32x4 z = i32x4_splat(b[3]);
        uint32_t sum_a = 0, sum_b = 0;
        for (int i = 0; i < 4; i++) sum_a += (uint32_t)a[i], sum_b += (uint32_t)b[i];
        assert_int_equal(i32x4_sum(x), (int32_t)sum_a);
        i32x4_store(out, i32x4_sums(x, y, z));
        assert_int_equal(out[0], (int32_t)sum_a);
        assert_int_equal(out[1], (int32_t)sum_b);
        assert_int_equal(out[2], (int32_t)(4 * (uint32_t)b[3]));
        assert_int_equal(out[3], out[2]);
        unsigned less = 0;
        for (int i = 0; i < 4; i++) less |= (unsigned)(a[i] < b[i]) << i;
        assert_int_equal(m32x4_bits(i32x4_lt(x, y)), less);
        const double d[4] = {a[0] * 0.7, a[1] * 0.3, b[2] * 0.9, -0.4};
        i32x4_store(out, i32x4_from_f64(f64x2_load(d), f64x2_load(d + 2)));
        for (int i = 0; i < 4; i++) assert_int_equal(out[i], (int32_t)d[i]);
        float f[4];
        f32x4_store(f, f32x4_from_i32x4(x));
        unsigned same = 0;
        for (int i = 0; i < 4; i++) {
            assert_true(f[i] == (float)a[i]);
            same |= (unsigned)(a[i] == b[i]) << i;
        }
        assert_int_equal(m32x4_bits(i32x4_same(x, y)), same);
    }
}

// Integers of eight and sixteen bits.
static void small_numbers(void** state) {
    (void)state;
    uint64_t random = 37;
    for (int round = 0; round < 4000; round++) {
        uint16_t a[16], b[16];
        uint8_t c[16], d[16], at[16];
        for (int i = 0; i < 16; i++) {
            a[i] = (uint16_t)next_random(&random), b[i] = (uint16_t)next_random(&random);
            c[i] = (uint8_t)next_random(&random), d[i] = (uint8_t)next_random(&random);
            at[i] = next_random(&random) % 4 ? (uint8_t)(next_random(&random) % 16) : 255;
            if (next_random(&random) % 2) b[i] = a[3], d[i] = c[i];
        }
        const u16x8 one = u16x8_splat_at(&a[3]), number = u16x8_splat(7);
        const u16x8 low = u16x8_choose(u16x8_eq(one, u16x8_load(b)), number, u16x8_load(a));
        const u8x16 narrow = u16x8_narrow(low, u16x8_load(a + 8));
        const u8x16 equal = u8x16_eq(u8x16_load(c), u8x16_load(d));
        const u8x16 results[4] = {narrow, u8x16_and(equal, u8x16_load(c)),
                                  u8x16_keep_positive(u8x16_load(c), u8x16_load(d)),
                                  u8x16_lookup(u8x16_load(c), u8x16_load(at))};
        uint8_t out[4][16];
        memcpy(out, results, sizeof out);
        uint64_t pairs = 0;
        for (int i = 0; i < 16; i++) {
            assert_int_equal(out[0][i], i < 8 && b[i] == a[3] ? 7 : a[i] & 255);
            assert_int_equal(out[1][i], c[i] == d[i] ? c[i] : 0);
            assert_int_equal(out[2][i], d[i] < 128 ? c[i] : 0);
            assert_int_equal(out[3][i], at[i] == 255 ? 0 : c[at[i]]);
            for (int k = 0; k < 64; k++)
                pairs |= (uint64_t)(c[i] >> k / 8 & d[i] >> k % 8 & 1) << k;
        }
        assert_true(u8x16_outer(u8x16_load(c), u8x16_load(d)) == pairs);
        // With few elements the result is not full.
        for (int i = 0; i < 16; i++) c[i] &= d[(i + 1) % 16] & at[i], d[i] &= at[(i + 5) % 16];
        pairs = 0;
        for (int i = 0; i < 16; i++)
            for (int k = 0; k < 64; k++)
                pairs |= (uint64_t)(c[i] >> k / 8 & d[i] >> k % 8 & 1) << k;
        assert_true(u8x16_outer(u8x16_load(c), u8x16_load(d)) == pairs);
    }
}

static void cells(void** state) {
    (void)state;
    uint64_t random = 41;
    for (int round = 0; round < 4000; round++) {
        uint16_t a[8], b[8], low[4];
        float f[4];
        int32_t whole[4];
        for (int i = 0; i < 8; i++) {
            a[i] = (uint16_t)next_random(&random);
            b[i] = next_random(&random) % 4 ? (uint16_t)next_random(&random) : a[i];
        }
        for (int i = 0; i < 4; i++)
            f[i] = (float)(int32_t)next_random(&random) / (float)(4 << round % 20);
        const i16x8 x = i16x8_load(a), y = i16x8_load(b), first = i16x8_splat_at(&a[2]);
        const i16x8 rows[8] = {i16x8_gt(x, y),
                               i16x8_gt(y, x),
                               i16x8_gt(i16x8_sub(x, y), i16x8_sub(y, first)),
                               i16x8_gt(first, y),
                               i16x8_gt(i16x8_splat_lane(x, 5), y),
                               i16x8_or(i16x8_gt(x, y), i16x8_gt(y, x)),
                               i16x8_gt(x, x),
                               i16x8_gt(i16x8_splat_lane(y, 7), x)};
        const i16x8 lanes[8] = {
            i16x8_gt(i16x8_splat_lane(x, 0), y), i16x8_gt(i16x8_splat_lane(x, 1), y),
            i16x8_gt(i16x8_splat_lane(x, 2), y), i16x8_gt(i16x8_splat_lane(x, 3), y),
            i16x8_gt(i16x8_splat_lane(x, 4), y), i16x8_gt(i16x8_splat_lane(x, 5), y),
            i16x8_gt(i16x8_splat_lane(x, 6), y), i16x8_gt(i16x8_splat_lane(x, 7), y)};
        const uint64_t all = i16x8_grid(lanes);
        for (int i = 0; i < 64; i++)
            assert_true((all >> i & 1) == ((int16_t)a[i / 8] > (int16_t)b[i % 8]));
        uint64_t expected = 0;
        for (int i = 0; i < 8; i++) {
            const int16_t p = (int16_t)a[i], q = (int16_t)b[i], third = (int16_t)a[2];
            const bool is[8] = {p > q,
                                q > p,
                                (int16_t)(uint16_t)(a[i] - b[i]) > (int16_t)(uint16_t)(b[i] - a[2]),
                                third > q,
                                (int16_t)a[5] > q,
                                p != q,
                                false,
                                (int16_t)b[7] > p};
            for (int k = 0; k < 8; k++) expected |= (uint64_t)is[k] << (8 * k + i);
        }
        assert_true(i16x8_grid(rows) == expected);
        i32x4_store(whole, i32x4_from_f32x4(f32x4_load(f)));
        i32x4_store_low(low, i32x4_from_f32x4(f32x4_load(f)));
        for (int i = 0; i < 4; i++) {
            assert_int_equal(whole[i], (int32_t)f[i]);
            assert_int_equal(low[i], (uint16_t)(int32_t)f[i]);
        }
    }
}

static void compressed(void** state) {
    (void)state;
    const uint32_t values[4] = {7, 0xffffffff, 9, 11};
    for (unsigned bits = 0; bits < 16; bits++) {
        uint32_t out[4], stored[4], expected = 0;
        const uint32_t count = u32x4_compress(out, u32x4_load(values), bits);
        for (unsigned i = 0; i < 4; i++)
            if (bits >> i & 1) assert_int_equal(out[expected++], values[i]);
        assert_int_equal(count, expected);
        u32x4_store(stored, u32x4_sub(u32x4_load(values), u32x4_splat(8)));
        for (int i = 0; i < 4; i++) assert_int_equal(stored[i], values[i] - 8);
    }
}

// The nearest float below, found by trying the conversion and its neighbours.
static float plain_bound(double d) {
    const float f = (float)d;
    const float near[3] = {nextafterf(f, -INFINITY), f, nextafterf(f, INFINITY)};
    return (double)near[2] <= d ? near[2] : (double)near[1] <= d ? near[1] : near[0];
}

static void check_below(const double d[4]) {
    float lo[4], hi[4];
    const f32x4 low = f32x4_below(f64x2_load(d), f64x2_load(d + 2));
    f32x4_store(lo, low);
    f32x4_store(hi, f32x4_next(low));
    for (int i = 0; i < 4; i++) {
        assert_true((double)lo[i] <= d[i] && d[i] <= (double)hi[i]);
        assert_true(lo[i] == plain_bound(d[i]));
        assert_true(lo[i] != 0 || !signbit(lo[i]));
        assert_true(hi[i] == nextafterf(lo[i], INFINITY));
    }
}

static void floats_below_doubles(void** state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < ROUNDS; round++) {
        double d[4];
        for (int i = 0; i < 4; i++) {
            d[i] = random_double(&random);
            // Close to a float, and around zero.
            if (round % 5 == i) d[i] = nextafter((double)random_float(&random), d[i]);
            if (round % 7 == i) d[i] = (double)random_float(&random);
            if (round % 11 == i) d[i] = (round & 16 ? 1 : -1) * 0x1p-150 * (double)(round % 3);
            if (isinf(d[i])) d[i] = 1.5;
        }
        check_below(d);
    }
    const double large[4] = {1e300, -1e300, (double)FLT_MAX, -(double)FLT_MAX};
    const double small[4] = {0.0, -0.0, 5e-324, -5e-324};
    check_below(large);
    check_below(small);
    float none[4];
    f32x4_store(none, f32x4_next(f32x4_splat(NAN)));
    for (int i = 0; i < 4; i++) assert_true(isnan(none[i]));
}

static void every_other_lane(void** state) {
    (void)state;
    const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    const float evens[4] = {1, 3, 5, 7}, odds[4] = {2, 4, 6, 8};
    float even[4], odd[4];
    f32x4_store(even, f32x4_even(f32x4_load(a), f32x4_load(b)));
    f32x4_store(odd, f32x4_odd(f32x4_load(a), f32x4_load(b)));
    assert_memory_equal(even, evens, sizeof evens);
    assert_memory_equal(odd, odds, sizeof odds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_floats),
        cmocka_unit_test(floats_below_doubles),
        cmocka_unit_test(every_other_lane),
        cmocka_unit_test(signed_integers),
        cmocka_unit_test(compressed),
        cmocka_unit_test(small_numbers),
        cmocka_unit_test(cells),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(masks),
        cmocka_unit_test(two_doubles),
        cmocka_unit_test(nothing_is_fused),
        cmocka_unit_test(zeros),
        cmocka_unit_test(four_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
