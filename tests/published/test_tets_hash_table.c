// The published hash table: time stamps instead of clearing; remainders by multiplication.
#include "cmocka_all.h"
#include "published/tets_hash_table.h"

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static fracas_context* make_context(void) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    return context;
}

static uint32_t count_in(const frc_hash_table* table, const int32_t cell[3], uint32_t item) {
    uint32_t count, found = 0;
    const frc_hash_entry* e = frc_hash_find(table, cell, &count);
    for (uint32_t i = 0; i < count; i++) found += (uint32_t)e[i].at[3] == item;
    return found;
}

// A new time stamp empties the table, also when it wraps around.
static void time_stamps(void** state) {
    (void)state;
    fracas_context* c = make_context();
    frc_hash_table table = {0};
    const int32_t cell[3] = {-5, 7, 1 << 17}, at[3] = {-5 * 4096, 7 * 4096, 1 << 29};
    const int32_t early[3] = {3, 1, 4};  // only written at the first stamp, which comes again
    static const uint32_t sizes[] = {1, 2, 99, 4999, 1u << 20};
    for (int function = 0; function < 3; function++)
        for (int i = 0; i < 5; i++) {
            for (uint32_t step = 0; step < 6; step++) {
                if (step == 3 && table.size == sizes[i]) table.time = UINT32_MAX - 1;
                assert_true(frc_hash_begin(c, &table, sizes[i], (frc_hash_function)function));
                assert_true(table.time != 0);
                // Nothing of an earlier step is left.
                uint32_t count;
                assert_null(frc_hash_find(&table, cell, &count));
                assert_int_equal(count, 0);
                assert_int_equal(count_in(&table, early, 2000), 0);
                frc_hash_count(&table, cell), frc_hash_count(&table, cell);
                if (step == 0) frc_hash_count(&table, early);
                assert_true(FRC_ARRAY_RESERVE(c, &table.entries, 3));
                frc_hash_insert(&table, cell, at, step);
                frc_hash_insert(&table, cell, at, 1000);
                if (step == 0) frc_hash_insert(&table, early, at, 2000);
                assert_int_equal(count_in(&table, cell, step), 1);
                assert_int_equal(count_in(&table, cell, 1000), 1);
                if (step) assert_int_equal(count_in(&table, cell, step - 1), 0);
            }
        }
    frc_hash_release(c, &table);
    fracas_context_destroy(c);
}

// The remainder by multiplication is equal to that of the operator.
static void remainders(void** state) {
    (void)state;
    fracas_context* c = make_context();
    frc_hash_table table = {0};
    uint64_t random = 3;
    static const uint32_t sizes[] = {1, 2, 3, 99, 9973, 65536, 1000003};
    for (int i = 0; i < 7; i++) {
        assert_true(frc_hash_begin(c, &table, sizes[i], FRC_HASH_XOR));
        for (int round = 0; round < 20000; round++) {
            int32_t cell[3];
            for (int k = 0; k < 3; k++) cell[k] = (int32_t)next_random(&random) >> (round % 20);
            const uint32_t h = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^
                               (uint32_t)cell[2] * 83492791u;
            assert_int_equal(frc_hash_of(&table, cell), h % sizes[i]);
        }
    }
    frc_hash_release(c, &table);
    fracas_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(time_stamps), cmocka_unit_test(remainders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
