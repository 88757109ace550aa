// Contact in time of medial primitives and of turning bodies: before the time found there is no
// contact, by subdivision at sampled times and with the worst deviations; at that time the
// primitives are within the tolerance; contacts at known times. Built without its error bounds it
// must fail.
//
// Sampling is weak for contacts shorter than a sample, where the contacts at known times take its
// place.
#include "cmocka_all.h"
#include "geom/medial.h"
#include "oracle_medial.h"
#include "share.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef const double (*spheres)[4];

typedef struct sweeps {
    double a[2][3][4], b[2][3][4];
    frc_medial_sweep sa, sb;
} sweeps;

static void finish(sweeps* s, int na, int nb, double bulge_a, double bulge_b) {
    for (int i = 0; i < 3; i++) s->a[1][i][3] = s->a[0][i][3], s->b[1][i][3] = s->b[0][i][3];
    s->sa = (frc_medial_sweep){(spheres)s->a[0], (spheres)s->a[1], na, bulge_a};
    s->sb = (frc_medial_sweep){(spheres)s->b[0], (spheres)s->b[1], nb, bulge_b};
}

// Turning, translating, parallel, resting, fast.
static void make_random(oracle_random* r, sweeps* s) {
    static const double BULGES[4] = {0, 0, 0.01, 0.1};
    const int kind = oracle_below(r, 6);
    const double radius = oracle_below(r, 3) ? 0.15 : 0.01;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            s->a[0][i][k] = 0.5 * oracle_real(r);
            s->b[0][i][k] = 0.5 * oracle_real(r) + (k == 0) * 1.1;
            s->a[1][i][k] = 0.7 * oracle_real(r) + (k == 0) * 0.5;
            s->b[1][i][k] = 0.7 * oracle_real(r) + (k == 0) * 0.5;
            if (kind == 1) s->a[1][i][k] = s->a[0][i][k];
            if (kind == 2) s->b[1][i][k] = s->b[0][i][k] - (k == 0) * 1.5;
            if (kind == 3) {
                s->a[1][i][k] = s->a[0][i][k] + (k == 0) * 100;
                s->b[1][i][k] = s->b[0][i][k];
            }
            if (kind == 4 && i > 0) {
                s->a[0][i][k] = s->a[0][0][k] + i * (k == 1) * 0.5;
                s->b[0][i][k] = s->b[0][0][k] - i * (k == 1) * 0.25;
            }
        }
        s->a[0][i][3] = radius * fabs(oracle_real(r));
        s->b[0][i][3] = radius * fabs(oracle_real(r));
    }
    finish(s, 1 + oracle_below(r, 3), 1 + oracle_below(r, 3), BULGES[oracle_below(r, 4)],
           BULGES[oracle_below(r, 4)]);
}

static void place(const frc_medial_sweep* s, double t, double (*out)[4]) {
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 4; k++)
            out[i][k] = (1 - t) * s->start[i][k] + t * (k < 3 ? s->end[i][k] : s->start[i][k]);
}

// Move each centre by at most the bulge, the last ones fully.
static void deviate(oracle_random* r, double bulge, int count, double (*x)[4]) {
    for (int i = 0; i < count; i++) {
        double d[3], length = 0;
        for (int k = 0; k < 3; k++) d[k] = oracle_real(r), length += d[k] * d[k];
        for (int k = 0; k < 3; k++) x[i][k] += bulge * (1 - 1e-12) * d[k] / sqrt(length);
    }
}

// 1: apart, -1: overlapping at time t with some deviation; `inflate` is added to the radii of a.
static int at_time(const sweeps* s, double t, oracle_random* r, double inflate) {
    double a[3][4], b[3][4];
    place(&s->sa, t, a);
    place(&s->sb, t, b);
    if (r) deviate(r, s->sa.bulge, s->sa.count, a);
    if (r) deviate(r, s->sb.bulge, s->sb.count, b);
    for (int i = 0; i < 3; i++) a[i][3] += inflate;
    return oracle_medial_pair((spheres)a, s->sa.count, (spheres)b, s->sb.count);
}

static double separation(const sweeps* s, double t) {
    double a[3][4], b[3][4];
    frc_medial_gap g;
    place(&s->sa, t, a);
    place(&s->sb, t, b);
    frc_medial_separation((spheres)a, s->sa.count, (spheres)b, s->sb.count, &g);
    return g.upper;
}

static void linear(void** state) {
    (void)state;
    oracle_random r = {41};
    const uint32_t rounds = share_of(60000);
    uint32_t hits = 0, misses = 0, sharp = 0, steps = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        static const double TOLERANCES[4] = {1e-2, 1e-4, 1e-6, 1e-9};
        sweeps s;
        frc_medial_hit hit;
        make_random(&r, &s);
        const double tolerance = TOLERANCES[oracle_below(&r, 4)];
        const bool found = frc_medial_ccd(&s.sa, &s.sb, tolerance, NULL, &hit);
        hits += found, misses += !found;
        assert_true(hit.t >= 0 && hit.t <= 1 && (found || hit.t == 1));
        assert_false(hit.limited);
        steps += (uint32_t)hit.steps;
        for (int i = 0; i < 24; i++) {
            const double t = i < 4 ? hit.t * (1 - pow(0.01, i + 1)) : hit.t * (i - 3.5) / 20;
            if (t < hit.t && at_time(&s, t, &r, 0) < 0)
                fail_msg("round %u: overlap at %.17g < %.17g", round, t, hit.t);
        }
        if (!found) continue;
        const double bulge = s.sa.bulge + s.sb.bulge;
        assert_true(hit.gap <= tolerance + 2 * bulge + 1e-12);
        assert_true(at_time(&s, hit.t, NULL, fmax(hit.gap - bulge, 0) + 3e-9) <= 0);
        // Where the primitives approach, the true contact follows soon.
        const double h = 1e-5, rate = (separation(&s, hit.t) - separation(&s, hit.t + h)) / h;
        if (bulge > 0 || tolerance > 1e-6 || rate < 0.5 || hit.t == 0) continue;
        sharp++;
        assert_true(at_time(&s, hit.t + 2 * tolerance / rate + 1e-8, NULL, 3e-9) <= 0);
    }
    assert_true(hits > rounds / 5 && misses > rounds / 5 && sharp > rounds / 50);
    assert_true(10 * steps < 32 * rounds);  // without turning directions more
}

// ---- contacts at known times

// A contact as in oracle_make_contact in which b moves along the normal and sideways, so that the
// touching planes meet in the middle of the step.
static void make_known(oracle_random* r, int gap, int along, int exponent, sweeps* s) {
    oracle_contact c;
    const int na = 1 + oracle_below(r, 3), nb = 1 + oracle_below(r, 3);
    double side[3];
    oracle_make_contact(r, na, nb, gap, &c);
    // Orthogonal to the normal.
    const int p = oracle_below(r, 200) - 100;
    side[0] = p * c.normal[1], side[1] = -p * c.normal[0], side[2] = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                double move = k < 3 ? along * c.normal[k] + side[k] : 0;
                s->a[end][i][k] = ldexp(c.a[i][k], exponent);
                s->b[end][i][k] = ldexp(c.b[i][k] + (end ? -move : move), exponent);
            }
    finish(s, na, nb, 0, 0);
    s->sb.bulge = c.length;  // for the caller, who resets it
}

static void known(void** state) {
    (void)state;
    oracle_random r = {43};
    const uint32_t rounds = share_of(100000);
    uint32_t wrong = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        sweeps s;
        frc_medial_hit hit;
        const int exponent = oracle_below(&r, 3) ? 0 : oracle_below(&r, 1960) - 1000;
        const int along = oracle_below(&r, 3) ? 1 + oracle_below(&r, 100000) : 0;
        const int gap = along == 0 && oracle_below(&r, 2);
        const double tolerance = ldexp(oracle_below(&r, 4) ? 0.001 : 0, exponent);
        make_known(&r, gap, along, exponent, &s);
        const double speed = 2 * along * s.sb.bulge;
        s.sb.bulge = 0;
        const bool found = frc_medial_ccd(&s.sa, &s.sb, tolerance, NULL, &hit);
        if (gap) {
            wrong += found;  // grazing at a distance
            continue;
        }
        wrong += !found || hit.t > 0.5;
        // Where edges without radius graze each other, rounding ends the search early, but close.
        wrong += hit.limited && !(hit.gap <= ldexp(1e-6, exponent));
        // 1e-6 for a tolerance of 0: relative to coordinates of up to 10^7.
        if (along) wrong += !(0.5 - hit.t <= (0.001 * 1.001 + 1e-6) / speed);
    }
#ifdef EXPECT_WRONG
    assert_true(wrong > 0);
#else
    assert_int_equal(wrong, 0);
#endif
}

static void cases(void** state) {
    (void)state;
    frc_medial_hit hit;
    // No motion, apart; no motion, touching.
    const double point[1][4] =
        {
            {0, 0, 0, 1}
    },
                 apart[1][4] = {{3, 0, 0, 1.5}};
    const double touching[1][4] = {
        {3, 0, 0, 2}
    };
    const frc_medial_sweep p = {point, point, 1, 0}, q = {apart, apart, 1, 0};
    const frc_medial_sweep u = {touching, touching, 1, 0};
    assert_false(frc_medial_ccd(&p, &q, 0, NULL, &hit));
    assert_true(frc_medial_ccd(&p, &u, 0, NULL, &hit) && hit.t == 0 && !hit.limited);
    // Contact at the end of the step only.
    const double far[1][4] =
        {
            {7, 0, 0, 1}
    },
                 near[1][4] = {{2, 0, 0, 1}};
    const frc_medial_sweep late = {far, near, 1, 0};
    assert_true(frc_medial_ccd(&p, &late, 1e-9, NULL, &hit) && hit.t > 1 - 1e-9 && hit.t <= 1);
    // A point through a triangle without thickness, at 10^5 times its size.
    const double slab[3][4] = {
        {0, 0, 0, 0},
        {1, 0, 0, 0},
        {0, 1, 0, 0}
    };
    const double above[1][4] =
        {
            {0.25, 0.25, 1e5, 0}
    },
                 below[1][4] = {{0.25, 0.25, -3e5, 0}};
    const frc_medial_sweep t = {slab, slab, 3, 0}, shot = {above, below, 1, 0};
    assert_true(frc_medial_ccd(&t, &shot, 1e-6, NULL, &hit));
    assert_true(hit.t <= 0.25 && hit.t > 0.25 - 1e-10 && !hit.limited);
    // Overlapping at the start, deeply.
    const double inside[2][4] = {
        {0.2, 0.2, -1, 0.1},
        {0.2, 0.2, 1,  0.1}
    };
    const frc_medial_sweep stuck = {inside, inside, 2, 0};
    assert_true(frc_medial_ccd(&t, &stuck, 1e-6, NULL, &hit) && hit.t == 0 && !hit.limited);
    // Everything at one point.
    const double zero[2][4] = {
        {1, 1, 1, 0},
        {1, 1, 1, 0}
    };
    const frc_medial_sweep z = {zero, zero, 2, 0};
    assert_true(frc_medial_ccd(&z, &z, 0, NULL, &hit) && hit.t == 0);
}

// ---- turning bodies

typedef struct body {
    double position[2][3], quaternion[2][4];
    double x[3][4];
    int count;
    frc_rigid_motion motion;
} body;

static void make_body(oracle_random* r, double turn, double offset, body* out) {
    double q[4], length = 0;
    for (int k = 0; k < 4; k++) q[k] = oracle_real(r), length += q[k] * q[k];
    for (int k = 0; k < 4; k++) {
        out->quaternion[0][k] = q[k] / sqrt(length);
        out->quaternion[1][k] = out->quaternion[0][k] + turn * oracle_real(r);
    }
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++)
            out->position[end][k] = 0.3 * oracle_real(r) + (k == 0) * offset;
    out->count = 1 + oracle_below(r, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out->x[i][k] = k < 3 ? oracle_real(r) : 0.05 + 0.05 * oracle_real(r);
    out->motion = frc_rigid_motion_make(out->position[0], out->quaternion[0], out->position[1],
                                        out->quaternion[1]);
}

// The spheres at time t, by rotating with the quaternion q: x + 2 q_w (v x x) + 2 v x (v x x).
static void place_body(const body* b, double t, double (*out)[4]) {
    long double q[4], length = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = (1 - t) * b->motion.quaternion[0][k] + t * b->motion.quaternion[1][k];
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) q[k] /= sqrtl(length);
    for (int i = 0; i < b->count; i++) {
        const double* const x = b->x[i];
        long double c[3], d[3];
        for (int k = 0; k < 3; k++)
            c[k] = q[1 + (k + 1) % 3] * x[(k + 2) % 3] - q[1 + (k + 2) % 3] * x[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            d[k] = q[1 + (k + 1) % 3] * c[(k + 2) % 3] - q[1 + (k + 2) % 3] * c[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            out[i][k] = (double)(x[k] + 2 * q[0] * c[k] + 2 * d[k] + (1 - t) * b->position[0][k] +
                                 t * b->position[1][k]);
        out[i][3] = x[3];
    }
}

static int bodies_at(const body* a, const body* b, double t, double inflate) {
    double x[3][4], y[3][4];
    place_body(a, t, x);
    place_body(b, t, y);
    for (int i = 0; i < a->count; i++) x[i][3] += inflate;
    return oracle_medial_pair((spheres)x, a->count, (spheres)y, b->count);
}

static bool search(const body* a, const body* b, double tolerance, frc_medial_hit* hit) {
    return frc_medial_ccd_rigid((spheres)a->x, a->count, &a->motion, (spheres)b->x, b->count,
                                &b->motion, tolerance, NULL, hit);
}

// The same from a hit of the straight ways on.
static bool search_on(const body* a, const body* b, double tolerance, frc_medial_hit* hit) {
    double x[2][3][4], y[2][3][4];
    frc_medial_sweep v = {(spheres)x[0], (spheres)x[1], a->count, 0};
    frc_medial_sweep w = {(spheres)y[0], (spheres)y[1], b->count, 0};
    v.bulge = frc_medial_sweep_spheres((spheres)a->x, a->count, &a->motion, 0, 1, x[0], x[1]);
    w.bulge = frc_medial_sweep_spheres((spheres)b->x, b->count, &b->motion, 0, 1, y[0], y[1]);
    return frc_medial_ccd(&v, &w, tolerance, NULL, hit) &&
           frc_medial_ccd_rigid((spheres)a->x, a->count, &a->motion, (spheres)b->x, b->count,
                                &b->motion, tolerance, hit, hit);
}

static void turning(void** state) {
    (void)state;
    oracle_random r = {47};
    const uint32_t rounds = share_of(20000);
    uint32_t hits = 0, misses = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        static const double TURNS[4] = {0, 0.1, 0.6, 2};
        const double tolerance = oracle_below(&r, 2) ? 1e-3 : 1e-6;
        body a, b;
        frc_medial_hit hit;
        make_body(&r, TURNS[oracle_below(&r, 4)], 0, &a);
        make_body(&r, TURNS[oracle_below(&r, 4)], 0.8, &b);
        const bool found =
            round % 2 ? search(&a, &b, tolerance, &hit) : search_on(&a, &b, tolerance, &hit);
        hits += found && hit.t > 0, misses += !found;
        assert_false(hit.limited);
        assert_true(hit.t >= 0 && hit.t <= 1 && (found || hit.t == 1));
        for (int i = 0; i < 32; i++) {
            const double t = i < 4 ? hit.t * (1 - pow(0.01, i + 1)) : hit.t * (i - 3.5) / 28;
            if (t < hit.t && bodies_at(&a, &b, t, 0) < 0)
                fail_msg("round %u: overlap at %.17g < %.17g", round, t, hit.t);
        }
        if (!found) continue;
        assert_true(hit.gap <= 2 * tolerance);
        assert_true(bodies_at(&a, &b, hit.t, fmax(hit.gap, 0) + 3e-9) <= 0);
    }
    if (hits < rounds / 20 || misses < rounds / 20) fail_msg("%u hits, %u misses", hits, misses);
}

// The bulge bounds the deviation from the chord and is at most twice as large for wide turns.
static void bulges(void** state) {
    (void)state;
    oracle_random r = {53};
    const uint32_t rounds = share_of(20000);
    uint32_t tight = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        body b;
        double start[3][4], end[3][4], x[3][4], largest = 0;
        make_body(&r, oracle_below(&r, 2) ? 0.3 : 3, 0, &b);
        const double t0 = 0.5 * (1 + oracle_real(&r)), w = (1 - t0) * 0.5 * (1 + oracle_real(&r));
        const double bulge =
            frc_medial_sweep_spheres((spheres)b.x, b.count, &b.motion, t0, t0 + w, start, end);
        for (int i = 0; i <= 16; i++) {
            const double s = i / 16.0;
            place_body(&b, t0 + s * w, x);
            for (int j = 0; j < b.count; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++) {
                    const double d = x[j][k] - (1 - s) * start[j][k] - s * end[j][k];
                    sum += d * d;
                }
                largest = fmax(largest, sqrt(sum));
            }
        }
        assert_true(largest <= bulge);
        tight += bulge < 2 * largest;
    }
    assert_true(tight > rounds / 10);
}

// Against sines and cosines: axis z, from 0 to 90 degrees.
static void motion(void** state) {
    (void)state;
    const double p0[3] = {1, 2, 3}, p1[3] = {2, 2, 1}, q0[4] = {1e-310, 0, 0, 0};
    const double q1[4] = {-1e200, 0, 0, -1e200};  // any length, either sign
    const frc_rigid_motion m = frc_rigid_motion_make(p0, q0, p1, q1);
    fracas_pose pose;
    double last = 0, slowest = INFINITY, fastest = 0;
    for (int i = 0; i <= 64; i++) {
        const double t = i / 64.0;
        frc_rigid_motion_at(&m, t, &pose);
        const double angle = atan2(pose.rotation[3], pose.rotation[0]);
        const double half = atan((2 * t - 1) * tan(atan(1) / 2)) + atan(1) / 2;
        assert_true(fabs(angle - 2 * half) < 1e-14);
        assert_true(fabs(pose.rotation[8] - 1) < 1e-15);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(pose.translation[k] - (1 - t) * p0[k] - t * p1[k]) < 1e-15);
        if (i > 0) slowest = fmin(slowest, angle - last), fastest = fmax(fastest, angle - last);
        last = angle;
    }
    assert_true(fabs(last - 2 * atan(1)) < 1e-15);
    assert_true(fastest / slowest > 1.15 && fastest / slowest < 1.172);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += pose.rotation[3 * i + k] * pose.rotation[3 * j + k];
            assert_true(fabs(sum - (i == j)) < 1e-15);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear),  cmocka_unit_test(known),  cmocka_unit_test(cases),
        cmocka_unit_test(turning), cmocka_unit_test(bulges), cmocka_unit_test(motion),
    };
#ifdef EXPECT_WRONG
    cmocka_set_test_filter("known");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
