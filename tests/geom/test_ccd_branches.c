// Do the generators reach every branch of the algebraic part, and how much of the arena is used?
// Built from a second copy of those sources that counts (FRC_ALGEBRAIC_COVER).
#include "cmocka_all.h"
#include "exact/algebraic.h"
#include "generate_ccd.h"
#include "geom/ccd_stages.h"
#include <stdlib.h>

static const char* const NAMES[FRC_COVER_COUNT] = {"triple root",
                                                   "double root",
                                                   "double root of a quadratic",
                                                   "one real root",
                                                   "root at a midpoint",
                                                   "bisection deeper than 60",
                                                   "root found while narrowing",
                                                   "linear, root inside",
                                                   "linear, common root",
                                                   "zero at an end",
                                                   "Bernstein coefficients of one sign",
                                                   "no real root",
                                                   "tangent at the root",
                                                   "tangent beside the root",
                                                   "vertex at the root",
                                                   "vertex right of the root",
                                                   "vertex left of the root",
                                                   "constant remainder",
                                                   "remainder zero at an end",
                                                   "remainder of one sign",
                                                   "sigma zero",
                                                   "sigma",
                                                   "common root",
                                                   "point on segment",
                                                   "cubic identically zero"};

// Most limbs used of each arena; the larger index is the larger arena.
static uint32_t g_used[2], g_count[2];
static const uint64_t MARK = UINT64_C(0xfedcba9876543210);

void frc_cover_arena(uint64_t* limbs, uint32_t count, bool after) {
    const int which = count > 20000;
    g_count[which] = count;
    if (!after) {
        for (uint32_t i = 0; i < count; i++) limbs[i] = MARK;
        return;
    }
    uint32_t used = count;
    while (used && limbs[used - 1] == MARK) used--;
    if (used > g_used[which]) g_used[which] = used;
}

static void every_branch_is_taken(void** state) {
    (void)state;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {UINT64_C(77000) + (uint64_t)mode};
        const int count = mode == 8 ? 200 : mode == 3 || mode == 7 ? 2000 : 10000;
        for (int i = 0; i < count; i++) {
            frc_point points[4];
            double toi;
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            const frc_point* const list[4] = {points, points + 1, points + 2, points + 3};
            frc_ccd_exact_in_arena(kind, list, i % 4 == 0, 0x1p-38, &toi);
        }
    }
    for (int i = 0; i < FRC_COVER_COUNT; i++)
        print_message("%10lu  %s\n", frc_algebraic_cover[i], NAMES[i]);
    for (int i = 0; i < 2; i++)
        print_message("arena of %u limbs: at most %u used\n", g_count[i], g_used[i]);
    // test_ccd_algebraic.c sees to the rare ones.
    static const bool RARE[FRC_COVER_COUNT] = {[FRC_COVER_NO_REAL] = true,
                                               [FRC_COVER_TANGENT_OFF_ROOT] = true,
                                               [FRC_COVER_VERTEX_AT_ROOT] = true,
                                               [FRC_COVER_REMAINDER_AT_LO] = true};
    for (int i = 0; i < FRC_COVER_COUNT; i++)
        if (frc_algebraic_cover[i] == 0 && !RARE[i]) fail_msg("never taken: %s", NAMES[i]);
    for (int i = 0; i < 2; i++) assert_true(g_used[i] < g_count[i] / 10 * 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_branch_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
