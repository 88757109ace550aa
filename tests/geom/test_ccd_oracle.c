// The pipeline and the exact stage compared with the oracle on every generator: decisions and
// times.
//
// FRACAS_CCD_QUERIES sets the total number of queries (default 30,000); FRACAS_CCD_SEED the seed;
// FRACAS_CCD_MODE selects one generator; FRACAS_CCD_FAST=1 uses the fast oracle for all but every
// 17th query, where both must agree.
#include "cmocka_all.h"
#include "generate_ccd.h"
#include "geom/ccd_stages.h"
#include "oracle_ccd.h"
#include <stdio.h>
#include <stdlib.h>

// Share of the queries in thousandths: extreme exponents make the oracle slow.
static const int SHARE[GENERATE_CCD_COUNT] = {70, 70, 70, 20, 70, 40, 30, 10, 1,  40, 60, 60, 60,
                                              70, 60, 10, 15, 15, 15, 15, 40, 40, 40, 60, 60};

static const double TOLERANCE[4] = {1e-6, 1e-3, 1e-12, 1e-9};

static long number_from(const char* name, long default_value) {
    const char* const text = getenv(name);
    return text && *text ? atol(text) : default_value;
}

static void print_query(frc_ccd_kind kind, const frc_point points[4]) {
    print_message("%s\n", kind == FRC_CCD_VF ? "VF" : "EE");
    for (int i = 0; i < 4; i++)
        print_message("  {{%a, %a}, {%a, %a}, {%a, %a}, {0}},\n", points[i].x[0], points[i].x[1],
                      points[i].y[0], points[i].y[1], points[i].z[0], points[i].z[1]);
}

typedef struct tally {
    long queries, hits, wrong_answer, late, early;
} tally;

// The slow oracle; or the fast one, and sometimes both.
static bool ask_oracle(frc_ccd_kind kind, const frc_point points[4], bool after_start, bool fast,
                       bool both, oracle_claim claims[2]) {
    const bool slow = !fast || both;
    const bool truth = slow ? oracle_ccd(kind, points, after_start, claims, 2)
                            : oracle_ccd_fast(kind, points, after_start, claims, 2);
    if (fast && both) {
        oracle_claim again[2] = {claims[0], claims[1]};
        bool agree = oracle_ccd_fast(kind, points, after_start, again, 2) == truth;
        for (int i = 0; truth && i < 2; i++)
            agree = agree && again[i].not_late == claims[i].not_late &&
                    again[i].close == claims[i].close;
        if (!agree) fail_msg("the oracles disagree");
    }
    return truth;
}

static void check(generator* g, int mode, long number, bool volume, tally* sum) {
    frc_point points[4];
    const frc_ccd_kind kind = generate_ccd(g, mode, points);
    const bool after_start = mode == 24 ? number % 3 != 0 : number % 9 == 0;
    const frc_ccd_options options = {.tolerance = TOLERANCE[number % 4],
                                     .after_start = after_start};
    frc_ccd_hit hit = {0};
    oracle_claim claim[2] = {{.tolerance = options.tolerance}, {.tolerance = 0x1p-38}};
    const bool fast = frc_ccd_one(kind, points, &options, &hit);
    const bool exact = frc_ccd_exact(kind, points, after_start, &claim[1].toi);
    // Most of these are decided in integers of fixed width; big integers must give the same.
    const frc_point* const list[4] = {points, points + 1, points + 2, points + 3};
    double big_toi;
    const bool big = frc_ccd_exact_in_arena(kind, list, after_start, 0x1p-38, &big_toi);
    claim[0].toi = hit.toi;
    const bool truth = ask_oracle(kind, points, after_start, volume, number % 17 == 0, claim);
    sum->queries++;
    sum->hits += truth;
    bool good = fast == truth && exact == truth && big == truth;
    good = good && (!truth || big_toi == claim[1].toi);
    sum->wrong_answer += !good;
    for (int i = 0; truth && i < 2; i++) {
        sum->late += !claim[i].not_late;
        sum->early += !claim[i].close;
        good = good && claim[i].not_late && claim[i].close;
        good = good && claim[i].toi >= 0 && claim[i].toi <= 1;
    }
    if (good || sum->wrong_answer + sum->late + sum->early > 5) return;
    print_message("mode %d, query %ld, after_start %d: truth %d pipeline %d (%.17g) exact %d "
                  "(%.17g)\n",
                  mode, number, after_start, truth, fast, claim[0].toi, exact, claim[1].toi);
    print_query(kind, points);
}

static void same_as_oracle(void** state) {
    (void)state;
    const long total = number_from("FRACAS_CCD_QUERIES", 30000);
    const long only = number_from("FRACAS_CCD_MODE", -1);
    const bool volume = number_from("FRACAS_CCD_FAST", 0);
    const uint64_t seed = (uint64_t)number_from("FRACAS_CCD_SEED", 1);
    long share = 0;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) share += SHARE[mode];
    tally sum = {0};
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        if (only >= 0 && mode != only) continue;
        generator g = {seed * 1000003 + (uint64_t)mode};
        const long hits = sum.hits, count = only >= 0 ? total : total * SHARE[mode] / share + 1;
        for (long i = 0; i < count; i++) check(&g, mode, i, volume, &sum);
        print_message("mode %2d: %ld queries, %ld hits\n", mode, count, sum.hits - hits);
        fflush(stdout);
    }
    print_message("%ld queries, %ld hits: %ld wrong answers, %ld times late, %ld early\n",
                  sum.queries, sum.hits, sum.wrong_answer, sum.late, sum.early);
    assert_int_equal(sum.wrong_answer, 0);
    assert_int_equal(sum.late, 0);
    assert_int_equal(sum.early, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
