// The forms for one thread on a device of what the CPU computes in SIMD lanes: differences, cubic,
// verdict and time of impact have the same bits, and what the filters reject the exact stage
// rejects, and contact at t = 0 is that of the exact stage. The filters of the CPU are not
// compared: their operations have another order.
#include "cmocka_all.h"
#include "common_kit.h"
#include "cuda/quick_after_start.h"
#include "cuda/quick_near.h"
#include "cuda/quick_roots.h"
#include "generate_ccd.h"
#include "geom/separation_stages.h"
#include "share.h"
#include <string.h>

enum { QUERIES = 4000 };  // of each mode

typedef struct counts {
    uint64_t rejected, decided, hit, at_start[3];
} counts;

static void set_moving(const frc_point points[4], frc_moving_point moving[4]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            memcpy(moving[i].x[k], frc_point_axis(&points[i], k), sizeof moving[i].x[k]);
}

static frc_ccd_query make_device_query(frc_ccd_kind kind, const frc_moving_point moving[4]) {
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    frc_ccd_query q;
    memset(&q, 0, sizeof q);
    frc_quick_query(kind, moving, &pair, &q);
    return q;
}

static void require_same_numbers(const double* a, const double* b, int count, int mode) {
    for (int i = 0; i < count; i++)
        if (!(a[i] == b[i] || (a[i] != a[i] && b[i] != b[i])))
            fail_msg("mode %d: number %d is %a, on the CPU %a", mode, i, a[i], b[i]);
}

static void compare_query(const frc_ccd_query* a, const frc_ccd_query* b, int mode) {
    assert_true(a->kind == b->kind && a->count == b->count && a->safe == b->safe);
    require_same_numbers(&a->d[0][0][0], &b->d[0][0][0], 6 * a->count, mode);
    require_same_numbers(a->extent, b->extent, 3, mode);
    if (a->safe) require_same_numbers(a->cubic, b->cubic, 4, mode);
}

static void compare(frc_ccd_kind kind, const frc_point points[4], double tolerance, int mode,
                    counts* sum) {
    const frc_ccd_pair pair = {
        {0, 1, 2, 3}
    };
    frc_ccd_query cpu;
    frc_moving_point moving[4];
    frc_ccd_query_make(kind, points, &pair, &cpu);
    set_moving(points, moving);
    const frc_ccd_query q = make_device_query(kind, moving);
    compare_query(&q, &cpu, mode);
    double toi = -1, toi_cpu[1] = {-1};
    frc_ccd_verdict verdict_cpu[1];
    frc_ccd_roots_simd(kind, &cpu, 1, tolerance, verdict_cpu, toi_cpu);
    const frc_ccd_verdict verdict = frc_quick_roots(&q, tolerance, &toi);
    if (verdict != verdict_cpu[0])
        fail_msg("mode %d: verdict %d, on the CPU %d", mode, (int)verdict, (int)verdict_cpu[0]);
    if (verdict == FRC_CCD_HIT) require_same_numbers(&toi, toi_cpu, 1, mode);
    sum->decided += verdict != FRC_CCD_UNSURE;
    sum->hit += verdict == FRC_CCD_HIT;
    const bool rejected = frc_quick_reject(kind, moving);
    const frc_start_contact start = frc_contact_at_start(kind, moving);
    sum->rejected += rejected;
    sum->at_start[start]++;
    // The exact stage takes milliseconds where coordinates span all exponents.
    const bool first = verdict == FRC_CCD_HIT || (mode != 3 && mode != 8 && mode != 15);
    if (rejected && first && frc_ccd_exact(kind, points, false, &toi))
        fail_msg("mode %d: a contact was rejected", mode);
    if (start == FRC_START_UNSURE) return;
    frc_point still[4];
    memcpy(still, points, sizeof still);
    for (int i = 0; i < 4; i++)
        still[i].x[1] = still[i].x[0], still[i].y[1] = still[i].y[0], still[i].z[1] = still[i].z[0];
    if ((start == FRC_START_CONTACT) != frc_ccd_exact(kind, still, false, &toi))
        fail_msg("mode %d: contact at 0 is %d", mode, (int)start);
    if (start == FRC_START_CONTACT && first &&
        !(frc_ccd_exact(kind, points, false, &toi) && toi == 0))
        fail_msg("mode %d: contact at 0, but the exact time is %a", mode, toi);
}

static void compares(void** state) {
    (void)state;
    counts sum = {0};
    const uint64_t rounds = share_of(QUERIES);
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {.state = 77 + (uint64_t)mode};
        for (uint64_t i = 0; i < rounds; i++) {
            frc_point points[4] = {0};
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            compare(kind, points, i % 4 ? 1e-6 : 1e-9, mode, &sum);
        }
    }
    generator g = {.state = 5};
    for (uint64_t i = 0; i < rounds; i++) {
        frc_point points[4] = {0};
        const frc_ccd_kind kind = generate_past(&g, points);
        compare(kind, points, 1e-6, -1, &sum);
    }
    // Every branch has been taken.
    assert_true(sum.rejected > rounds && sum.decided > rounds && sum.hit > rounds / 4);
    for (int i = 0; i < 3; i++) assert_true(sum.at_start[i] > rounds / 4);
}

// Filters of a distance keep the same candidates as those of the CPU.
static void same_near(void** state) {
    (void)state;
    uint64_t kept = 0, rejected = 0;
    const uint64_t rounds = share_of(QUERIES) / 4;
    for (int mode = 0; mode < GENERATE_CCD_COUNT; mode++) {
        generator g = {.state = 99 + (uint64_t)mode};
        for (uint64_t i = 0; i < rounds; i++) {
            static const frc_ccd_pair pair = {
                {0, 1, 2, 3}
            };
            frc_point points[4] = {0};
            frc_moving_point moving[4];
            uint16_t keep[1];
            frc_ccd_counts unused = {0};
            const frc_ccd_kind kind = generate_ccd(&g, mode, points);
            set_moving(points, moving);
            const frc_ccd_query q = make_device_query(kind, moving);
            const double size = q.extent[0] > q.extent[1] ? q.extent[0] : q.extent[1];
            // Also the exact distance along an axis.
            const double distance =
                i % 4 == 0 ? fabs(q.d[0][2][1]) : size * (0.001 + 0.1 * (double)(i % 7));
            if (!(distance > 0 && distance < INFINITY)) continue;
            const bool on_cpu =
                frc_separation_filter(kind, points, &pair, 1, distance, keep, &unused) == 1;
            if (frc_quick_may_be_near(&q, distance) != on_cpu)
                fail_msg("mode %d: the CPU %s the pair", mode, on_cpu ? "keeps" : "rejects");
            kept += on_cpu, rejected += !on_cpu;
        }
    }
    assert_true(kept > rounds && rejected > rounds);
}

// Features that coincided at the start: what the filters reject never meets afterwards.
static void after_start(void** state) {
    (void)state;
    generator g = {.state = 9};
    uint64_t rejected = 0, met = 0;
    const uint64_t rounds = 4 * share_of(QUERIES);
    for (uint64_t i = 0; i < rounds; i++) {
        static const uint32_t all[4] = {0, 1, 2, 3};
        frc_point points[4] = {0};
        frc_moving_point moving[4];
        double toi;
        const frc_ccd_kind kind = generate_parting(&g, points);
        set_moving(points, moving);
        const bool rejects = frc_quick_after_start_rejects(kind, moving, all);
        const bool truth = frc_ccd_exact(kind, points, true, &toi);
        if (rejects && truth) fail_msg("query %llu was rejected", (unsigned long long)i);
        rejected += rejects;
        met += truth;
    }
    assert_true(rejected > rounds / 4 && met > rounds / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(compares), cmocka_unit_test(after_start),
                                       cmocka_unit_test(same_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
