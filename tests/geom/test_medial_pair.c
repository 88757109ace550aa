// Overlap and separation of medial primitives: random pairs compared with subdivision; contacts
// whose truth is known to the last bit, at all scales. Built without its error bounds the filter
// must fail.
//
// The oracle is weak within 1e-9 of touching, where the constructed contacts take its place.
#include "cmocka_all.h"
#include "geom/medial.h"
#include "oracle_medial.h"
#include "share.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef const double (*spheres)[4];

typedef struct pair {
    double a[3][4], b[3][4];
    int na, nb;
} pair;

static void print_pair(const pair* p) {
    for (int i = 0; i < p->na; i++)
        print_message("  a {%a, %a, %a, %a}\n", p->a[i][0], p->a[i][1], p->a[i][2], p->a[i][3]);
    for (int i = 0; i < p->nb; i++)
        print_message("  b {%a, %a, %a, %a}\n", p->b[i][0], p->b[i][1], p->b[i][2], p->b[i][3]);
}

// General, thin, parallel, with coincident or contained spheres, with large or no radii.
static void make_random(oracle_random* r, pair* p) {
    static const double RADII[4] = {0.3, 0.1, 0, 1};
    const int kind = oracle_below(r, 8);
    const double radius = RADII[oracle_below(r, 4)], size = oracle_below(r, 3) ? 1 : 0.1;
    p->na = 1 + oracle_below(r, 3);
    p->nb = 1 + oracle_below(r, 3);
    for (int side = 0; side < 2; side++) {
        double(*const x)[4] = side ? p->b : p->a;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) x[i][k] = size * oracle_real(r);
            // Two centre surfaces without radius that intersect would be undecidable for the
            // oracle.
            x[i][3] = side && radius == 0 ? 0.1 : radius * fabs(oracle_real(r));
        }
        x[0][0] += side * (1.2 * radius + size * 0.8);
        if (kind == 1) memcpy(x[1], x[0], sizeof *x);
        if (kind == 2) x[1][3] = 2.5 * size;
        if (kind == 3)
            for (int k = 0; k < 3; k++) x[2][k] = 0.5 * (x[0][k] + x[1][k]);
        if (kind == 4 && side)
            for (int k = 0; k < 3; k++) x[1][k] = x[0][k] + 0.5 * (p->a[1][k] - p->a[0][k]);
        if (kind == 5 && radius > 0)
            for (int i = 0; i < 3; i++) x[i][3] = radius;
    }
}

static void random_pairs(void** state) {
    (void)state;
    oracle_random r = {2024};
    const uint32_t rounds = share_of(1000000);
    uint32_t apart = 0, overlapping = 0, open = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        pair p;
        make_random(&r, &p);
        const int truth = oracle_medial_pair((spheres)p.a, p.na, (spheres)p.b, p.nb);
        apart += truth > 0, overlapping += truth < 0, open += truth == 0;
        const bool found = frc_medial_overlap((spheres)p.a, p.na, (spheres)p.b, p.nb);
        if (truth && found != (truth < 0)) {
            print_pair(&p);
            fail_msg("round %u: overlap %d", round, found);
        }
        if (round % 16) continue;
        const bool exact = frc_medial_overlap_exact((spheres)p.a, p.na, (spheres)p.b, p.nb);
        assert_int_equal(exact, found);
    }
    if (apart < rounds / 5 || overlapping < rounds / 5 || open > rounds / 50 + 1)
        fail_msg("%u apart, %u overlapping, %u open", apart, overlapping, open);
}

// ---- separation

static double norm(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// `gap` added to the radii of b; false where one would be negative.
static bool inflate(const pair* p, double gap, pair* out) {
    *out = *p;
    for (int i = 0; i < p->nb; i++)
        if (!((out->b[i][3] += gap) >= 0)) return false;
    return true;
}

static void check_weights(const double w[3], int count) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        assert_true(w[i] >= -1e-15 && (i < count || w[i] == 0));
        sum += w[i];
    }
    assert_true(fabs(sum - 1) < 1e-14);
}

static void separations(void** state) {
    (void)state;
    oracle_random r = {7};
    const uint32_t rounds = share_of(200000);
    uint32_t wide = 0, apart = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        pair p, q;
        frc_medial_gap g, h;
        make_random(&r, &p);
        frc_medial_separation((spheres)p.a, p.na, (spheres)p.b, p.nb, &g);
        frc_medial_separation((spheres)p.b, p.nb, (spheres)p.a, p.na, &h);
        assert_true(g.lower <= g.upper && g.lower <= h.upper && h.lower <= g.upper);
        assert_true(fabs(norm(g.direction) - 1) < 1e-14);
        check_weights(g.weight_a, p.na);
        check_weights(g.weight_b, p.nb);
        // Radii that make the primitives almost touch, from both sides.
        if (inflate(&p, g.lower - 3e-9, &q))
            assert_true(oracle_medial_pair((spheres)q.a, q.na, (spheres)q.b, q.nb) >= 0);
        if (inflate(&p, g.upper + 3e-9, &q))
            assert_true(oracle_medial_pair((spheres)q.a, q.na, (spheres)q.b, q.nb) <= 0);
        wide += g.upper - g.lower > 1e-12;
        if (!(g.lower > 1e-6)) continue;
        apart++;
        for (int k = 0; k < 3; k++)
            assert_true(fabs(g.point_b[k] - g.point_a[k] - g.upper * g.direction[k]) < 1e-8);
    }
    assert_true(apart > rounds / 5);
    if (wide > rounds / 5000 + 1) fail_msg("%u of %u intervals are wide", wide, rounds);
}

// Deeply overlapping slabs, whose nearest spheres are often those of an intersection.
static void deep(void** state) {
    (void)state;
    oracle_random r = {41};
    const uint32_t rounds = share_of(20000);
    uint32_t wide = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        pair p;
        frc_medial_gap g;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                p.a[i][k] = k < 3 ? oracle_real(&r) : 0.2 + 0.2 * oracle_real(&r);
                p.b[i][k] = k < 3 ? oracle_real(&r) : 0.2 + 0.2 * oracle_real(&r);
            }
        frc_medial_separation((spheres)p.a, 3, (spheres)p.b, 3, &g);
        wide += g.upper - g.lower > 1e-12;
        assert_true(g.lower <= g.upper);
        const double found =
            oracle_medial_descent(&r, (spheres)p.a, 3, (spheres)p.b, 3, g.weight_a, g.weight_b);
        assert_true(g.lower <= found + 1e-14);
    }
    if (wide > rounds / 50 + 1) fail_msg("%u of %u intervals are wide", wide, rounds);
}

// ---- contacts with known truth

// Times 2^exponent, in the order given by the permutation of the axes.
static void set_contact(const oracle_contact* c, int exponent, int turn, int na, int nb, pair* p) {
    p->na = na;
    p->nb = nb;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            p->a[i][k < 3 ? (k + turn) % 3 : 3] = ldexp(c->a[i][k], exponent);
            p->b[i][k < 3 ? (k + turn) % 3 : 3] = ldexp(c->b[i][k], exponent);
        }
}

// Make the spheres of b smaller by one unit in the last place; false where one has no radius.
static bool shrink(const pair* p, pair* out) {
    *out = *p;
    for (int i = 0; i < p->nb; i++) {
        if (out->b[i][3] == 0) return false;
        out->b[i][3] = nextafter(out->b[i][3], 0);
    }
    return true;
}

static int wrong_decisions(const pair* p, bool truth) {
    const bool found = frc_medial_overlap((spheres)p->a, p->na, (spheres)p->b, p->nb);
    const bool swapped = frc_medial_overlap((spheres)p->b, p->nb, (spheres)p->a, p->na);
    if (frc_medial_overlap_exact((spheres)p->a, p->na, (spheres)p->b, p->nb) != truth) {
        print_pair(p);
        fail_msg("exact: not %d", truth);
    }
    return (found != truth) + (swapped != truth);
}

static void contacts(void** state) {
    (void)state;
    oracle_random r = {99};
    const uint32_t rounds = share_of(100000);
    uint32_t shrunk = 0, wide = 0, wrong = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        const int na = 1 + oracle_below(&r, 3), nb = 1 + oracle_below(&r, 3);
        const int gap = oracle_below(&r, 8) == 0;
        const int exponent = oracle_below(&r, 3) ? 0 : oracle_below(&r, 2050) - 1050;
        oracle_contact c;
        pair p, q;
        oracle_make_contact(&r, na, nb, gap, &c);
        set_contact(&c, exponent, oracle_below(&r, 3), na, nb, &p);
        wrong += (uint32_t)wrong_decisions(&p, gap == 0);
        if (gap == 0 && shrink(&p, &q)) {
            wrong += (uint32_t)wrong_decisions(&q, false);
            shrunk++;
        }
        frc_medial_gap g;
        frc_medial_separation((spheres)p.a, na, (spheres)p.b, nb, &g);
        const double truth = ldexp(gap * c.length, exponent);
        wrong += !(g.lower <= truth && truth <= g.upper);
        wide += g.upper - g.lower > ldexp(1e-9, exponent);
    }
    assert_true(shrunk > rounds / 20);
#ifdef EXPECT_WRONG
    const bool fine = wrong > 0;
#else
    const bool fine = wrong == 0 && wide <= rounds / 4;
#endif
    if (!fine) fail_msg("%u wrong, %u wide of %u", wrong, wide, rounds);
}

// Numbers of very different size in one pair, and the largest and smallest doubles.
static void extremes(void** state) {
    (void)state;
    const double huge = 1.7e308, tiny = 0x1p-1074;
    const double a[2][4] = {
        {-huge, 0, 0, tiny},
        {huge,  0, 0, tiny}
    };
    const double b[3][4] = {
        {0,     3 * tiny, 0, tiny},
        {huge,  huge,     1, 0   },
        {-huge, huge,     0, huge}
    };
    assert_false(frc_medial_overlap(a, 2, b, 1));
    assert_true(frc_medial_overlap(a, 2, b, 3));
    const double c[1][4] = {
        {0, 2 * tiny, 0, tiny}
    };
    assert_true(frc_medial_overlap(a, 2, c, 1));
    frc_medial_gap g;
    const double d[1][4] =
        {
            {-huge, -huge, -huge, 0}
    },
                 e[1][4] = {{huge, huge, huge, 0}};
    frc_medial_separation(d, 1, e, 1, &g);
    assert_true(g.lower <= DBL_MAX && g.upper == INFINITY);
    frc_medial_separation(c, 1, c, 1, &g);
    assert_true(g.lower <= -2 * tiny && g.upper >= -2 * tiny && g.upper <= 0);
    const double zero[1][4] = {
        {5, 5, 5, 0}
    };
    frc_medial_separation(zero, 1, zero, 1, &g);
    assert_true(g.lower == 0 && g.upper == 0);
    assert_true(frc_medial_overlap(zero, 1, zero, 1));
    // Any exponents: nothing overflows an arena, and the order of the primitives does not matter.
    oracle_random r = {8};
    for (int round = 0; round < 300; round++) {
        pair p = {.na = 3, .nb = 3};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                p.a[i][k] = ldexp(oracle_real(&r), oracle_below(&r, 2090) - 1070);
                p.b[i][k] = ldexp(oracle_real(&r), oracle_below(&r, 2090) - 1070);
            }
        for (int i = 0; i < 3; i++)
            p.a[i][3] = fabs(p.a[i][3]), p.b[i][3] = fabs(p.b[i][3]) * (i == 1 ? tiny : 1);
        const bool exact = frc_medial_overlap_exact((spheres)p.a, 3, (spheres)p.b, 3);
        assert_int_equal(exact, frc_medial_overlap((spheres)p.b, 3, (spheres)p.a, 3));
        frc_medial_parts parts;
        frc_medial_classify((spheres)p.a, 3, FRC_MEDIAL_EXACT, &parts);
        assert_true(parts.count > 0);
        for (int k = 0; k < 3; k++) p.b[1][k] = fmax(p.b[0][k], p.b[1][k]);
        for (int k = 0; k < 3; k++) p.b[0][k] = fmin(p.b[0][k], p.b[1][k]);
        assert_int_equal(frc_medial_overlaps_box((spheres)p.a, 2, p.b[0], p.b[1]),
                         frc_medial_overlaps_box_exact((spheres)p.a, 2, p.b[0], p.b[1]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs), cmocka_unit_test(separations), cmocka_unit_test(deep),
        cmocka_unit_test(contacts),     cmocka_unit_test(extremes),
    };
#ifdef EXPECT_WRONG
    cmocka_set_test_filter("contacts");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
