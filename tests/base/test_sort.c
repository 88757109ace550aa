// Counting sort compared with insertion sort: keys that differ in few bytes, in all, in none.
#include "base/sort.h"
#include "cmocka_all.h"
#include <string.h>

enum { MAX_KEYS = 700 };

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Equal keys keep their order.
static void plain_sort(uint64_t* keys, size_t count, int from_bit) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && keys[k - 1] >> from_bit > keys[k] >> from_bit; k--) {
            uint64_t t = keys[k];
            keys[k] = keys[k - 1], keys[k - 1] = t;
        }
}

static size_t drop_equal(uint64_t* sorted, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) sorted[kept++] = sorted[i];
    return kept;
}

static void same_as_insertion_sort(void** state) {
    (void)state;
    static const uint64_t masks[] = {UINT64_MAX, 0, 0xff, 0x3ff00000000, 0xff000000000000ff, 0x7};
    uint64_t random = 11, keys[MAX_KEYS], wanted[MAX_KEYS], spare[MAX_KEYS];
    for (size_t count = 0; count <= MAX_KEYS; count = 2 * count + 1)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
            for (int from_bit = 0; from_bit < 64; from_bit += 4) {
                for (size_t i = 0; i < count; i++)
                    keys[i] = (next_random(&random) & masks[m]) | (UINT64_C(0x1200) & ~masks[m]);
                memcpy(wanted, keys, count * sizeof *keys);
                plain_sort(wanted, count, from_bit);
                const uint64_t* sorted = frc_sort_keys(keys, spare, count, from_bit);
                assert_true(sorted == keys || sorted == spare);
                for (size_t i = 0; i < count; i++) assert_true(sorted[i] == wanted[i]);
            }
}

// Upper halves of which few are equal, and many: without counting, the number of steps is at most
// one per key.
static void by_halves(void** state) {
    (void)state;
    static const uint64_t masks[] = {
        UINT64_MAX, 0, 0xffff, 0x3ff0000ffff, 0x3000000ff, 0xffff00000000000f, 0xffffffff00000000};
    uint64_t random = 12, keys[MAX_KEYS], wanted[MAX_KEYS], spare[MAX_KEYS];
    for (size_t count = 0; count <= MAX_KEYS; count = 2 * count + 1)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
            for (size_t i = 0; i < count; i++) keys[i] = next_random(&random) & masks[m];
            memcpy(wanted, keys, count * sizeof *keys);
            plain_sort(wanted, count, 0);
            const uint64_t* sorted = frc_sort_halves(keys, spare, count);
            assert_true(sorted == keys || sorted == spare);
            for (size_t i = 0; i < count; i++) assert_true(sorted[i] == wanted[i]);
        }
}

// Lists that share some keys, all, or none; either may be empty.
static void merged(void** state) {
    (void)state;
    static const uint64_t masks[] = {UINT64_MAX, 0xff, 0x3, 0xf00000000000000f};
    uint64_t random = 13, keys[2][MAX_KEYS], spare[MAX_KEYS], out[2 * MAX_KEYS],
             wanted[2 * MAX_KEYS];
    for (size_t count = 0; count <= MAX_KEYS; count = 2 * count + 1)
        for (size_t other = 0; other <= MAX_KEYS; other = 2 * other + 1)
            for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
                size_t counts[2] = {count, other}, all = 0;
                for (int i = 0; i < 2; i++) {
                    for (size_t k = 0; k < counts[i]; k++)
                        keys[i][k] = next_random(&random) & masks[m];
                    memcpy(spare, keys[i], counts[i] * sizeof *spare);
                    plain_sort(spare, counts[i], 0);
                    counts[i] = drop_equal(spare, counts[i]);
                    memcpy(keys[i], spare, counts[i] * sizeof *spare);
                    memcpy(wanted + all, spare, counts[i] * sizeof *spare);
                    all += counts[i];
                }
                plain_sort(wanted, all, 0);
                all = drop_equal(wanted, all);
                assert_int_equal(frc_merge_keys(keys[0], counts[0], keys[1], counts[1], out), all);
                for (size_t i = 0; i < all; i++) assert_true(out[i] == wanted[i]);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_insertion_sort),
        cmocka_unit_test(by_halves),
        cmocka_unit_test(merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
