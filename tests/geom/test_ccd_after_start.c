// Features that coincide at the start of the step: the filters of ccd_filter_after_start.c and the
// later stages, compared with the exact stage on every query and with the GMP oracles on some.
//
// FRACAS_CCD_QUERIES sets the number of queries (default 100,000), FRACAS_CCD_SEED the seed. Built
// with EXPECT_WRONG and filters without error bounds (FRC_CCD_UNIT=0), each kind of answer must be
// wrong somewhere.
#include "cmocka_all.h"
#include "generate_ccd.h"
#include "geom/ccd_stages.h"
#include "oracle_ccd.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static long number_from(const char* name, long default_value) {
    const char* const text = getenv(name);
    return text && *text ? atol(text) : default_value;
}

// Number of points that both features share at the start: 1, or 2 for two coincident edges.
static int shared_points(frc_ccd_kind kind, const frc_point p[4]) {
    const int first = kind == FRC_CCD_VF ? 1 : 2;
    int count = 0;
    for (int i = 0; i < first; i++)
        for (int j = first; j < 4; j++)
            count += p[i].x[0] == p[j].x[0] && p[i].y[0] == p[j].y[0] && p[i].z[0] == p[j].z[0];
    return count;
}

// Results of one kind of query: VF, EE with one point, EE with two.
typedef struct tally {
    long queries, axis, plane, hits, exact, wrong;
} tally;

static bool decide(frc_ccd_kind kind, const frc_point points[4], frc_ccd_counts* n, double* toi) {
    const frc_ccd_options options = {.tolerance = 1e-6, .after_start = true, .counts = n};
    frc_ccd_hit hit = {0};
    const bool found = frc_ccd_one(kind, points, &options, &hit);
    *toi = hit.toi;
    return found;
}

static void ask_oracle(frc_ccd_kind kind, const frc_point points[4], bool slow, bool found,
                       double toi, tally* sum) {
    oracle_claim claim = {.toi = toi, .tolerance = 1e-6};
    const bool truth = slow ? oracle_ccd(kind, points, true, &claim, 1)
                            : oracle_ccd_fast(kind, points, true, &claim, 1);
    sum->wrong += truth != found || (truth && !(claim.not_late && claim.close));
}

static void check(generator* g, long number, tally sums[3]) {
    frc_point points[4];
    double toi, exact_toi;
    frc_ccd_counts n = {0};
    const frc_ccd_kind kind = generate_parting(g, points);
    const int bond = shared_points(kind, points);
    assert_true(bond >= 1);
    tally* const sum = &sums[kind == FRC_CCD_VF ? 0 : bond == 1 ? 1 : 2];
    const bool found = decide(kind, points, &n, &toi);
    const bool truth = frc_ccd_exact(kind, points, true, &exact_toi);
    sum->queries++;
    sum->axis += (long)n.axis;
    sum->plane += (long)n.cubic;
    sum->exact += (long)n.exact;
    sum->hits += truth;
    const frc_point* const list[4] = {points, points + 1, points + 2, points + 3};
    double big_toi;
    const bool big = frc_ccd_exact_in_arena(kind, list, true, 0x1p-38, &big_toi);
    sum->wrong += big != truth || (truth && big_toi != exact_toi);
    sum->wrong += found != truth || (truth && fabs(toi - exact_toi) > 1e-6 + 0x1p-38);
#if !defined(EXPECT_WRONG)
    if (number % 20 == 0) ask_oracle(kind, points, number % 400 == 0, found, toi, sum);
#else
    (void)number;
    (void)ask_oracle;
#endif
}

static void same_as_exact_stage_and_oracles(void** state) {
    (void)state;
    static const char* const SORT[3] = {"VF", "EE, a point", "EE, both"};
#if defined(EXPECT_WRONG)
    const long count = 100000;  // with fewer queries there may be no wrong answer by chance
#else
    const long count = number_from("FRACAS_CCD_QUERIES", 100000);
#endif
    generator g = {(uint64_t)number_from("FRACAS_CCD_SEED", 1) * 7001};
    tally sums[3] = {0};
    for (long i = 0; i < count; i++) check(&g, i, sums);
    for (int i = 0; i < 3; i++) {
        const tally* const s = &sums[i];
        print_message(
            "%-11s %ld queries: %ld left along an axis, %ld a plane; %ld hits; %ld in exact "
            "arithmetic; %ld wrong\n",
            SORT[i], s->queries, s->axis, s->plane, s->hits, s->exact, s->wrong);
#if defined(EXPECT_WRONG)
        assert_true(s->wrong > 0);
#else
        assert_int_equal(s->wrong, 0);
#endif
        // Every stage decides often.
        assert_true(20 * s->axis > s->queries && 20 * s->plane > s->queries);
        assert_true(20 * s->hits > s->queries);
    }
}

#if !defined(EXPECT_WRONG)

/* ---- batches ---- */

enum { MANY = 2000 };

typedef struct workload {
    frc_point points[4 * MANY];
    frc_ccd_pair pairs[MANY];
    frc_ccd_hit hits[MANY];
} workload;

static void fill(workload* w, generator* g, frc_ccd_kind kind) {
    for (uint32_t i = 0; i < MANY;) {
        if (generate_parting(g, &w->points[4 * i]) != kind) continue;
        w->pairs[i] = (frc_ccd_pair){
            {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}
        };
        i++;
    }
}

static void batch_equals_its_members(void** state) {
    (void)state;
    workload* const w = malloc(sizeof *w);
    assert_non_null(w);
    for (int kind = 0; kind < 2; kind++) {
        generator g = {UINT64_C(9100) + (uint64_t)kind};
        frc_ccd_counts n = {0};
        const frc_ccd_options options = {.tolerance = 1e-6, .after_start = true, .counts = &n};
        fill(w, &g, (frc_ccd_kind)kind);
        const size_t found =
            frc_ccd_batch((frc_ccd_kind)kind, w->points, w->pairs, MANY, &options, w->hits);
        assert_int_equal(n.axis + n.cubic + n.no_root + n.outside + n.separated + n.hit + n.exact,
                         MANY);
        size_t at = 0;
        for (size_t i = 0; i < MANY; i++) {
            frc_ccd_hit hit;
            if (!frc_ccd_one((frc_ccd_kind)kind, &w->points[4 * i], &options, &hit)) continue;
            assert_true(at < found && w->hits[at].pair == i);
            assert_memory_equal(&hit.toi, &w->hits[at].toi, 6 * sizeof(double));
            at++;
        }
        assert_int_equal(at, found);
    }
    free(w);
}

// ---- one result, by the same stage, on every machine ----

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static void filters_decide_the_same_everywhere(void** state) {
    (void)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    generator g = {515};
    for (int i = 0; i < 20000; i++) {
        frc_point points[4];
        frc_ccd_counts n = {0};
        double toi;
        const frc_ccd_kind kind = generate_parting(&g, points);
        const bool found = decide(kind, points, &n, &toi);
        hash = mix(hash, n.axis + 2 * n.cubic + 4 * n.exact + 8 * found);
        toi += 0.0;  // one zero only
        uint64_t bits;
        memcpy(&bits, &toi, sizeof bits);
        if (found) hash = mix(hash, bits);
    }
    print_message("hash %016llx\n", (unsigned long long)hash);
    assert_int_equal(hash, UINT64_C(0x659040574dd78394));
}

/* ---- by hand ---- */

static frc_point point(double x0, double y0, double z0, double x1, double y1, double z1) {
    return (frc_point){
        .x = {x0, x1},
          .y = {y0, y1},
          .z = {z0, z1}
    };
}

// Two coincident edges that separate diagonally, one parallel to the other: coplanar for all time,
// so the cubic does not decide. Rotation of an edge while they separate does not matter.
static void edges_separate_in_parallel(void** state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        const double z = turn ? 0.5 : 0;
        const frc_point p[4] = {point(0, 0, 0, 0, 0, 0), point(3, 1, 0.5, 3, 1, 0.5 + z),
                                point(0, 0, 0, 0.125, -0.25, 0.25),
                                point(3, 1, 0.5, 3.125, 0.75, 0.75 + z)};
        frc_ccd_counts n = {0};
        double toi;
        assert_false(decide(FRC_CCD_EE, p, &n, &toi));
        assert_int_equal(n.axis, 0);
        assert_int_equal(n.cubic, 1);
    }
}

// A corner that leaves its face and passes through it: once in the middle, once at the very end.
static void corner_returns(void** state) {
    (void)state;
    for (int last = 0; last < 2; last++) {
        // The face rotates about the side next to its corner while the vertex moves up: the height
        // of the vertex is 2 t; that of the face at the same place 4 t^2 or 2 t^2.
        const double rise = last ? 2 : 4;
        const frc_point p[4] = {point(0, 0, 0, 1, 0, 2), point(0, 0, 0, 0, 0, 0),
                                point(4, -4, 0, 4, -4, 4 * rise), point(4, 4, 0, 4, 4, 4 * rise)};
        frc_ccd_counts n = {0};
        double toi;
        assert_true(decide(FRC_CCD_VF, p, &n, &toi));
        assert_int_equal(n.axis + n.cubic, 0);
        const double when = last ? 1 : 0.5;
        assert_true(toi <= when && toi > when - 1e-6);
    }
}

// One unit in the last place from a contact at the end of the step.
static void one_ulp_decides(void** state) {
    (void)state;
    const double end = 8;
    for (int side = -1; side <= 1; side++) {
        const double up = side < 0 ? nextafter(end, 0) : side > 0 ? nextafter(end, 16) : end;
        const frc_point p[4] = {point(0, 0, 0, 1, 0, 2), point(0, 0, 0, 0, 0, 0),
                                point(4, -4, 0, 4, -4, up), point(4, 4, 0, 4, 4, up)};
        frc_ccd_counts n = {0};
        double toi;
        assert_int_equal(decide(FRC_CCD_VF, p, &n, &toi), side >= 0);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_exact_stage_and_oracles),
#if !defined(EXPECT_WRONG)
        cmocka_unit_test(batch_equals_its_members),
        cmocka_unit_test(filters_decide_the_same_everywhere),
        cmocka_unit_test(edges_separate_in_parallel),
        cmocka_unit_test(corner_returns),
        cmocka_unit_test(one_ulp_decides),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
