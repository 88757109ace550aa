// Features that move past each other, each as a whole, and just touch or just do not: the sweep
// filter of ccd_filter.c and the later stages, compared with the exact stage on every query and
// with the GMP oracles on some.
//
// FRACAS_CCD_QUERIES sets the number of queries (default 100,000), FRACAS_CCD_SEED the seed. Built
// with EXPECT_WRONG and a sweep filter without an error bound (FRC_CCD_SWEEP_BOUND=0), contacts
// must be missed.
#include "cmocka_all.h"
#include "generate_ccd.h"
#include "oracle_ccd.h"
#include <stdlib.h>

static long number_from(const char* name, long default_value) {
    const char* const text = getenv(name);
    return text && *text ? atol(text) : default_value;
}

typedef struct tally {
    long queries, swept, hits, exact, wrong;
} tally;

static bool ask_oracle(frc_ccd_kind kind, const frc_point points[4], bool slow, bool found,
                       double toi) {
    oracle_claim claim = {.toi = toi, .tolerance = 1e-6};
    const bool truth = slow ? oracle_ccd(kind, points, false, &claim, 1)
                            : oracle_ccd_fast(kind, points, false, &claim, 1);
    return truth == found && (!truth || (claim.not_late && claim.close));
}

static void check(generator* g, long number, tally sums[2]) {
    frc_point points[4];
    frc_ccd_counts n = {0};
    frc_ccd_hit hit = {0};
    double exact_toi;
    const frc_ccd_options options = {.tolerance = 1e-6, .counts = &n};
    const frc_ccd_kind kind = generate_past(g, points);
    const bool found = frc_ccd_one(kind, points, &options, &hit);
    const bool truth = frc_ccd_exact(kind, points, false, &exact_toi);
    tally* const sum = &sums[kind];
    sum->queries++;
    sum->swept += (long)n.sweep;
    sum->exact += (long)n.exact;
    sum->hits += truth;
    sum->wrong += found != truth;
    if (found == truth && number % 20 == 0)
        assert_true(ask_oracle(kind, points, number % 400 == 0, found, hit.toi));
}

static void same_as_exact_stage_and_oracles(void** state) {
    (void)state;
#if defined(EXPECT_WRONG)
    const long count = 100000;  // with fewer queries there may be no wrong answer by chance
#else
    const long count = number_from("FRACAS_CCD_QUERIES", 100000);
#endif
    generator g = {(uint64_t)number_from("FRACAS_CCD_SEED", 1) * 7003};
    tally sums[2] = {0};
    for (long i = 0; i < count; i++) check(&g, i, sums);
    for (int kind = 0; kind < 2; kind++) {
        const tally* const s = &sums[kind];
        print_message("%s %ld queries: %ld swept past; %ld hits; %ld in exact "
                      "arithmetic; %ld wrong\n",
                      kind == FRC_CCD_VF ? "VF" : "EE", s->queries, s->swept, s->hits, s->exact,
                      s->wrong);
#if defined(EXPECT_WRONG)
        assert_true(s->wrong > 0);
#else
        assert_int_equal(s->wrong, 0);
        // Both answers are frequent, and the filter decides some queries.
        assert_true(10 * s->hits > s->queries && 100 * s->swept > s->queries);
#endif
    }
}

#if !defined(EXPECT_WRONG)

static frc_point point(double x, double y, double z, double move) {
    return (frc_point){
        .x = {x, x + move    },
          .y = {y, y + move / 2},
          .z = {z, z + move / 4}
    };
}

// An edge that moves past another, along all axes and from one side of its plane to the other; they
// are separated only when projected along the motion. In any order of the points and of the edges.
static void separation_along_the_motion_is_found(void** state) {
    (void)state;
    const frc_point a[2] = {point(0, 0, 0, 64), point(1, -2, 0.5, 64)};
    const frc_point b[2] = {point(32.5, 16.5, 6, 0), point(33, 14.5, 7, 0)};
    for (int order = 0; order < 8; order++) {
        const frc_point* const first = order & 4 ? b : a;
        const frc_point* const second = order & 4 ? a : b;
        const frc_point points[4] = {first[order & 1], first[!(order & 1)], second[order >> 1 & 1],
                                     second[!(order >> 1 & 1)]};
        frc_ccd_counts n = {0};
        frc_ccd_hit hit;
        double toi;
        const frc_ccd_options options = {.tolerance = 1e-6, .counts = &n};
        assert_false(frc_ccd_one(FRC_CCD_EE, points, &options, &hit));
        assert_false(frc_ccd_exact(FRC_CCD_EE, points, false, &toi));
        assert_int_equal(n.sweep, 1);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_exact_stage_and_oracles),
#if !defined(EXPECT_WRONG)
        cmocka_unit_test(separation_along_the_motion_is_found),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
