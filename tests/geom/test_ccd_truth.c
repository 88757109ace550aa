// Every query of the published sets with exact truth must be decided correctly, by the whole
// pipeline and by the exact stage alone. The data is in $FRACAS_DATA/queries.
#include "cmocka_all.h"
#include "query_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool g_skipped;  // CTest shows a run without data as skipped (exit code 77)

static bool find_folder(char* out, size_t size) {
    const char* const data = getenv("FRACAS_DATA");
    snprintf(out, size, "%s/queries", data && *data ? data : FRACAS_DEFAULT_DATA);
    struct stat status;
    return stat(out, &status) == 0;
}

static void check_set(const query_set* set, size_t wrong[2]) {
    const frc_ccd_options options = {.tolerance = 1e-6};
    for (size_t i = 0; i < set->list.count; i++) {
        const frc_point* const points = &set->list.points[4 * i];
        frc_ccd_hit hit;
        double toi;
        const bool truth = set->list.truth[i];
        if (frc_ccd_one(set->kind, points, &options, &hit) != truth) wrong[truth]++;
        if (frc_ccd_exact(set->kind, points, false, &toi) != truth) wrong[truth]++;
    }
}

static void published_queries_are_decided_correctly(void** state) {
    (void)state;
    char folder[4096], message[8192];
    if (!find_folder(folder, sizeof folder)) {
        print_message("skipped: no test data at %s (set FRACAS_DATA)\n", folder);
        g_skipped = true;
        skip();
    }
    query_sets sets;
    if (!query_sets_read(folder, &sets, message, sizeof message)) fail_msg("%s", message);
    size_t wrong[2] = {0, 0}, count = 0;
    for (size_t i = 0; i < sets.count; i++) {
        check_set(&sets.list[i], wrong);
        count += sets.list[i].list.count;
    }
    print_message("%zu queries, %zu false positives, %zu false negatives\n", count, wrong[0],
                  wrong[1]);
    query_sets_free(&sets);
    assert_int_equal(wrong[0], 0);
    assert_int_equal(wrong[1], 0);
}

static void rationals_are_read_exactly(void** state) {
    (void)state;
    double x;
    assert_true(query_rational("-3", "8", &x) && x == -0.375);
    assert_true(query_rational("0", "1", &x) && x == 0);
    assert_true(query_rational("9007199254740992", "18014398509481984", &x) && x == 0.5);
    assert_true(query_rational("36893488147419103232", "1", &x) && x == 0x1p65);
    assert_true(query_rational("18014398509481988", "2", &x) && x == 9007199254740994.0);
    assert_false(query_rational("18014398509481986", "2", &x));
    assert_false(query_rational("9007199254740993", "1", &x));
    assert_false(query_rational("1", "3", &x));
    assert_false(query_rational("1", "0", &x));
    assert_false(query_rational("1", "-2", &x));
    assert_false(query_rational("", "2", &x));
    assert_false(query_rational("1x", "2", &x));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rationals_are_read_exactly),
        cmocka_unit_test(published_queries_are_decided_correctly),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : g_skipped ? 77 : 0;
}
