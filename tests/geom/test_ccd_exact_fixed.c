// The exact stage in integers of fixed width against the one in big integers: the same verdict and
// the same bits of the time, or undecided, which has to be rare.
//
// FRACAS_CCD_QUERIES sets the number of queries of each generator (default 4,000).
#include "cmocka_all.h"
#include "exact/fixed_roots.h"
#include "generate_ccd.h"
#include "geom/ccd_stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    long queries, wide, unsure, hits, wrong;
} tally;

static void check(frc_ccd_kind kind, const frc_point points[4], bool after_start, double tolerance,
                  tally* sum) {
    const frc_point* const list[4] = {points, points + 1, points + 2, points + 3};
    int exponent[3];
    double fixed_toi = -1, toi = -1;
    const int bits = frc_ccd_exact_units(list, exponent);
    const frc_ccd_verdict verdict =
        frc_ccd_exact_fixed(kind, list, exponent, bits, after_start, tolerance, &fixed_toi);
    sum->queries++;
    if (bits > FRC_FIXED_BITS) {
        assert_int_equal(verdict, FRC_CCD_UNSURE);
        sum->wide++;
        return;
    }
    if (verdict == FRC_CCD_UNSURE) {
        sum->unsure++;
        return;
    }
    const bool hit = frc_ccd_exact_in_arena(kind, list, after_start, tolerance, &toi);
    sum->hits += hit;
    if (hit == (verdict == FRC_CCD_HIT) && memcmp(&toi, &fixed_toi, sizeof toi) == 0) return;
    sum->wrong++;
    if (sum->wrong > 3) return;
    printf("%s %d %g: %d %a, but fixed %d %a\n", kind == FRC_CCD_VF ? "VF" : "EE", after_start,
           tolerance, hit, toi, verdict == FRC_CCD_HIT, fixed_toi);
    for (int i = 0; i < 4; i++)
        printf("  {%a, %a}, {%a, %a}, {%a, %a}\n", points[i].x[0], points[i].x[1], points[i].y[0],
               points[i].y[1], points[i].z[0], points[i].z[1]);
}

// Coordinates of a chosen number of bits, most of which contact would need: the numbers are then as
// long as they can be.
static frc_ccd_kind generate_long(generator* g, frc_point points[4]) {
    const int bits = 20 + (int)(generate_bits(g) % (FRC_FIXED_BITS - 19));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 2; e++) {
                // Two parts, as a double has 53 bits: the leading bits set, and one far below.
                const double high = (double)(generate_bits(g) >> 11) * ldexp(1, bits - 53);
                double* x = k == 0 ? points[i].x : k == 1 ? points[i].y : points[i].z;
                x[e] = generate_bits(g) % 2 ? -trunc(high) : trunc(high);
                if (generate_bits(g) % 8 == 0) x[e] = (double)(generate_bits(g) % 5) - 2;
                if (generate_bits(g) % 8 == 0)
                    x[e] = ldexp(1, bits) - ldexp(1, bits > 53 ? bits - 53 : 0);
            }
    return generate_bits(g) % 2 ? FRC_CCD_VF : FRC_CCD_EE;
}

static void same_as_big_integers(void** state) {
    (void)state;
    static const double TOLERANCE[5] = {1e-6, 1e-3, 1e-12, 0x1p-38, 0.25};
    const char* const text = getenv("FRACAS_CCD_QUERIES");
    const long most = text && *text ? atol(text) : 4000;
    tally all = {0};
    for (int mode = 0; mode < GENERATE_CCD_COUNT + 3; mode++) {
        generator g = {UINT64_C(99000) + (uint64_t)mode};
        tally sum = {0};
        for (long i = 0; i < most; i++) {
            frc_point points[4] = {0};
            frc_ccd_kind kind;
            if (mode == GENERATE_CCD_COUNT)
                kind = generate_parting(&g, points);
            else if (mode == GENERATE_CCD_COUNT + 1)
                kind = generate_past(&g, points);
            else if (mode == GENERATE_CCD_COUNT + 2)
                kind = generate_long(&g, points);
            else
                kind = generate_ccd(&g, mode, points);
            check(kind, points, i % 4 == 0 || mode == GENERATE_CCD_COUNT, TOLERANCE[i % 5], &sum);
        }
        print_message("generator %2d: %ld queries, %ld too wide, %ld undecided, %ld hits\n", mode,
                      sum.queries, sum.wide, sum.unsure, sum.hits);
        assert_int_equal(sum.wrong, 0);
        all.queries += sum.queries, all.wide += sum.wide;
        all.unsure += sum.unsure, all.hits += sum.hits;
    }
    assert_true(all.hits > all.queries / 20);
    assert_true(all.unsure < (all.queries - all.wide) / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_big_integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
