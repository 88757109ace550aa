// Sorting of contacts: the same order as qsort, on any number of workers, with short and with long
// keys.
#include "cmocka_all.h"
#include "detect/detect.h"
#include "share.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 33;
    return (x * 0xff51afd7ed558ccdu) >> 20;
}

// `bits` random bits per number: few give short keys and full buckets, many give long keys.
static void fill(fracas_contact* list, size_t count, uint32_t bits, uint64_t* random) {
    uint32_t mask = bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        fracas_contact* c = &list[i];
        memset(c, 0, sizeof *c);
        c->kind = (fracas_contact_kind)(next(random) % 6);
        c->body_a.index = 1 + (uint32_t)next(random) % (bits > 20 ? 1000000 : 2);
        c->body_b.index = 1 + (uint32_t)next(random) % (bits > 20 ? 1000000 : 2);
        c->a[0] = (uint32_t)next(random) & mask, c->a[1] = (uint32_t)next(random) & mask;
        c->b[0] = (uint32_t)i,
        c->b[1] = (uint32_t)next(random) & mask;  // no two contacts are equal
        c->toi = (double)i;
    }
}

static int compare(const void* a, const void* b) { return frc_compare_contacts(a, b); }

// Large numbers that differ in few bits: the first 64 bits are equal for thousands.
static void fill_similar(fracas_contact* list, size_t count, uint64_t* random) {
    for (size_t i = 0; i < count; i++) {
        fracas_contact* c = &list[i];
        c->body_a.index = c->body_b.index = 1000000;
        c->a[0] = 0xf0000000 + (uint32_t)(next(random) % 2);
        c->a[1] = 0xf0000000 + (uint32_t)(next(random) % 5);
    }
}

// Contacts are distributed over `buffer_count` buffers at random, some of them empty; existing
// contents of `out` stay in front.
static void check(fracas_context* context, size_t count, uint32_t buffer_count, uint32_t bits,
                  uint64_t* random) {
    frc_contact_buffer* buffers = calloc(buffer_count, sizeof *buffers);
    frc_contact_buffer** list = malloc(buffer_count * sizeof *list);
    fracas_contact* expected = malloc((count + 1) * sizeof *expected);
    fill(expected, count, bits, random);
    if (bits == 32) fill_similar(expected, count, random);
    for (uint32_t p = 0; p < buffer_count; p++) {
        frc_contact_buffer_clear(&buffers[p]);
        list[p] = &buffers[p];
    }
    double earliest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        uint32_t p = (uint32_t)(next(random) % buffer_count);
        p = p % 3 == 1 ? 0 : p;
        assert_true(frc_contact_buffer_add(context, &buffers[p], &expected[i]));
        if (expected[i].kind >= FRACAS_CONTACT_VF) earliest = fmin(earliest, expected[i].toi);
    }
    double minimum = INFINITY;
    for (uint32_t p = 0; p < buffer_count; p++) minimum = fmin(minimum, buffers[p].earliest);
    assert_true(minimum == earliest);
    qsort(expected, count, sizeof *expected, compare);
    frc_contact_list out = {0};
    assert_true(FRC_ARRAY_PUSH(context, &out, (fracas_contact){.kind = FRACAS_CONTACT_VV}));
    // Some buffers are prepared beforehand, one of them twice.
    for (uint32_t p = 0; p < buffer_count; p++)
        for (uint64_t n = next(random) % 3; n > 0; n--)
            frc_contact_buffer_sort(context, list, buffer_count, p);
    assert_true(frc_sort_contacts(context, list, buffer_count, &out));
    assert_int_equal(out.count, count + 1);
    assert_int_equal(out.data[0].kind, FRACAS_CONTACT_VV);
    assert_memory_equal(out.data + 1, expected, count * sizeof *expected);
    FRC_ARRAY_RELEASE(context, &out);
    for (uint32_t p = 0; p < buffer_count; p++) frc_contact_buffer_release(context, &buffers[p]);
    free(expected);
    free(list);
    free(buffers);
}

static void same_order_as_qsort(void** state) {
    (void)state;
    static const uint32_t workers[] = {1, 2, 3, 8, 64, 200};
    static const size_t counts[] = {0,   1,   2,    3,    100,  511,   512,
                                    513, 600, 4095, 4096, 4097, 20000, 70001};
    const size_t counted = sizeof counts / sizeof *counts - (share_of(100) < 100 ? 1 : 0);
    uint64_t random = 7;
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        fracas_context_options options = fracas_context_default_options();
        options.worker_count = workers[w];
        fracas_context* context;
        assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
        // Short runs leave out the largest.
        for (size_t i = 0; i < counted; i++)
            for (uint32_t bits = 1; bits <= 32; bits += bits == 31 ? 1 : 15)
                check(context, counts[i], i % 2 ? workers[w] : 1 + (uint32_t)i, bits, &random);
        fracas_context_destroy(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_order_as_qsort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
