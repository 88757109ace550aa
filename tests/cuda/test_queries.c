// Queries of all generators through the narrow phase of an emulated device: verdicts, times, u, v
// and normals are those of the CPU, bit for bit; fracas-bench-cuda-queries does so on a GPU.
#include "check_queries.h"
#include "cmocka_all.h"
#include "context_kit.h"
#include "share.h"

enum { QUERIES = 60000 };

static void compares(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    const uint64_t count = share_of(QUERIES);
    const check_options options = {
        .count = count, .seed = 20, .runs = 1, .batch = 6000, .threads = 2};
    const check_counts sum = check_queries(context, &options);
    // Every list has been used.
    assert_true(sum.hits > count / 10 && sum.filtered > count / 10 && sum.roots > count / 20);
    assert_true(sum.exact > count / 50 && sum.later > count / 100 && sum.host > 0);
    assert_true(sum.later < sum.exact);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(compares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
