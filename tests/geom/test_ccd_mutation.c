// The generators detect missing error bounds: the floating-point stages are built with a unit
// roundoff of 0, and some answers must then be wrong; otherwise the fuzz tests prove nothing.
#include "cmocka_all.h"
#include "generate_ccd.h"

static void missing_bounds_are_noticed(void** state) {
    (void)state;
    static const int MODES[] = {3, 4, 11, 14, 21, 23};
    const frc_ccd_options options = {.tolerance = 1e-6};
    long wrong = 0, count = 0;
    for (size_t m = 0; m < sizeof MODES / sizeof *MODES; m++) {
        generator g = {UINT64_C(31) + (uint64_t)MODES[m]};
        for (int i = 0; i < (MODES[m] == 3 ? 1000 : 10000); i++, count++) {
            frc_point points[4];
            frc_ccd_hit hit;
            double toi;
            const frc_ccd_kind kind = generate_ccd(&g, MODES[m], points);
            const bool mutant = frc_ccd_one(kind, points, &options, &hit);
            wrong += mutant != frc_ccd_exact(kind, points, false, &toi);
        }
    }
    print_message("%ld of %ld answers wrong without error bounds\n", wrong, count);
    assert_true(wrong > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(missing_bounds_are_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
