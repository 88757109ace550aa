// A point and a tetrahedron: decisions and weights compared with GMP rationals; the filter on
// rounded coordinates may keep a wrong pair but must not drop a true one. Built without its bounds
// it must fail.
#include "cmocka_all.h"
#include "geom/tet.h"
#include "oracle_tri.h"
#include "share.h"
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double real(uint64_t* state) { return (double)(next_random(state) >> 11) * 0x1p-52 - 1; }

// Random, integer, nearly flat, huge, tiny, mixed.
static void make_case(uint64_t* random, int kind, double p[3], double t[4][3]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) t[i][k] = real(random);
    double w[4], sum = 0;
    for (int i = 0; i < 4; i++) sum += w[i] = real(random) + (kind % 2 ? 1 : 0.6);
    for (int k = 0; k < 3; k++) {
        p[k] = 0;
        for (int i = 0; i < 4; i++) p[k] += w[i] / sum * t[i][k];
        if (!(fabs(p[k]) < 2)) p[k] = 0.5;  // the sum was about zero
    }
    const double factor = kind == 3   ? 1e300
                          : kind == 4 ? 0x1p-1060
                          : kind == 5 ? 1.7e308
                          : kind == 6 ? 1e-110
                                      : 1;
    if (kind == 2)  // nearly flat
        for (int k = 0; k < 3; k++) t[3][k] = (t[0][k] + t[1][k] + t[2][k]) / 3;
    for (int k = 0; k < 3; k++) {
        p[k] *= factor;
        for (int i = 0; i < 4; i++) t[i][k] *= factor;
        if (kind != 7) continue;
        p[k] = floor(p[k] * 2);
        for (int i = 0; i < 4; i++) t[i][k] = floor(t[i][k] * 2);
    }
    if (next_random(random) % 8 == 0) memcpy(p, t[next_random(random) % 4], 3 * sizeof *p);
}

static void decisions(void** state) {
    (void)state;
    uint64_t random = 12345;
    int inside = 0, outside = 0, by_exact = 0;
    for (int round = 0; round < 16000; round++) {
        double p[3], t[4][3];
        make_case(&random, round % 8, p, t);
        const double* const corners[4] = {t[0], t[1], t[2], t[3]};
        bool exact;
        const bool truth = oracle_point_in_tetrahedron(p, (const double(*)[3])t);
        assert_int_equal(frc_tet_has_point(p, corners, &exact), truth);
        assert_int_equal(frc_tet_has_point_exact(p, corners), truth);
        by_exact += exact;
        inside += truth, outside += !truth;
    }
    assert_true(inside > 1000 && outside > 1000 && by_exact > 1000);
}

// Rounded points of faces and edges: the sign of a volume is that of a rounding error.
static void points_next_to_faces(void** state) {
    (void)state;
    uint64_t random = 4321;
    int inside = 0, by_exact = 0;
    enum { ROUNDS = 6000 };
    for (int round = 0; round < ROUNDS; round++) {
        double p[3], t[4][3], w[4], sum = 0;
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 3; k++) t[i][k] = real(&random);
            w[i] = i < round % 2 + 1 ? 0 : real(&random) + 1;
            sum += w[i];
        }
        for (int k = 0; k < 3; k++)
            p[k] = (w[0] * t[0][k] + w[1] * t[1][k] + w[2] * t[2][k] + w[3] * t[3][k]) / sum;
        const double* const corners[4] = {t[0], t[1], t[2], t[3]};
        bool exact;
        const bool truth = oracle_point_in_tetrahedron(p, (const double(*)[3])t);
        assert_int_equal(frc_tet_has_point(p, corners, &exact), truth);
        by_exact += exact;
        inside += truth;
    }
    assert_true(inside > ROUNDS / 10 && inside < ROUNDS - ROUNDS / 10 && by_exact > ROUNDS / 2);
}

// ---- weights

static void set_det(mpq_t out, const double* a, const double* b, const double* c, const double* d) {
    mpq_t m[3][3], x, y, s;
    const double* const rows[3] = {b, c, d};
    mpq_inits(x, y, s, NULL);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            mpq_init(m[i][k]);
            mpq_set_d(x, rows[i][k]);
            mpq_set_d(y, a[k]);
            mpq_sub(m[i][k], x, y);
        }
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(x, m[1][(k + 1) % 3], m[2][(k + 2) % 3]);
        mpq_mul(y, m[1][(k + 2) % 3], m[2][(k + 1) % 3]);
        mpq_sub(s, x, y);
        mpq_mul(s, s, m[0][k]);
        mpq_add(out, out, s);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) mpq_clear(m[i][k]);
    mpq_clears(x, y, s, NULL);
}

static void weights(void** state) {
    (void)state;
    uint64_t random = 777;
    int flat = 0;
    for (int round = 0; round < 4000; round++) {
        double p[3], t[4][3], w[4];
        make_case(&random, round % 8, p, t);
        const double* corners[4] = {t[0], t[1], t[2], t[3]};
        frc_tet_barycentric(p, corners, w);
        mpq_t all, one;
        mpq_inits(all, one, NULL);
        set_det(all, t[0], t[1], t[2], t[3]);
        for (int i = 0; i < 4; i++) {
            if (mpq_sgn(all) == 0) {
                assert_true(w[i] == 0);
                flat += i == 0;
                continue;
            }
            const double* with[4] = {t[0], t[1], t[2], t[3]};
            with[i] = p;
            set_det(one, with[0], with[1], with[2], with[3]);
            mpq_div(one, one, all);
            const double truth = mpq_get_d(one);
            // Outside of a thin tetrahedron weights are large: errors are relative to the largest.
            const double size = fabs(truth) > 1 ? fabs(truth) : 1;
            if (size < 16 && !(fabs(w[i] - truth) <= 0x1p-19 * size))
                fail_msg("kind %d: weight %d is %.17g and not %.17g", round % 8, i, w[i], truth);
        }
        mpq_clears(all, one, NULL);
    }
    assert_true(flat > 20);
}

// ---- the filter

enum { PAIRS = 64 };

// Collects the kept pairs, in the order in which they were added; returns their number.
static uint32_t collect_kept(const frc_tet_pairs* pairs, bool kept[PAIRS]) {
    for (uint32_t i = 0; i < pairs->count; i++) {
        assert_int_equal(pairs->vertices[i], 5 * pairs->tets[i] + 4);
        assert_true(i == 0 || pairs->tets[i] > pairs->tets[i - 1]);
        kept[pairs->tets[i]] = true;
    }
    return pairs->count;
}

static void filter(void** state) {
    (void)state;
    uint64_t random = 99;
    size_t open_all = 0, sure_all = 0, inside_all = 0, all = 0, wrong = 0;
    const uint32_t rounds = share_of(3000);
    for (uint32_t round = 0; round < rounds; round++) {
        static int32_t spots[5 * PAIRS][4];
        static uint32_t corners[PAIRS][4], lists[4][PAIRS + 3];
        static bool inside[PAIRS];
        bool open[PAIRS] = {false}, sure[PAIRS] = {false};
        const double size = ldexp(1, (int)(next_random(&random) % 24));
        const uint32_t count = 1 + (uint32_t)(next_random(&random) % PAIRS);
        frc_tet_pairs pairs = {lists[0], lists[1], count}, in = {lists[2], lists[3], 0};
        for (uint32_t i = 0; i < count; i++) {
            double p[3], t[4][3];
            make_case(&random, (int)(next_random(&random) % 3), p, t);
            for (int k = 0; k < 3; k++) {
                spots[5 * i + 4][k] = (int32_t)floor(p[k] * size);
                for (uint32_t c = 0; c < 4; c++)
                    spots[5 * i + c][k] = (int32_t)floor(t[c][k] * size), corners[i][c] = 5 * i + c;
            }
            pairs.vertices[i] = 5 * i + 4, pairs.tets[i] = i;
            inside[i] = oracle_point_in_tetrahedron(p, (const double(*)[3])t);
        }
        frc_tet_filter((const int32_t(*)[4])spots, (const uint32_t(*)[4])corners, &pairs, &in);
        open_all += collect_kept(&pairs, open);
        sure_all += collect_kept(&in, sure);
        for (uint32_t i = 0; i < count; i++) {
            assert_false(open[i] && sure[i]);
            inside_all += inside[i];
            wrong += !open[i] && sure[i] != inside[i];
        }
        all += count;
    }
    // Both outcomes occur.
    assert_true(inside_all > 3 * rounds && sure_all > rounds / 3 && open_all > rounds / 3);
    assert_true(open_all + sure_all < all / 2 + inside_all);
#ifdef EXPECT_WRONG
    assert_true(wrong > 0);
#else
    assert_int_equal(wrong, 0);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions),
        cmocka_unit_test(points_next_to_faces),
        cmocka_unit_test(weights),
        cmocka_unit_test(filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
