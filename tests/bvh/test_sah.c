// Splits by the surface area heuristic, compared with a plain reference that tries every position,
// on random boxes, ties, flat boxes and huge coordinates.
#include "bvh/build.h"
#include "cmocka_all.h"
#include <float.h>
#include <math.h>
#include <string.h>

static uint64_t next_random(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static uint32_t below(uint64_t* state, uint32_t limit) {
    return (uint32_t)(next_random(state) % limit);
}

static float between(uint64_t* state, float lo, float hi) {
    return lo + (hi - lo) * (float)next_random(state) * 0x1p-31f;
}

enum { MAX_PRIMS = 300, BINS = 16, SMALL = 32 };

typedef struct plain_split {
    uint32_t left;
    bool is_left[MAX_PRIMS];    // by id
    uint32_t order[MAX_PRIMS];  // ids, where ranges are small
    bool sorted;
} plain_split;

static float center(const frc_prim* p, int k) { return p->lo[k] * 0.5f + p->hi[k] * 0.5f; }

static float area_of(const frc_prim* prims, const bool* in, uint32_t count) {
    float lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; in[i] && k < 3; k++) {
            lo[k] = fminf(lo[k], prims[i].lo[k]);
            hi[k] = fmaxf(hi[k], prims[i].hi[k]);
        }
    const float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x * y + y * z + z * x;
}

static float cost_of(const frc_prim* prims, const bool* left, uint32_t count, uint32_t leaf_size) {
    bool right[MAX_PRIMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) right[i] = !left[i], n += left[i];
    if (n == 0 || n == count) return INFINITY;
    return area_of(prims, left, count) * (float)((n + leaf_size - 1) / leaf_size) +
           area_of(prims, right, count) * (float)((count - n + leaf_size - 1) / leaf_size);
}

static void sort_along(const frc_prim* prims, uint32_t count, int k, uint32_t* order) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = i;
        for (; j > 0 && center(&prims[i], k) < center(&prims[order[j - 1]], k); j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

static void split_small_plainly(const frc_prim* prims, uint32_t count, uint32_t leaf_size,
                                plain_split* out) {
    float best = INFINITY;
    for (int k = 0; k < 3; k++) {
        uint32_t order[MAX_PRIMS];
        sort_along(prims, count, k, order);
        for (uint32_t i = leaf_size; i < count; i += leaf_size) {
            bool left[MAX_PRIMS] = {false};
            for (uint32_t j = 0; j < i; j++) left[order[j]] = true;
            const float cost = cost_of(prims, left, count, leaf_size);
            if (!(cost < best)) continue;
            best = cost;
            out->left = i, out->sorted = true;
            memcpy(out->is_left, left, sizeof left);
            memcpy(out->order, order, sizeof order);
        }
    }
}

static uint32_t bin_of(float at, float lo, float width) {
    const float scale = width > FLT_MIN ? (float)BINS * 0.9999f / width : 0;
    const float place = (at - lo) * scale;
    return place > 0 ? (place < BINS - 1 ? (uint32_t)place : BINS - 1) : 0;
}

static void split_binned_plainly(const frc_prim* prims, uint32_t count, uint32_t leaf_size,
                                 plain_split* out) {
    float best = INFINITY;
    for (int k = 0; k < 3; k++) {
        float lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < count; i++)
            lo = fminf(lo, center(&prims[i], k)), hi = fmaxf(hi, center(&prims[i], k));
        for (uint32_t place = 1; place < BINS; place++) {
            bool left[MAX_PRIMS] = {false};
            uint32_t n = 0;
            for (uint32_t i = 0; i < count; i++) {
                left[i] = bin_of(center(&prims[i], k), lo, hi - lo) < place;
                n += left[i];
            }
            const float cost = cost_of(prims, left, count, leaf_size);
            if (!(cost < best)) continue;
            best = cost;
            out->left = n;
            memcpy(out->is_left, left, sizeof left);
        }
    }
}

// ---- boxes

typedef enum form { SCATTERED, ON_A_GRID, ALL_THE_SAME, FLAT, HUGE_ONES, KINDS } form;

static float coordinate(uint64_t* r, form kind) {
    switch (kind) {
    case ON_A_GRID:
        return (float)below(r, 4) - 1.5f;
    case ALL_THE_SAME:
        return 3;
    case HUGE_ONES:
        return (below(r, 2) ? 1.0f : -1.0f) * FLT_MAX;
    default:
        return between(r, -1, 1);
    }
}

static void make_prims(uint64_t* r, form kind, uint32_t count, frc_prim* prims) {
    for (uint32_t i = 0; i < count; i++) {
        prims[i] = (frc_prim){.id = i};
        for (int k = 0; k < 3; k++) {
            const float a = kind == FLAT && k == 2 ? 0 : coordinate(r, kind);
            const float size = kind == HUGE_ONES || kind == FLAT ? 0 : between(r, 0, 0.2f);
            prims[i].lo[k] = a;
            prims[i].hi[k] = a + (kind == ON_A_GRID || kind == ALL_THE_SAME ? 1 : size);
        }
    }
}

// ---- the test

static void check(uint64_t* r, form kind, uint32_t count, uint32_t leaf_size) {
    frc_prim prims[MAX_PRIMS], before[MAX_PRIMS];
    make_prims(r, kind, count, prims);
    memcpy(before, prims, sizeof before);
    plain_split plain = {0};
    if (count <= SMALL)
        split_small_plainly(before, count, leaf_size, &plain);
    else
        split_binned_plainly(before, count, leaf_size, &plain);
    frc_splitter splitter = {.prims = prims, .count = count};
    splitter.options.leaf_size = leaf_size;
    const frc_range whole = {0, count, 0, 0};
    frc_range half[2];
    frc_split_sah(&splitter, &whole, half);
    assert_int_equal(half[0].first, 0);
    assert_int_equal(half[0].count + half[1].count, count);
    assert_int_equal(half[1].first, half[0].count);
    bool seen[MAX_PRIMS] = {false};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = prims[i].id;
        assert_true(id < count && !seen[id]);
        assert_memory_equal(&prims[i], &before[id], sizeof *prims);
        seen[id] = true;
        if (plain.left > 0) assert_int_equal(i < half[0].count, plain.is_left[id]);
        if (plain.sorted) assert_int_equal(id, plain.order[i]);
    }
    assert_int_equal(half[0].count, plain.left > 0 ? plain.left : frc_half(count, leaf_size));
}

static void same_splits_as_reference(void** state) {
    (void)state;
    uint64_t r = 2010;
    for (uint32_t round = 0; round < 3000; round++) {
        const uint32_t leaf_size = round % 5 ? 8 : 1 + below(&r, 12);
        const uint32_t most = round % 4 ? SMALL : MAX_PRIMS;
        const uint32_t count = leaf_size + 1 + below(&r, most - leaf_size);
        check(&r, (form)(round % KINDS), count, leaf_size);
    }
}

// Counts just below and above the limit between both algorithms.
static void splits_at_the_limit_of_binning(void** state) {
    (void)state;
    static const uint32_t counts[] = {9, 31, 32, 33, 127, 128, 129, 255, 256, 257};
    uint64_t r = 7;
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (form kind = 0; kind < KINDS; kind++) check(&r, kind, counts[i], 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_splits_as_reference),
        cmocka_unit_test(splits_at_the_limit_of_binning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
