// Cell coordinates are monotone for all doubles; points sorted by cell, with keys, for any number
// of workers.
#include "cmocka_all.h"
#include "grid/sorted_points.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double any_double(uint64_t* state) {
    for (;;) {
        double d;
        uint64_t bits = next_random(state);
        if (bits & 1) return (double)(int64_t)(next_random(state) >> 20) * 0x1p-30;
        memcpy(&d, &bits, sizeof d);
        if (isfinite(d)) return d;
    }
}

static void monotone(void** state) {
    (void)state;
    static const double sizes[] = {1, 0.37, 1e-300, 0x1p-1074, 1e300, DBL_MAX, 1e-9};
    uint64_t random = 9;
    for (int round = 0; round < 300000; round++) {
        const double scale = frc_cell_scale(sizes[round % 7]);
        double a = any_double(&random), b = round % 3 ? any_double(&random) : nextafter(a, DBL_MAX);
        if (!isfinite(b)) continue;
        if (a > b) {
            const double t = a;
            a = b, b = t;
        }
        assert_true(isfinite(scale) && scale > 0);
        const int32_t x = frc_cell_unit(scale, a), y = frc_cell_unit(scale, b);
        assert_true(x <= y);
        // The SIMD function gives the same result.
        int32_t three[4];
        i32x4_store(three, frc_cell_units(scale, (const double[3]){b, a, b}));
        assert_true(three[0] == y && three[1] == x && three[2] == y && three[3] == y);
        i32x4_store(three, frc_cell_units(scale, (const double[3]){a, b, a}));
        assert_true(three[0] == x && three[1] == y && three[2] == x && three[3] == x);
        assert_true((double)x >= -FRC_CELL_LIMIT && (double)y <= FRC_CELL_LIMIT);
        // Within the limit it is a floor, except for rounding.
        if (fabs(a * scale) < FRC_CELL_LIMIT - 1) {
            assert_true((double)x <= a * scale + 0x1p-20 && a * scale < x + 1 + 0x1p-20);
            assert_false(frc_cell_clamped(x) && fabs(a * scale) < FRC_CELL_LIMIT - 1);
        }
    }
}

static fracas_context* context(uint32_t workers) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    fracas_context* c;
    assert_int_equal(fracas_context_create(&options, &c), FRACAS_OK);
    return c;
}

// Nine bits of each coordinate in 1/32 of a cell, in fields of ten bits, the tenth set.
static uint32_t key_of(const int32_t unit[3]) {
    uint32_t key = 0;
    for (int k = 0; k < 3; k++) {
        const int32_t in_32nds = unit[k] >> (FRC_CELL_BITS - 5);
        key |= (512u | ((uint32_t)in_32nds & 511)) << 10 * k;
    }
    return key;
}

// Ranges and slices in reverse: the result must not depend on their order.
static bool sort_points(fracas_context* c, const int32_t (*units)[4], uint32_t count,
                        const int32_t lo[3], const int32_t hi[3], frc_sorted_points* out) {
    frc_point_sort sort;
    if (!frc_point_sort_begin(&sort, c, units, count, lo, hi, out)) return false;
    for (uint32_t i = frc_point_sort_ranges(&sort); i-- > 0;) frc_point_sort_range(&sort, i);
    for (uint32_t i = sort.slices; i-- > 0;) frc_point_sort_slice(&sort, i);
    return true;
}

// Every point is in its cell of the table, and in the same cell of the previous row.
static void sorted_points(void** state) {
    (void)state;
    enum { COUNT = 3000 };
    fracas_context* c = context(1);
    frc_sorted_points sorted = {0};
    uint64_t random = 4;
    for (int spread = 8; spread <= 29; spread += 3) {
        static int32_t units[COUNT][4];
        int32_t lo[3] = {INT32_MAX, INT32_MAX, INT32_MAX},
                hi[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++) {
                units[i][k] =
                    (int32_t)(next_random(&random) >> (64 - spread)) - (1 << (spread - 1));
                lo[k] = units[i][k] < lo[k] ? units[i][k] : lo[k];
                hi[k] = units[i][k] > hi[k] ? units[i][k] : hi[k];
            }
        assert_true(sort_points(c, (const int32_t(*)[4])units, COUNT, lo, hi, &sorted));
        const frc_cell_table* t = &sorted.table;
        assert_true(t->count <= 32 * COUNT + 64);
        const int copies = t->size[1] > 1 ? 2 : 1;
        assert_int_equal(sorted.starts.data[t->count], copies * COUNT);
        static int seen[COUNT], own[COUNT];
        memset(seen, 0, sizeof seen);
        memset(own, 0, sizeof own);
        for (uint32_t cell = 0; cell < t->count; cell++)
            for (uint32_t at = sorted.starts.data[cell]; at < sorted.starts.data[cell + 1]; at++) {
                const uint32_t p = sorted.points.data[at];
                uint32_t folded[3];
                for (int k = 0; k < 3; k++)
                    folded[k] = frc_cell_fold(t, k, frc_cell_of(t, k, units[p][k]));
                const uint32_t before = (folded[1] + t->size[1] - 1) % t->size[1];
                const bool is_own = cell == frc_cell_row(t, folded[1], folded[2]) + folded[0];
                assert_true(is_own || cell == frc_cell_row(t, before, folded[2]) + folded[0]);
                own[p] += is_own;
                assert_int_equal(sorted.keys.data[at], key_of(units[p]));
                seen[p]++;
            }
        for (int i = 0; i < COUNT; i++) assert_true(seen[i] == copies && own[i] == 1);
    }
    frc_sorted_points_release(c, &sorted);
    fracas_context_destroy(c);
}

// Cubic, flat, tall, most points in one layer, folded.
static void shape_units(int32_t units[][4], uint32_t count, int shape, uint64_t* random) {
    static const int spreads[5][3] = {
        {18, 18, 18},
        {18, 18, 8 },
        {8,  10, 20},
        {18, 18, 18},
        {29, 29, 29}
    };
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const int spread = spreads[shape][k];
            units[i][k] = (int32_t)(next_random(random) >> (64 - spread)) - (1 << (spread - 1));
        }
        if (shape == 3 && i % 16) units[i][2] = 5;
    }
}

static void find_bounds(const int32_t units[][4], uint32_t count, int32_t lo[3], int32_t hi[3]) {
    for (int k = 0; k < 3; k++) lo[k] = INT32_MAX, hi[k] = INT32_MIN;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            lo[k] = units[i][k] < lo[k] ? units[i][k] : lo[k];
            hi[k] = units[i][k] > hi[k] ? units[i][k] : hi[k];
        }
}

static void same_sorted(const frc_sorted_points* a, const frc_sorted_points* b) {
    const size_t entries = a->starts.data[a->table.count];
    assert_memory_equal(&a->table, &b->table, sizeof a->table);
    assert_memory_equal(a->starts.data, b->starts.data,
                        ((size_t)a->table.count + 1) * sizeof(uint32_t));
    assert_memory_equal(a->keys.data, b->keys.data, entries * sizeof(uint32_t));
    assert_memory_equal(a->points.data, b->points.data, entries * sizeof(uint32_t));
}

// Any number of workers gives the result of one. Counts that are and are not multiples of 64; each
// sort reuses the arrays of another shape.
static void any_workers(void** state) {
    (void)state;
    enum { COUNT = 5000 };
    static int32_t units[COUNT][4];
    static const uint32_t workers[] = {2, 3, 8, 31}, counts[] = {COUNT, 767, 768, 1025, 1983, 1};
    uint64_t random = 7;
    frc_sorted_points one = {0}, many[4] = {0};
    fracas_context *c = context(1), *contexts[4];
    for (int w = 0; w < 4; w++) contexts[w] = context(workers[w]);
    for (int round = 0; round < 30; round++) {
        const uint32_t count = counts[round / 5];
        const int32_t(*points)[4] = (const int32_t(*)[4])units;
        int32_t lo[3], hi[3];
        shape_units(units, count, round % 5, &random);
        find_bounds(points, count, lo, hi);
        assert_true(sort_points(c, points, count, lo, hi, &one));
        // Once divided by the counts of another shape, once by those of the same.
        for (int w = 0; w < 8; w++) {
            assert_true(sort_points(contexts[w % 4], points, count, lo, hi, &many[w % 4]));
            same_sorted(&one, &many[w % 4]);
        }
    }
    for (int w = 0; w < 4; w++) {
        frc_sorted_points_release(contexts[w], &many[w]);
        fracas_context_destroy(contexts[w]);
    }
    frc_sorted_points_release(c, &one);
    fracas_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monotone),
        cmocka_unit_test(sorted_points),
        cmocka_unit_test(any_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
