// Contacts in order: as qsort has them, on any number of workers, with short and with long keys.
#include "cmocka_all.h"
#include "detect/detect.h"
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 33;
    return (x * 0xff51afd7ed558ccdu) >> 20;
}

// `bits` of each number: few make short keys and crowded buckets, many long keys.
static void fill(fracas_contact* list, size_t count, uint32_t bits, uint64_t* random) {
    uint32_t mask = bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        fracas_contact* c = &list[i];
        memset(c, 0, sizeof *c);
        c->kind = (fracas_contact_kind)(next(random) % 6);
        c->body_a.index = 1 + (uint32_t)next(random) % (bits > 20 ? 1000000 : 2);
        c->body_b.index = 1 + (uint32_t)next(random) % (bits > 20 ? 1000000 : 2);
        c->a[0] = (uint32_t)next(random) & mask, c->a[1] = (uint32_t)next(random) & mask;
        c->b[0] = (uint32_t)i, c->b[1] = (uint32_t)next(random) & mask;  // no two are equal
        c->toi = (double)i;
    }
}

static int compare(const void* a, const void* b) { return frc_compare_contacts(a, b); }

static void check(fracas_context* context, size_t count, uint32_t bits, uint64_t* random) {
    frc_contact_list list = {0};
    assert_true(FRC_ARRAY_RESERVE(context, &list, count + 1));
    fill(list.data, count, bits, random);
    list.count = count;
    fracas_contact* expected = malloc((count + 1) * sizeof *expected);
    memcpy(expected, list.data, count * sizeof *expected);
    qsort(expected, count, sizeof *expected, compare);
    assert_true(frc_sort_contacts(context, &list));
    assert_int_equal(list.count, count);
    assert_memory_equal(list.data, expected, count * sizeof *expected);
    free(expected);
    FRC_ARRAY_RELEASE(context, &list);
}

static void as_qsort_has_them(void** state) {
    (void)state;
    static const uint32_t workers[] = {1, 2, 3, 8, 64, 200};
    static const size_t counts[] = {0, 1, 2, 3, 100, 4095, 4096, 4097, 20000, 70001};
    uint64_t random = 7;
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = workers[w];
        fracas_context* context;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (uint32_t bits = 1; bits <= 32; bits += 31 / 2)
                check(context, counts[i], bits, &random);
        fracas_context_destroy(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_qsort_has_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
