// Handles: an index may be reused, a handle never is.
#include "base/handles.h"
#include "cmocka_all.h"

static void same_as_a_plain_list(void** state) {
    (void)state;
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(NULL, &context), FRACAS_OK);
    frc_handles handles = {0};
    enum { ROOM = 50, STEPS = 5000 };
    assert_true(frc_handles_reserve(context, &handles, ROOM));
    uint32_t number[ROOM], generation[ROOM], count = 0;
    uint64_t random = 3;
    uint32_t last[ROOM] = {0};  // last generation of each index
    for (int step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (count < ROOM && random >> 63) {
            uint32_t n = frc_handles_allocate(&handles);
            assert_true(n < ROOM);
            assert_true(frc_handles_in_use(&handles, n));
            assert_int_not_equal(frc_handles_generation(&handles, n), last[n]);
            assert_int_not_equal(frc_handles_generation(&handles, n), 0);
            for (uint32_t i = 0; i < count; i++) assert_int_not_equal(number[i], n);
            number[count] = n;
            generation[count++] = last[n] = frc_handles_generation(&handles, n);
        } else if (count > 0) {
            uint32_t i = (uint32_t)(random >> 33) % count;
            frc_handles_free(&handles, number[i]);
            assert_false(frc_handles_in_use(&handles, number[i]));
            number[i] = number[--count];
            generation[i] = generation[count];
        }
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(frc_handles_generation(&handles, number[i]), generation[i]);
    }
    assert_false(frc_handles_in_use(&handles, ROOM + 1));
    assert_false(frc_handles_in_use(&handles, UINT32_MAX));
    frc_handles_release(context, &handles);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_a_plain_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
